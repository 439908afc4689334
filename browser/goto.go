package browser

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/winnow-go/winnow/browser/internal/charset"
)

// Navigation is the result of Goto.
type Navigation struct {
	URL       string      // of the document that is shown, after all redirects
	Document  int         // its number; see Page.Document
	Status    int         // of the last answer to the main frame; 0 for about:blank and data:
	Header    http.Header // of that answer
	MediaType string      // of that answer, lower case, without parameters; "text/html" when it names none
	Body      []byte      // of an answer that isn't HTML, as received (content encoding undone); nil for HTML
	Partial   bool        // load never ended: what is there so far
	Empty     bool        // the answer had no body, and the browser shows no document for it
}

// Goto loads an address in the page and waits for its load event, at most PageOptions.LoadWait after the document began to
// arrive; a document that never ends is Partial. A page that answers 404 is no error. Errors: *NavigationError when there was no
// answer, ErrDownload, ErrScheme, ErrTooLarge, ErrCrashed, ErrClosed, and ctx's own.
func (p *Page) Goto(ctx context.Context, address string) (*Navigation, error) {
	return p.GotoWith(ctx, address, GotoOptions{})
}

// GotoOptions of one Goto.
type GotoOptions struct {
	// Shown is the time after which a document must have begun to arrive; else the page is closed, and the error is ErrUnshown. Of a text
	// whose type it has to guess a browser waits for a kilobyte or the end. 0: it may take as long as it likes.
	Shown time.Duration
	// Onward is called before the page requests another document than that of the address, until the next Goto: where redirects, scripts,
	// meta elements and clicks lead it, each hop. A document with an error isn't requested, and the page stays where it is. So are the
	// documents of tabs that the page opens while [Page.Follow] is on; of other tabs, which are closed unseen, none is requested. Calls come
	// from other goroutines, several at a time, and may last: the browser holds the request. Nil: the page goes where it is led.
	Onward func(to string) error
	// Framed is called in the same way before a frame requests a document, each hop, also in tabs that become the page. With an error the
	// frame stays empty. Nil: frames show what they like.
	Framed func(to string) error
	// Keep has Onward and Framed of the Goto before hold for this one.
	Keep bool
}

// GotoWith is Goto with options.
func (p *Page) GotoWith(ctx context.Context, address string, o GotoOptions) (*Navigation, error) {
	if err := checkScheme(address); err != nil {
		return nil, err
	}
	if err := p.loader.onSite(address); err != nil {
		return nil, err
	}
	if err := p.tab.Usable(ctx, "load "+address); err != nil {
		return nil, err
	}
	if err := p.loader.rest(ctx); err != nil {
		return nil, err
	}
	p.headers.setDefaultOrigin(address)
	p.loader.begin()
	if err := p.headers.onward(ctx, address, o); err != nil {
		return nil, err
	}
	if err := p.headers.fillJar(ctx); err != nil {
		return nil, err
	}
	nav, err := p.loader.load(ctx, address, o.Shown)
	if d := p.loader.declared; d != nil {
		p.loader.declared = nil
		d.End(p.tab)
	}
	p.storage.restored()
	if _, failed := errors.AsType[*NavigationError](err); failed {
		_ = p.loader.rest(ctx) // if it fails, the tab is closed, which the next call reports
	}
	if err == nil && nav.MediaType == viewed {
		return nil, fmt.Errorf("load %s: %w", address, ErrDownload)
	}
	return nav, err
}

// Declare has the next Goto read the document at an address as one in a charset, such as "koi8-r", whatever its answer says; other
// documents stay as they are. The document is shown once all of its answer is there.
func (p *Page) Declare(ctx context.Context, address, in string) (err error) {
	p.loader.declared, err = charset.Declare(ctx, p.tab, address, in)
	return err
}

// viewed is the type that full builds show in a viewer of their own, which holds nothing of the file, and headless shells download.
const viewed = "application/pdf"

// checkScheme allows http, https, about:blank and data: only: the proxy doesn't see the others, and file: reads the disk.
func checkScheme(address string) error {
	u, err := url.Parse(address)
	if err != nil {
		return &NavigationError{URL: address, Err: err}
	}
	switch {
	case (u.Scheme == "http" || u.Scheme == "https") && u.Host != "", u.Scheme == "data", address == "about:blank":
		return nil
	}
	return fmt.Errorf("load %s: %w", address, ErrScheme)
}

// WaitLoad waits for the load event of the document that is arriving, at most PageOptions.LoadWait.
func (p *Page) WaitLoad(ctx context.Context) error { return p.loader.waitLoad(ctx) }

// Document numbers the document that the page shows: another one has another number, also after a reload.
func (p *Page) Document() int { return p.loader.documents.now().number }

// Shown describes the document that the page shows now, as Goto describes the one that it loaded: with its own address, status and
// headers, wherever scripts, forms or meta elements have sent the page since. Errors: *NavigationError where the browser shows its own
// page for a load that failed, and those of Goto for bodies that aren't HTML.
func (p *Page) Shown(ctx context.Context) (*Navigation, error) {
	if err := p.tab.Usable(ctx, "look at the document"); err != nil {
		return nil, err
	}
	return p.loader.describe(ctx, false)
}

// Sent returns the site's response for the document that is shown: the header of the answer and its body, as received (content encoding
// undone). It is for documents whose tree doesn't look like the type that they were declared to be. A nil header means that this is
// unknown: for a document that is none of the web, for an answer that has no body, and where the browser no longer keeps the body or
// doesn't return it in time. Errors: ErrTooLarge, ErrCrashed, ErrClosed, and ctx's own.
func (p *Page) Sent(ctx context.Context) (http.Header, []byte, error) { return p.loader.sent(ctx) }
