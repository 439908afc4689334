package local

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/winnow-go/winnow/engine/search/local/internal/vectors"
	"github.com/winnow-go/winnow/llm"
)

// vectorsName is the name of the table of vectors in an index's folder.
const vectorsName = "vectors.f32"

// meaning makes the vectors of an index's passages, and keeps them. Without an embedder it only removes those that an earlier program
// has made of what is gone now.
type meaning struct {
	embedder llm.Embedder // nil: none
	table    atomic.Pointer[vectors.Table]
	pause    func(try int) time.Duration

	changing sync.Mutex // held while all vectors are compared, and while the table is compacted

	mu       sync.Mutex
	queue    map[vectors.Page]bool                  // pages that may have passages without a vector
	flight   map[vectors.Page]map[vectors.Text]bool // pages that are being worked on, and their texts that are still wanted; nil: all
	skipped  map[vectors.Text]bool                  // the embedder refuses these
	failed   error                                  // of the last attempt
	progress chan struct{}                          // closed after each attempt
	wake     chan struct{}                          // holds one
	hurry    chan struct{}                          // holds one: a caller waits, so there is no rest
}

func newMeaning(e llm.Embedder) *meaning {
	return &meaning{
		embedder: e, pause: pause, queue: map[vectors.Page]bool{}, flight: map[vectors.Page]map[vectors.Text]bool{},
		skipped: map[vectors.Text]bool{}, progress: make(chan struct{}), wake: make(chan struct{}, 1), hurry: make(chan struct{}, 1),
	}
}

// pause before another attempt: a second, doubled up to five minutes.
func pause(try int) time.Duration { return min(time.Second<<min(try, 10), 5*time.Minute) }

// limits are the embedder's, or small ones where it gives none.
func (m *meaning) limits() llm.Embedding {
	e := m.embedder.Embedding()
	e.Name = cmp.Or(e.Name, "unnamed")
	if e.Batch < 1 {
		e.Batch = 16
	}
	if e.Context < 1 {
		e.Context = queryTokens
	}
	return e
}

// open opens the table. One that can't be read is replaced.
func (m *meaning) open(folder string) error {
	name, path := "", ""
	if m.embedder != nil {
		name = m.limits().Name
	}
	if folder != "" {
		path = filepath.Join(folder, vectorsName)
	}
	if m.table.Load() != nil || m.embedder == nil && path == "" {
		return nil
	}
	t, err := vectors.Open(path, name)
	if err != nil {
		if removed := os.Remove(path); removed != nil {
			return errors.Join(err, removed)
		}
		if t, err = vectors.Open(path, name); err != nil {
			return err
		}
	}
	if m.embedder != nil {
		if d := m.limits().Dimensions; d > 0 && t.Dimensions() > 0 && d != t.Dimensions() {
			err = t.Clear()
		}
	}
	m.table.Store(t)
	return err
}

// close closes the table.
func (m *meaning) close() error {
	if t := m.table.Load(); t != nil {
		return t.Close()
	}
	return nil
}

// compact frees the space of removed vectors.
func (m *meaning) compact() error {
	m.changing.Lock()
	defer m.changing.Unlock()
	if t := m.table.Load(); t != nil {
		return t.Compact()
	}
	return nil
}

// known is the table if there is something to do with it.
func (m *meaning) known() *vectors.Table {
	t := m.table.Load()
	if t == nil || m.embedder == nil && t.Count() == 0 {
		return nil
	}
	return t
}

// warning says what isn't found by its meaning.
func (m *meaning) warning() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if n := len(m.queue) + len(m.flight); n > 0 {
		return fmt.Sprintf("Some pages are not yet found by their meaning: the vectors of %d are being made.", n)
	}
	return ""
}

// follow removes the vectors of what pages no longer have, and queues the pages that have passages without one.
func (m *meaning) follow(s *store, w work) error {
	t := m.known()
	if t == nil {
		return nil
	}
	if w.all {
		return m.compare(s, t)
	}
	for _, key := range w.keys {
		page, wanted := vectors.PageOf(addressOf(key)), map[vectors.Text]bool{}
		err := s.eachVector(page, func(_ string, text vectors.Text) error {
			wanted[text] = true
			return nil
		})
		if err != nil {
			return err
		}
		m.onlyWant(page, wanted)
		if err := t.Keep(page, wanted); err != nil {
			return err
		}
		for text := range wanted {
			if !t.Has(page, text) {
				m.add(page)
				break
			}
		}
	}
	return nil
}

// onlyWant is about a page that is being worked on: of other texts no vectors are kept.
func (m *meaning) onlyWant(page vectors.Page, wanted map[vectors.Text]bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.flight[page]; ok {
		m.flight[page] = wanted
	}
}

// compare compares all vectors with all passages.
func (m *meaning) compare(s *store, t *vectors.Table) error {
	m.changing.Lock()
	defer m.changing.Unlock()
	m.mu.Lock()
	for page := range m.flight {
		m.flight[page] = map[vectors.Text]bool{}
		m.queue[page] = true
	}
	m.mu.Unlock()
	marking := t.Mark()
	err := s.allVectors(func(page vectors.Page, text vectors.Text) {
		if !marking.Want(page, text) {
			m.add(page)
		}
	})
	if err != nil {
		marking.End()
		return err
	}
	return marking.Sweep()
}

// add queues a page.
func (m *meaning) add(page vectors.Page) {
	if m.embedder == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.queue[page] = true
	signal(m.wake)
}

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// take takes a page from the queue.
func (m *meaning) take() (page vectors.Page, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for page := range m.queue {
		delete(m.queue, page)
		m.flight[page] = nil
		return page, true
	}
	return page, false
}

// finish ends an attempt. After an error its pages are queued again.
func (m *meaning) finish(pages []vectors.Page, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, page := range pages {
		delete(m.flight, page)
		if err != nil {
			m.queue[page] = true
		}
	}
	m.failed = err
	close(m.progress)
	m.progress = make(chan struct{})
}

// wait waits until nothing is queued, or an attempt fails.
func (m *meaning) wait(ctx context.Context, closed <-chan struct{}, isClosed error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.failed = nil
	signal(m.hurry)
	for len(m.queue)+len(m.flight) > 0 {
		progress := m.progress
		m.mu.Unlock()
		var err error
		select {
		case <-progress:
		case <-ctx.Done():
			err = ctx.Err()
		case <-closed:
			err = isClosed
		}
		m.mu.Lock()
		if err = cmp.Or(err, m.failed); err != nil {
			return err
		}
	}
	return nil
}

// idle waits for work; false: the index is closed.
func (m *meaning) idle(ctx context.Context) bool {
	for {
		m.mu.Lock()
		n := len(m.queue)
		m.mu.Unlock()
		if n > 0 || ctx.Err() != nil {
			return ctx.Err() == nil
		}
		select {
		case <-m.wake:
		case <-ctx.Done():
		}
	}
}

// rest waits before another attempt; false: the index is closed.
func (m *meaning) rest(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-m.hurry:
	case <-ctx.Done():
	}
	return ctx.Err() == nil
}
