package local

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/winnow-go/winnow/engine/search"
)

// Options of an Index. The zero value works.
type Options struct {
	// Patience is how long a search waits for the index to be made or caught up; then it answers
	// with what there is, and a warning, while the work goes on. Defaults to 10 s.
	Patience time.Duration
}

const defaultPatience = 10 * time.Second

// Index is a [search.Index] in a folder, or in memory. Make one with New and give it to one engine,
// which closes it.
type Index struct {
	patience time.Duration

	mu      sync.Mutex
	pages   search.Pages // nil until Attach
	setup   search.Setup
	closed  bool
	working bool  // the worker runs; until then nothing is noted
	failed  error // how its last piece of work ended
	line    line

	using  sync.RWMutex // store: held for reading by searches
	store  *store       // nil while there is none
	life   context.Context
	end    context.CancelFunc
	worker sync.WaitGroup
}

var _ search.Index = (*Index)(nil)

// New makes an index that isn't in use yet.
func New(o Options) *Index {
	x := &Index{patience: o.Patience, line: newLine()}
	if x.patience <= 0 {
		x.patience = defaultPatience
	}
	x.life, x.end = context.WithCancel(context.Background())
	return x
}

// Name implements search.Provider.
func (x *Index) Name() string { return "the local index" }

// Local implements search.Provider.
func (x *Index) Local() bool { return true }

// Can implements search.Provider. A language narrows the results to pages in it.
func (x *Index) Can() search.Capabilities {
	return search.Capabilities{
		Sources: []search.Source{search.Web}, Categories: search.AllCategories, Domains: true,
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
		x.line.add(keys)
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
	if !x.begun() {
		return nil
	}
	return x.catchUp(ctx)
}

// Compact implements search.Index.
func (x *Index) Compact(ctx context.Context) error {
	if !x.begun() {
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
	return x.store.merge(ctx)
}

// begun reports whether the index is in use, or was in an earlier program.
func (x *Index) begun() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.working || x.setup.Folder == "" {
		return x.working
	}
	_, err := os.Stat(filepath.Join(x.setup.Folder, filesName))
	return err == nil
}

// Close implements search.Index.
func (x *Index) Close() error {
	x.mu.Lock()
	first := !x.closed
	x.closed = true
	x.mu.Unlock()
	x.end()
	x.worker.Wait()
	if !first {
		return nil
	}
	x.using.Lock()
	defer x.using.Unlock()
	if x.store == nil {
		return nil
	}
	err := x.store.close()
	x.store = nil
	return err
}
