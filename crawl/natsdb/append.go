package natsdb

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// append appends writes to the stream, and returns when it is known that they are there. The error is ErrLost, ErrClosed, or one of
// encoding.
func (d *DB) append(w *writes) error {
	m, err := d.message(w)
	if err != nil {
		return err
	}
	sequence, err := d.publish(m)
	if err != nil {
		if errors.Is(err, ErrLost) {
			d.lost = err
		}
		return err
	}
	d.sequence = sequence
	d.grow(int64(len(m.Data)) + roomForHeaders)
	return nil
}

// publish sends a message until it is known whether the stream has it.
func (d *DB) publish(m *nats.Msg) (sequence uint64, err error) {
	err = d.patiently(func(ctx context.Context) error {
		ack, err := d.o.JetStream.PublishMsg(ctx, m, jetstream.WithExpectLastSequence(d.sequence), jetstream.WithRetryAttempts(0))
		if err == nil {
			sequence = ack.Sequence
			return nil
		}
		sequence, err = d.resolve(ctx, m, err)
		return err
	})
	return sequence, err
}

// resolve finds out what became of a message that was not acknowledged: the one after the last known is it, or another's.
func (d *DB) resolve(ctx context.Context, m *nats.Msg, reason error) (sequence uint64, err error) {
	switch next, err := d.stream.GetMsg(ctx, d.sequence+1); {
	case err == nil && next.Header.Get(jetstream.MsgIDHeader) == m.Header.Get(jetstream.MsgIDHeader):
		return next.Sequence, nil
	case err == nil:
		return 0, fmt.Errorf("%w: message %d is of %s", ErrLost, next.Sequence, owner(next.Header))
	case !errors.Is(err, jetstream.ErrMsgNotFound):
		return 0, errors.Join(reason, err)
	}
	if isWrongSequence(reason) { // another has written, and cut what it wrote
		return 0, fmt.Errorf("%w: %w", ErrLost, reason)
	}
	return 0, reason
}

func isWrongSequence(err error) bool {
	refused, ok := errors.AsType[*jetstream.APIError](err)
	return ok && refused.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence
}

func owner(h nats.Header) string {
	if name := h.Get(headerOwner); name != "" {
		return "the owner " + name
	}
	return "another owner"
}

// patiently calls f until it succeeds, the stream is lost or gone, or the DB is closed. Each try has its own time.
func (d *DB) patiently(f func(context.Context) error) error {
	said := false
	for pause := 10 * time.Millisecond; ; pause = min(2*pause, maxPause) {
		ctx, cancel := context.WithTimeout(d.living, d.o.Wait)
		err := f(ctx)
		cancel()
		switch {
		case err == nil && said:
			d.o.Logger.Info("natsdb: the server answers again", "stream", d.o.Name)
			return nil
		case err == nil, errors.Is(err, ErrLost):
			return err
		case errors.Is(err, jetstream.ErrStreamNotFound), errors.Is(err, jetstream.ErrBucketNotFound):
			return fmt.Errorf("%w: %w", ErrLost, err)
		case errors.Is(err, nats.ErrMaxPayload): // no further try will do better
			return err
		case d.living.Err() != nil:
			return ErrClosed
		}
		if !said {
			said = true
			d.o.Logger.Warn("natsdb: "+trouble(err)+"; trying again", "stream", d.o.Name, "err", err)
		}
		select {
		case <-d.living.Done():
			return ErrClosed
		case <-time.After(pause):
		}
	}
}

// trouble says what an operator has to look at.
func trouble(err error) string {
	if _, ok := errors.AsType[*jetstream.APIError](err); ok {
		return "the server refuses a transaction, as where its storage or the stream is full"
	}
	return "no answer of the server"
}
