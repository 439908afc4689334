package engine

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/winnow-go/winnow/cache"
)

// Statuses of a session.
const (
	SessionActive    = "active"
	SessionDestroyed = "destroyed"
)

// Buckets of sessions: id → record; scrape → id of the session that went on with it.
const (
	sessionBucket  = "sessions"
	interactBucket = "interact"
)

// What a session costs, in credits for each minute that has begun.
const (
	codeMinute   = 2
	promptMinute = 7 // once a model has driven it
)

// SessionInfo tells how a session stands.
type SessionInfo struct {
	ID string `json:"id"`
	// Status is "active" or "destroyed".
	Status string `json:"status"`
	Owner  string `json:"owner,omitempty"`
	// Scrape that the session went on with; empty for none.
	Scrape string `json:"scrape,omitempty"`
	// CreatedAt, LastActivity, ExpiresAt (by its TTL) and EndedAt, which is zero while it is active.
	CreatedAt    time.Time `json:"createdAt"`
	LastActivity time.Time `json:"lastActivity"`
	ExpiresAt    time.Time `json:"expiresAt"`
	EndedAt      time.Time `json:"endedAt,omitzero"`
	// Reason why it ended.
	Reason string `json:"reason,omitempty"`
	// Duration so far, or in all.
	Duration time.Duration `json:"duration"`
	// Credits that it has cost so far, or in all.
	Credits int `json:"credits"`
	// LiveViewURL and InteractiveLiveViewURL are empty without [Options.LiveView], with NoLiveView, and after the end.
	LiveViewURL            string `json:"liveViewUrl,omitempty"`
	InteractiveLiveViewURL string `json:"interactiveLiveViewUrl,omitempty"`
}

// sessionRecord is what is kept of a session for a day after its end.
type sessionRecord struct {
	ID       string        `json:"id"`
	Owner    string        `json:"owner,omitempty"`
	Scrape   string        `json:"scrape,omitempty"`
	Created  time.Time     `json:"created"`
	TTL      time.Duration `json:"ttl"`
	Idle     time.Duration `json:"idle"`
	Prompted bool          `json:"prompted,omitempty"`
	Used     time.Time     `json:"used"`
	Ended    time.Time     `json:"ended,omitzero"`
	Reason   string        `json:"reason,omitempty"`
	Credits  int           `json:"credits,omitempty"`
}

// price is what the session has cost by a time; at least a minute.
func (r *sessionRecord) price(now time.Time) int {
	minutes := max(1, int((now.Sub(r.Created)+time.Minute-1)/time.Minute))
	if r.Prompted {
		return minutes * promptMinute
	}
	return minutes * codeMinute
}

func (r *sessionRecord) info(now time.Time) SessionInfo {
	i := SessionInfo{
		ID: r.ID, Status: SessionActive, Owner: r.Owner, Scrape: r.Scrape, CreatedAt: r.Created.UTC(), LastActivity: r.Used.UTC(),
		ExpiresAt: r.Created.Add(r.TTL).UTC(), Duration: now.Sub(r.Created), Credits: r.price(now),
	}
	if !r.Ended.IsZero() {
		i.Status, i.EndedAt, i.Reason, i.Duration, i.Credits = SessionDestroyed, r.Ended.UTC(), r.Reason, r.Ended.Sub(r.Created), r.Credits
	}
	return i
}

// expired tells whether a session ended so long ago that it is forgotten.
func (r *sessionRecord) expired(now time.Time) bool {
	return !r.Ended.IsZero() && now.Sub(r.Ended) > recordAge
}

// eachSession visits the records of sessions, oldest first, for ids grow with time.
func eachSession(tx cache.Tx, visit func(sessionRecord) (more bool)) error {
	for _, value := range tx.Scan(sessionBucket, nil) {
		var r sessionRecord
		if err := json.Unmarshal(value, &r); err != nil {
			return fmt.Errorf("the record of a session can't be read: %w", err)
		}
		if !visit(r) {
			break
		}
	}
	return nil
}

func putSession(tx cache.Tx, r sessionRecord) error {
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
	s.kept = r
	s.mu.Unlock()
	return s.engine.stores.state.Update(func(tx cache.Tx) error {
		if void {
			return dropSession(tx, r)
		}
		if err := s.engine.sessions.prune(tx); err != nil {
			return err
		}
		return putSession(tx, r)
	})
}

// keepProgress writes once a minute what would be charged for a session whose program is killed.
func (s *Session) keepProgress() error {
	s.mu.Lock()
	due := s.record.Used.Sub(s.kept.Used) >= time.Minute || s.record.Prompted != s.kept.Prompted
	s.mu.Unlock()
	if !due {
		return nil
	}
	return s.keep()
}

func (l *sessions) prune(tx cache.Tx) error {
	const atOnce = 100
	var old []sessionRecord
	err := eachSession(tx, func(r sessionRecord) bool {
		if r.expired(l.engine.now()) {
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
func dropSession(tx cache.Tx, r sessionRecord) error {
	err := tx.Delete(sessionBucket, []byte(r.ID))
	if r.Scrape != "" && string(tx.Get(interactBucket, []byte(r.Scrape))) == r.ID {
		err = errors.Join(err, tx.Delete(interactBucket, []byte(r.Scrape)))
	}
	return err
}

// bury ends the sessions of an engine that was killed, at their last known use: their browsers died with it.
func (l *sessions) bury() error {
	var left []sessionRecord
	err := l.engine.stores.state.Update(func(tx cache.Tx) error {
		left = nil
		err := eachSession(tx, func(r sessionRecord) bool {
			if r.Ended.IsZero() {
				left = append(left, r)
			}
			return true
		})
		for i := range left {
			r := &left[i]
			r.Ended, r.Reason, r.Credits = r.Used, errEngineEnded.Error(), r.price(r.Used)
			err = errors.Join(err, putSession(tx, *r))
		}
		return err
	})
	if err != nil {
		return err
	}
	for _, r := range left {
		l.engine.stores.ledger.add(r.Owner, r.Ended, r.Credits)
	}
	return nil
}

// list gives the sessions of a status, newest first.
func (l *sessions) list(status string) (list []SessionInfo, err error) {
	err = l.engine.stores.state.View(func(tx cache.Tx) error {
		list = nil
		return eachSession(tx, func(r sessionRecord) bool {
			info := r.info(l.engine.now())
			if s := l.get(r.ID); s != nil {
				info = s.Info()
			}
			if !r.expired(l.engine.now()) && (status == "" || info.Status == status) {
				list = append(list, info)
			}
			return true
		})
	})
	slices.Reverse(list)
	return list, err
}

// find reads the record of a session.
func (l *sessions) find(id string) (r sessionRecord, err error) {
	err = l.engine.stores.state.View(func(tx cache.Tx) error {
		value := tx.Get(sessionBucket, []byte(id))
		if value == nil {
			return &Error{Code: CodeNotFound, Err: errors.New("no session has this id, or it is forgotten")}
		}
		return json.Unmarshal(value, &r)
	})
	return r, err
}

// of gives the id of the session that last went on with a scrape, "" for none.
func (l *sessions) of(scrape string) (id string, err error) {
	err = l.engine.stores.state.View(func(tx cache.Tx) error {
		id = string(tx.Get(interactBucket, []byte(scrape)))
		return nil
	})
	return id, err
}

// destroyed is the error of a session that has ended.
func destroyed(reason string) error {
	return &Error{Code: CodeSessionDestroyed, Err: fmt.Errorf("the session has ended: %s", reason)}
}
