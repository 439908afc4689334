package cache

import (
	"slices"
	"time"
)

// change is the work of one transaction on a store. It may be done more than once, so it touches nothing but the transaction.
type change struct {
	*store
	tx      Tx
	totals  totals
	changed bool
	corrupt int      // rows that were found damaged
	touched []string // keys whose rows were written; kept only if Options.Changed is set
	used    []*use   // of dictionaries
	unused  []uint64 // dictionaries that no value needs any more
}

// update runs f in a transaction; what it returns is the change that was committed. Who waits by awaitTold finds the damage
// that it met in the log.
func (s *store) update(f func(*change) error) (*change, error) {
	s.notifying <- struct{}{}
	defer func() { <-s.notifying }()
	var last *change
	err := s.db.Update(func(tx Tx) error {
		c := &change{store: s, tx: tx}
		last = c
		c.load()
		if err := f(c); err != nil || !c.changed {
			return err
		}
		if err := c.settleUses(); err != nil {
			return err
		}
		return tx.Put(s.counts, countsKey, c.totals.encode())
	})
	if err != nil {
		return last, err
	}
	last.log()
	if len(last.unused) > 0 {
		s.dicts.drop(last.unused)
	}
	if len(last.touched) > 0 {
		s.o.Changed(last.touched)
	}
	return last, nil
}

// awaitNotified waits until Options.Changed has been called for what is written by now, by the background too.
func (s *store) awaitNotified() {
	s.notifying <- struct{}{}
	<-s.notifying
}

func (s *store) totals(tx Tx) (totals, error) {
	row := tx.Get(s.counts, countsKey)
	if row == nil {
		return totals{}, nil
	}
	return decodeTotals(row)
}

// load reads the totals; damaged ones are rebuilt.
func (c *change) load() {
	var err error
	if c.totals, err = c.store.totals(c.tx); err != nil {
		c.totals, c.changed = c.count(), true
		c.corrupt++
	}
}

// count rebuilds the totals. Rows that can't be read may have left something over, so that is noted as well.
func (c *change) count() totals {
	t := totals{lost: 1}
	for range c.tx.Scan(c.index, nil) {
		t.keys++
	}
	for k, row := range c.tx.Scan(c.ages, nil) {
		weight, _, _ := decodeAge(k, row)
		_, id, _ := decodeAgeKey(k)
		t.versions, t.bytes, t.last = t.versions+1, t.bytes+weight, max(t.last, id)
	}
	return t
}

// log logs damage that was found, once the transaction is done.
func (c *change) log() {
	if c.corrupt > 0 {
		c.o.Logger.Warn("cache: damaged rows found; their entries count as missing", "store", c.name, "rows", c.corrupt)
	}
}

// row returns the versions of a key; a damaged row has none.
func (c *change) row(key string) (vs []version, known bool) {
	row := c.tx.Get(c.index, []byte(key))
	if row == nil {
		return nil, false
	}
	vs, err := decodeVersions(key, row)
	if err != nil {
		c.corrupt++
		c.totals.lost++
		return nil, true
	}
	return vs, true
}

// setRow writes the versions of a key, or removes the key when there are none.
func (c *change) setRow(key string, vs []version, known bool) error {
	c.changed = true
	if c.o.Changed != nil {
		c.touched = append(c.touched, key)
	}
	if len(vs) > 0 {
		if !known {
			c.totals.keys++
		}
		return c.tx.Put(c.index, []byte(key), encodeVersions(key, vs))
	}
	if known {
		c.totals.keys--
	}
	return c.tx.Delete(c.index, []byte(key))
}

