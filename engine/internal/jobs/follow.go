package jobs

import (
	"context"
	"iter"
	"math"
)

// How many events, and how many bytes of them, a reader takes along at a time.
const (
	readEvents = 256
	readBytes  = 1 << 20
)

// Events ranges over a job's events in order, from the one after since on (0: all). It
// waits for new ones as long as the job runs, and ends after the last event. An error
// is the last thing that it gives: [ErrNotFound], also when the job expires meanwhile,
// [ErrClosed], that of ctx, [*DamagedError]. No transaction is open while the caller
// looks at an event, and none is lost to one who is slow.
func (j *Jobs) Events(ctx context.Context, id string, since uint64) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		u, err := parseID(id)
		if err != nil {
			yield(Event{}, err)
			return
		}
		next, stop := j.notifier.watch(u.String())
		defer stop()
		for since := since; ; {
			changed := next()
			events, ended, err := j.events(ctx, id, since)
			for _, e := range events {
				if since = e.Seq; !yield(e, nil) {
					return
				}
			}
			switch {
			case err == nil && len(events) > 0:
				continue
			case err == nil && ended:
				return
			case err == nil:
				err = j.await(ctx, changed)
			}
			if err != nil {
				yield(Event{}, err)
				return
			}
		}
	}
}

// Past ranges over the events that a job has now, in order, and waits for none. An error is the last thing that it gives, as of Events.
func (j *Jobs) Past(ctx context.Context, id string) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		for since := uint64(0); ; {
			events, _, err := j.events(ctx, id, since)
			for _, e := range events {
				if since = e.Seq; !yield(e, nil) {
					return
				}
			}
			if err != nil {
				yield(Event{}, err)
			}
			if err != nil || len(events) == 0 {
				return
			}
		}
	}
}

// events reads some events after since. ended: when there are none, none will come.
func (j *Jobs) events(ctx context.Context, id string, since uint64) (events []Event, ended bool, err error) {
	err = j.view(ctx, func(tx Tx) error {
		n, h, err := j.find(tx, id)
		if ended = h.State.Final(); err != nil || since == math.MaxUint64 {
			return err
		}
		size := 0
		for k, row := range own(tx, bucketEvents, n, since+1) {
			e, err := decodeEvent(k, row)
			if err != nil {
				return err
			}
			events = append(events, e)
			if size += len(row); len(events) == readEvents || size >= readBytes {
				break
			}
		}
		return nil
	})
	return events, ended, err
}
