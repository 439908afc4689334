package monitoring

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"iter"
	"time"

	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/packed"
	"github.com/winnow-go/winnow/engine/monitor"
)

// The buckets.
const (
	bucketMonitors  = "monitors"           // id → Monitor
	bucketGone      = "monitors.gone"      // id → nothing; monitors whose rows are to be deleted
	bucketRuns      = "monitors.runs"      // id, time → nothing; times of the schedule that are claimed
	bucketChecks    = "monitors.checks"    // id, check → monitor.Check
	bucketPages     = "monitors.pages"     // check, number → monitor.Page
	bucketSeen      = "monitors.seen"      // check, target, URL → nothing; while the check runs
	bucketNotes     = "monitors.notes"     // check, target, name → what a source has noted; while the check runs
	bucketSnapshots = "monitors.snapshots" // id, target, URL → snapshot
	bucketLearnt    = "monitors.learnt"    // id, target, form of address → what is known of noise
	bucketChanges   = "monitors.changes"   // id, number → monitor.Change
)

// Spec is what a monitor does. Its JSON stands in files.
type Spec struct {
	Name     string           `json:"name"`
	Owner    string           `json:"owner,omitempty"`
	Status   monitor.Status   `json:"status"`
	Schedule monitor.Schedule `json:"schedule"`
	Targets  []Target         `json:"targets"`
	Days     int              `json:"days"` // that checks are kept
	Goal     string           `json:"goal,omitempty"`
	// Webhook receives the events of checks; nil: none is sent.
	Webhook *jobs.StoredHook `json:"webhook,omitempty"`
	// Definition is all that the owner of the room knows of the monitor.
	Definition json.RawMessage `json:"definition"`
}

// Target is what the room knows of a target.
type Target struct {
	monitor.Target
	// Text and Data are what counts of the pages, beside the picture: what they say, and what is read from them by a schema.
	Text bool `json:"text,omitempty"`
	Data bool `json:"data,omitempty"`
}

// noise reports whether noise is passed over.
func (t Target) noise() bool { return t.Watch.IgnoreNoise == nil || *t.Watch.IgnoreNoise }

// Monitor is a monitor as it is kept. Its JSON stands in files.
type Monitor struct {
	Spec
	ID       string           `json:"id"`
	Created  time.Time        `json:"created"`
	Updated  time.Time        `json:"updated"`
	Revision uint64           `json:"revision"`
	Writes   uint64           `json:"writes"`        // of the row
	Set      time.Time        `json:"set"`           // when the schedule was set
	Next     time.Time        `json:"next,omitzero"` // time of the schedule that is next; zero: none comes
	Due      time.Time        `json:"due,omitzero"`  // Next and its jitter
	Planned  time.Time        `json:"planned"`       // when Next was planned
	Last     time.Time        `json:"last,omitzero"` // when the last check ended
	Summary  *monitor.Summary `json:"summary,omitempty"`
	Changes  uint64           `json:"changes,omitempty"` // the number of the last
	Off      []string         `json:"off,omitempty"`     // rules of noise that were taken back for all pages
	Claim    *Claim           `json:"claim,omitempty"`   // of the run that is under way; nil: none
	Seen     []string         `json:"seen,omitempty"`    // targets that a check has gone through: pages that come later are new
}

// Claim is a run that is under way.
type Claim struct {
	Key     string     `json:"key"` // the same for the same run
	Trigger string     `json:"trigger"`
	Slot    *time.Time `json:"slot,omitempty"` // time of the schedule
	Missed  int        `json:"missed,omitempty"`
	Check   string     `json:"check,omitempty"` // its id; "": it has none yet
}

// Current is the check that is running; "" for none.
func (r *Monitor) Current() string {
	if r.Claim == nil {
		return ""
	}
	return r.Claim.Check
}

