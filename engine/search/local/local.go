package local

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/winnow-go/winnow/engine/search"
	"github.com/winnow-go/winnow/llm"
)

// Options of an Index. The zero value works.
type Options struct {
	// Patience is the maximum time that a search waits for the index to be built or brought up to
	// date; after it the search returns what the index has, with a warning, while the work
	// continues. Defaults to 10 s.
	Patience time.Duration
	// Passages is the maximum number of passages of one result. Defaults to 3; at most 20, and what is more is taken as that; below 0: none.
	Passages int
	// Embedder makes vectors of passages and queries, so that pages are found by their meaning too. Vectors are made in the
	// background, in batches, and kept in the index's folder by the embedder's name and the length of its vectors. Nil: by words alone.
	//
	// It gets the text of every page in the cache; one that is not local doesn't get the queries of searches under lockdown and zero
	// data retention.
	Embedder llm.Embedder
}

const (
	defaultPatience = 10 * time.Second
	defaultPassages = 3
	maxPassages     = 20
)

// Index is a [search.Index] in a folder or in memory. Make one with New and give it to one engine,
// which closes it. It is safe for concurrent use.
type Index struct {
	patience time.Duration
	passages int
	meaning  *meaning

	mu        sync.Mutex
	pages     search.Pages // nil until Attach
	setup     search.Setup
	closed    bool
	working   bool  // the worker runs; changes are queued only then
	embedding bool  // so does the other one, which makes vectors
	failed    error // of its last piece of work
	backlog   backlog

	using  sync.RWMutex // store: held for reading by searches
	store  *store       // nil while there is none
	ctx    context.Context
	cancel context.CancelFunc
	worker sync.WaitGroup
}

var _ search.Index = (*Index)(nil)

// New returns an index that is not in use yet.
func New(o Options) *Index {
	x := &Index{
		patience: o.Patience, backlog: newBacklog(), meaning: newMeaning(o.Embedder),
		passages: min(max(cmp.Or(o.Passages, defaultPassages), 0), maxPassages),
	}
	if x.patience <= 0 {
		x.patience = defaultPatience
	}
	x.ctx, x.cancel = context.WithCancel(context.Background())
	return x
}

// Name implements search.Provider.
func (x *Index) Name() string { return "the local index" }

// Local implements search.Provider.
func (x *Index) Local() bool { return true }

// Can implements search.Provider. A language restricts the results to pages in it.
func (x *Index) Can() search.Capabilities {
	return search.Capabilities{
		Sources: []search.Source{search.Web, search.News, search.Images}, Categories: search.AllCategories, Domains: true,
		Past: []search.Period{search.Hour, search.Day, search.Week, search.Month, search.Year}, Range: true, ByDate: true,
		Language: true,
	}
}

// Attach implements search.Index.
func (x *Index) Attach(p search.Pages, s search.Setup) error {
	if s.Now == nil {
		s.Now = time.Now
	}
	if s.Logger == nil {
		s.Logger = slog.New(slog.DiscardHandler)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	switch {
	case x.closed:
		return search.ErrClosed
	case x.pages != nil:
		return search.ErrAttached
	}
	x.pages, x.setup = p, s
	return nil
}

// Changed implements search.Index.
func (x *Index) Changed(keys []string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.working && !x.closed {
		x.backlog.add(keys)
	}
}

// Flush implements search.Index.
func (x *Index) Flush(ctx context.Context) error {
	x.mu.Lock()
	idle := !x.working
	x.mu.Unlock()
	if idle {
		return nil
	}
	return x.catchUp(ctx)
}

// Purge implements search.Index.
func (x *Index) Purge(ctx context.Context) error {
	if !x.hasIndex() {
		return nil
	}
	return x.catchUp(ctx)
}

// Compact implements search.Index.
func (x *Index) Compact(ctx context.Context) error {
	if !x.hasIndex() {
		return nil
	}
	if err := x.catchUp(ctx); err != nil {
		return err
	}
	x.using.RLock()
	defer x.using.RUnlock()
	if x.store == nil {
		return search.ErrClosed
	}
	return errors.Join(x.store.merge(ctx), x.meaning.compact())
}

// hasIndex reports whether the index is in use, or its folder has one of an earlier program.
func (x *Index) hasIndex() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.working || x.setup.Folder == "" {
		return x.working
	}
	for _, name := range []string{filesName, vectorsName} {
		if _, err := os.Stat(filepath.Join(x.setup.Folder, name)); err == nil {
			return true
		}
	}
	return false
}

// Close implements search.Index.
func (x *Index) Close() error {
	x.mu.Lock()
	first := !x.closed
	x.closed = true
	x.mu.Unlock()
	x.cancel()
	x.worker.Wait()
	if !first {
		return nil
	}
	x.using.Lock()
	defer x.using.Unlock()
	err := x.meaning.close()
	if x.store != nil {
		err = errors.Join(err, x.store.close())
	}
	x.store = nil
	return err
}
