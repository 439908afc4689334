package local

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/winnow-go/winnow/engine/search"
)

// Bounds of the work that waits, and of one piece of it.
const (
	mostKeys  = 50_000 // beyond, all pages are compared
	batchKeys = 128
	batchText = 4 << 20 // bytes
	gather    = 200 * time.Millisecond
)

// line is what waits for the worker. The index's mutex guards it.
type line struct {
	keys  map[string]bool
	all   bool // all pages are to be compared with the index
	hurry bool // somebody waits

	told, done uint64        // pieces of work; those told up to done are in the index
	progress   chan struct{} // closed when done grows
	wake       chan struct{} // holds one
}

func newLine() line {
	return line{keys: map[string]bool{}, progress: make(chan struct{}), wake: make(chan struct{}, 1)}
}

func (l *line) add(keys []string) {
	l.told++
	for _, k := range keys {
		if l.all {
			break
		}
		l.keys[k] = true
		l.all = len(l.keys) > mostKeys
	}
	if l.all {
		clear(l.keys)
	}
	l.call()
}

func (l *line) call() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// finished tells those who wait.
func (l *line) finished(upTo uint64) {
	l.done = upTo
	close(l.progress)
	l.progress = make(chan struct{})
}

// work is one piece.
type work struct {
	keys []string
	all  bool
	upTo uint64
}

// begin takes the index into use.
func (x *Index) begin() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	switch {
	case x.closed:
		return search.ErrClosed
	case x.pages == nil:
		return search.ErrDetached
	case x.working:
		return nil
	}
	x.working, x.failed = true, nil
	x.line.all = true
	x.line.add(nil)
	x.worker.Go(x.run)
	return nil
}

// catchUp returns when all that is known now of the pages is in the index.
func (x *Index) catchUp(ctx context.Context) error {
	if err := x.begin(); err != nil {
		return err
	}
	if err := x.pages.Settle(ctx); err != nil {
		return err
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	target := x.line.told
	for x.line.done < target {
		x.line.hurry = true
		x.line.call()
		progress := x.line.progress
		x.mu.Unlock()
		var err error
		select {
		case <-progress:
		case <-ctx.Done():
			err = ctx.Err()
		case <-x.life.Done():
			err = search.ErrClosed
		}
		x.mu.Lock()
		if err != nil {
			return err
		}
	}
	return x.failed
}

// run is the worker. It ends with the index, or when there can be none; then the next search tries
// again.
func (x *Index) run() {
	err := x.open()
	for err == nil {
		w, ok := x.next()
		if !ok {
			return
		}
		err = x.do(w)
		if errors.Is(err, errPages) { // for the cache's errors the index can't help
			x.setup.Logger.Warn("search index: pages can't be read", "error", err)
			x.finish(w.upTo, err, true)
			err = nil
			continue
		}
		if err == nil {
			x.finish(w.upTo, nil, false)
		}
	}
	if x.life.Err() == nil {
		x.setup.Logger.Error("search index: it can't be used", "error", err)
	}
	x.giveUp(err)
}

// finish tells how a piece of work has ended.
func (x *Index) finish(upTo uint64, err error, again bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.failed = err
	x.line.all = x.line.all || again
	x.line.finished(upTo)
}

// giveUp ends the use of the index.
func (x *Index) giveUp(err error) {
	x.using.Lock()
	if x.store != nil {
		_ = x.store.index.Close() // without a seal: it is to be checked
		x.store = nil
	}
	x.using.Unlock()
	x.mu.Lock()
	defer x.mu.Unlock()
	x.working, x.failed = false, err
	clear(x.line.keys)
	x.line.finished(x.line.told)
}

// next waits for work. Changes gather for a moment, unless somebody waits for them.
func (x *Index) next() (work, bool) {
	for late := false; ; {
		w, waiting, ok := x.take(late)
		if ok {
			return w, true
		}
		var timer <-chan time.Time
		if waiting {
			timer = time.After(gather)
		}
		select {
		case <-x.line.wake:
		case <-timer:
			late = true
		case <-x.life.Done():
			return work{}, false
		}
	}
}

// take gives what is to be done, if it is time for that.
func (x *Index) take(late bool) (w work, waiting, ok bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	l := &x.line
	if x.life.Err() != nil || l.done == l.told {
		return w, false, false
	}
	if !late && !l.all && !l.hurry && len(l.keys) < batchKeys {
		return w, true, false
	}
	w = work{all: l.all, upTo: l.told}
	for k := range l.keys {
		w.keys = append(w.keys, k)
	}
	clear(l.keys)
	l.all, l.hurry = false, false
	return w, false, true
}

// open opens the index's folder.
func (x *Index) open() error {
	s, fresh, damage, err := openStore(x.setup.Folder)
	if damage != nil {
		x.setup.Logger.Warn("search index: rebuilding", "because", damage)
	}
	if err != nil {
		return fmt.Errorf("search index: %w", err)
	}
	x.setup.Logger.Debug("search index: open", "new", fresh)
	x.swap(s)
	return nil
}

// swap puts another store in the place of the one in use, which is closed. nil: none.
func (x *Index) swap(s *store) {
	x.using.Lock()
	old := x.store
	x.store = s
	x.using.Unlock()
	if old != nil {
		_ = old.index.Close()
	}
}

// do brings the index up to date. A store that fails is rebuilt, once.
func (x *Index) do(w work) error {
	err := x.update(x.store, w)
	switch {
	case x.life.Err() != nil:
		return err
	case err == nil && x.store.folder == "" && x.store.dead > 2*x.store.count()+mostDead:
		return x.remake() // in memory nothing is given back else
	case err == nil || errors.Is(err, errPages):
		return err
	}
	x.setup.Logger.Warn("search index: rebuilding", "because", err)
	return x.remake()
}

// mostDead documents are kept in memory before all are rewritten.
const mostDead = 2000

// remake rebuilds the index from the pages.
func (x *Index) remake() error {
	folder := x.setup.Folder
	if folder != "" {
		x.swap(nil)
		if err := discard(folder); err != nil {
			return err
		}
	}
	s, err := newStore(folder)
	if err != nil {
		return err
	}
	if folder != "" {
		x.swap(s)
		return x.update(s, work{all: true})
	}
	err = x.update(s, work{all: true}) // searches go on in the old one
	s.dead = 0
	x.swap(s)
	return err
}
