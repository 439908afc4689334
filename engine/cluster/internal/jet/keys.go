package jet

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/winnow-go/winnow/engine/cluster/internal/lease"
)

// Keys are the leases of a cluster. They are read from the stream that the key-value store is: all of them at first, and what has changed
// since then at each further call, which most of the time is the beats of the members.
type Keys struct {
	c *Cluster

	mu             sync.Mutex
	reader         jetstream.Consumer // nil: all are read once more
	count, pending uint64             // messages that the reader was given, and that it had still when the last one was sent
	rows           map[string]lease.Entry
	seen           uint64 // revision of the last message
	own            uint64 // revision of the last key that was written here
}

var _ lease.Store = (*Keys)(nil)

// Keys returns the leases.
func (c *Cluster) Keys() *Keys { return &Keys{c: c} }

// Entries implements lease.Store. What this member wrote before is among them.
func (k *Keys) Entries(ctx context.Context) ([]lease.Entry, error) {
	ctx, cancel := k.c.waiting(ctx)
	defer cancel()
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.reader != nil {
		if err := k.readOn(ctx); err == nil && k.seen >= k.own {
			return k.list(), nil
		}
	}
	err := k.readAll(ctx)
	if err == nil && k.seen < k.own {
		err = errors.New("cluster: the server that was read from does not have the last key yet")
	}
	if err != nil {
		k.reader = nil
		return nil, err
	}
	return k.list(), nil
}

func (k *Keys) list() (list []lease.Entry) {
	for _, key := range slices.Sorted(maps.Keys(k.rows)) {
		if key != keySettings {
			list = append(list, k.rows[key])
		}
	}
	return list
}

// readAll begins with what is there.
func (k *Keys) readAll(ctx context.Context) (err error) {
	k.reader, err = k.c.o.JetStream.CreateConsumer(ctx, "KV_"+k.c.kv.Bucket(), jetstream.ConsumerConfig{
		DeliverPolicy: jetstream.DeliverLastPerSubjectPolicy, FilterSubject: k.subject(">"), AckPolicy: jetstream.AckNonePolicy,
		InactiveThreshold: time.Minute, MemoryStorage: true,
	})
	if err != nil {
		return err
	}
	k.count, k.seen, k.rows = 0, 0, map[string]lease.Entry{}
	for k.pending = k.reader.CachedInfo().NumPending; k.pending > 0; {
		before := k.count
		if err := k.readOn(ctx); err != nil {
			return err
		}
		if k.count == before {
			return errors.New("cluster: the list of keys ended")
		}
	}
	return k.readOn(ctx)
}

// keysAtOnce are read.
const keysAtOnce = 256

// readOn reads what there is.
func (k *Keys) readOn(ctx context.Context) error {
	for ctx.Err() == nil {
		more, err := k.reader.FetchNoWait(keysAtOnce)
		if err != nil {
			return err
		}
		n := 0
		for m := range more.Messages() {
			if err := k.apply(m); err != nil {
				return err
			}
			n++
		}
		if err := more.Error(); err != nil || n < keysAtOnce {
			return err
		}
	}
	return context.Cause(ctx)
}

func (k *Keys) apply(m jetstream.Msg) error {
	about, err := m.Metadata()
	if err != nil {
		return err
	}
	if k.count++; about.Sequence.Consumer != k.count { // the server doesn't repeat what was lost on the way
		return fmt.Errorf("cluster: keys: message %d of the reader came as %d", about.Sequence.Consumer, k.count)
	}
	key, revision := strings.TrimPrefix(m.Subject(), k.subject("")), about.Sequence.Stream
	k.seen, k.pending = max(k.seen, revision), about.NumPending
	if gone := m.Headers().Get("KV-Operation") != "" || m.Headers().Get(jetstream.MarkerReasonHeader) != ""; gone {
		delete(k.rows, key)
	} else {
		k.rows[key] = lease.Entry{Key: key, Value: string(m.Data()), Revision: revision}
	}
	return nil
}

func (k *Keys) subject(key string) string { return "$KV." + k.c.kv.Bucket() + "." + key }

// Put implements lease.Store.
func (k *Keys) Put(ctx context.Context, key, value string, revision uint64) (next uint64, err error) {
	ctx, cancel := k.c.waiting(ctx)
	defer cancel()
	if revision == 0 {
		next, err = k.c.kv.Create(ctx, key, []byte(value))
	} else {
		next, err = k.c.kv.Update(ctx, key, []byte(value), revision)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.own = next; err != nil {
		k.reader = nil // it may be written all the same
	}
	return next, conflict(err)
}

// Delete implements lease.Store.
func (k *Keys) Delete(ctx context.Context, key string, revision uint64) error {
	ctx, cancel := k.c.waiting(ctx)
	defer cancel()
	if revision == 0 {
		return lease.ErrConflict
	}
	return conflict(k.c.kv.Purge(ctx, key, jetstream.LastRevision(revision), jetstream.PurgeTTL(markers)))
}

func conflict(err error) error {
	if errors.Is(err, jetstream.ErrKeyExists) || errors.Is(err, jetstream.ErrKeyRevisionMismatch) {
		return fmt.Errorf("%w: %w", lease.ErrConflict, err)
	}
	return err
}
