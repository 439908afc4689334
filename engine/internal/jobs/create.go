package jobs

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
)

// Bounds of what a job is made of, in bytes.
const (
	maxKind   = 32
	maxOwner  = 256
	maxURL    = 16 << 10
	maxKey    = 1 << 10
	maxParams = 16 << 20
)

// New is what a job is made of.
type New struct {
	// Kind is required: small letters and underscores, at most 32.
	Kind string
	// Owner, at most 256 bytes; may be empty.
	Owner string
	// URL that the job is about, as it was given, at most 16 KiB; may be empty.
	URL string
	// Params are kept for the resume: JSON of at most 16 MiB, or nil.
	Params json.RawMessage
	// Request is what a repeated request is compared by, where Params are made from it in a
	// way that differs from time to time: JSON; nil: Params.
	Request json.RawMessage
	// Webhook receives the events; nil: none is sent.
	Webhook *Webhook
	// With is what the kind needs beside the Params to have the job done; it isn't kept.
	With any
	// Elsewhere, where set, is the job of another machine that is kept here too.
	Elsewhere *Elsewhere
	// IdempotencyKey makes a repeated request find the job of the first; empty: none. At
	// most 1 KiB.
	IdempotencyKey string
}

// Elsewhere names a job whose work isn't done here.
type Elsewhere struct {
	// ID of the job, a UUID, and when it was created. One of that ID that is here already is the job.
	ID      string
	Created time.Time
}

// claim is what a key of idempotency stands for.
type claim struct {
	Job     uint64 `json:"job"`
	Request []byte `json:"request"` // hash of what was asked for
}

// Create makes a job that is scraping, with its first event, "started".
//
// An IdempotencyKey belongs to the Owner and is kept as long as the job. The same
// request again (Kind, URL, Params or Request, and Webhook are compared) gives the earlier job,
// however that stands, with existed true; another one, of whatever kind, is
// [ErrIdempotencyReuse]. What can't be honoured is a [*FieldError].
func (j *Jobs) Create(ctx context.Context, n New) (r Record, existed bool, err error) {
	if err := j.check(n); err != nil {
		return Record{}, false, err
	}
	id, created, err := n.begin(j.now())
	if err != nil {
		return Record{}, false, err
	}
	h := head{
		ID: id.String(), Kind: n.Kind, Owner: n.Owner, URL: n.URL, State: Scraping, Created: created, Hook: n.Webhook != nil,
		Elsewhere: n.Elsewhere != nil,
	}
	if n.IdempotencyKey != "" {
		h.Key = digest(n.Owner, n.IdempotencyKey)
	}
	request := n.Digest()
	err = j.update(ctx, func(tx Tx) error {
		earlier, err := j.claimed(tx, h.Key, request)
		if err == nil && h.Elsewhere {
			earlier, err = j.numberOf(tx, id)
		}
		if existed = earlier != 0; err != nil {
			return err
		}
		at := earlier
		if !existed {
			if at, err = j.insert(tx, id, h, n, request); err != nil {
				return err
			}
		}
		r, err = j.recordOf(tx, at)
		return err
	})
	if err != nil {
		return Record{}, false, err
	}
	if !existed {
		j.Wake(r.ID)
	}
	return r, existed, nil
}

// begin gives a new job its id, and its time.
func (n New) begin(now time.Time) (uuid.UUID, time.Time, error) {
	if n.Elsewhere == nil {
		id, err := uuid.NewV7()
		return id, now, err
	}
	id, err := parseID(n.Elsewhere.ID)
	return id, n.Elsewhere.Created.UTC().Truncate(time.Millisecond), err
}

// numberOf gives the number of the job with an id; 0: there is none.
func (j *Jobs) numberOf(tx Tx, id uuid.UUID) (uint64, error) {
	row := tx.Get(bucketIDs, id[:])
	if row == nil {
		return 0, nil
	}
	return number(bucketIDs, row)
}

// Earlier gives the job that Create would find by the IdempotencyKey; found is false
// where it would make a new one. Errors as of Create.
func (j *Jobs) Earlier(ctx context.Context, n New) (r Record, found bool, err error) {
	if err := j.check(n); err != nil || n.IdempotencyKey == "" {
		return Record{}, false, err
	}
	err = j.view(ctx, func(tx Tx) error {
		at, err := j.claimed(tx, digest(n.Owner, n.IdempotencyKey), n.Digest())
		if found = at != 0; err != nil || !found {
			return err
		}
		r, err = j.recordOf(tx, at)
		return err
	})
	return r, found, err
}

