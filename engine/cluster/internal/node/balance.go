package node

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/winnow-go/winnow/engine/cluster/internal/lease"
)

// Balance renews the member's lease, and closes the shards that it lost or is to give up. Those that it is to open are left to OpenNext,
// which may take long. Call it three times in the TTL or more often.
func (n *Node) Balance(ctx context.Context) (lease.Shares, error) {
	valid := n.o.Keeper.Valid()
	shares, err := n.o.Keeper.Step(ctx)
	if !valid {
		n.wake() // those that got no page meanwhile
	}
	if errors.Is(err, lease.ErrEvicted) {
		n.o.Logger.Warn("cluster: the others took this member for dead; it joins again")
		return shares, errors.Join(err, n.closeAll())
	}
	if err != nil {
		return shares, err
	}
	errs := n.closeOthers(shares.Held)
	for _, s := range shares.Excess {
		errs = errors.Join(errs, n.close(s), n.o.Keeper.Release(ctx, s))
	}
	n.want(slices.DeleteFunc(shares.Held, func(s int) bool { return slices.Contains(shares.Excess, s) }))
	return shares, errs
}

// Open are the shards that are open, in order.
func (n *Node) Open() []int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Sorted(maps.Keys(n.shards))
}

// Leave closes all shards and gives up their leases. The Node is of no use after that.
func (n *Node) Leave(ctx context.Context) error {
	return errors.Join(n.closeAll(), n.o.Keeper.Leave(ctx))
}

// Close closes all shards, and leaves their leases to end.
func (n *Node) Close() error { return n.closeAll() }

func (n *Node) closeAll() error { return n.closeOthers(nil) }

// closeOthers closes what isn't held.
func (n *Node) closeOthers(held []int) (errs error) {
	for _, s := range n.Open() {
		if !slices.Contains(held, s) {
			errs = errors.Join(errs, n.close(s))
		}
	}
	if held == nil {
		n.want(nil)
	}
	return errs
}

func (n *Node) close(number int) error {
	n.mu.Lock()
	s := n.shards[number]
	delete(n.shards, number)
	n.mu.Unlock()
	if s == nil {
		return nil
	}
	return s.db.Close()
}

// drop closes a shard of which an operation said that another has it.
func (n *Node) drop(s *shard) {
	n.mu.Lock()
	if n.shards[s.number] == s {
		delete(n.shards, s.number)
	}
	n.mu.Unlock()
	if err := s.db.Close(); err != nil {
		n.o.Logger.Error("cluster: closing a shard", "shard", s.number, "err", err)
	}
}

// note drops a shard where an error says that another has it, and returns the error.
func (n *Node) note(s *shard, err error) error {
	if err != nil && n.o.Gone(err) {
		n.o.Logger.Warn("cluster: a shard has another owner", "shard", s.number, "err", err)
		n.drop(s)
	}
	return err
}

func (n *Node) want(held []int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.wanted = nil
	for _, s := range held {
		if n.shards[s] == nil {
			n.wanted = append(n.wanted, s)
		}
	}
}

// OpenNext opens one of the shards that the member holds, and returns its number; -1: all are open. What can't be opened is tried again
// after the next Balance.
func (n *Node) OpenNext(ctx context.Context) (int, error) {
	n.mu.Lock()
	if len(n.wanted) == 0 {
		n.mu.Unlock()
		return -1, nil
	}
	number := n.wanted[0]
	n.wanted = n.wanted[1:]
	n.mu.Unlock()
	if !n.o.Keeper.Holds(number) {
		return number, nil
	}
	s, err := n.openShard(ctx, number)
	if err != nil {
		return number, err
	}
	if !n.o.Keeper.Holds(number) { // it took longer than the lease: another may have it, and is now refused; it opens it again
		return number, s.db.Close()
	}
	n.mu.Lock()
	n.shards[number] = s
	n.mu.Unlock()
	n.wake()
	return number, nil
}

// shard returns an open shard.
func (n *Node) shard(number int) (*shard, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if s := n.shards[number]; s != nil {
		return s, nil
	}
	return nil, ErrNotOwner
}
