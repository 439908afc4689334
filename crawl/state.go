package crawl

import (
	"bytes"
	"encoding/binary"
)

// state is the row of a job: its counters. Every transaction of the job reads and writes it, so the counters are
// always those of the rows.
type state struct {
	dropping bool
	sequence uint64 // the last id or rank given
	known    uint64 // accepted, ever
	done     uint64 // results
	failed   uint64 // errors
	silent   uint64 // ended without a trace
	pending  uint64 // rows in queue and later
	reserve  uint64 // rows in reserve
	refused  uint64 // found over the limit
	bytes    uint64 // of results
	denied   uint64 // sequence of denied URLs
	kept     uint64 // ended as they were before
}

func (s *state) fields() []*uint64 {
	return []*uint64{&s.sequence, &s.known, &s.done, &s.failed, &s.silent, &s.pending, &s.reserve, &s.refused, &s.bytes, &s.denied}
}

func (s *state) encode() []byte {
	b := newRow(48)
	dropping := uint64(0)
	if s.dropping {
		dropping = 1
	}
	b = binary.AppendUvarint(b, dropping)
	for _, f := range s.fields() {
		b = binary.AppendUvarint(b, *f)
	}
	return seal(binary.AppendUvarint(b, s.kept))
}

func decodeState(row []byte) (s state, err error) {
	r := openRow(row)
	s.dropping = r.number() == 1
	for _, f := range s.fields() {
		*f = r.number()
	}
	if r.err == nil && len(r.rest) > 0 { // jobs of earlier versions kept nothing
		s.kept = r.number()
	}
	return s, r.end()
}

func encodeNumber(n uint64) []byte { return seal(binary.AppendUvarint(newRow(10), n)) }

func decodeNumber(row []byte) (uint64, error) {
	r := openRow(row)
	n := r.number()
	if r.end() != nil {
		return 0, &DamagedError{bucketJobs}
	}
	return n, nil
}

// work is one transaction of a job.
type work struct {
	state
	f    *Frontier
	tx   Tx
	made effects
}

// effects are what a transaction changes in the memory of the Frontier once it is written.
type effects struct {
	touched []string // hosts for which something was queued
	certain []known  // to be remembered
}

// touch remembers a host for the lineup. One after the other is mostly the same.
func (e *effects) touch(host string) {
	if n := len(e.touched); n == 0 || e.touched[n-1] != host {
		e.touched = append(e.touched, host)
	}
}

// begin reads the job's state. A job whose number has none was dropped.
func (f *Frontier) begin(tx Tx) (*work, error) {
	row := tx.Get(bucketState, f.key())
	if row == nil {
		return nil, ErrDropped
	}
	s, err := decodeState(row)
	if err != nil {
		return nil, &DamagedError{bucketState}
	}
	if s.dropping {
		return nil, ErrDropped
	}
	return &work{state: s, f: f, tx: tx}, nil
}

func (w *work) save() error { return w.tx.Put(bucketState, w.key(), w.encode()) }

// key makes a key of the job: its number and the parts.
func (w *work) key(parts ...[]byte) []byte { return w.f.key(parts...) }

func (f *Frontier) key(parts ...[]byte) []byte { return jobKey(f.number, parts...) }

func jobKey(number uint64, parts ...[]byte) []byte {
	size := 8
	for _, p := range parts {
		size += len(p)
	}
	k := binary.BigEndian.AppendUint64(make([]byte, 0, size), number)
	for _, p := range parts {
		k = append(k, p...)
	}
	return k
}

func be64(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n) }

// queueKey is where an item lies: in its host's queue, at its rank. Hosts have no bytes below the separator.
func (f *Frontier) queueKey(host string, rank []byte) []byte {
	return f.key([]byte(host), []byte{hostEnd}, rank)
}

// After a host's name: rows of it lie between the two.
const (
	hostEnd  = 0
	hostPast = 1
)

// hostOf takes the host out of a queue key.
func hostOf(key []byte) (string, bool) {
	if len(key) < 8 {
		return "", false
	}
	end := bytes.IndexByte(key[8:], hostEnd)
	if end < 0 {
		return "", false
	}
	return string(key[8 : 8+end]), true
}

// update runs do in a transaction of the job, with the starts that are still to be stored. The lineup learns afterwards what a snapshot
// then shows to the picker, in this order, so that no host is overlooked.
func (f *Frontier) update(do func(*work) error) error {
	notes := f.takeNotes()
	var made effects
	err := f.db.Update(func(tx Tx) error {
		made = effects{}
		w, err := f.begin(tx)
		if err != nil {
			return err
		}
		if err := do(w); err != nil {
			return err
		}
		if err := w.note(notes); err != nil {
			return err
		}
		made = w.made
		return w.save()
	})
	f.settle(notes, made, err)
	return err
}

// view runs do on a snapshot of the job.
func (f *Frontier) view(do func(*work) error) error {
	return f.db.View(func(tx Tx) error {
		w, err := f.begin(tx)
		if err != nil {
			return err
		}
		return do(w)
	})
}
