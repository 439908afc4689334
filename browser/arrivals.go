package browser

import (
	"slices"
	"strings"
	"sync"

	"github.com/playwright-community/playwright-go"

	"github.com/winnow-go/winnow/browser/internal/download"
	"github.com/winnow-go/winnow/browser/internal/elements"
	"github.com/winnow-go/winnow/browser/internal/tab"
)

// arrivals are the tabs that sites open in a context while actions are performed on a page of it. A tab is known in three steps: a page
// opens it, it requests its first document, and, once that is answered, the driver has it. Tabs of frames that have processes of their own
// begin with the second one. The methods for events run on the library's dispatch goroutine and never wait.
type arrivals struct {
	mu       sync.Mutex
	arriving func(playwright.Page) *Page // makes the page of a tab; nil while none are followed
	heard    playwright.BrowserContext   // the context whose events are heard
	openings []*opening                  // in the order in which they were opened
	aim      string                      // where the link leads that is clicked; "" for none
	actor    *Page                       // that the last action was performed on; nil since it has opened its tab
	numbered int
	changed  chan struct{} // closed at the next change

	files download.Inbox // what the tabs have the browser save
}

// opening is a tab that a site opens.
type opening struct {
	opener   *Page  // that has announced it; nil where none did
	address  string // as a page named it; may be ""
	gesture  bool   // it is what a person's click or key opened, not one of those that a browser blocks
	requests []playwright.Request
	replies  []playwright.Response
	failed   bool  // its first document
	page     *Page // nil until the driver has the tab
	unwanted bool  // it is to be closed when it comes
}

// maxOpenings is how many tabs are distinguished until one is the page; those that come on top are closed.
const maxOpenings = 16

// documentStride keeps the numbers of the documents of different tabs apart.
const documentStride = 1 << 20

// hear subscribes to a context, once. What happens is ignored while no tabs are followed.
func (a *arrivals) hear(c playwright.BrowserContext) {
	a.mu.Lock()
	again := a.heard == c
	a.heard = c
	a.mu.Unlock()
	if again {
		return
	}
	c.OnRequest(a.requested)
	c.OnResponse(a.answered)
	c.OnRequestFailed(a.broke)
}

// begin has tabs followed from now on.
func (a *arrivals) begin(arriving func(playwright.Page) *Page) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.arriving, a.openings, a.actor = arriving, nil, nil
}

// end returns the tabs that have not become the page.
func (a *arrivals) end() []*opening {
	a.mu.Lock()
	defer a.mu.Unlock()
	left := a.openings
	a.arriving, a.openings = nil, nil
	return left
}

// announced notes that a page opens a tab.
func (a *arrivals) announced(by *Page, w tab.Window) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.arriving != nil && a.add(&opening{opener: by, address: w.URL, gesture: w.Gesture}) {
		a.notify()
	}
}

// add adds one in place of one that has come to nothing, if need be; false where there are too many.
func (a *arrivals) add(o *opening) bool {
	if len(a.openings) >= maxOpenings {
		nothing := slices.IndexFunc(a.openings, func(o *opening) bool { return o.unwanted && o.page == nil && !o.coming() })
		if nothing < 0 {
			return false
		}
		a.openings = slices.Delete(a.openings, nothing, nothing+1)
	}
	a.openings = append(a.openings, o)
	return true
}

// requested notes the request for the first document of a tab that the driver doesn't have yet.
func (a *arrivals) requested(r playwright.Request) {
	if !r.IsNavigationRequest() || r.Frame() != nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.arriving == nil {
		return
	}
	o := a.find(func(o *opening) bool {
		return r.RedirectedFrom() != nil && slices.Contains(o.requests, r.RedirectedFrom())
	})
	if o == nil {
		o = a.find(func(o *opening) bool {
			return o.page == nil && len(o.requests) == 0 && sameDocument(o.address, r.URL())
		})
	}
	if o == nil {
		if o = (&opening{address: r.URL()}); !a.add(o) {
			return
		}
	}
	o.requests = append(o.requests, r)
	a.notify()
}

