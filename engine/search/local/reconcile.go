package local

import (
	"errors"
	"fmt"
	"hash/maphash"

	"github.com/winnow-go/winnow/engine/search"
)

// errPages is wrapped where it is the pages that can't be read.
var errPages = errors.New("the cache can't be read")

const keysAtOnce = 1000

// update does a piece of work on a store.
func (x *Index) update(s *store, w work) error {
	b := &batch{index: x, store: s}
	if w.all {
		if err := x.compare(s, b); err != nil {
			return err
		}
	}
	for _, key := range w.keys {
		if err := b.read(key, true); err != nil {
			return err
		}
	}
	return b.write()
}

// compare finds all differences between the index and the pages: first what the index has and
// should not have, or not so, then what it lacks. It takes 8 bytes of memory for each page and a
// little more.
func (x *Index) compare(s *store, b *batch) error {
	seed, known := maphash.MakeSeed(), map[uint64]struct{}{}
	err := s.each(func(key, version string) error {
		now, err := x.pages.Version(x.life, key)
		if err != nil {
			return fmt.Errorf("%w: %w", errPages, err)
		}
		if now == version && now != "" {
			known[maphash.String(seed, key)] = struct{}{}
			return nil
		}
		return b.add(change{key: key}, 0) // comes again below, if it is still a page
	})
	if err == nil {
		err = b.write()
	}
	for after := ""; err == nil; {
		var keys []string
		keys, err = x.pages.Keys(x.life, after, keysAtOnce)
		if err != nil {
			return fmt.Errorf("%w: %w", errPages, err)
		}
		if len(keys) == 0 {
			break
		}
		for _, key := range keys {
			if _, ok := known[maphash.String(seed, key)]; ok {
				continue
			}
			if err := b.read(key, false); err != nil {
				return err
			}
		}
		after = keys[len(keys)-1]
	}
	return err
}

// batch gathers changes, so that the costs of a durable write are shared.
type batch struct {
	index   *Index
	store   *store
	changes []change
	text    int
}

// read takes a key's page as it is now. remove says whether the index may have one that is gone.
func (b *batch) read(key string, remove bool) error {
	if err := b.index.life.Err(); err != nil {
		return err
	}
	page, err := b.page(key)
	switch {
	case err != nil:
		return fmt.Errorf("%w: %w", errPages, err)
	case page != nil:
		return b.add(change{key, page}, len(page.Text))
	case remove:
		return b.add(change{key: key}, 0)
	}
	return nil
}

// page reads a page; one that makes its reader panic is none.
func (b *batch) page(key string) (p *search.Page, err error) {
	defer func() {
		if r := recover(); r != nil {
			p, err = nil, nil
			b.index.setup.Logger.Error("search index: a page can't be read", "panic", r)
		}
	}()
	return b.index.pages.Page(b.index.life, key)
}

func (b *batch) add(c change, text int) error {
	b.changes, b.text = append(b.changes, c), b.text+text
	if len(b.changes) < batchKeys && b.text < batchText {
		return nil
	}
	return b.write()
}

func (b *batch) write() error {
	if len(b.changes) == 0 {
		return nil
	}
	err := b.store.apply(b.changes)
	b.changes, b.text = b.changes[:0], 0
	return err
}
