package jobs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/winnow-go/winnow/engine/internal/clip"
)

// postTime bounds one attempt.
const postTime = 10 * time.Second

// retryAfter is how long a delivery waits after each failed attempt. After one more it
// is given up.
var retryAfter = [...]time.Duration{time.Minute, 5 * time.Minute, 15 * time.Minute}

// lookEvents is how many events a turn passes over in one transaction.
const lookEvents = 1000

// errWebhook is what is wrong with an answer.
var errWebhook = errors.New("the answer is no success")

// turn makes one attempt to deliver the next event of a job's hook, which had come to
// its place in the line. Only one turn of a job is under way at a time, so its events are delivered in
// order. An error says that the store can't be used; what goes wrong with the delivery
// is kept there.
func (j *Jobs) turn(n uint64, place []byte) error {
	d, err := j.nextDelivery(n, place)
	if err != nil || d == nil {
		return err
	}
	status, err := j.attempt(d)
	if err != nil && j.ctx.Err() != nil {
		return nil // closing broke it off: it is due still
	}
	return j.db.Update(func(tx Tx) error { return j.settle(tx, n, d, status, err) })
}

// delivery is an event to send to a webhook.
type delivery struct {
	record Record
	event  Event
}

// nextDelivery finds the next event for a hook, and puts what it passes over behind.
// nil: there is none.
func (j *Jobs) nextDelivery(n uint64, place []byte) (*delivery, error) {
	for more := true; more; {
		l := lookout{jobs: j, n: n, place: place}
		if err := j.view(j.ctx, l.look); err != nil {
			return nil, err
		}
		if l.unread > 0 {
			j.o.Logger.Error("events that can't be read aren't delivered", "count", l.unread)
		}
		if l.found != nil {
			return l.found, nil
		}
		err := j.update(j.ctx, func(tx Tx) (err error) {
			more, err = l.pass(tx)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// lookout looks for the next event of a hook.
type lookout struct {
	jobs   *Jobs
	n      uint64
	place  []byte
	next   uint64 // after what was passed over
	unread int
	found  *delivery
}

// post is nil where the line and the hook don't agree: the job was pruned meanwhile, or
// the row is damaged.
func (l *lookout) post(tx Tx) (*post, error) {
	var p post
	found, err := get(tx, bucketPosts, key(l.n), &p)
	if err != nil || !found || p.Due.IsZero() || !bytes.Equal(timeKey(p.Due, l.n), l.place) {
		return nil, err
	}
	return &p, nil
}

func (l *lookout) look(tx Tx) error {
	p, err := l.post(tx)
	if err != nil || p == nil {
		return err
	}
	r, err := l.jobs.recordOf(tx, l.n)
	if errors.Is(err, ErrNotFound) { // expired: too late to deliver
		l.next = lastEvent(tx, l.n) + 1
		return nil
	}
	if err != nil {
		return err
	}
	l.next = p.Next
	for k, row := range own(tx, bucketEvents, l.n, p.Next) {
		e, err := decodeEvent(k, row)
		if err == nil && matches(p.Events, r.Kind, e.Type) {
			l.found = &delivery{r, e}
			return nil
		}
		if err != nil {
			l.unread++
		}
		if seq, ok := seqOf(k); ok {
			l.next = seq + 1
		}
		if l.next-p.Next >= lookEvents {
			return nil
		}
	}
	return nil
}

// pass puts behind the hook what was passed over. more: there are events to look at. If
// not, the hook is out of the line until one is appended.
func (l *lookout) pass(tx Tx) (more bool, err error) {
	p, err := l.post(tx)
	if err != nil {
		return false, err
	}
	if p == nil {
		return false, tx.Delete(bucketDue, l.place)
	}
	p.Next = l.next
	if more = hasEvent(tx, l.n, p.Next); more {
		return true, put(tx, bucketPosts, key(l.n), p)
	}
	return false, p.plan(tx, l.n, time.Time{})
}

// attempt sends one event.
func (j *Jobs) attempt(d *delivery) (status int, err error) {
	ctx, cancel := context.WithTimeout(j.ctx, postTime)
	defer cancel()
	body, err := j.body(ctx, d)
	if err != nil {
		return 0, err
	}
	w := d.record.Webhook
	err = j.safely(func() (err error) {
		status, err = j.o.Send(ctx, w.URL, w.header(body), body)
		return err
	})
	if err == nil && (status < 200 || status > 299) {
		err = fmt.Errorf("%w: status %d %s", errWebhook, status, http.StatusText(status))
	}
	return status, err
}

// safely makes an error of a panic in a function of the caller's.
func (j *Jobs) safely(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			j.o.Logger.Error("panic in a function that the jobs were given", "stack", string(debug.Stack()))
			err = errPanic
		}
	}()
	return f()
}

var errPanic = errors.New("panic, see the log")

// settle keeps what came of an attempt.
func (j *Jobs) settle(tx Tx, n uint64, d *delivery, status int, failed error) error {
	var p post
	found, err := get(tx, bucketPosts, key(n), &p)
	if err != nil || !found {
		return err // pruned meanwhile
	}
	seq := d.event.Seq
	p.Next = seq // what is before was left out by the filter
	p.Attempts++
	p.Tried, p.Status, p.Error = j.now(), status, ""
	if failed == nil {
		p.Delivered++
		return j.advance(tx, n, &p)
	}
	p.Error = clip.Bytes(redact(failed, d.record.Webhook), maxText)
	if p.Attempts <= len(retryAfter) {
		return p.plan(tx, n, p.Tried.Add(retryAfter[p.Attempts-1]))
	}
	p.GivenUp++
	lost := p.delivery(d.record.ID, d.record.Kind, d.event)
	j.o.Logger.Warn("a webhook delivery was given up", "job", d.record.ID, "event", lost.Type, "seq", seq, "attempts", p.Attempts, "status", status, "error", p.Error)
	if err := put(tx, bucketLost, key(n, seq), lost); err != nil {
		return err
	}
	return j.advance(tx, n, &p)
}

// advance puts the hook at the end of the line for its next event, if there is one.
func (j *Jobs) advance(tx Tx, n uint64, p *post) error {
	p.Next++
	p.Attempts = 0
	due := time.Time{}
	if hasEvent(tx, n, p.Next) {
		due = j.now()
	}
	return p.plan(tx, n, due)
}
