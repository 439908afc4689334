package engine

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/winnow-go/winnow/browser"
)

// tabIdle is how long a tab waits for its job's next page before it is closed. It
// holds a renderer, about as much memory as a page at work.
const tabIdle = 30 * time.Second

// probeAfter is how long a tab may have waited to be lent without being asked whether it lives.
const probeAfter = time.Second

// tab shows the pages of one site, one after the other; *browser.Warm but in tests.
type tab interface {
	// Page gives the tab, cleared, for the next page.
	Page(context.Context) (*browser.Page, error)
	// Answers reports whether a tab that has waited still lives.
	Answers(context.Context) bool
	// Abandon closes the tab without waiting for its end.
	Abandon()
}

// warmTabs knows the pages at work and the tabs that jobs keep for their next pages.
// Both count as open pages, of which the browser's pool has only so many: together
// they are never more, so that no page waits for a tab that is idle. Safe for
// concurrent use.
type warmTabs struct {
	most int // open pages
	idle time.Duration
	off  bool // no tab is kept, for benchmarks
	open func(context.Context, browser.PageOptions, string) (tab, error)

	mu     sync.Mutex
	busy   int     // pages at work, warm or not
	stays  []*stay // idle tabs, the longest idle first
	opened int     // tabs so far, for tests and figures
}

func newWarmTabs(pool *browser.Pool, most int) *warmTabs {
	return &warmTabs{most: most, idle: tabIdle, open: func(ctx context.Context, o browser.PageOptions, site string) (tab, error) {
		w, err := pool.Warm(ctx, o, site)
		if err != nil {
			return nil, err // not a tab that is nil
		}
		return w, nil
	}}
}

// jobTabs are the warm tabs of one job. Nothing of one job gets to another.
type jobTabs struct {
	all  *warmTabs
	most int // tabs

	life context.Context
	stop context.CancelFunc
	work sync.WaitGroup // the stays

	tabs int  // idle and lent; under all's lock
	over bool // no tab is kept any more; under all's lock
}

// warmTab is a tab that is lent to a page at work.
type warmTab struct {
	job *jobTabs
	use tabUse
	tab tab   // nil until opened
	was *stay // where it comes from; nil for a new one
}

// stay is the time of a tab between two pages. Its goroutine clears the tab while the
// job works on the page before, and ends with it.
type stay struct {
	*warmTab
	life  context.Context // done: the tab is given up
	stop  context.CancelFunc
	ready chan struct{} // closed once these are there
	page  *browser.Page
	err   error
	since time.Time
	taken chan struct{} // closed when the tab is lent
	lent  bool          // under the lock
}

// ofJob makes the keeper of a job with so many workers. Who has it must end it.
func (w *warmTabs) ofJob(workers int) *jobTabs {
	j := &jobTabs{all: w, most: workers}
	j.life, j.stop = context.WithCancel(context.Background())
	return j
}

// end closes the job's idle tabs and waits until they are gone.
func (j *jobTabs) end() {
	j.all.mu.Lock()
	j.over = true
	for j.all.dropLocked(j) {
	}
	j.all.mu.Unlock()
	j.stop()
	j.work.Wait()
}

// begin counts a page in and makes room for it; idle tabs give way. With a job it gives
// the tab that the page is to use, which may still have to be opened, or nil where the
// job can't have one more. Each begin wants one finish.
func (w *warmTabs) begin(j *jobTabs, use tabUse) *warmTab {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.busy++
	if t := w.takeLocked(j, use); t != nil {
		return t
	}
	var t *warmTab
	if w.roomLocked(j) {
		j.tabs++
		t = &warmTab{job: j, use: use}
	}
	for w.busy+len(w.stays) > w.most && w.dropLocked(nil) {
	}
	return t
}

