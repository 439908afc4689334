// Package page gets pages: by HTTP, in a browser, or both. A [Request] says what is wanted, an [Acquisition] gets it, and a [Page] is
// what came.
//
//	country.go     From: the country asked for, and those of the proxies
//	getter.go      Getter, Request, Acquisition and its Result
//	acquire.go     the order of an acquisition; plain HTTP
//	patience.go    answers that do not end
//	onward.go      redirects that are not followed
//	weigh.go       whether scripts make a page
//	route.go       what is learnt of templates, and pages that are got both ways
//	rules.go       pages whose way is given by their addresses
//	compare.go     how much more of a page a browser showed
//	visit.go       one visit in the browser: its order
//	tab.go         a fresh page, or a warm tab
//	navigate.go    the way there, and why there is none
//	late.go        content that comes only after seconds
//	sniff.go       pages that are not what a browser takes them for
//	charset.go     documents whose charset nothing declares
//	perform.go     actions, and the tabs that they lead to
//	actionsleft.go actions that did not finish
//	branding.go    the look of a page
//	profile.go     state that is kept between visits
//	blocking.go    what is kept away
//	report.go      what happened in a visit
//	attempt.go     attempts of a job at a page
//	accept.go      pages that give no document, and other refusals
//	desk.go        Desk: how many pages are parsed and rendered at once
//	page.go        Page: its parts and its tree
//	navigation.go  a page from what a browser reports of a navigation
//	file.go        files: their kind, and reading them once
//	upload.go      files that are handed over
//	describe.go    digest, headline and other things that are said of a page
//	notices.go     warnings that its bytes give rise to
//	image.go       pictures
//	assets.go      where pictures go
//	callerheaders.go  what headers a caller may set
//	useragent.go   the user agent of plain HTTP
package page

import (
	"context"
	"fmt"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/formats"
	"github.com/winnow-go/winnow/formats/document"
)

// By says what acquired a page.
type By string

// The ways to acquire a page. Empty is a file that was handed over.
const (
	ByHTTP    By = "http"
	ByBrowser By = "browser"
)

// Page is an acquired page: what came from the network, and how. It is used by one goroutine.
type Page struct {
	By     By // "" for a file that was handed over
	Reason string
	// Confidence is that of the judge's verdict; 0: nothing was decided.
	Confidence float64
	static     bool     // plain HTTP surely gave it
	Lacks      []string // what is missing in it, in sentences, for want of a browser
	Ready      string

	Document    int    // its number in the browser; see [browser.Page.Document]
	Requested   string // the URL that was asked for, normalised
	URL         string // where redirects ended
	Status      int
	ContentType string // the header's value
	MediaType   string // sniffed, without parameters
	Language    string // the Content-Language header
	Body        []byte // as received; from a browser, the serialised tree
	FromTree    bool   // Body is a browser's tree, in UTF-8
	Late        bool   // the time ran out after this was acquired
	Damage      error  // of the body; nil for none
	Partial     bool   // something that belongs to the page is known to be missing

	ETag, LastModified string // as the site gave them
	RetryAfter         string
	Sum                string // see Digest

	Screenshot Image
	Brand      *formats.Brand // nil where it wasn't asked for, or couldn't be read
	Actions    *actions.Output
	Handled    []string // banners and the like
	Place      *Place   // that its tree needs; nil: none
	DOM        *formats.DOM
	signals    *formats.Signals
	Name       string           // of a file that was handed over
	Files      FileOptions      // how the request wants it read, when it is a file
	kind       *document.Kind   // see FileKind
	Result     *document.Result // see Read
	kept       map[string]bool  // paths of the pictures in it
	Pictured   bool             // pictures in it are kept
	Wall       *string          // see BlockedBy
}

// Parse returns the page's tree, which is built once, at the page's place.
func (p *Page) Parse(ctx context.Context) (*formats.DOM, error) {
	if p.DOM != nil {
		return p.DOM, nil
	}
	if err := p.Place.Take(ctx); err != nil {
		return nil, err
	}
	if p.IsFile() {
		return p.parseFile(ctx)
	}
	text := p.Body
	if fetch.IsText(p.MediaType) && !p.FromTree {
		text, _ = fetch.Text(p.Body, p.ContentType)
	}
	dom, err := formats.Parse(ctx, formats.Source{URL: p.URL, MediaType: p.MediaType, Language: p.Language, Body: text, Raw: p.Body})
	if err == nil {
		err = p.findWall(ctx, dom)
	}
	if err != nil {
		return nil, err
	}
	p.DOM = dom
	return dom, nil
}

// Free passes on the memory of the tree, which is parsed again where it is needed once more. No other page may share it. It can be called
// on nil.
func (p *Page) Free() {
	if p != nil && p.DOM != nil {
		p.DOM.Free()
		p.DOM = nil
	}
}

// parseFile returns the tree of what a file was turned into.
func (p *Page) parseFile(ctx context.Context) (*formats.DOM, error) {
	res, err := p.Read(ctx)
	if err != nil {
		return nil, err
	}
	src := p.Source(res.HTML)
	src.Raw = p.Body
	p.DOM, err = formats.Parse(ctx, src)
	return p.DOM, err
}

// Signals reads the page's signals, once. A page that isn't HTML, or isn't parsed, has none.
func (p *Page) Signals(ctx context.Context) (formats.Signals, error) {
	if p.signals == nil {
		signals := formats.Signals{}
		if p.DOM != nil && p.IsHTML() {
			var err error
			if signals, err = p.DOM.Signals(ctx); err != nil {
				return signals, err
			}
		}
		p.signals = &signals
	}
	return *p.signals, nil
}

// findWall finds out, once, whether the page is a wall.
func (p *Page) findWall(ctx context.Context, dom *formats.DOM) error {
	if p.Wall != nil || !p.IsHTML() {
		return nil
	}
	name, login, err := dom.Wall(ctx)
	if err != nil {
		return err
	}
	if name == "" && login {
		name = "login"
	}
	p.Wall = &name
	return nil
}

// BlockedBy names the wall that the page is, a login included; "" for none, and for a page that isn't parsed.
func (p *Page) BlockedBy() string {
	if p.Wall == nil {
		return ""
	}
	return *p.Wall
}

// Undocumented is the error of content that gives no document.
func (p *Page) Undocumented() error {
	if declared := fetch.MediaType(p.ContentType, nil); p.ContentType != "" && declared != p.MediaType {
		return fmt.Errorf("content of type %q, sent as %q, gives no document", p.MediaType, declared)
	}
	return fmt.Errorf("content of type %q gives no document", p.MediaType)
}

// IsHTML reports a page in HTML or XHTML.
func (p *Page) IsHTML() bool { return IsHTML(p.MediaType) }

// IsHTML reports the media types of HTML and XHTML.
func IsHTML(mediaType string) bool {
	return mediaType == "text/html" || mediaType == "application/xhtml+xml"
}
