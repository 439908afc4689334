package folding

import (
	"context"
	"maps"
	"math"
	"slices"
)

// Last is called when nothing else is left to do. It puts in line some of what was left out: the last ones by each rule, so that one which
// held for long and then didn't is found out, and once as many others as is the root of how many there are. It reports whether there were
// any.
func (b *Book) Last(ctx context.Context) (more bool, err error) {
	b.ending.Lock()
	defer b.ending.Unlock()
	for _, host := range b.names() {
		if err := b.putBack(ctx, host); err != nil {
			return false, err
		}
		rows := map[string]left{}
		err := b.look(ctx, host, func(t *turn) error {
			clear(rows)
			return t.last(rows)
		})
		if err != nil {
			return false, err
		}
		if err := b.takeBack(ctx, host, rows); err != nil {
			return false, err
		}
		more = more || len(rows) > 0
	}
	return more, nil
}

func (b *Book) names() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Sorted(maps.Keys(b.hosts))
}

// last chooses what is fetched in the end, and makes it members of their groups, so that they aren't left out again.
func (t *turn) last(rows map[string]left) error {
	first := false
	for _, rule := range slices.Sorted(maps.Keys(t.host.Rules)) {
		s := t.host.Rules[rule]
		if s.Last == nil || s.Ends == maxEnds {
			continue
		}
		if !t.write {
			return errWrites
		}
		if s.Ends > 0 { // where each link is another one, what was fetched in the end has led to more
			s.Last = s.Last[max(len(s.Last)-minLast, 0):]
		}
		for _, row := range s.Last {
			t.choose(row, rows)
		}
		first = first || s.Ends == 0
		s.Last, s.Ends = nil, s.Ends+1
	}
	if first {
		all := len(rows) + int(math.Sqrt(float64(t.host.Kept)))
		t.b.eachLeft(t.tx, t.name, func(row []byte, l left) bool { // in the order of hashes: any
			rows[string(row)] = l
			return len(rows) < all
		})
	}
	return t.enterAll(rows)
}

func (t *turn) choose(row []byte, rows map[string]left) {
	var l left
	if get(t.tx, bucketLeft, row, &l) {
		rows[string(row)] = l
	}
}

func (t *turn) enterAll(rows map[string]left) error {
	for _, row := range slices.Sorted(maps.Keys(rows)) {
		key := rows[row].Found.Key
		if g := t.group(key); g.at(key) < 0 {
			if err := t.enter(g, key); err != nil {
				return err
			}
		}
	}
	return nil
}
