package browser

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/playwright-community/playwright-go"

	"github.com/winnow-go/winnow/browser/internal/charset"
	"github.com/winnow-go/winnow/browser/internal/download"
	"github.com/winnow-go/winnow/browser/internal/tab"
)

// loader loads addresses in a page's tab, and knows which document the tab shows.
type loader struct {
	tab  *tab.Tab
	opts *PageOptions // the page's
	site string       // the only one that may be loaded; "" on all but warm tabs

	documents documents
	keep      func(playwright.Download) bool // takes a file that the browser saves; false: it is to be removed
	leased    bool                           // the page has a proxy of its own
	download  atomic.Bool                    // the address was a file to save
	domReady  atomic.Bool                    // the document of the main frame is complete
	hinted    atomic.Bool                    // the main frame has named client hints that it wants from now on
	committed chan struct{}                  // one token when the main frame gets a document
	broken    chan struct{}                  // one token when the main frame's document breaks off
	declared  *charset.Declaration           // for the next load; nil for none
}

// watch registers the handlers of the tab's events, which only set flags and fill channels.
func (l *loader) watch() {
	page, main := l.tab.Page, l.tab.Page.MainFrame()
	page.OnDownload(func(d playwright.Download) {
		l.download.Store(true)
		if l.opts.MaxDownload > 0 && !l.keep(d) {
			l.tab.Browser.Spawn(func() { download.End(l.tab, d) })
		}
	})
	page.OnLoad(func(playwright.Page) { l.documents.loaded() })
	page.OnDOMContentLoaded(func(playwright.Page) { l.domReady.Store(true) })
	page.OnFrameNavigated(func(f playwright.Frame) {
		if f == main && l.documents.navigated(f.URL()) {
			l.domReady.Store(false)
			select {
			case l.committed <- struct{}{}:
			default:
			}
		}
	})
	page.OnRequest(func(r playwright.Request) {
		if r.IsNavigationRequest() && r.Frame() == main {
			l.documents.requested(r)
		}
	})
	page.OnResponse(func(r playwright.Response) {
		if r.Request().IsNavigationRequest() && r.Frame() == main {
			l.documents.answered(r)
			if r.Headers()["accept-ch"] != "" {
				l.hinted.Store(true)
			}
		}
	})
	page.OnRequestFailed(func(r playwright.Request) {
		if r.IsNavigationRequest() && r.Frame() == main {
			l.failed(r)
		}
	})
}

func (l *loader) failed(r playwright.Request) {
	l.documents.failed(r)
	if aborted(r) {
		return
	}
	select {
	case l.broken <- struct{}{}:
	default:
	}
}

// documents follows which document the main frame shows: the last one that was committed, and the answer or failure it came from. Its
// methods for events run on the library's dispatch goroutine and never wait.
//
// A load that fails is answered before the browser's own error page has been committed in its place, and loaded. Chromium loses the
// commit of a navigation that begins in between: it reports the answer and the load event, but not that there is a new document,
// for which the driver then waits for ever. So a navigation begins only when the main frame is at rest; see loader.rest.
type documents struct {
	mu      sync.Mutex
	count   int
	shown   document
	reply   *reply // the last answer to the main frame; its document may not be there yet
	coming  *coming
	changed chan struct{} // closed at the next change
}

// document is what the main frame shows.
type document struct {
	number  int
	address string // of its last commit, also after history.pushState; of an error page, what was to be loaded
	reply   *reply // nil for about:blank and the like, and where it isn't known
	failed  string // the browser's word for why it shows its error page; "" on all others
}

// reply is what is kept of an answer to the main frame.
type reply struct {
	response playwright.Response
	url      string
	status   int
}

// coming is a navigation of the main frame from its request to its commit.
type coming struct {
	request playwright.Request
	address string
	reply   *reply
	failed  string // why it will end in the browser's error page
	shown   bool   // an error page has been committed since, which is this one's once it has failed
	loaded  bool   // that page has loaded
	owed    bool   // the error page of the navigation before is still to come
	since   time.Time
}

// errorPage begins the address of the page that the browser shows for a failed load.
const errorPage = "chrome-error:"

// requested notes that a navigation has begun, or goes on after a redirect.
func (d *documents) requested(r playwright.Request) {
	d.mu.Lock()
	defer d.mu.Unlock()
	before := d.coming
	d.coming = &coming{request: r, address: r.URL(), since: time.Now(), owed: before != nil && before.failed != "" && !before.shown}
	d.notify()
}

func (d *documents) answered(r playwright.Response) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.reply = &reply{response: r, url: r.URL(), status: r.Status()}
	if d.coming != nil && d.coming.request == r.Request() {
		d.coming.reply = d.reply
	}
}

// failed notes that no document will come of a request, or the browser's error page.
func (d *documents) failed(r playwright.Request) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.coming == nil || d.coming.request != r {
		return
	}
	if aborted(r) {
		d.coming = nil
	} else {
		d.coming.failed = failureOf(r)
		d.arrived()
	}
	d.notify()
}

// arrived settles a navigation that has failed and whose error page is shown. The browser may report the failure, which its network
// service knows of, after the page, which a renderer shows.
func (d *documents) arrived() {
	c := d.coming
	if c == nil || c.failed == "" || !c.shown || d.shown.failed == "" {
		return
	}
	d.shown.address, d.shown.reply, d.shown.failed = c.address, c.reply, c.failed
	if c.loaded {
		d.coming = nil
	}
}

