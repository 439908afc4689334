// Package warm keeps tabs of the browser open for the next pages of a job, and for the next single scrapes of an owner.
//
// Pages of one job and one origin share a tab where nothing speaks against it: that costs less than half of a fresh one. So do the
// single scrapes of one owner. What a page leaves is cleared before the next: cookies, storage, caches, workers, history, window.name.
// What cannot be cleared decides the rules:
//
//   - A tab belongs to one job, or to one owner's single scrapes, and to one origin and one set of page options with its proxy. No
//     page gets a tab that was used for anything else; its subdomains have tabs of their own.
//
//   - Of single scrapes only those that may leave records, and are alike: a tab is kept once there has been another scrape for the
//     same within the time that a tab may be idle.
//
//   - A page with a profile has a fresh tab: its state is the owner's, and is saved as it is then.
//
//   - A page with actions, or one that a model operates, has a fresh tab: they may do anything to it.
//
//   - A tab whose page failed, was cancelled or ran out of time isn't used again.
//
//   - That a host wants https from now on (HSTS, RFC 6797) stays in the browser. So a tab of an
//     http origin is used again only when its page has asked for nothing by https.
//
//   - Client hints that a site has named (Accept-CH) end with the tab: the next page has another.
//
//   - Not prevented: a password that a script of the site itself gives for HTTP authentication goes
//     with the later pages of the same tab too.
//
//     tabs.go    Tabs, Tab: who has which tab
//     single.go  the tabs of single scrapes
package warm

import (
	"context"
	"reflect"
	"slices"
	"sync"
	"time"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/fetch"
)

// Use is what a warm tab is for. Two pages with equal ones may have the same tab.
type Use struct {
	Owner   string // of single scrapes; "" for those of a job
	Origin  string // scheme, host and port
	Host    string
	Proxy   fetch.Proxy
	Options browser.PageOptions // without what follows from the origin
}

// Equal reports whether a tab for u may show pages of v.
func (u Use) Equal(v Use) bool {
	return u.Owner == v.Owner && u.Origin == v.Origin && u.Proxy == v.Proxy && reflect.DeepEqual(u.Options, v.Options)
}

// tabIdle is how long a tab waits for its job's next page before it is closed. It
// holds a renderer, about as much memory as a busy page.
const tabIdle = 30 * time.Second

// probeAfter is how long a tab may have waited for a page without being asked whether it lives.
const probeAfter = time.Second

// browserTab shows the pages of one site, one after the other; a *browser.Warm but in tests.
type browserTab interface {
	// Page gives the tab, cleared, for the next page.
	Page(context.Context) (*browser.Page, error)
	// Answers reports whether a tab that has waited still lives.
	Answers(context.Context) bool
	// Abandon closes the tab without waiting for its end.
	Abandon()
}

// Tabs knows the busy pages and the tabs that jobs keep for their next pages.
// Both count as open pages, of which the browser's pool has only so many: together
// they are never more, so that no page waits for a tab that is idle. Safe for
// concurrent use.
type Tabs struct {
	max  int // open pages
	idle time.Duration
	Off  bool // no tab is kept, for benchmarks
	open func(context.Context, browser.PageOptions, string) (browserTab, error)

	mu     sync.Mutex
	busy   int     // busy pages, warm or not
	stays  []*stay // idle tabs, the longest idle first
	opened int     // tabs so far, for tests and figures

	singles *JobTabs // of single scrapes
	recent  []recent // of singles, not longer ago than a tab may be idle; under mu
}

// New makes the keeper of the tabs of a pool; maxPages bounds how many pages are open, idle tabs included. Close must be called.
func New(pool *browser.Pool, maxPages int) *Tabs {
	return newTabs(maxPages, func(ctx context.Context, o browser.PageOptions, site string) (browserTab, error) {
		w, err := pool.Warm(ctx, o, site)
		if err != nil {
			return nil, err // not a tab that is nil
		}
		return w, nil
	})
}

func newTabs(maxPages int, open func(context.Context, browser.PageOptions, string) (browserTab, error)) *Tabs {
	w := &Tabs{max: maxPages, idle: tabIdle, open: open}
	w.singles = w.OfJob(maxPages)
	return w
}

// Close closes the idle tabs of single scrapes and waits until they are gone. Those of jobs end with them. The error is nil.
func (w *Tabs) Close() error {
	w.singles.End()
	return nil
}

// Counts are the pages in progress, the idle tabs, and the tabs that were opened so far.
func (w *Tabs) Counts() (busy, idle, opened int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.busy, len(w.stays), w.opened
}

// JobTabs are the warm tabs of one job. Nothing of one job gets to another.
type JobTabs struct {
	all *Tabs
	max int // tabs

	ctx  context.Context
	stop context.CancelFunc
	work sync.WaitGroup // the stays

	tabs int  // idle and in use; under all's lock
	over bool // no tab is kept any more; under all's lock
}

