package local

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/winnow-go/winnow/engine/search"
)

// Limits of the backlog, and of one piece of work.
const (
	maxKeys   = 50_000 // with more, all pages are compared
	batchKeys = 128
	batchText = 4 << 20 // bytes
	gather    = 200 * time.Millisecond
)

// backlog is the work that is queued for the worker. The index's mutex guards it.
type backlog struct {
	keys  map[string]bool
	all   bool // all pages are to be compared with the index
	hurry bool // a caller is waiting

	queued, done uint64        // numbers of changes; those up to done are in the index
	progress     chan struct{} // closed when done grows
	wake         chan struct{} // holds one
}

func newBacklog() backlog {
	return backlog{keys: map[string]bool{}, progress: make(chan struct{}), wake: make(chan struct{}, 1)}
}

func (l *backlog) add(keys []string) {
	l.queued++
	for _, k := range keys {
		if l.all {
			break
		}
		l.keys[k] = true
		l.all = len(l.keys) > maxKeys
	}
	if l.all {
		clear(l.keys)
	}
	l.wakeUp()
}

func (l *backlog) wakeUp() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// finished wakes the callers that wait for the changes up to a number.
func (l *backlog) finished(upTo uint64) {
	l.done = upTo
	close(l.progress)
	l.progress = make(chan struct{})
}

// work is one piece of work.
type work struct {
	keys []string
	all  bool
	upTo uint64
}

// begin starts the worker if it is not running.
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
	x.backlog.all = true
	x.backlog.add(nil)
	x.worker.Go(x.run)
	if x.meaning.embedder != nil && !x.embedding {
		x.embedding = true
		x.worker.Go(embedding{x}.embedAll)
	}
	return nil
}

// catchUp returns when every change up to now is in the index.
func (x *Index) catchUp(ctx context.Context) error {
	if err := x.begin(); err != nil {
		return err
	}
	if err := x.pages.Settle(ctx); err != nil {
		return err
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	target := x.backlog.queued
	for x.backlog.done < target {
		x.backlog.hurry = true
		x.backlog.wakeUp()
		progress := x.backlog.progress
		x.mu.Unlock()
		var err error
		select {
		case <-progress:
		case <-ctx.Done():
			err = ctx.Err()
		case <-x.ctx.Done():
			err = search.ErrClosed
		}
		x.mu.Lock()
		if err != nil {
			return err
		}
	}
	return x.failed
}

// run is the worker. It ends when the index is closed or unusable; then the next search starts it
// again.
func (x *Index) run() {
	err := x.open()
	for err == nil {
		w, ok := x.next()
		if !ok {
			return
		}
		err = x.do(w)
		if errors.Is(err, errPages) { // rebuilding the index would not help
			x.setup.Logger.Warn("search index: reading pages failed", "error", err)
			x.finish(w.upTo, err, true)
			err = nil
			continue
		}
		if err == nil {
			x.finish(w.upTo, nil, false)
		}
	}
	if x.ctx.Err() == nil {
		x.setup.Logger.Error("search index: unusable", "error", err)
	}
	x.abandon(err)
}

// finish records the result of a piece of work.
func (x *Index) finish(upTo uint64, err error, again bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.failed = err
	x.backlog.all = x.backlog.all || again
	x.backlog.finished(upTo)
}

// abandon closes the store and fails the queued work, after an error.
func (x *Index) abandon(err error) {
	x.using.Lock()
	if x.store != nil {
		_ = x.store.index.Close() // without a seal, so that it is checked
		x.store = nil
	}
	x.using.Unlock()
	x.mu.Lock()
	defer x.mu.Unlock()
	x.working, x.failed = false, err
	clear(x.backlog.keys)
	x.backlog.finished(x.backlog.queued)
}

// next waits for work. Changes are gathered for a moment unless a caller is waiting.
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
		case <-x.backlog.wake:
		case <-timer:
			late = true
		case <-x.ctx.Done():
			return work{}, false
		}
	}
}

// take returns the queued work if it is due.
func (x *Index) take(late bool) (w work, waiting, ok bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	l := &x.backlog
	if x.ctx.Err() != nil || l.done == l.queued {
		return w, false, false
	}
	if !late && !l.all && !l.hurry && len(l.keys) < batchKeys {
		return w, true, false
	}
	w = work{all: l.all, upTo: l.queued}
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
	if err := x.meaning.open(s.folder); err != nil {
		x.setup.Logger.Error("search index: without vectors", "error", err)
	}
	return nil
}

// swap replaces the store in use, which is closed, by another or by none.
func (x *Index) swap(s *store) {
	x.using.Lock()
	old := x.store
	x.store = s
	x.using.Unlock()
	if old != nil {
		_ = old.index.Close()
	}
}

// do brings the index up to date, and the vectors with it.
func (x *Index) do(w work) error {
	rebuilt, err := x.bring(w)
	if err != nil {
		return err
	}
	w.all = w.all || rebuilt
	return x.follow(w)
}

// follow makes the vectors those of the pages. If that fails, all are made again.
func (x *Index) follow(w work) error {
	err := x.meaning.follow(x.store, w)
	if err == nil {
		return nil
	}
	x.setup.Logger.Warn("search index: making all vectors again", "because", err)
	if err := x.meaning.table.Load().Clear(); err != nil {
		return fmt.Errorf("search index: %w", err)
	}
	return x.meaning.follow(x.store, work{all: true})
}

// bring brings the index up to date. If the store fails, it is rebuilt once.
func (x *Index) bring(w work) (rebuilt bool, err error) {
	err = x.update(x.store, w)
	switch {
	case x.ctx.Err() != nil:
		return false, err
	case err == nil && x.store.folder == "" && x.store.dead > 2*x.store.count()+maxDead:
		return true, x.rebuild() // an index in memory frees its space only so
	case err == nil || errors.Is(err, errPages):
		return false, err
	}
	x.setup.Logger.Warn("search index: rebuilding", "because", err)
	return true, x.rebuild()
}

// maxDead is how many replaced documents an index in memory keeps before it is rebuilt.
const maxDead = 2000

// rebuild rebuilds the index from the pages.
func (x *Index) rebuild() error {
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
	err = x.update(s, work{all: true}) // meanwhile searches use the old one
	s.dead = 0
	x.swap(s)
	return err
}