// snapshot is what is known of a page. Its JSON stands in files.
type snapshot struct {
	Scrape  string          `json:"scrape,omitempty"`
	At      time.Time       `json:"at"`
	Title   string          `json:"title,omitempty"`
	Text    string          `json:"text,omitempty"`
	JSON    json.RawMessage `json:"json,omitempty"`
	Picture []byte          `json:"picture,omitempty"`
	Gone    bool            `json:"gone,omitempty"`
	Unseen  bool            `json:"unseen,omitempty"`  // the page has not been seen: it has come nearly empty, if at all
	Awaited bool            `json:"awaited,omitempty"` // it has not been seen, and its site said that it is not there
	Doubt   []byte          `json:"doubt,omitempty"`   // digest of a text that is suspiciously short, the last time
	// Held is what [Noise] holds back of the page, in its own form.
	Held json.RawMessage `json:"held,omitempty"`
}

// key joins parts that hold no zero byte.
func key(parts ...string) []byte {
	var k []byte
	for i, part := range parts {
		if i > 0 {
			k = append(k, 0)
		}
		k = append(k, part...)
	}
	return k
}

// numbered is a key whose last part is a number.
func numbered(part string, n uint64) []byte {
	return binary.BigEndian.AppendUint64(append(key(part), 0), n)
}

// slotKey is that of a time of a schedule.
func slotKey(id string, slot time.Time) []byte { return numbered(id, uint64(slot.Unix())) }

func put(tx jobs.Tx, bucket string, key []byte, v any) error {
	data, err := packed.Encode(v)
	if err != nil {
		return err
	}
	return tx.Put(bucket, key, data)
}

// putMonitor writes the row of a monitor, which is counted: of two notes in memory the one of the later row counts.
func putMonitor(tx jobs.Tx, r *Monitor) error {
	r.Writes++
	return put(tx, bucketMonitors, []byte(r.ID), r)
}

// get reads a row into v, and reports whether there is one.
func get(tx jobs.Tx, bucket string, key []byte, v any) (bool, error) {
	data := tx.Get(bucket, key)
	if data == nil {
		return false, nil
	}
	return true, unpack(data, v)
}

func unpack(data []byte, v any) error { return packed.Into(data, v) }

// under ranges over the rows whose key begins with a part and a zero byte, from a key on; nil: the first.
func under(tx jobs.Tx, bucket, part string, from []byte) iter.Seq2[[]byte, []byte] {
	prefix := append(key(part), 0)
	if from == nil {
		from = prefix
	}
	return func(yield func(k, v []byte) bool) {
		for k, v := range tx.Scan(bucket, from) {
			if !bytes.HasPrefix(k, prefix) || !yield(k, v) {
				return
			}
		}
	}
}

// underBack is under in reverse, below a key; nil: from the last.
func underBack(tx jobs.Tx, bucket, part string, below []byte) iter.Seq2[[]byte, []byte] {
	prefix := append(key(part), 0)
	if below == nil {
		below = append(key(part), 1)
	}
	return func(yield func(k, v []byte) bool) {
		for k, v := range tx.ScanBack(bucket, below) {
			if !bytes.HasPrefix(k, prefix) || !yield(k, v) {
				return
			}
		}
	}
}

// hasAny reports whether there is a row whose key begins with two parts.
func hasAny(tx jobs.Tx, bucket, a, b string) bool {
	for range under(tx, bucket, string(key(a, b)), nil) {
		return true
	}
	return false
}

// monitorOf reads a monitor; the error is [ErrNotFound] where there is none.
func monitorOf(tx jobs.Tx, id string) (*Monitor, error) {
	var r Monitor
	found, err := get(tx, bucketMonitors, []byte(id), &r)
	if err == nil && (!found || id == "") {
		err = ErrNotFound
	}
	return &r, err
}

func checkOf(tx jobs.Tx, id, check string) (*monitor.Check, error) {
	var c monitor.Check
	found, err := get(tx, bucketChecks, key(id, check), &c)
	if err == nil && !found {
		err = ErrNotFound
	}
	return &c, err
}
