package jobs

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"time"
)

// Types of events that the package writes itself, or sends to webhooks. The others are
// the caller's.
const (
	EventStarted = "started" // the first event of each job
	EventPage    = "page"    // a page is done, or failed
	// EventCorrected says that another document has taken a page's place. Webhooks get it only where they name it.
	EventCorrected = "page.corrected"
	EventAction    = "action" // an agent has done something
	EventChange    = "change" // a page is another than in an earlier crawl
	// EventChecked says that a monitor's check has ended.
	EventChecked   = "check.completed"
	EventCompleted = "completed" // a last event, as the next two
	EventFailed    = "failed"
	EventCancelled = "cancelled"
)

// maxData bounds what an event carries, in bytes.
const maxData = 1 << 20

// Event is something that happened to a job.
type Event struct {
	// Seq numbers the events of a job from 1, without gaps.
	Seq uint64
	// Type in small letters and underscores, at most 32, or [EventCorrected] or [EventChecked].
	Type string
	// At is when it was appended, in UTC, to the millisecond. Append leaves it where it is set, and sets it else.
	At time.Time
	// Ref says which result of the job it is about, in numbers of the keeper of the
	// results; 0: none.
	Ref uint64
	// Data is JSON of at most 1 MiB; nil: none. Documents belong where Ref leads.
	// The last event of a job that was given a code or text carries a [Reason].
	Data json.RawMessage
}

// Reason is the Data of a last event.
type Reason struct {
	Code  string `json:"code,omitempty"`
	Error string `json:"error,omitempty"`
}

// eventRow is an event without what its key says.
type eventRow struct {
	Type string          `json:"type"`
	At   time.Time       `json:"at"`
	Ref  uint64          `json:"ref,omitempty"`
	Data json.RawMessage `json:"data,omitempty"`
}

// Append adds an event and gives its number; Seq is set here. The first and the
// last event are not to be appended: Create and Finish do that. [ErrFinished] after the
// last; [ErrNotFound]; [*FieldError].
func (j *Jobs) Append(ctx context.Context, id string, e Event) (seq uint64, err error) {
	err = j.update(ctx, func(tx Tx) error {
		seq, err = j.AppendIn(tx, id, e)
		return err
	})
	if err != nil {
		return 0, err
	}
	j.Wake(id)
	return seq, nil
}

// AppendIn is [Jobs.Append] within a transaction of the caller's on the same store: a page and its event are kept
// together or not at all, and none follows a job's end. When the transaction is durable the caller calls [Jobs.Wake],
// else readers do not get the event before the next one.
func (j *Jobs) AppendIn(tx Tx, id string, e Event) (seq uint64, err error) {
	if err := e.check(); err != nil {
		return 0, err
	}
	n, h, err := j.find(tx, id)
	if err != nil {
		return 0, err
	}
	return j.append(tx, n, h, e)
}

func (e Event) check() error {
	switch e.Type {
	case EventStarted, EventCompleted, EventFailed, EventCancelled:
		return &FieldError{"event.type", e.Type, "another: the first and the last event come by themselves"}
	}
	if !isWord(e.Type) && e.Type != EventCorrected && e.Type != EventChecked {
		return &FieldError{"event.type", short(e.Type), fmt.Sprintf("1 to %d small letters and underscores", maxKind)}
	}
	if len(e.Data) > maxData || e.Data != nil && !json.Valid(e.Data) {
		return &FieldError{"event.data", nil, fmt.Sprintf("JSON of at most %d bytes", maxData)}
	}
	return nil
}

func (j *Jobs) append(tx Tx, n uint64, h head, e Event) (seq uint64, err error) {
	if h.State.Final() {
		return 0, ErrFinished
	}
	seq = lastEvent(tx, n) + 1
	if err := put(tx, bucketEvents, key(n, seq), eventRow{e.Type, j.at(e.At), e.Ref, e.Data}); err != nil || !h.Hook {
		return seq, err
	}
	return seq, j.raise(tx, n, h.Kind, e.Type)
}

// seqOf is the number of an event's key. The very last number is none: what follows on it
// would restart.
func seqOf(k []byte) (seq uint64, ok bool) {
	_, seq, ok = splitKey(k)
	return seq, ok && seq != math.MaxUint64
}

// lastEvent is the number of a job's last event so far; 0: none.
func lastEvent(tx Tx, n uint64) uint64 {
	prefix := key(n)
	for k := range tx.ScanBack(bucketEvents, key(n+1)) {
		if !bytes.HasPrefix(k, prefix) {
			break
		}
		if seq, ok := seqOf(k); ok {
			return seq
		}
	}
	return 0
}

// hasEvent reports whether an event at or after from is in the log.
func hasEvent(tx Tx, n, from uint64) bool {
	for k := range own(tx, bucketEvents, n, from) {
		if _, ok := seqOf(k); ok {
			return true
		}
	}
	return false
}

func decodeEvent(k, row []byte) (Event, error) {
	var r eventRow
	seq, ok := seqOf(k)
	if !ok {
		return Event{}, &DamagedError{bucketEvents}
	}
	if err := decode(bucketEvents, row, &r); err != nil {
		return Event{}, err
	}
	return Event{seq, r.Type, r.At, r.Ref, r.Data}, nil
}