// failureOf is why a request failed, never "".
func failureOf(r playwright.Request) string {
	if err := r.Failure(); err != nil && err.Error() != "" {
		return err.Error()
	}
	return "no reason given"
}

// navigated notes a commit and reports whether it brought another document. The library reports history.pushState in the same way.
func (d *documents) navigated(address string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	came, c := document{address: address}, d.coming
	switch {
	case strings.HasPrefix(address, errorPage):
		came.failed = "no reason given"
		if c != nil {
			c.shown, c.loaded, c.owed = c.failed != "" || !c.owed, false, false
		}
	case c != nil && c.failed == "" && sameDocument(c.address, address):
		came.reply = c.reply
		d.coming = nil
	case strings.HasPrefix(address, "http") || sameDocument(d.shown.address, address):
		d.shown.address = address
		return false
	}
	d.count++
	came.number = d.count
	d.shown = came
	d.arrived()
	d.notify()
	return true
}

// loaded notes the load event of what is shown.
func (d *documents) loaded() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.coming != nil && d.coming.shown {
		d.coming.loaded = true
		d.arrived()
		d.notify()
	}
}

// notify wakes those that wait for a change.
func (d *documents) notify() {
	if d.changed != nil {
		close(d.changed)
		d.changed = nil
	}
}

// forget drops the last answer, so that one of an earlier navigation isn't taken for that of the next.
func (d *documents) forget() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.reply = nil
}

// answer is the last answer to the main frame since forget, nil if there was none.
func (d *documents) answer() *reply {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.reply
}

// now is the document that is shown. An answer that is reported after the commit of its document still counts.
func (d *documents) now() document {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.shown.reply == nil && d.shown.failed == "" && d.reply != nil && sameDocument(d.reply.url, d.shown.address) {
		d.shown.reply = d.reply
	}
	return d.shown
}

// moving returns the navigation that is under way, nil if there is none, and the channel that is closed when that changes.
func (d *documents) moving() (*coming, <-chan struct{}) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.changed == nil {
		d.changed = make(chan struct{})
	}
	if d.coming == nil {
		return nil, d.changed
	}
	c := *d.coming
	return &c, d.changed
}

// arriving reports whether another document is on its way, and not for so long that it may never come.
func (d *documents) arriving(now time.Time) bool {
	c, _ := d.moving()
	return c != nil && now.Sub(c.since) < pendingTime
}

// restWait bounds how long the browser may take to show its error page, or to give up a load.
const restWait = 10 * time.Second

// rest ends what still loads in the main frame and waits until the document is one that stays. A tab that doesn't settle is
// closed: events of its next navigation would be unreliable.
func (l *loader) rest(ctx context.Context) error {
	c, _ := l.documents.moving()
	if c == nil {
		return nil
	}
	if c.failed == "" {
		if err := l.tab.Send(ctx, "Page.stopLoading", nil); err != nil {
			return err
		}
	}
	if err := l.settled(ctx, restWait); err != nil {
		return err
	}
	if c, _ := l.documents.moving(); c != nil {
		l.tab.Abort("come to rest")
		return fmt.Errorf("come to rest: %w", ErrCrashed)
	}
	return nil
}

// settled waits until no navigation of the main frame is under way, at most limit, which is no error.
func (l *loader) settled(ctx context.Context, limit time.Duration) error {
	t := time.NewTimer(limit)
	defer t.Stop()
	for {
		c, changed := l.documents.moving()
		if c == nil {
			return nil
		}
		select {
		case <-changed:
		case <-t.C:
			return nil
		case <-ctx.Done():
			l.tab.Abort("come to rest")
			return fmt.Errorf("come to rest: %w", context.Cause(ctx))
		case <-l.tab.Browser.Dead():
			return l.tab.Explain("come to rest", tab.ErrGone)
		}
	}
}

// describe is Page.Shown, for a document that may be partial.
func (l *loader) describe(ctx context.Context, partial bool) (*Navigation, error) {
	d := l.documents.now()
	if d.failed != "" {
		return l.failedDocument(d)
	}
	n := &Navigation{URL: l.tab.Page.URL(), Document: d.number, Partial: partial, Header: http.Header{}, MediaType: "text/html"}
	if d.reply == nil {
		return n, nil
	}
	n.Status, n.Header = d.reply.status, headerOf(d.reply.response)
	n.MediaType = mediaType(n.Header)
	if isHTML(n.MediaType) {
		return n, nil
	}
	return l.withBody(ctx, n, d.reply.response)
}

// errErrorPage means that the browser shows a page of its own, which has no content of a site.
var errErrorPage = errors.New("the browser shows its error page")

// failedDocument describes the browser's own page. For some answers it shows that instead of an empty body.
func (l *loader) failedDocument(d document) (*Navigation, error) {
	net := netCode(d.failed)
	if d.reply != nil && (net == "ERR_HTTP_RESPONSE_CODE_FAILURE" || net == "ERR_INVALID_AUTH_CREDENTIALS") {
		return answeredWith(d.reply, d.number), nil
	}
	return nil, &NavigationError{URL: d.address, Net: net, Err: fmt.Errorf("%w: %s", errErrorPage, d.failed)}
}

// answeredWith is the navigation of an answer that the browser shows no document for.
func answeredWith(r *reply, number int) *Navigation {
	n := &Navigation{URL: r.url, Document: number, Status: r.status, Header: headerOf(r.response), Empty: true}
	n.MediaType = mediaType(n.Header)
	return n
}
