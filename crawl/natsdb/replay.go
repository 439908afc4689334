package natsdb

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/winnow-go/winnow/crawl"
)

// batch is how many messages are read at once, of batchBytes in all if they are as long as most are: the server cuts off those that don't
// take what they wanted as fast as it comes.
const (
	batch      = 256
	batchBytes = 4 << 20
)

func batchOf(state jetstream.StreamState) uint64 {
	return max(1, min(batch, batchBytes*state.Msgs/max(1, state.Bytes)))
}

// replay brings the local store to where the stream is.
type replay struct{ *DB }

// run applies the messages after one up to the last, without a gap: the owner before may cut the stream meanwhile, which is errCut.
func (r replay) run(ctx context.Context, after uint64, state jetstream.StreamState) error {
	last, most := state.LastSeq, batchOf(state)
	if after >= last {
		return nil
	}
	// An ordered consumer outlasts ctx where the connection is closed.
	reader, err := r.o.JetStream.CreateConsumer(ctx, r.o.Name, jetstream.ConsumerConfig{
		DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: after + 1, InactiveThreshold: time.Minute,
		AckPolicy: jetstream.AckNonePolicy, MemoryStorage: true,
	})
	if err != nil {
		return err
	}
	for after < last {
		n, err := r.some(ctx, reader, after+1, min(most, last-after))
		if err != nil {
			return err
		}
		if after += n; n == 0 {
			return errCut
		}
	}
	return nil
}

// some applies as many messages from one on as come in the time for an answer, and returns how many they were, also with an error.
func (r replay) some(ctx context.Context, reader jetstream.Consumer, from, want uint64) (n uint64, err error) {
	bounded, cancel := context.WithTimeout(ctx, r.o.Wait)
	defer cancel() // also ends what is left of a Fetch
	messages, err := reader.Fetch(int(want), jetstream.FetchContext(bounded))
	if err != nil {
		return 0, err
	}
	p := pile{local: r.o.Local, next: from}
	for m := range messages.Messages() {
		w, err := r.writes(ctx, m, p.next)
		if err == nil {
			err = p.add(w)
		}
		if err != nil {
			return p.next - from, errors.Join(p.apply(), err)
		}
	}
	n = p.next - from
	if err := p.apply(); err != nil {
		return 0, err
	}
	if err := messages.Error(); err != nil && bounded.Err() == nil {
		return n, err
	}
	return n, ctx.Err()
}

// pileBytes of writes are applied in one transaction of the local store, or those of one message, if they are more.
const pileBytes = 8 << 20

// pile are the writes of messages that follow each other, which the local store gets together: each transaction of it waits for the disk.
type pile struct {
	local crawl.DB
	next  uint64 // sequence of the message that follows
	list  []*writes
	bytes int
}

func (p *pile) add(w *writes) error {
	p.list, p.bytes, p.next = append(p.list, w), p.bytes+w.size(), p.next+1
	if p.bytes < pileBytes {
		return nil
	}
	return p.apply()
}

// apply has the local store take what there is.
func (p *pile) apply() error {
	if len(p.list) == 0 {
		return nil
	}
	err := apply(p.local, p.next-1, p.list...)
	p.list, p.bytes = nil, 0
	return err
}

// writes reads the message of a sequence.
func (r replay) writes(ctx context.Context, m jetstream.Msg, sequence uint64) (*writes, error) {
	about, err := m.Metadata()
	if err != nil {
		return nil, err
	}
	if about.Sequence.Stream != sequence {
		return nil, errCut
	}
	w, err := r.writesOf(ctx, m.Headers(), m.Data())
	if errors.Is(err, ErrDamaged) && r.isCut(ctx, sequence) { // its object went with it
		return nil, errCut
	}
	if err != nil {
		return nil, fmt.Errorf("natsdb: message %d of %s: %w", sequence, r.o.Name, err)
	}
	return w, nil
}

func (r replay) isCut(ctx context.Context, sequence uint64) bool {
	info, err := r.stream.Info(ctx)
	return err == nil && info.State.FirstSeq > sequence
}
