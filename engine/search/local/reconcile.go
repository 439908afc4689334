package local

import (
	"errors"
	"fmt"
	"hash/maphash"

	"github.com/winnow-go/winnow/engine/search"
)

// errPages wraps errors of reading the pages, in contrast to those of the index.
var errPages = errors.New("reading the cache failed")

const keysAtOnce = 1000

// update applies a piece of work to a store.
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

// compare applies all differences between the index and the pages: first it removes what is gone or
// outdated, then it adds what is missing. It takes a little over 8 bytes of memory for each page.
func (x *Index) compare(s *store, b *batch) error {
	seed, known := maphash.MakeSeed(), map[uint64]struct{}{}
	err := s.each(func(key, version string) error {
		now, err := x.pages.Version(x.ctx, key)
		if err != nil {
			return fmt.Errorf("%w: %w", errPages, err)
		}
		if now == version && now != "" {
			known[maphash.String(seed, key)] = struct{}{}
			return nil
		}
		return b.add(change{key: key}, 0) // added again below, if the page still exists
	})
	if err == nil {
		err = b.write()
	}
	for after := ""; err == nil; {
		var keys []string
		keys, err = x.pages.Keys(x.ctx, after, keysAtOnce)
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

// batch gathers changes into fewer durable writes.
type batch struct {
	index   *Index
	store   *store
	changes []change
	text    int
}

// read adds a key's current page. remove says whether the index may have the key and must drop it if
// the page is gone.
func (b *batch) read(key string, remove bool) error {
	if err := b.index.ctx.Err(); err != nil {
		return err
	}
	page, err := b.page(key)
	switch {
	case err != nil:
		return fmt.Errorf("%w: %w", errPages, err)
	case page != nil:
		return b.add(change{key, page}, sizeOf(page))
	case remove:
		return b.add(change{key: key}, 0)
	}
	return nil
}

// imageBytes is how much text of a page takes as much memory as an image, which is a document of its own.
const imageBytes = 1 << 10

// sizeOf is about how much of a page is indexed, in bytes.
func sizeOf(p *search.Page) int { return len(p.Text) + imageBytes*min(len(p.Images), search.MaxImages) }

// page reads a page; if that panics, there is no page.
func (b *batch) page(key string) (p *search.Page, err error) {
	defer func() {
		if r := recover(); r != nil {
			p, err = nil, nil
			b.index.setup.Logger.Error("search index: reading a page failed", "panic", r)
		}
	}()
	return b.index.pages.Page(b.index.ctx, key)
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
