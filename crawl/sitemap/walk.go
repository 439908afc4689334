package sitemap

import (
	"context"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/winnow-go/winnow/fetch/weburl"
)

// Fetcher fetches the body of one sitemap. The caller's implementation handles addresses, statuses, redirects and time: an answer
// that is no document (a 404) is an error. A content-encoding may be undone or left; a gzipped file is recognized by its
// bytes. Fetch and the reads of the body end with the context; Walk closes the body.
type Fetcher interface {
	Fetch(ctx context.Context, url string) (io.ReadCloser, error)
}

// The defaults of WalkOptions.
const (
	DefaultMaxSitemaps = 1000
	DefaultMaxDepth    = 3
	DefaultMaxWalkURLs = 1_000_000
)

// WalkOptions bound a walk. The zero value has the defaults.
type WalkOptions struct {
	// Limits are for each document.
	Limits Limits
	// MaxSitemaps is how many documents are fetched, roots included. Defaults to 1000, for zero and below.
	MaxSitemaps int
	// MaxDepth is how deep indexes may nest: 1 is the sitemaps of a root that is an index, as in the protocol.
	// Defaults to 3, for zero; negative: the roots only.
	MaxDepth int
	// MaxURLs is how many pages are returned in all. Defaults to 1 000 000, for zero and below.
	MaxURLs int
}

func (o WalkOptions) withDefaults() WalkOptions {
	if o.MaxSitemaps <= 0 {
		o.MaxSitemaps = DefaultMaxSitemaps
	}
	if o.MaxDepth == 0 {
		o.MaxDepth = DefaultMaxDepth
	}
	if o.MaxURLs <= 0 {
		o.MaxURLs = DefaultMaxWalkURLs
	}
	return o
}

// Walk streams the pages that a site's sitemaps list: first the roots in their order, then the sitemaps that they name, level
// by level, one document at a time and each at most once. Entries of a url set whose path ends in .xml or .xml.gz are
// sitemaps too; when such an entry turns out to be none, it is returned as the page that the url set took it for. A page that is
// listed twice is returned twice.
//
// An error in the stream is a *Problem, after which the walk goes on, or the context's error, which comes last.
// Memory is bounded by MaxSitemaps. It starts no goroutine. The sequence may be used again, and then fetches again.
func Walk(ctx context.Context, f Fetcher, roots []string, o WalkOptions) iter.Seq2[URL, error] {
	return func(yield func(URL, error) bool) {
		w := &walk{ctx: ctx, fetcher: f, o: o.withDefaults(), yield: yield, seen: map[string]bool{}}
		for _, root := range roots {
			w.root(root)
		}
		for len(w.queue) > 0 && !w.done {
			next := w.queue[0]
			w.queue = w.queue[1:]
			w.visit(next)
		}
	}
}

// visit is one sitemap that is to be read.
type visit struct {
	loc   string
	depth int
	page  *URL // set when a url set lists it, as if it were a page
}

type walk struct {
	ctx     context.Context
	fetcher Fetcher
	o       WalkOptions
	yield   func(URL, error) bool
	queue   []visit
	seen    map[string]bool // every document ever queued, without its fragment
	full    bool            // MaxSitemaps is reached and reported
	deep    bool            // MaxDepth is reported for the document that is being read
	urls    int
	done    bool
}

func (w *walk) send(u URL, err error) {
	if !w.done && !w.yield(u, err) {
		w.done = true
	}
}

func (w *walk) problem(code Code, sitemap, detail string, err error) {
	w.send(URL{}, &Problem{Code: code, Sitemap: sitemap, Detail: shorten(detail), Err: err})
}

func (w *walk) root(loc string) {
	href, err := weburl.Parse(loc)
	if err != nil || !isWeb(href) {
		w.problem(BadLoc, shorten(loc), "", err)
		return
	}
	w.push(visit{loc: href})
}

// push queues a document, unless it is known or too many or too deep. The queue thus never outgrows MaxSitemaps.
func (w *walk) push(v visit) {
	v.loc, _, _ = strings.Cut(v.loc, "#")
	switch {
	case w.done || w.seen[v.loc]:
	case v.depth > max(w.o.MaxDepth, 0):
		if !w.deep {
			w.problem(TooDeep, v.loc, fmt.Sprintf("nested deeper than %d", max(w.o.MaxDepth, 0)), nil)
		}
		w.deep = true
	case len(w.seen) >= w.o.MaxSitemaps:
		if !w.full {
			w.problem(TooManySitemaps, v.loc, fmt.Sprintf("more than %d", w.o.MaxSitemaps), nil)
		}
		w.full = true
	default:
		w.seen[v.loc] = true
		w.queue = append(w.queue, v)
	}
}

func (w *walk) visit(v visit) {
	if w.interrupted() {
		return
	}
	body, err := w.fetcher.Fetch(w.ctx, v.loc)
	if err != nil {
		if !w.interrupted() {
			w.problem(FetchFailed, v.loc, "", err)
		}
		return
	}
	defer body.Close() // its error says nothing about what was read
	w.deep = false
	for item, err := range Read(w.ctx, body, v.loc, w.o.Limits) {
		if err != nil {
			w.fault(v, err)
		} else {
			w.take(v, item)
		}
		if w.done {
			return
		}
	}
}

// interrupted ends the walk with the context's error.
func (w *walk) interrupted() bool {
	err := w.ctx.Err()
	if err != nil {
		w.send(URL{}, err)
		w.done = true
	}
	return err != nil
}

// fault hands a problem on.
func (w *walk) fault(v visit, err error) {
	problem, ok := err.(*Problem)
	switch {
	case !ok: // the context's
		w.send(URL{}, err)
		w.done = true
	case problem.Code == NotSitemap && v.page != nil:
		w.give(*v.page)
	default:
		w.send(URL{}, err)
	}
}

func (w *walk) take(v visit, item Item) {
	next := visit{loc: item.Loc, depth: v.depth + 1}
	switch {
	case item.Kind == Index:
		w.push(next)
	case item.Kind == URLSet && namedLikeSitemap(item.Loc):
		page := item.URL
		next.page = &page
		w.push(next)
	default:
		w.give(item.URL)
	}
}

func (w *walk) give(u URL) {
	if w.urls >= w.o.MaxURLs {
		w.problem(TooManyURLs, u.Sitemap, fmt.Sprintf("more than %d in all", w.o.MaxURLs), nil)
		w.done = true
		return
	}
	w.urls++
	w.send(u, nil)
}

func namedLikeSitemap(href string) bool {
	if i := strings.IndexAny(href, "?#"); i >= 0 {
		href = href[:i]
	}
	href = strings.ToLower(href)
	return strings.HasSuffix(href, ".xml") || strings.HasSuffix(href, ".xml.gz")
}
