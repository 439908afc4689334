package folding

import (
	"context"

	"github.com/winnow-go/winnow/crawl"
)

// Meet notes the hosts of addresses that rules are about: from then on their pages are compared. Others cost nothing.
func (b *Book) Meet(found []crawl.Found) {
	for _, f := range found {
		b.meet(f.Key)
	}
}

// Links parts what an item's page leads to: what is to be fetched, or has been, and what is left out. Found have their keys. An address is
// among those that are left out once for each item that it would have been found by first.
func (b *Book) Links(ctx context.Context, item uint64, found []crawl.Found) (take, left []crawl.Found, err error) {
	hosts := map[string][]int{}
	for i, f := range found {
		b.meet(f.Key)
		if host := hostOf(f.Key); b.anyHolds(host) {
			hosts[host] = append(hosts[host], i)
		}
	}
	if len(hosts) == 0 {
		return found, nil, nil
	}
	out, first := map[int]bool{}, map[int]bool{}
	for host, list := range hosts {
		if err := b.part(ctx, host, item, found, list, out, first); err != nil {
			return nil, nil, err
		}
	}
	for i, f := range found {
		if !out[i] {
			take = append(take, f)
		} else if first[i] {
			left = append(left, f)
		}
	}
	return take, left, nil
}

func (b *Book) anyHolds(host string) bool {
	_, holds := b.known(host)
	return holds
}

// part notes which of the addresses of one host are out, and of those which are so for the first time.
func (b *Book) part(ctx context.Context, host string, item uint64, found []crawl.Found, list []int, out, first map[int]bool) error {
	return b.look(ctx, host, func(t *turn) error {
		for _, i := range list {
			var earlier left
			var err error
			out[i], first[i] = false, false
			if get(t.tx, bucketLeft, b.leftRow(host, found[i].Key), &earlier) {
				out[i], first[i] = true, earlier.By == item
				continue
			}
			if out[i], err = t.place(left{Found: found[i], By: item}); err != nil {
				return err
			}
			first[i] = out[i]
		}
		return nil
	})
}

// Leave reports whether an item that is about to be fetched is left out: a rule that makes it one with another was confirmed since it was
// found.
func (b *Book) Leave(ctx context.Context, item crawl.Item) (leave bool, err error) {
	b.meet(item.Key)
	if host := hostOf(item.Key); b.anyHolds(host) {
		err = b.look(ctx, host, func(t *turn) (err error) {
			leave, err = t.place(left{Found: item.Found, By: item.ID, Held: item.ID})
			return err
		})
	}
	return leave, err
}

// place decides on an address: it is left out where another one of its page is fetched, unless it is to show that they are one.
func (t *turn) place(l left) (leave bool, err error) {
	g, key := t.group(l.Found.Key), l.Found.Key
	if g.at(key) >= 0 {
		return false, nil
	}
	on := t.host.on(key)
	other, ok := g.other(key, on.holds)
	if !ok && l.Held == 0 && Fold(key, on.holds) == key {
		return false, nil // it enters its group when its turn comes
	}
	if !t.write {
		return false, errWrites
	}
	if ok && on.conflict(g, key) {
		other, ok = g.other(key, on.holds)
	}
	if ok {
		l.Rules = Between(key, other.Key)
		if on.allHold(l.Rules) && !t.due(l.Rules, key) {
			return true, t.leave(l)
		}
	}
	return false, t.enter(g, key)
}

// enter makes an address that is fetched a member of its group, if there is room.
func (t *turn) enter(g group, key string) error {
	if len(g.Members) >= maxMembers {
		return nil
	}
	g.Members = append(g.Members, member{Key: key})
	return t.keep(key, g)
}

// leave keeps what is left out, in case it is fetched after all.
func (t *turn) leave(l left) error {
	row := t.b.leftRow(t.name, l.Found.Key)
	for _, r := range l.Rules {
		t.host.of(r).leave(row)
	}
	if t.host.Kept >= maxLeft {
		return nil
	}
	t.host.Kept++
	return put(t.tx, bucketLeft, row, l)
}

// due reports whether an address is fetched although rules make it one with another.
func (t *turn) due(rules []Rule, key string) (is bool) {
	for _, r := range rules {
		if t.host.of(r).meet(r, key) {
			is = true
		}
	}
	return is
}

// conflict undoes rules that make pages one which are known to differ, and reports whether there were any.
func (on ground) conflict(g group, key string) bool {
	folded := Fold(key, on.holds)
	var one member
	for _, m := range g.Members {
		switch {
		case m.Sum == "" || Fold(m.Key, on.holds) != folded:
		case one.Sum == "":
			one = m
		case one.Sum != m.Sum:
			on.undo(Between(one.Key, m.Key))
			return true
		}
	}
	return false
}
