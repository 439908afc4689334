package sitemap

import (
	"context"
	"io"
	"iter"
	"time"

	"github.com/winnow-go/winnow/fetch/weburl"
)

// Kind is the form of a sitemap document.
type Kind int

// The kinds. Unknown, the zero value, is a document that is no sitemap.
const (
	Unknown Kind = iota
	URLSet       // urlset of the sitemaps.org protocol
	Index        // sitemapindex of the protocol: its URLs are sitemaps
	Text         // one URL per line
	RSS          // RSS 0.9x, 1.0 and 2.0: the links of its items
	Atom         // the alternate links of its entries
)

// String is the kind's name in lower case, for logs.
func (k Kind) String() string {
	switch k {
	case URLSet:
		return "urlset"
	case Index:
		return "index"
	case Text:
		return "text"
	case RSS:
		return "rss"
	case Atom:
		return "atom"
	}
	return "unknown"
}

// NoPriority is the Priority of a URL without a (readable) one; 0 is a priority like others.
const NoPriority = -1

// URL is one entry of a sitemap.
type URL struct {
	// Loc is the address: absolute, http or https, normalized as weburl.Parse does, fragment kept.
	Loc string
	// LastMod is when the page changed last according to the sitemap, in UTC; zero: none, or unreadable. A date
	// without a time is its midnight, a year its first day. In feeds it is pubDate, dc:date, updated or published.
	LastMod time.Time
	// Priority is between 0 and 1, compared with other URLs of the site; NoPriority (-1): none.
	Priority float64
	// ChangeFreq is always, hourly, daily, weekly, monthly, yearly or never; "": none.
	ChangeFreq string
	// Title is that of an entry in a feed, or of a news entry; "": none.
	Title string
	// Published is when a news entry was, in UTC; zero: unknown. (https://www.google.com/schemas/sitemap-news/0.9)
	Published time.Time
	// Images are the addresses of an entry's images, as Loc is, each once and at most 1000: that is all an entry may have.
	// (https://www.google.com/schemas/sitemap-image/1.1)
	Images []string
	// Sitemap is the document that lists the URL, as it was given to Read or Walk.
	Sitemap string
}

// Item is one entry of one document.
type Item struct {
	// Kind is what the entry is: Index is another sitemap, every other kind is a page. It is the kind
	// of the document, unless an index lists pages or a url set sitemaps.
	Kind Kind
	URL
}

// The protocol's own limits for one document, and the defaults of Limits.
const (
	DefaultMaxBytes = 50 << 20
	DefaultMaxURLs  = 50_000
)

// Limits bound the reading of one document. The zero value has the defaults.
type Limits struct {
	// MaxBytes is how many bytes count, after decompression; the rest isn't read. Defaults to 50 MiB
	// (52 428 800, the protocol's limit), for zero and below.
	MaxBytes int64
	// MaxURLs is how many entries count. Defaults to 50 000, for zero and below.
	MaxURLs int
}

func (l Limits) withDefaults() Limits {
	if l.MaxBytes <= 0 {
		l.MaxBytes = DefaultMaxBytes
	}
	if l.MaxURLs <= 0 {
		l.MaxURLs = DefaultMaxURLs
	}
	return l
}

// Read streams the entries of one document of any kind, in its order. Base is the document's own URL: relative
// addresses are resolved against it (tolerated, reported) and problems name it; if it is empty or unusable, relative addresses are bad.
//
// An error in the stream is a *Problem, after which the reading may go on, or the context's error, which comes last.
// The sequence can be used once. It reads r as far as needed, doesn't close it, and starts no goroutine; the context is
// checked between reads, so a reader that may block must itself end with the context.
func Read(ctx context.Context, r io.Reader, base string, o Limits) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		o = o.withDefaults()
		s := &stream{sitemap: base, maxURLs: o.MaxURLs, yield: yield}
		if b, err := weburl.NewBase(base); err == nil {
			s.base = b
		}
		src := open(ctx, r, o.MaxBytes)
		if src.label != "" {
			s.problem(BadEncoding, 1, src.label, nil)
		}
		var end error
		if looksLikeXML(src) {
			end = newDocument(s, src).read()
		} else {
			end = readText(s, src)
		}
		if src.damaged {
			s.finally(BadEncoding, 0, "bytes that are invalid in the encoding", nil)
		}
		s.finish(ctx, end)
	}
}
