package search

import (
	"context"
	"log/slog"
	"time"
)

// Index is a provider that searches the pages that an engine stores. The engine that it is given to
// updates and closes it. It costs nothing until the first search, which builds it or brings it up to
// date. All methods are safe for concurrent use.
//
// It finds all pages of the cache, whichever owner's request fetched them: the cache is common to all owners.
type Index interface {
	Provider
	// Attach sets where the pages are. It is called once, before any other method, and neither reads
	// nor writes. A second call returns [ErrAttached].
	Attach(p Pages, s Setup) error
	// Changed reports to the index that pages were stored, refreshed or removed. It is quick, makes no
	// calls and may be called at any time.
	Changed(keys []string)
	// Flush returns when all changes reported so far are in the index and durable. It does nothing
	// for an index that is not in use.
	Flush(ctx context.Context) error
	// Purge returns when the index no longer finds anything that the pages do not have, in this program
	// or a later one: an index that is not in use but has files in its folder is opened.
	Purge(ctx context.Context) error
	// Compact is Purge that also frees the space of removed pages, and erases their text.
	Compact(ctx context.Context) error
	// Close waits for the write in progress. Changes that are not in the index yet are added when it is
	// next used. Later calls return [ErrClosed]; a second Close returns nil.
	Close() error
}

// Setup says where and how an index is stored.
type Setup struct {
	// Folder that only the index uses; it is created when first needed. Empty: in memory.
	Folder string
	// Now is the clock. Defaults to time.Now.
	Now func() time.Time
	// Logger logs damage and rebuilding, never with URLs. If nil, nothing is logged.
	Logger *slog.Logger
}

// Pages are what an index is built from. Several keys may name one page, fetched in different ways:
// such keys are equal up to their first zero byte.
type Pages interface {
	// Keys returns up to limit keys greater than after, ascending; none at the end. They include
	// pages that a search may not find.
	Keys(ctx context.Context, after string, limit int) ([]string, error)
	// Version identifies what is now stored under a key: it differs if content or time differ. Empty:
	// nothing that a search may find.
	Version(ctx context.Context, key string) (string, error)
	// Page reads what is stored under a key; nil: nothing that a search may find.
	Page(ctx context.Context, key string) (*Page, error)
	// Settle returns when Changed has been called for everything stored so far.
	Settle(ctx context.Context) error
}

// Page is the searchable part of a stored page.
type Page struct {
	// Version as Pages.Version names it.
	Version string
	// URL of the page; Title, Description and Headings as the page has them; Text of its main content.
	URL                string
	Title, Description string
	Headings           []string
	Text               string
	// Language is a BCP 47 tag; empty: unknown. MediaType is without parameters.
	Language  string
	MediaType string
	// Image is the URL of the image that represents the page; empty: none.
	Image string
	// Stored is when the page was fetched, or last confirmed by its site as unchanged. Published is
	// when the page says it was published or last changed; zero: unknown.
	Stored, Published time.Time
	// Article: the page is an article, such as a news story or a blog post. With a date it is in the news source.
	Article bool
	// Passages of the main content, in order. At most [MaxPassages] of them are indexed.
	Passages []Passage
	// Images that have a text, those of the main content first: the images source. At most [MaxImages] of them are indexed.
	Images []PageImage
}

// MaxImages is the maximum number of images of one page in an index.
const MaxImages = 201

// PageImage is an image of a page, with what the page says of it. One without an address or a text is not indexed.
type PageImage struct {
	// URL is absolute, http or https.
	URL string
	// Alt is the text in the image's place, Title its tooltip, Caption that of its figure, Heading that of the
	// part of the page that it is in.
	Alt, Title, Caption, Heading string
	// Width and Height are in pixels; 0: unknown.
	Width, Height int
}
