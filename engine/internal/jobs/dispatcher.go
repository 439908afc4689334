package jobs

import (
	"bytes"
	"errors"
	"iter"
	"maps"
	"sync"
	"time"
)

// How many deliveries are under way at a time, and how many of them to one origin, so
// that a dead hook doesn't keep the others waiting.
const (
	maxSenders       = 16
	maxOriginSenders = 4
)

// troubleWait is the pause of a job's webhook after its rows couldn't be read or written.
const troubleWait = time.Minute

// dispatcher delivers: a loop that looks for webhooks with something due, and a goroutine for each delivery. All that
// has to outlive the process is in the store: a webhook is in bucketDue from the event on until nothing is left to
// send.
type dispatcher struct {
	kick chan struct{} // holds one: there may be something due

	mu   sync.Mutex
	busy map[uint64]sender // by job
}

// sender is a delivery under way, or a hook that rests.
type sender struct {
	origin string
	until  time.Time // zero: it is under way
}

func (c *dispatcher) wake() {
	select {
	case c.kick <- struct{}{}:
	default:
	}
}

// post is how far a webhook has come.
type post struct {
	Events    []string  `json:"events,omitempty"` // the filter, so that an event can be judged when it is appended
	Next      uint64    `json:"next"`             // event to look at next
	Due       time.Time `json:"due,omitzero"`     // when; zero: nothing is left
	Attempts  int       `json:"attempts,omitempty"`
	Tried     time.Time `json:"tried,omitzero"` // the last attempt at event Next, and what came of it
	Status    int       `json:"status,omitempty"`
	Error     string    `json:"error,omitempty"`
	Delivered uint64    `json:"delivered,omitempty"` // events
	GivenUp   uint64    `json:"givenUp,omitempty"`
}

// plan stores the post, and queues it for due instead of the old time.
func (p *post) plan(tx Tx, n uint64, due time.Time) error {
	var errs []error
	if !p.Due.IsZero() {
		errs = append(errs, tx.Delete(bucketDue, timeKey(p.Due, n)))
	}
	if p.Due = due; !due.IsZero() {
		origin := ""
		if w, err := webhook(tx, n); err == nil { // else the turn fails
			origin = w.origin()
		}
		errs = append(errs, tx.Put(bucketDue, timeKey(due, n), []byte(origin)))
	}
	return errors.Join(append(errs, put(tx, bucketPosts, key(n), p))...)
}

// raise queues an idle webhook that an event is to be sent to. A webhook whose row is damaged costs its job nothing:
// nothing more is sent to it.
func (j *Jobs) raise(tx Tx, n uint64, kind, typ string) error {
	var p post
	found, err := get(tx, bucketPosts, key(n), &p)
	if err != nil {
		j.o.Logger.Error("a job's webhook can't go on", "error", err)
	}
	if err != nil || !found || !p.Due.IsZero() || !matches(p.Events, kind, typ) {
		return nil
	}
	return p.plan(tx, n, j.now())
}

// deliverAll is the loop. It ends with the Jobs.
func (j *Jobs) deliverAll() {
	for j.ctx.Err() == nil {
		next, err := j.dispatch()
		if err != nil && j.ctx.Err() == nil {
			j.o.Logger.Error("due webhooks can't be read", "error", err)
			next = j.now().Add(troubleWait)
		}
		var timer <-chan time.Time
		if !next.IsZero() {
			timer = j.o.After(next.Sub(j.o.Now()))
		}
		select {
		case <-timer:
		case <-j.dispatcher.kick:
		case <-j.ctx.Done():
		}
	}
}

// dispatch starts what is due, as far as there are senders, and returns when to look again; zero: when woken.
func (j *Jobs) dispatch() (next time.Time, err error) {
	r := round{now: j.now()}
	r.busy = j.dispatcher.snapshot(r.now)
	if err := j.view(j.ctx, r.look); err != nil {
		return time.Time{}, err
	}
	for _, s := range r.start {
		j.dispatcher.set(s.job, sender{origin: s.origin})
		j.work.Go(func() { j.send(s) })
	}
	return r.next, nil
}

// round is one look at what is due.
type round struct {
	now   time.Time
	busy  map[uint64]sender
	start []start
	next  time.Time // to look again; zero: when woken
}

// start is a turn to be made.
type start struct {
	job    uint64
	origin string
	place  []byte // in the line
}

func (r *round) look(tx Tx) error {
	under, free := map[string]int{}, maxSenders
	for _, s := range r.busy {
		if s.until.IsZero() {
			under[s.origin]++
			free--
		}
	}
	for k, origin := range r.due(tx) {
		_, n, _ := splitTimeKey(k)
		if free == 0 {
			return nil // the one that ends wakes the loop
		}
		if s, busy := r.busy[n]; busy {
			r.again(s.until)
		} else if under[string(origin)] < maxOriginSenders {
			under[string(origin)]++
			free--
			r.busy[n] = sender{origin: string(origin)} // a damaged line may have two places for it
			r.start = append(r.start, start{n, string(origin), bytes.Clone(k)})
		}
	}
	return nil
}

// maxDue is how far ahead a webhook may be due. One that is further was queued before the clock was set back, and is due.
const maxDue = time.Hour

// due ranges over the line of what is due, and notes when the next will be.
func (r *round) due(tx Tx) iter.Seq2[[]byte, []byte] {
	return func(yield func(k, origin []byte) bool) {
		last := r.now.Add(maxDue)
		for _, from := range [][]byte{nil, timeKey(last.Add(time.Millisecond), 0)} {
			for k, origin := range tx.Scan(bucketDue, from) {
				due, _, ok := splitTimeKey(k)
				if !ok {
					continue // not our row
				}
				if due.After(r.now) && !due.After(last) {
					r.again(due)
					break
				}
				if !yield(k, origin) {
					return
				}
			}
		}
	}
}

// again keeps the earliest time to look again.
func (r *round) again(t time.Time) {
	if !t.IsZero() && (r.next.IsZero() || t.Before(r.next)) {
		r.next = t
	}
}

// snapshot forgets rests that are over.
func (c *dispatcher) snapshot(now time.Time) map[uint64]sender {
	c.mu.Lock()
	defer c.mu.Unlock()
	maps.DeleteFunc(c.busy, func(_ uint64, s sender) bool {
		return !s.until.IsZero() && (!s.until.After(now) || s.until.After(now.Add(troubleWait))) // the clock was set back
	})
	return maps.Clone(c.busy)
}

func (c *dispatcher) set(n uint64, s sender) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.busy[n] = s
}

func (c *dispatcher) free(n uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.busy, n)
}

// send is a sender's goroutine: one turn, then it is free again.
func (j *Jobs) send(s start) {
	defer j.dispatcher.wake()
	err := j.turn(s.job, s.place)
	if err == nil || j.ctx.Err() != nil {
		j.dispatcher.free(s.job)
		return
	}
	j.o.Logger.Error("a webhook's rows can't be used", "error", err)
	j.dispatcher.set(s.job, sender{origin: s.origin, until: j.now().Add(troubleWait)})
}