// apply applies a Put or Renew.
func (c *change) apply(o *op) error {
	vs, known := c.row(o.key)
	c.totals.last, c.changed = o.seq, true
	if o.renew {
		return c.renew(o, vs)
	}
	if err := c.pullBack(o, vs); err != nil {
		return err
	}
	added := o.version()
	added.packed = int64(len(o.row))
	vs = append(vs, added)
	slices.SortFunc(vs, newer)
	kept := vs[:min(len(vs), c.o.Versions)]
	for _, v := range vs[len(kept):] {
		if v.id == o.id {
			return nil // older than all that are kept
		}
		if err := c.drop(o.key, v); err != nil {
			return err
		}
	}
	if err := c.tx.Put(c.values, idKey(o.id), o.row); err != nil {
		return err
	}
	if o.dict != nil {
		c.use(o.dict.group, o.dict.id, 1, o.dict)
	}
	if err := c.tally(o.key, added, 1); err != nil {
		return err
	}
	return c.setRow(o.key, kept, known)
}

// pullBack lets versions that seem to be of the future go behind one that is put: they are of a clock that was set wrong, and would keep
// that one from being the newest, or from being kept at all.
func (c *change) pullBack(o *op, vs []version) error {
	for i, v := range vs {
		if !c.ahead(v, o) {
			continue
		}
		if err := c.tally(o.key, v, -1); err != nil {
			return err
		}
		vs[i].stored = o.stored
		if err := c.tally(o.key, vs[i], 1); err != nil {
			return err
		}
	}
	return nil
}

// ahead reports whether a version is of the future and the op isn't.
func (s *store) ahead(v version, o *op) bool {
	latest := s.o.Now().Add(time.Minute).UnixMilli()
	return v.stored > latest && o.stored <= latest
}

func (c *change) renew(o *op, vs []version) error {
	i := slices.IndexFunc(vs, func(v version) bool { return v.id == o.id })
	if i < 0 {
		return nil // removed since it was requested
	}
	if err := c.tally(o.key, vs[i], -1); err != nil {
		return err
	}
	vs[i].stored, vs[i].meta = o.stored, o.meta
	if err := c.tally(o.key, vs[i], 1); err != nil {
		return err
	}
	slices.SortFunc(vs, newer)
	return c.setRow(o.key, vs, true)
}

// tally adds (1) or takes away (-1) a version among the ages and totals.
func (c *change) tally(key string, v version, sign int64) error {
	c.changed = true
	weight := v.weight(key)
	c.totals.versions += sign
	c.totals.bytes = max(0, c.totals.bytes+sign*weight)
	k := ageKey(v.stored, v.id)
	if sign < 0 {
		return c.tx.Delete(c.ages, k)
	}
	return c.tx.Put(c.ages, k, encodeAge(k, weight, key))
}

// drop removes a version except from the row of its key.
func (c *change) drop(key string, v version) error {
	c.unuse(key, c.tx.Get(c.values, idKey(v.id)), v.id)
	if err := c.tx.Delete(c.values, idKey(v.id)); err != nil {
		return err
	}
	return c.tally(key, v, -1)
}

// aged is a row of the ages.
type aged struct {
	stored int64
	id     uint64
	weight int64
	key    string
	err    error // the row is damaged: key and weight are unknown
}

// oldest returns the first n rows of ages from a place on, in memory of their own.
func (s *store) oldest(tx Tx, from []byte, n int) []aged {
	var rows []aged
	for k, row := range tx.Scan(s.ages, from) {
		if len(rows) == n {
			break
		}
		a := aged{}
		if a.stored, a.id, a.err = decodeAgeKey(k); a.err == nil {
			a.weight, a.key, a.err = decodeAge(k, row)
		}
		rows = append(rows, a)
	}
	return rows
}

// expire removes the version of a row of ages from everywhere.
func (c *change) expire(a aged) error {
	v := version{id: a.id, stored: a.stored, packed: a.weight - int64(len(a.key))} // so that its weight is that of the row
	if a.err != nil {
		c.corrupt++
		c.totals.lost++
		v.packed = int64(len(c.tx.Get(c.values, idKey(a.id))))
		return c.drop("", v)
	}
	if err := c.drop(a.key, v); err != nil {
		return err
	}
	vs, known := c.row(a.key)
	left := slices.DeleteFunc(vs, func(v version) bool { return v.id == a.id })
	if !known || len(left) == len(vs) {
		return nil // left over from a row that was damaged
	}
	return c.setRow(a.key, left, true)
}
