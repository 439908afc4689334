package jobs

import (
	"encoding/binary"
	"encoding/json"
	"time"

	"github.com/google/uuid"
)

// State is how a job stands. Scraping leads to each of the others, and none of those
// leads anywhere.
type State string

// The states, in the service's words.
const (
	Scraping  State = "scraping"
	Completed State = "completed"
	Failed    State = "failed"
	Cancelled State = "cancelled"
)

// Final reports whether nothing can follow on s.
func (s State) Final() bool { return s == Completed || s == Failed || s == Cancelled }

// Record is what is kept of a job beside its events. It is a copy: changing it changes
// no job.
type Record struct {
	// ID is a UUIDv7 in its usual form.
	ID string
	// Kind of job in the words of events, such as "crawl" or "batch_scrape".
	Kind string
	// Owner and URL as they were given; code that hands records out checks the owner.
	Owner, URL string
	State      State
	// Params are what a resume needs; nil: none. Only their maker knows what they mean.
	Params json.RawMessage
	// Created and Ended are in UTC, to the millisecond. Ended is zero while it runs.
	Created, Ended time.Time
	// Expires is when a finished job is forgotten. A running job isn't: there it is the
	// earliest time that it can be.
	Expires time.Time
	// Code and Error say why it failed or was cancelled.
	Code, Error string
	// Credits that were added so far.
	Credits int64
	// Webhook of the job; nil: none.
	Webhook *Webhook
	// Elsewhere: it was made with [New].Elsewhere.
	Elsewhere bool
}

// head is the part of a record that changes, and is small.
type head struct {
	ID      string    `json:"id"`
	Kind    string    `json:"kind"`
	Owner   string    `json:"owner,omitempty"`
	URL     string    `json:"url,omitempty"`
	State   State     `json:"state"`
	Created time.Time `json:"created"`
	Ended   time.Time `json:"ended,omitzero"`
	Expires time.Time `json:"expires,omitzero"`
	Code    string    `json:"code,omitempty"`
	Error   string    `json:"error,omitempty"`
	Hook    bool      `json:"hook,omitempty"`
	Key     []byte    `json:"key,omitempty"` // in bucketKeys
	// Elsewhere: the work is done by other machines too.
	Elsewhere bool `json:"elsewhere,omitempty"`
}

func parseID(id string) (uuid.UUID, error) {
	u, err := uuid.Parse(id)
	if err != nil || len(id) != 36 { // uuid reads other forms too
		return u, ErrNotFound
	}
	return u, nil
}

func number(bucket string, row []byte) (uint64, error) {
	content, err := unseal(bucket, row)
	if err != nil || len(content) != 8 {
		return 0, &DamagedError{bucket}
	}
	return binary.BigEndian.Uint64(content), nil
}

// find gives a job's number and head by its id, unless it has expired.
func (j *Jobs) find(tx Tx, id string) (n uint64, h head, err error) {
	u, err := parseID(id)
	if err != nil {
		return 0, h, err
	}
	row := tx.Get(bucketIDs, u[:])
	if row == nil {
		return 0, h, ErrNotFound
	}
	if n, err = number(bucketIDs, row); err != nil {
		return 0, h, err
	}
	h, err = j.head(tx, n)
	return n, h, err
}

// head gives a job's head by its number, unless it has expired.
func (j *Jobs) head(tx Tx, n uint64) (h head, err error) {
	found, err := get(tx, bucketHeads, key(n), &h)
	if err != nil {
		return h, err
	}
	if !found || h.State.Final() && !h.Expires.After(j.o.Ages()) {
		return h, ErrNotFound
	}
	return h, nil
}

// record completes a head.
func (j *Jobs) record(tx Tx, n uint64, h head) (r Record, err error) {
	r = Record{
		ID: h.ID, Kind: h.Kind, Owner: h.Owner, URL: h.URL, State: h.State,
		Created: h.Created, Ended: h.Ended, Expires: h.Expires, Code: h.Code, Error: h.Error,
		Elsewhere: h.Elsewhere,
	}
	if !h.State.Final() {
		r.Expires = j.now().Add(j.o.Keep)
	}
	if r.Params, err = raw(tx, bucketParams, key(n)); err != nil {
		return r, err
	}
	if r.Credits, err = credits(tx, n); err != nil || !h.Hook {
		return r, err
	}
	r.Webhook, err = webhook(tx, n)
	return r, err
}

func (j *Jobs) recordOf(tx Tx, n uint64) (Record, error) {
	h, err := j.head(tx, n)
	if err != nil {
		return Record{}, err
	}
	return j.record(tx, n, h)
}

func credits(tx Tx, n uint64) (int64, error) {
	row := tx.Get(bucketCredits, key(n))
	if row == nil {
		return 0, nil
	}
	sum, err := number(bucketCredits, row)
	return int64(sum), err
}