func (a *arrivals) answered(r playwright.Response) {
	a.files.Answered(r)
	a.mu.Lock()
	defer a.mu.Unlock()
	if o := a.find(func(o *opening) bool { return o.page == nil && slices.Contains(o.requests, r.Request()) }); o != nil {
		o.replies = append(o.replies, r)
	}
}

func (a *arrivals) broke(r playwright.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if o := a.find(func(o *opening) bool { return slices.Contains(o.requests, r) || o.asks(r) }); o != nil {
		if !slices.Contains(o.requests, r) {
			o.requests = append(o.requests, r)
		}
		o.failed = true
		a.notify()
	}
}

// came takes a tab that the driver has now; false while none are followed.
func (a *arrivals) came(t playwright.Page) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.arriving == nil {
		return false
	}
	o := a.openingOf(t)
	if o == nil {
		if o = (&opening{address: t.URL()}); !a.add(o) {
			return false
		}
	}
	a.numbered++
	o.page = a.arriving(t)
	o.page.loader.documents.count = a.numbered * documentStride
	hear(o.page)
	t.OnFrameNavigated(a.navigated)
	for _, f := range t.Frames() {
		if f != t.MainFrame() {
			o.page.reader.Frames.Attached(f)
		}
	}
	o.catchUp(&o.page.loader.documents, t.URL())
	// What its frames request looks like further tabs until now.
	a.openings = slices.DeleteFunc(a.openings, func(o *opening) bool { return o.page == nil && o.ofFrame() })
	a.notify()
	return true
}

// navigated wakes those that wait for the first document of a tab.
func (a *arrivals) navigated(f playwright.Frame) {
	if f.ParentFrame() != nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.notify()
}

// openingOf finds what is known of a tab: by its first document, else by its address, else the first that has requested nothing.
func (a *arrivals) openingOf(t playwright.Page) *opening {
	main := t.MainFrame()
	for _, fits := range []func(*opening) bool{
		func(o *opening) bool { return len(o.requests) > 0 && o.requests[0].Frame() == main },
		func(o *opening) bool { return len(o.requests) == 0 && sameDocument(o.address, t.URL()) },
		func(o *opening) bool { return len(o.requests) == 0 },
	} {
		if o := a.find(func(o *opening) bool { return o.page == nil && fits(o) }); o != nil {
			return o
		}
	}
	return nil
}

// ofFrame reports that this isn't a tab but a frame of one.
func (o *opening) ofFrame() bool {
	if len(o.requests) == 0 {
		return false
	}
	f := o.requests[0].Frame()
	return f != nil && f.ParentFrame() != nil
}

// catchUp gives documents what happened before the driver had the tab.
func (o *opening) catchUp(d *documents, shown string) {
	for _, r := range o.requests {
		d.requested(r)
	}
	for _, r := range o.replies {
		d.answered(r)
	}
	if o.failed && len(o.requests) > 0 {
		d.failed(o.requests[len(o.requests)-1])
	}
	if !unshown(shown) {
		d.navigated(shown)
	}
}

// coming reports whether its tab is open, or on its way. A first document that was given up, for a download or an answer without a body,
// leaves none.
func (o *opening) coming() bool {
	if o.page != nil {
		return isOpen(o.page.tab) && !(o.givenUp() && blank(o.page.tab.Page.URL()))
	}
	return !o.givenUp()
}

// givenUp reports that the first document came to nothing that a tab shows.
func (o *opening) givenUp() bool {
	return o.failed && len(o.requests) > 0 && aborted(o.requests[len(o.requests)-1])
}

// undecided reports that its tab is there, but not what comes of the first document: that, or a download.
func (o *opening) undecided() bool {
	return o.page != nil && !o.failed && unshown(o.page.tab.Page.URL())
}

