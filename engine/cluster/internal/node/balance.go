package node

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/winnow-go/winnow/engine/cluster/internal/lease"
)

// Balance renews the member's lease, and closes the shards that it lost or is to give up, or could not serve for long. Those that it is to
// open are left to OpenNext, which may take long. Call it three times in the TTL or more often.
func (n *Node) Balance(ctx context.Context) (lease.Shares, error) {
	valid, lapsed := n.o.Keeper.Valid(), n.o.Keeper.Lapsed()
	shares, err := n.o.Keeper.Step(ctx)
	if !valid {
		n.wake() // those that got no page meanwhile
	}
	switch {
	case errors.Is(err, lease.ErrEvicted):
		n.o.Logger.Warn("cluster: the others took this member for dead; it joins again")
		return shares, errors.Join(err, n.closeAll())
	case errors.Is(err, lease.ErrSlow):
		n.o.Logger.Warn("cluster: the server answers too seldom; this member gives up its shards, and joins again")
		return shares, errors.Join(err, n.closeAll())
	}
	if err != nil {
		return shares, err
	}
	errs := n.closeOthers(shares.Held)
	for _, s := range shares.Excess {
		errs = errors.Join(errs, n.close(s), n.o.Keeper.Release(ctx, s))
	}
	kept := slices.DeleteFunc(shares.Held, func(s int) bool { return slices.Contains(shares.Excess, s) })
	hopeless := n.health.hopeless(kept, lapsed)
	errs = errors.Join(errs, n.decline(ctx, hopeless))
	n.want(slices.DeleteFunc(kept, func(s int) bool { return slices.Contains(hopeless, s) }))
	return shares, errs
}

// decline closes shards that the member can't serve, and gives them to others.
func (n *Node) decline(ctx context.Context, list []int) (errs error) {
	if len(list) == 0 {
		return nil
	}
	n.o.Logger.Warn("cluster: this member can't serve shards that it holds; they go to others", "shards", list)
	for _, s := range list {
		errs = errors.Join(errs, n.close(s))
	}
	return errors.Join(errs, n.o.Keeper.Decline(ctx, list...))
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

// closeOthers closes what isn't held, and has such a shard be opened no further.
func (n *Node) closeOthers(held []int) (errs error) {
	n.health.stopBut(held)
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
	s, err := n.shard(number)
	if err != nil {
		return nil
	}
	_, err = n.shut(s)
	return err
}

// shut closes a shard, which isn't opened again before that has ended; false: another call does that, or has done it.
func (n *Node) shut(s *shard) (own bool, err error) {
	n.mu.Lock()
	if own = n.shards[s.number] == s; own {
		delete(n.shards, s.number)
		n.closing[s.number] = true
	}
	n.mu.Unlock()
	if !own {
		return false, nil
	}
	err = s.db.Close()
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.closing, s.number)
	return true, err
}

// note closes a shard where an error says that another has it, and returns the error.
func (n *Node) note(s *shard, err error) error {
	if err == nil || !n.o.Gone(err) {
		return err
	}
	own, failed := n.shut(s)
	if own { // else it was closed here, which the error says
		n.o.Logger.Warn("cluster: a shard has another owner", "shard", s.number, "err", err)
	}
	if failed != nil {
		n.o.Logger.Error("cluster: closing a shard", "shard", s.number, "err", failed)
	}
	return err
}

func (n *Node) want(held []int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.wanted = slices.Clone(held)
}

// next is a shard to be opened; -1: there is none.
func (n *Node) next() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	for len(n.wanted) > 0 {
		number := n.wanted[0]
		n.wanted = n.wanted[1:]
		if n.shards[number] == nil && !n.closing[number] && n.o.Keeper.Holds(number) {
			return number
		}
	}
	return -1
}

// unopened are the shards that wait to be opened.
func (n *Node) unopened() []int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(n.wanted), func(s int) bool { return n.shards[s] != nil })
}

var errLate = errors.New("node: the lease ended while the shard was opened")

// OpenNext opens one of the shards that the member holds, and returns its number; -1: there is none to be opened. What can't be opened, or
// is being closed, is tried again after the next Balance. One call at a time.
func (n *Node) OpenNext(ctx context.Context) (int, error) {
	number := n.next()
	if number < 0 {
		return number, nil
	}
	began := n.o.Now()
	bounded, done := n.health.begin(ctx, number)
	defer done()
	s, err := n.openShard(bounded, number)
	n.health.end(bounded, err, began, number, n.unopened())
	if err != nil {
		return number, err
	}
	if !n.o.Keeper.Holds(number) { // another may have it, and is now refused; it opens it again
		return number, errors.Join(errLate, s.db.Close())
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
