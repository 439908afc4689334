package trapsite

import (
	"math"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

// MaxPlainPages bounds a PlainSite.
const MaxPlainPages = 1_000_000

const (
	plainSeed   = 43 // the same site in every run
	plainFanout = 8  // links of a page to pages that no other page leads to
)

// PlainSite is a large ordinary site, made to measure crawls on: every page is reachable from /, at most 7 links away in a million; a page
// is put together while it is served, for a few microseconds, so that the crawl is what is measured. It keeps
// a few bytes a page and 1 MiB of text. Safe for concurrent use; pages are the same bytes in every run.
type PlainSite struct {
	sizes []int32
	asked []atomic.Int32
	lost  atomic.Int64
	stock stock
	idle  sync.Pool // of *[]byte: pages that were served
}

// Plain makes a site of so many pages, with sizes from minBytes to maxBytes, spread evenly on a logarithmic scale: 1000 pages of 2 to
// 200 KiB have 43 KiB on average. Each page has a nav and 30 links in its text, which need about 2 KiB: where minBytes is less, small
// pages are larger than requested. Out of range values are brought into it: pages 1 to MaxPlainPages, bytes 0 to 16 MiB.
func Plain(pages, minBytes, maxBytes int) *PlainSite {
	const largest = 16 << 20
	pages = min(max(pages, 1), MaxPlainPages)
	minBytes = min(max(minBytes, 1), largest)
	maxBytes = min(max(maxBytes, minBytes), largest)
	return &PlainSite{
		sizes: logUniform(pages, minBytes, maxBytes),
		asked: make([]atomic.Int32, pages),
		stock: newStock(stockSize),
	}
}

// logUniform gives each page its part of the scale, in random order, so that sums don't depend on luck.
func logUniform(n, smallest, largest int) []int32 {
	sizes := make([]int32, n)
	ratio := float64(largest) / float64(smallest)
	for i := range sizes {
		sizes[i] = int32(math.Round(float64(smallest) * math.Pow(ratio, (float64(i)+0.5)/float64(n))))
	}
	random := rand.New(rand.NewPCG(plainSeed, uint64(n)))
	random.Shuffle(n, func(i, k int) { sizes[i], sizes[k] = sizes[k], sizes[i] })
	return sizes
}

// plainPath is a page's path. Page 0 is the root.
func plainPath(page int) string {
	if page == 0 {
		return "/"
	}
	return "/p/" + strconv.Itoa(page)
}

// plainPage is the page of a path, and false if there is none.
func (p *PlainSite) plainPage(path string) (int, bool) {
	if path == "/" {
		return 0, true
	}
	digits, ok := strings.CutPrefix(path, "/p/")
	n, err := strconv.Atoi(digits)
	return n, ok && err == nil && n > 0 && n < len(p.sizes) && digits == strconv.Itoa(n)
}

// Handler serves the site on any host. What isn't a page, robots.txt and sitemaps too, is a 404.
func (p *PlainSite) Handler() http.Handler { return http.HandlerFunc(p.serve) }

func (p *PlainSite) serve(w http.ResponseWriter, r *http.Request) {
	page, ok := p.plainPage(r.URL.Path)
	if !ok {
		p.lost.Add(1)
		http.NotFound(w, r)
		return
	}
	if r.Method != http.MethodHead {
		p.asked[page].Add(1)
	}
	body, _ := p.idle.Get().(*[]byte)
	if body == nil {
		body = new([]byte)
	}
	*body = p.write((*body)[:0], page)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Length", strconv.Itoa(len(*body)))
	w.Write(*body) // a client that hangs up has no page; the counts show it
	p.idle.Put(body)
}

// URLs lists all pages of the site as served at an origin such as "https://plain.example": sorted, the root ends in a slash.
func (p *PlainSite) URLs(origin string) []string {
	urls := make([]string, len(p.sizes))
	for i := range urls {
		urls[i] = origin + plainPath(i)
	}
	slices.Sort(urls)
	return urls
}

// Hits counts the requests of each requested page, by path. HEAD requests don't count.
func (p *PlainSite) Hits() map[string]int {
	hits := map[string]int{}
	for i := range p.asked {
		if n := p.asked[i].Load(); n > 0 {
			hits[plainPath(i)] = int(n)
		}
	}
	return hits
}

// Twice lists the paths of pages that were requested more than once: none, if the crawl is right.
func (p *PlainSite) Twice() []string { return p.paths(func(n int32) bool { return n > 1 }) }

// Missed lists the paths of pages that were never requested.
func (p *PlainSite) Missed() []string { return p.paths(func(n int32) bool { return n == 0 }) }

// NotFound counts the requests of what isn't a page.
func (p *PlainSite) NotFound() int { return int(p.lost.Load()) }

// Reset forgets all counts, so that another crawl can begin.
func (p *PlainSite) Reset() {
	p.lost.Store(0)
	for i := range p.asked {
		p.asked[i].Store(0)
	}
}

// paths are in page order.
func (p *PlainSite) paths(want func(asked int32) bool) (paths []string) {
	for i := range p.asked {
		if want(p.asked[i].Load()) {
			paths = append(paths, plainPath(i))
		}
	}
	return paths
}

// Bytes sums up the bodies of all pages, each once.
func (p *PlainSite) Bytes() (sum int64) {
	var body []byte
	for i := range p.sizes {
		body = p.write(body[:0], i)
		sum += int64(len(body))
	}
	return sum
}