// asks reports whether its tab, which the driver has, requests this document.
func (o *opening) asks(r playwright.Request) bool {
	return o.page != nil && r.IsNavigationRequest() && r.Frame() == o.page.tab.Page.MainFrame()
}

// unshown reports whether this is the driver's address of a tab that has shown no document yet, not even an empty one.
func unshown(address string) bool { return address == "" || address == ":" }

func blank(address string) bool {
	return unshown(address) || strings.HasPrefix(address, "about:")
}

// name is the address of a tab, for people.
func (o *opening) name() string {
	address := o.address
	if o.page != nil && !blank(o.page.tab.Page.URL()) {
		address = o.page.loader.documents.now().address
	}
	if address == "" {
		address = "about:blank"
	}
	return oneLine(address)
}

// right is the tab that the action was for: of those with the highest rank the last one. Its page is nil until it is there, with a
// document. The channel is closed at the next change.
func (a *arrivals) right() (found *opening, page *Page, changed <-chan struct{}) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, o := range a.openings {
		if !o.unwanted && (o.opener == nil || o.opener == a.actor) && o.coming() && (found == nil || a.rank(o) >= a.rank(found)) {
			found = o
		}
	}
	if found != nil && !found.undecided() {
		page = found.page
	}
	if a.changed == nil {
		a.changed = make(chan struct{})
	}
	return found, page, a.changed
}

// act begins an action on a page that may open a tab.
func (a *arrivals) act(on *Page) {
	a.files.Act(false)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.actor, a.aim = on, ""
}

// aimAt notes what the link does that is about to be clicked.
func (a *arrivals) aimAt(l elements.Link) {
	a.files.Act(l.Saves)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.aim = l.Tab
}

// rank is how sure it is that a tab is what the action was for: it is the link's own, or what a browser lets a click or key open, or has
// opened by itself.
func (a *arrivals) rank(o *opening) int {
	switch {
	case a.aim != "" && sameDocument(o.address, a.aim):
		return 2
	case o.gesture:
		return 1
	}
	return 0
}

// uncalled names the tabs that pages have opened by themselves: ones on which nothing was done, or later than the tab of the action. They
// are unwanted from then on.
func (a *arrivals) uncalled() (names []string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, o := range a.openings {
		if o.opener != nil && o.opener != a.actor && !o.unwanted {
			o.unwanted = true
			names = append(names, o.name())
		}
	}
	return names
}

// settle decides that one tab becomes the page, nil for none, and names the others that are known: all beside it, or, without one, those
// that come to nothing. They are unwanted from then on, also those that are still on their way: the driver has the empty tab of a file only
// some time after the file has begun.
func (a *arrivals) settle(right *opening) (others []string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if right != nil {
		a.actor = nil
	}
	for _, o := range a.openings {
		if o != right && !o.unwanted && (right != nil || !o.coming()) {
			o.unwanted = true
			others = append(others, o.name())
		}
	}
	a.openings = slices.DeleteFunc(a.openings, func(o *opening) bool { return o == right })
	return others
}

// unwanted returns the tabs that have come and are to be closed.
func (a *arrivals) unwanted() (come []*opening) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.openings = slices.DeleteFunc(a.openings, func(o *opening) bool {
		if o.unwanted && o.page != nil {
			come = append(come, o)
			return true
		}
		return false
	})
	return come
}

// giveUp stops the wait for a tab, and names it.
func (a *arrivals) giveUp(o *opening) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	o.unwanted = true
	return o.name()
}

func (a *arrivals) find(fits func(*opening) bool) *opening {
	if i := slices.IndexFunc(a.openings, fits); i >= 0 {
		return a.openings[i]
	}
	return nil
}

// notify wakes those that wait for a change.
func (a *arrivals) notify() {
	if a.changed != nil {
		close(a.changed)
		a.changed = nil
	}
}

// oneLine shortens an address for a note.
func oneLine(address string) string {
	const limit = 200
	if len(address) > limit {
		address = strings.ToValidUTF8(address[:limit], "") + "…"
	}
	return address
}
