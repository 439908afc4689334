package page

import (
	"cmp"
	"net/http"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/fetch"
)

// FromNavigation is the page that a browser has gone to. It has no body where that is HTML.
func FromNavigation(nav *browser.Navigation) *Page {
	src := &Page{By: ByBrowser}
	src.Describe(nav)
	return src
}

// Describe makes the page the one that a document came from. A document whose answer
// isn't known, such as a blank one, counts as one that came.
func (p *Page) Describe(nav *browser.Navigation) {
	if nav.Document != p.Document {
		p.Partial = nav.Partial
	}
	p.Document, p.URL, p.Status, p.MediaType = nav.Document, nav.URL, cmp.Or(nav.Status, http.StatusOK), nav.MediaType
	p.ContentType, p.Language = nav.Header.Get("Content-Type"), nav.Header.Get("Content-Language")
	p.RetryAfter = nav.Header.Get("Retry-After")
	p.Body, p.FromTree = nav.Body, false
	if nav.Body != nil { // not HTML, the site says
		p.MediaType = fetch.MediaType(p.ContentType, nav.Body)
	}
	if nav.Empty {
		p.Body = []byte{}
	}
}