// ByKey gives the job that an owner has made with an IdempotencyKey, whatever it was made of; found is false where there is none, or no
// longer.
func (j *Jobs) ByKey(ctx context.Context, owner, idempotencyKey string) (r Record, found bool, err error) {
	err = j.view(ctx, func(tx Tx) error {
		var c claim
		if found, err = get(tx, bucketKeys, digest(owner, idempotencyKey), &c); err != nil || !found {
			return err
		}
		r, err = j.recordOf(tx, c.Job)
		if errors.Is(err, ErrNotFound) { // expired
			found, err = false, nil
		}
		return err
	})
	return r, found, err
}

// claimed gives the number of the job that was made with this key for the same request;
// 0: there is none, or no longer.
func (j *Jobs) claimed(tx Tx, k, request []byte) (uint64, error) {
	if k == nil {
		return 0, nil
	}
	var c claim
	if found, err := get(tx, bucketKeys, k, &c); err != nil || !found {
		return 0, err
	}
	switch _, err := j.head(tx, c.Job); {
	case errors.Is(err, ErrNotFound): // expired: the key is free
		return 0, nil
	case err != nil:
		return 0, err
	case !bytes.Equal(c.Request, request):
		return 0, ErrIdempotencyReuse
	}
	return c.Job, nil
}

// insert writes all rows of a new job.
func (j *Jobs) insert(tx Tx, id uuid.UUID, h head, n New, request []byte) (uint64, error) {
	at, err := tx.Next(bucketHeads)
	if err != nil {
		return 0, err
	}
	errs := []error{
		put(tx, bucketHeads, key(at), h),
		tx.Put(bucketIDs, id[:], seal(key(at))),
		tx.Put(bucketRunning, key(at), nil),
	}
	if n.Params != nil {
		errs = append(errs, tx.Put(bucketParams, key(at), seal(n.Params)))
	}
	if h.Key != nil {
		errs = append(errs, put(tx, bucketKeys, h.Key, claim{at, request}))
	}
	if n.Webhook != nil {
		errs = append(errs,
			put(tx, bucketHooks, key(at), StoredHook(*n.Webhook)),
			put(tx, bucketPosts, key(at), post{Next: 1, Events: n.Webhook.Events}))
	}
	_, err = j.append(tx, at, h, Event{Type: EventStarted, At: h.Created})
	return at, errors.Join(append(errs, err)...)
}

func (j *Jobs) check(n New) error {
	switch {
	case !isWord(n.Kind):
		return &FieldError{"kind", short(n.Kind), fmt.Sprintf("1 to %d small letters and underscores", maxKind)}
	case len(n.Owner) > maxOwner || !utf8.ValidString(n.Owner):
		return &FieldError{"owner", nil, fmt.Sprintf("valid UTF-8 of at most %d bytes", maxOwner)}
	case len(n.URL) > maxURL || !utf8.ValidString(n.URL):
		return &FieldError{"url", nil, fmt.Sprintf("valid UTF-8 of at most %d bytes", maxURL)}
	case len(n.IdempotencyKey) > maxKey:
		return &FieldError{"idempotencyKey", nil, fmt.Sprintf("at most %d bytes", maxKey)}
	case len(n.Params) > maxParams || n.Params != nil && !json.Valid(n.Params):
		return &FieldError{"params", nil, fmt.Sprintf("JSON of at most %d bytes", maxParams)}
	case n.Request != nil && !json.Valid(n.Request):
		return &FieldError{"request", nil, "JSON"}
	case n.Webhook == nil:
		return nil
	case j.o.Send == nil:
		return &FieldError{"webhook", nil, "none: there is nothing to send webhooks with"}
	}
	if err := n.Webhook.Validate(); err != nil {
		return err
	}
	return n.Webhook.Fits(n.Kind)
}

// isWord reports whether s can be a part of an event's full type.
func isWord(s string) bool {
	for _, c := range []byte(s) {
		if c != '_' && (c < 'a' || c > 'z') {
			return false
		}
	}
	return s != "" && len(s) <= maxKind
}

// short keeps what an error repeats readable.
func short(s string) string { return s[:min(len(s), 100)] }

// digest of texts, with their lengths, so that no two lists are taken for each other.
func digest(texts ...string) []byte {
	sum := sha256.New()
	for _, t := range texts {
		sum.Write(binary.BigEndian.AppendUint64(nil, uint64(len(t))))
		sum.Write([]byte(t))
	}
	return sum.Sum(nil)
}

// Digest stands for the request: white space in Params doesn't count.
func (n New) Digest() []byte {
	request := n.Request
	if request == nil {
		request = n.Params
	}
	var params bytes.Buffer
	if request != nil && json.Compact(&params, request) != nil {
		params.Reset() // checked before: it is JSON
	}
	hook := ""
	if n.Webhook != nil {
		text, _ := json.Marshal(StoredHook(*n.Webhook)) // strings only
		hook = string(text)
	}
	return digest(n.Kind, n.URL, params.String(), hook)
}
