package cache

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
)

// Bounds of one transaction that removes.
const (
	pruneRows  = 256
	forgetKeys = 64
	sweepRows  = 1000
)

// Prune implements Store.
func (s *store) Prune(ctx context.Context) (removed int, err error) {
	if err := s.q.check(ctx); err != nil {
		return 0, err
	}
	if err := s.q.drain(ctx); err != nil {
		return 0, err
	}
	defer s.awaitNotified()
	for {
		n, err := s.prune()
		removed += n
		if err != nil || n == 0 {
			return removed, err
		}
		if err := s.q.check(ctx); err != nil {
			return removed, err
		}
	}
}

// pruneStep is the background's step: it removes a bounded part of what is due. It returns whether there may be more.
func (s *store) pruneStep() bool {
	n, err := s.prune()
	if err != nil && !errors.Is(err, ErrUnwritable) {
		s.o.Logger.Error("cache: old entries were not removed", "store", s.name, "error", err)
	}
	return n > 0 && err == nil
}

// prune removes the oldest versions that are due, up to pruneRows of them, but for those that are about to be renewed. When none is
// due, nothing is written.
func (s *store) prune() (removed int, err error) {
	d := dues{before: s.tooOld(), bytes: s.o.MaxBytes} // before the next: what is renewed from now on is not too old by this
	d.spared = s.q.renewing()
	due := false
	err = s.db.View(func(tx Tx) error {
		if t, err := s.totals(tx); err == nil {
			due = len(s.due(tx, t, d, 1)) > 0
		}
		return nil
	})
	if err != nil || !due {
		return 0, err
	}
	_, err = s.update(func(c *change) error {
		removed = 0
		for _, a := range s.due(c.tx, c.totals, d, pruneRows) {
			if !d.has(a, c.totals) {
				break
			}
			if err := c.expire(a); err != nil {
				return err
			}
			removed++
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	return removed, nil
}

// dues is the limits by which versions are due.
type dues struct {
	before int64 // stored before this: too old
	bytes  int64 // more than this in all: the oldest go; 0: no limit
	spared map[uint64]bool
}

func (d dues) has(a aged, t totals) bool {
	return !d.spared[a.id] && (a.stored < d.before || d.bytes > 0 && t.bytes > d.bytes)
}

// due returns up to n of the oldest versions that are due as things are.
func (s *store) due(tx Tx, t totals, d dues, n int) []aged {
	rows := s.oldest(tx, nil, n+len(d.spared))
	rows = slices.DeleteFunc(rows, func(a aged) bool { return !d.has(a, t) })
	return rows[:min(len(rows), n)]
}

// tooOld is the time before which versions are too old, in ms.
func (s *store) tooOld() int64 {
	if s.o.MaxAge == 0 {
		return math.MinInt64
	}
	return s.o.Ages().Add(-s.o.MaxAge).UnixMilli()
}

// Forget implements Store. It goes through the keys once, so that it ends however fast others put.
func (s *store) Forget(ctx context.Context, prefix string) (versions int, err error) {
	if err := s.q.check(ctx); err != nil {
		return 0, err
	}
	if err := s.q.drain(ctx); err != nil {
		return 0, err
	}
	defer s.awaitNotified()
	s.dicts.clear()
	defer s.dicts.clear()
	after := ""
	for {
		keys, _, err := s.written(prefix, after, forgetKeys)
		if err != nil || len(keys) == 0 {
			n, err2 := s.sweep(ctx, prefix, err)
			return versions + n, err2
		}
		n, err := s.forget(keys)
		versions += n
		if err != nil {
			return versions, err
		}
		after = keys[len(keys)-1]
		if err := s.q.check(ctx); err != nil {
			return versions, err
		}
	}
}

// forget removes the keys with all their versions.
func (s *store) forget(keys []string) (versions int, err error) {
	_, err = s.update(func(c *change) error {
		versions = 0
		for _, key := range keys {
			vs, known := c.row(key)
			for _, v := range vs {
				if err := c.drop(key, v); err != nil {
					return err
				}
			}
			if err := c.setRow(key, nil, known); err != nil {
				return err
			}
			versions += len(vs)
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	return versions, nil
}

// sweep removes what damaged index rows have left over: versions with the prefix that the row of their key doesn't name. Where no row was
// ever found damaged there is nothing to do. An err is returned as it is.
func (s *store) sweep(ctx context.Context, prefix string, err error) (versions int, _ error) {
	var t totals
	if err == nil {
		err = s.db.View(func(tx Tx) (err error) {
			t, err = s.totals(tx)
			return err
		})
	}
	if err != nil || t.lost == 0 {
		return 0, err
	}
	var from []byte
	for {
		n, next, err := s.sweepSome(prefix, from)
		versions += n
		if err != nil || next == nil {
			return versions, err
		}
		if err := s.q.check(ctx); err != nil {
			return versions, err
		}
		from = next
	}
}

// sweepSome looks at some rows of ages; next is where to go on, nil: that was the end.
func (s *store) sweepSome(prefix string, from []byte) (versions int, next []byte, err error) {
	_, err = s.update(func(c *change) error {
		versions, next = 0, nil
		rows := s.oldest(c.tx, from, sweepRows)
		for _, a := range rows {
			if a.err == nil && (!strings.HasPrefix(a.key, prefix) || c.names(a)) {
				continue
			}
			if err := c.expire(a); err != nil {
				return err
			}
			versions++
		}
		if len(rows) == sweepRows {
			last := rows[len(rows)-1]
			next = append(ageKey(last.stored, last.id), 0)
		}
		return nil
	})
	return versions, next, err
}

// names reports whether the index has the version.
func (c *change) names(a aged) bool {
	vs, _ := c.row(a.key)
	return slices.ContainsFunc(vs, func(v version) bool { return v.id == a.id })
}
