package scraping

import (
	"context"
	"net/http"

	"github.com/winnow-go/winnow/engine/internal/page"
)

// Known is a page that the caller has. Where the site says that it is that still, or sends the same bytes, nothing comes of the scrape but
// that: see [Acquired.Unchanged].
type Known struct {
	// URL is where its redirects ended.
	URL string
	// ETag and LastModified are its validators; empty: none.
	ETag, LastModified string
	// Digest is its [page.Page.Digest].
	Digest string
}

// Unchanged says how it is known that a page is the one that the caller has.
type Unchanged int

// The ways.
const (
	NotKnown  Unchanged = iota // it isn't
	Vouched                    // its site says so
	SameBytes                  // it came whole
)

// stale is the page as an acquisition asks for it. is is set where it is that page still.
func (k *Known) stale(is *Unchanged) *page.Stale {
	return &page.Stale{
		ETag: k.ETag, LastModified: k.LastModified,
		Same: func(src *page.Page) bool {
			if src.Digest() != k.Digest || src.Partial {
				return false
			}
			*is = SameBytes
			return true
		},
		Take: func(_ context.Context, at string) (*page.Page, bool) {
			if at != k.URL {
				return nil, false
			}
			*is = Vouched
			return &page.Page{By: page.ByHTTP, URL: at, Status: http.StatusOK, MediaType: "text/plain", ETag: k.ETag, LastModified: k.LastModified}, true
		},
	}
}