// takeLocked finds the tab that was used for the same last: the others may be closed sooner.
func (w *warmTabs) takeLocked(j *jobTabs, use tabUse) *warmTab {
	for i, s := range slices.Backward(w.stays) {
		if j == nil || s.job != j || !s.use.equal(use) {
			continue
		}
		w.stays = slices.Delete(w.stays, i, i+1)
		s.lent = true
		close(s.taken)
		return &warmTab{job: j, use: use, tab: s.tab, was: s}
	}
	return nil
}

// roomLocked tells whether a job may have one more tab; an idle one gives way.
func (w *warmTabs) roomLocked(j *jobTabs) bool {
	return j != nil && !j.over && !w.off && (j.tabs < j.most || w.dropLocked(j))
}

// dropLocked gives up the tab that has been idle longest, of one job or, with nil, of all. Its
// stay closes it.
func (w *warmTabs) dropLocked(j *jobTabs) bool {
	i := slices.IndexFunc(w.stays, func(s *stay) bool { return j == nil || s.job == j })
	if i < 0 {
		return false
	}
	w.removeLocked(i)
	return true
}

func (w *warmTabs) removeLocked(i int) {
	s := w.stays[i]
	w.stays = slices.Delete(w.stays, i, i+1)
	s.job.tabs--
	s.stop()
}

// page gives the tab, ready for a page.
func (t *warmTab) page(ctx context.Context, o browser.PageOptions) (*browser.Page, error) {
	if t.was == nil {
		return t.openTab(ctx, o)
	}
	select {
	case <-t.was.ready:
		t.was.stop()
	case <-ctx.Done():
		t.was.stop()
		return nil, context.Cause(ctx)
	}
	if t.was.err == nil && (time.Since(t.was.since) < probeAfter || t.tab.Answers(ctx)) {
		return t.was.page, nil
	}
	t.tab.Abandon() // it could not be cleared, nor replaced then, or has died since
	return t.openTab(ctx, o)
}

func (t *warmTab) openTab(ctx context.Context, o browser.PageOptions) (*browser.Page, error) {
	opened, err := t.job.all.open(ctx, o, t.use.host)
	if err != nil {
		return nil, err
	}
	t.job.all.mu.Lock()
	t.job.all.opened++
	t.job.all.mu.Unlock()
	t.tab = opened
	return opened.Page(ctx)
}

// finish counts a page out. Its tab, nil for a page without, is kept for the job's next
// page or closed.
func (w *warmTabs) finish(t *warmTab, keep bool) {
	if w.kept(t, keep) || t == nil {
		return
	}
	if t.tab != nil {
		t.tab.Abandon()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.busy--
	t.job.tabs--
}

// kept puts a tab among the idle ones, if it may be kept, and counts its page out.
func (w *warmTabs) kept(t *warmTab, keep bool) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if t == nil {
		w.busy--
		return false
	}
	if !keep || t.tab == nil || t.job.over {
		return false
	}
	w.busy--
	s := &stay{warmTab: t, ready: make(chan struct{}), taken: make(chan struct{})}
	s.life, s.stop = context.WithCancel(t.job.life)
	t.was = nil // done with
	w.stays = append(w.stays, s)
	t.job.work.Go(func() { w.wait(s) })
	return true
}

// wait clears an idle tab and closes it when nobody takes it in time.
func (w *warmTabs) wait(s *stay) {
	s.page, s.err = s.tab.Page(s.life)
	s.since = time.Now()
	close(s.ready)
	if s.err == nil {
		timer := time.NewTimer(w.idle)
		select {
		case <-s.taken:
		case <-s.life.Done():
		case <-timer.C:
		}
		timer.Stop()
	}
	if w.leftOver(s) {
		s.stop()
		s.tab.Abandon()
	}
}

// leftOver tells whether a tab hasn't been lent meanwhile, nor will be.
func (w *warmTabs) leftOver(s *stay) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if i := slices.Index(w.stays, s); i >= 0 {
		w.removeLocked(i)
	}
	return !s.lent
}
