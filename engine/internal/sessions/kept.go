package sessions

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/winnow-go/winnow/cache"
)

// Buckets of sessions: id → record; scrape → id of the session that went on with it.
const (
	sessionBucket  = "sessions"
	interactBucket = "interact"
)

// eachSession visits the records of sessions, oldest first, for ids grow with time.
func eachSession(tx cache.Tx, visit func(Record) (more bool)) error {
	for _, value := range tx.Scan(sessionBucket, nil) {
		var r Record
		if err := json.Unmarshal(value, &r); err != nil {
			return fmt.Errorf("the record of a session can't be read: %w", err)
		}
		if !visit(r) {
			break
		}
	}
	return nil
}

func putSession(tx cache.Tx, r Record) error {
	value, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if r.Scrape != "" {
		if err := tx.Put(interactBucket, []byte(r.Scrape), []byte(r.ID)); err != nil {
			return err
		}
	}
	return tx.Put(sessionBucket, []byte(r.ID), value)
}

// keep writes the session's record, or takes it away; some of those that are expired go.
func (s *Session) keep() error {
	s.mu.Lock()
	r, void := s.record, s.void
	s.stored = r
	s.mu.Unlock()
	return s.set.o.State.Update(func(tx cache.Tx) error {
		if void {
			return dropSession(tx, r)
		}
		if err := s.set.prune(tx); err != nil {
			return err
		}
		return putSession(tx, r)
	})
}

// keepProgress writes once a minute what would be charged for a session whose program is killed.
func (s *Session) keepProgress() error {
	s.mu.Lock()
	due := s.record.Used.Sub(s.stored.Used) >= time.Minute || s.record.Prompted != s.stored.Prompted
	s.mu.Unlock()
	if !due {
		return nil
	}
	return s.keep()
}

func (l *Set) prune(tx cache.Tx) error {
	const atOnce = 100
	var old []Record
	err := eachSession(tx, func(r Record) bool {
		if r.expired(l.o.Ages(), l.o.KeepFor) {
			old = append(old, r)
		}
		return len(old) < atOnce
	})
	for _, r := range old {
		err = errors.Join(err, dropSession(tx, r))
	}
	return err
}

// dropSession forgets a session, and that it went on with a scrape.
func dropSession(tx cache.Tx, r Record) error {
	err := tx.Delete(sessionBucket, []byte(r.ID))
	if r.Scrape != "" && string(tx.Get(interactBucket, []byte(r.Scrape))) == r.ID {
		err = errors.Join(err, tx.Delete(interactBucket, []byte(r.Scrape)))
	}
	return err
}

// CloseOrphans ends the sessions of an engine that was killed, at their last known use: their browsers died with it.
func (l *Set) CloseOrphans() error {
	var left []Record
	err := l.o.State.Update(func(tx cache.Tx) error {
		left = nil
		err := eachSession(tx, func(r Record) bool {
			if r.Ended.IsZero() {
				left = append(left, r)
			}
			return true
		})
		for i := range left {
			r := &left[i]
			r.Ended, r.Reason, r.Credits = r.Used, ErrEngineEnded.Error(), r.price(r.Used)
			err = errors.Join(err, putSession(tx, *r))
		}
		return err
	})
	if err != nil {
		return err
	}
	for _, r := range left {
		l.o.Book(r.Owner, r.Ended, r.Credits)
	}
	return nil
}

// List gives the sessions of a status, or all with "", newest first.
func (l *Set) List(status string) (list []Info, err error) {
	err = l.o.State.View(func(tx cache.Tx) error {
		list = nil
		return eachSession(tx, func(r Record) bool {
			info := r.info(l.o.Now())
			if s := l.get(r.ID); s != nil {
				info = s.Info()
			}
			if !r.expired(l.o.Ages(), l.o.KeepFor) && (status == "" || info.Status == status) {
				list = append(list, info)
			}
			return true
		})
	})
	slices.Reverse(list)
	return list, err
}

// find reads the record of a session.
func (l *Set) find(id string) (r Record, err error) {
	err = l.o.State.View(func(tx cache.Tx) error {
		value := tx.Get(sessionBucket, []byte(id))
		if value == nil {
			return ErrNotFound
		}
		return json.Unmarshal(value, &r)
	})
	return r, err
}

// of gives the id of the session that last went on with a scrape, "" for none.
func (l *Set) of(scrape string) (id string, err error) {
	err = l.o.State.View(func(tx cache.Tx) error {
		id = string(tx.Get(interactBucket, []byte(scrape)))
		return nil
	})
	return id, err
}
