package jet

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/winnow-go/winnow/engine/cluster/internal/lease"
)

// Keys are the leases of a cluster.
type Keys struct{ c *Cluster }

var _ lease.Store = Keys{}

// Keys returns the leases.
func (c *Cluster) Keys() Keys { return Keys{c} }

// Entries implements lease.Store.
func (k Keys) Entries(ctx context.Context) (list []lease.Entry, err error) {
	ctx, cancel := k.c.waiting(ctx)
	defer cancel()
	all, err := k.c.kv.WatchAll(ctx, jetstream.IgnoreDeletes())
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, all.Stop()) }()
	for {
		select {
		case e, ok := <-all.Updates():
			if !ok {
				return nil, errors.New("cluster: the list of keys ended")
			}
			if e == nil { // these are all
				return list, nil
			}
			if e.Key() == keySettings {
				continue
			}
			list = append(list, lease.Entry{Key: e.Key(), Value: string(e.Value()), Revision: e.Revision()})
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// Put implements lease.Store.
func (k Keys) Put(ctx context.Context, key, value string, revision uint64) (next uint64, err error) {
	ctx, cancel := k.c.waiting(ctx)
	defer cancel()
	if revision == 0 {
		next, err = k.c.kv.Create(ctx, key, []byte(value))
	} else {
		next, err = k.c.kv.Update(ctx, key, []byte(value), revision)
	}
	return next, conflict(err)
}

// Delete implements lease.Store.
func (k Keys) Delete(ctx context.Context, key string, revision uint64) error {
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
