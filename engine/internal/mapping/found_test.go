package mapping

import (
	"fmt"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/crawl/scope"
	"github.com/winnow-go/winnow/fetch/weburl"
)

// requestFor is the map of a site with its subdomains.
func requestFor(base string, strip, external bool) Request {
	return Request{
		URL: base, Limit: 5000, ByPath: true, StripQuery: strip,
		Scope: scope.Options{
			Seed: base, CrawlEntireDomain: true, AllowSubdomains: true, AllowExternalLinks: external,
			IgnoreQueryParameters: strip, DeduplicateSimilarURLs: true,
		},
	}
}

// collector is an empty list for a page, as a map of it begins with.
func collector(t testing.TB, base string, limit int) *found {
	t.Helper()
	r := requestFor(base, true, false)
	r.Limit = limit
	f, err := newFound(r, base)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestFound_onePageIsListedOnceWithWhatIsKnownOfIt(t *testing.T) {
	f := collector(t, "https://a.example/", 5000)
	for _, l := range []Link{
		{URL: "http://www.a.example/b/"}, {URL: "https://a.example/b?x=1", Title: "B"}, {URL: "https://a.example/b/index.html", Title: "other"}, {URL: "https://a.example/b#part"},
		{URL: "https://a.example/c", Description: "C"}, {URL: "https://a.example/c/", Title: "later"},
	} {
		f.add(l)
	}
	if got := fmt.Sprint(f.list); got != "[{http://www.a.example/b B  <nil>} {https://a.example/c  C <nil>}]" {
		t.Errorf("got %s", got)
	}
}

// raced is whether the race detector watches.
var raced bool

func TestFound_isBounded(t *testing.T) {
	if raced {
		t.Skip("-race: one goroutine is at work")
	}
	t.Parallel()
	f := collector(t, "https://a.example/", 10)
	for i := range 1000 {
		f.add(Link{URL: fmt.Sprintf("https://a.example/%d", i)})
	}
	if len(f.list) != 10 || len(f.at) != 10 {
		t.Errorf("%d URLs, %d keys", len(f.list), len(f.at))
	}
	f = collector(t, "https://a.example/", MaxLinks)
	long := strings.Repeat("x", 15<<10)
	for i := range 20_000 {
		f.add(Link{URL: fmt.Sprintf("https://a.example/%d/%s", i, long)})
	}
	var size int
	for _, l := range f.list {
		size += len(l.URL)
	}
	if !f.full() || size > foundBytes {
		t.Errorf("%d URLs of %d bytes, full %t", len(f.list), size, f.full())
	}
}

// What a list takes is a URL of the site, in normal form, whatever text is offered.
func FuzzFound(f *testing.F) {
	for _, seed := range []string{"https://granary.example/a/?b#c", "https://blog.granary.example/docs/../a//", "//x", "mailto:a@b", "https://granary.example/#!/r?q", "https://u:p@granary.example/docs/%zz", "\x00", "https://granary.example:443?#/"} {
		f.Add(seed, true, true)
	}
	f.Fuzz(func(t *testing.T, href string, strip, external bool) {
		for _, base := range []string{"https://granary.example/", "https://granary.example/docs"} {
			list, err := newFound(requestFor(base, strip, external), base)
			if err != nil {
				t.Fatal(err)
			}
			list.add(Link{URL: href, Title: href})
			list.add(Link{URL: href})
			for _, l := range list.list {
				normal, err := weburl.Parse(l.URL)
				if err != nil || normal != l.URL || strip && strings.Contains(strings.SplitN(l.URL, "#", 2)[0], "?") {
					t.Errorf("%q: lists %q", href, l.URL)
				}
				if !external && weburl.Registrable(weburl.Hostname(l.URL)) != "granary.example" {
					t.Errorf("%q: lists another site's %q", href, l.URL)
				}
			}
			if len(list.list) > 1 {
				t.Errorf("%q: listed twice: %v", href, list.list)
			}
		}
	})
}
