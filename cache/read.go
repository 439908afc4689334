package cache

import (
	"context"
	"slices"
	"strings"
	"time"
)

// find returns the versions of a key, newest first. Pending ones are looked up first, so that nothing is missed that is written
// meanwhile; the snapshot shows which of them were.
func (s *store) find(ctx context.Context, key string) ([]version, error) {
	if err := s.q.check(ctx); err != nil {
		return nil, err
	}
	pending := s.q.of(key)
	var row []byte
	var last uint64
	err := s.db.View(func(tx Tx) error {
		row, last = slices.Clone(tx.Get(s.index, []byte(key))), s.last(tx)
		return nil
	})
	if err != nil {
		return nil, err
	}
	var vs []version
	if row != nil {
		if vs, err = decodeVersions(key, row); err != nil {
			s.o.Logger.Warn("cache: a damaged index row counts as missing", "store", s.name, "error", err)
			vs = nil
		}
	}
	for _, o := range pending {
		if o.seq > last {
			for i := range vs {
				if !o.renew && s.ahead(vs[i], o) {
					vs[i].stored = o.stored // as it will be when it is written
				}
			}
			vs = o.play(vs)
			vs = vs[:min(len(vs), s.o.Versions)]
		}
	}
	return vs, nil
}

// last returns the seq of the last op that the snapshot has.
func (s *store) last(tx Tx) uint64 {
	t, err := s.totals(tx)
	if err != nil { // the writer rebuilds them
		t = (&change{store: s, tx: tx}).count()
	}
	return t.last
}

// Versions implements Store.
func (s *store) Versions(ctx context.Context, key string) ([]Version, error) {
	vs, err := s.find(ctx, key)
	if err != nil {
		return nil, err
	}
	list := make([]Version, len(vs))
	for i, v := range vs {
		list[i] = Version{Key: key, ID: v.id, Stored: time.UnixMilli(v.stored).UTC(), Size: v.size, Meta: slices.Clone(v.meta)}
	}
	return list, nil
}

// Get implements Store. Bytes are copied out of the snapshot and decompressed when it is closed.
func (s *store) Get(ctx context.Context, v Version) ([]byte, error) {
	if err := s.q.check(ctx); err != nil {
		return nil, err
	}
	if value, ok := s.q.value(v.ID); ok {
		return append(make([]byte, 0, len(value)), value...), nil
	}
	var row []byte
	var d *dictionary
	err := s.db.View(func(tx Tx) error {
		row = slices.Clone(tx.Get(s.values, idKey(v.ID)))
		d = s.dictionary(tx, dictOf(row))
		return nil
	})
	switch {
	case err != nil:
		return nil, err
	case row == nil:
		return nil, ErrNotFound
	}
	value, err := s.codec.unpack(idKey(v.ID), row, d)
	if err != nil {
		s.o.Logger.Warn("cache: a damaged entry counts as missing", "store", s.name, "id", v.ID, "error", err)
		return nil, &CorruptError{Key: v.Key, Err: err}
	}
	return value, nil
}

// keysStep is how many keys are read in one snapshot.
const keysStep = 1000

// Keys implements Store. Each snapshot reads some of the keys, so what changes meanwhile may or may not be seen.
func (s *store) Keys(ctx context.Context, prefix, after string, limit int) ([]string, error) {
	var keys []string
	for {
		if err := s.q.check(ctx); err != nil {
			return nil, err
		}
		step := keysStep
		if limit > 0 {
			step = min(step, limit-len(keys))
		}
		more, err := s.someKeys(prefix, after, step)
		if err != nil {
			return nil, err
		}
		keys = append(keys, more...)
		if len(more) < step || len(keys) == limit {
			return keys, nil
		}
		after = keys[len(keys)-1]
	}
}

// someKeys returns the first n keys after one, written and pending.
func (s *store) someKeys(prefix, after string, n int) ([]string, error) {
	pending := s.q.puts(prefix, after) // first, as in find
	keys, last, err := s.written(prefix, after, n)
	if err != nil {
		return nil, err
	}
	for _, o := range pending {
		if o.seq > last {
			keys = append(keys, o.key)
		}
	}
	slices.Sort(keys)
	keys = slices.Compact(keys)
	return keys[:min(len(keys), n)], nil
}

// written returns the first n keys after one that are in the DB, and the seq of the last op that is.
func (s *store) written(prefix, after string, n int) (keys []string, last uint64, err error) {
	err = s.db.View(func(tx Tx) error {
		last = s.last(tx)
		for k := range tx.Scan(s.index, []byte(max(prefix, after))) {
			key := string(k)
			if len(keys) == n || !strings.HasPrefix(key, prefix) {
				break
			}
			if key > after {
				keys = append(keys, key)
			}
		}
		return nil
	})
	return keys, last, err
}

// Stats implements Store.
func (s *store) Stats(ctx context.Context) (Stats, error) {
	if err := s.q.check(ctx); err != nil {
		return Stats{}, err
	}
	st := Stats{Queued: s.q.length()}
	err := s.db.View(func(tx Tx) error {
		t, err := s.totals(tx)
		if err != nil {
			t = (&change{store: s, tx: tx}).count()
		}
		st.Keys, st.Versions, st.Bytes = t.keys, t.versions, t.bytes
		for k := range tx.Scan(s.ages, nil) {
			st.Oldest = ageTime(k)
			break
		}
		for k := range tx.ScanBack(s.ages, nil) {
			st.Newest = ageTime(k)
			break
		}
		return nil
	})
	return st, err
}

func ageTime(key []byte) time.Time {
	stored, _, err := decodeAgeKey(key)
	if err != nil {
		return time.Time{}
	}
	return time.UnixMilli(stored).UTC()
}