// Tab is a tab that a busy page uses.
type Tab struct {
	job *JobTabs
	use Use
	tab browserTab // nil until opened
	was *stay      // where it comes from; nil for a new one
}

// stay is the time of a tab between two pages. Its goroutine clears the tab while the
// job works on the page before, and ends with it.
type stay struct {
	*Tab
	ctx   context.Context // done: the tab is given up
	stop  context.CancelFunc
	ready chan struct{} // closed once these are there
	page  *browser.Page
	err   error
	since time.Time
	taken chan struct{} // closed when the tab is taken
	inUse bool          // under the lock
}

// OfJob is for the tabs of a job with so many workers. End must be called.
func (w *Tabs) OfJob(workers int) *JobTabs {
	j := &JobTabs{all: w, max: workers}
	j.ctx, j.stop = context.WithCancel(context.Background())
	return j
}

// End closes the job's idle tabs and waits until they are gone.
func (j *JobTabs) End() {
	j.all.mu.Lock()
	j.over = true
	for j.all.dropLocked(j) {
	}
	j.all.mu.Unlock()
	j.stop()
	j.work.Wait()
}

// Begin counts a page in and makes room for it; idle tabs give way. With a job it gives
// the tab that the page is to use, which may still have to be opened, or nil where the
// job can't have one more. Each Begin needs one Finish.
func (w *Tabs) Begin(j *JobTabs, use Use) *Tab {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.busy++
	if t := w.takeLocked(j, use); t != nil {
		return t
	}
	var t *Tab
	if w.roomLocked(j) {
		j.tabs++
		t = &Tab{job: j, use: use}
	}
	for w.busy+len(w.stays) > w.max && w.dropLocked(nil) {
	}
	return t
}

// takeLocked finds the tab that was used for the same last: the others may be closed sooner.
func (w *Tabs) takeLocked(j *JobTabs, use Use) *Tab {
	for i, s := range slices.Backward(w.stays) {
		if j == nil || s.job != j || !s.use.Equal(use) {
			continue
		}
		w.stays = slices.Delete(w.stays, i, i+1)
		s.inUse = true
		close(s.taken)
		return &Tab{job: j, use: use, tab: s.tab, was: s}
	}
	return nil
}

// roomLocked reports whether a job may have one more tab; an idle one gives way.
func (w *Tabs) roomLocked(j *JobTabs) bool {
	return j != nil && !j.over && !w.Off && (j.tabs < j.max || w.dropLocked(j))
}

// dropLocked gives up the tab that has been idle longest, of one job or, with nil, of all. Its
// stay closes it.
func (w *Tabs) dropLocked(j *JobTabs) bool {
	i := slices.IndexFunc(w.stays, func(s *stay) bool { return j == nil || s.job == j })
	if i < 0 {
		return false
	}
	w.removeLocked(i)
	return true
}

func (w *Tabs) removeLocked(i int) {
	s := w.stays[i]
	w.stays = slices.Delete(w.stays, i, i+1)
	s.job.tabs--
	s.stop()
}

// Reused reports a tab that has shown a page before.
func (t *Tab) Reused() bool { return t.was != nil }

// Page returns the tab, cleared for a page.
func (t *Tab) Page(ctx context.Context, o browser.PageOptions) (*browser.Page, error) {
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

func (t *Tab) openTab(ctx context.Context, o browser.PageOptions) (*browser.Page, error) {
	opened, err := t.job.all.open(ctx, o, t.use.Host)
	if err != nil {
		return nil, err
	}
	t.job.all.mu.Lock()
	t.job.all.opened++
	t.job.all.mu.Unlock()
	t.tab = opened
	return opened.Page(ctx)
}

// Finish counts a page out. Its tab, nil for a page without, is kept for the job's next
// page or closed.
func (w *Tabs) Finish(t *Tab, keep bool) {
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
func (w *Tabs) kept(t *Tab, keep bool) bool {
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
	s := &stay{Tab: t, ready: make(chan struct{}), taken: make(chan struct{})}
	s.ctx, s.stop = context.WithCancel(t.job.ctx)
	t.was = nil // done with
	w.stays = append(w.stays, s)
	t.job.work.Go(func() { w.wait(s) })
	return true
}

// wait clears an idle tab and closes it when no page takes it in time.
func (w *Tabs) wait(s *stay) {
	s.page, s.err = s.tab.Page(s.ctx)
	s.since = time.Now()
	close(s.ready)
	if s.err == nil {
		timer := time.NewTimer(w.idle)
		select {
		case <-s.taken:
		case <-s.ctx.Done():
		case <-timer.C:
		}
		timer.Stop()
	}
	if w.leftOver(s) {
		s.stop()
		s.tab.Abandon()
	}
}

// leftOver reports whether a tab hasn't been taken meanwhile, nor will be.
func (w *Tabs) leftOver(s *stay) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if i := slices.Index(w.stays, s); i >= 0 {
		w.removeLocked(i)
	}
	return !s.inUse
}
