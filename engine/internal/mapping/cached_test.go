package mapping

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/crawl/scope"
	"github.com/winnow-go/winnow/fetch/weburl"
)

// shelf is a cache, by key. A page without a URL is none to list.
type shelf map[string]Link

func (s shelf) Keys(_ context.Context, prefix, after string, limit int) (keys []string, _ error) {
	for _, key := range slices.Sorted(maps.Keys(s)) {
		if strings.HasPrefix(key, prefix) && key > after && len(keys) < limit {
			keys = append(keys, key)
		}
	}
	return keys, nil
}

func (s shelf) Page(_ context.Context, key string) (Link, bool) { return s[key], s[key].URL != "" }

// The look through the cache finds what reading every key would, among hosts with
// names that lie between each other.
func TestPagesOf_findsThePagesOfASiteAmongAllOthers(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	c := shelf{}
	hosts := []string{"a.example", "www.a.example", "b.a.example", "c.b.a.example", "a.example:8443", "b.a.example:81", "a.example.org", "aa.example", "a-b.example", "a.exampl", "z.example", "xn--4ca.a.example", "0.a.example", "a.example-x.com"}
	paths := []string{"/", "/x", "/x/y", "?q", "/x?q", "#/r", "/0", "/~"}
	var all []string
	for _, host := range hosts {
		for _, path := range paths {
			href, err := weburl.Parse("https://" + host + path)
			if err != nil {
				t.Fatal(err)
			}
			if random.IntN(3) > 0 {
				all = append(all, href)
			}
		}
	}
	for i := range 300 { // many pages of one other host
		all = append(all, fmt.Sprintf("https://a.example.net/%d", i))
	}
	for _, href := range all {
		c[weburl.Key(href)+weburl.KeyEnd+fmt.Sprint("v", random.IntN(3))] = Link{URL: href}
	}
	for _, subdomains := range []bool{true, false} {
		own, err := scope.New(scope.Options{Seed: "https://a.example/", CrawlEntireDomain: true, AllowSubdomains: subdomains})
		if err != nil {
			t.Fatal(err)
		}
		isOwn := func(href string) bool { return own.Judge(scope.Link{URL: href}).Accepted() }
		var want, got []string
		for _, href := range all {
			if isOwn(href) && (subdomains || pageHost(weburl.Key(href)) == "a.example") {
				want = append(want, href)
			}
		}
		for page, err := range pagesOf(t.Context(), c, "https://a.example/", subdomains, isOwn) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, page.URL)
		}
		if once := slices.Compact(sorted(slices.Clone(got))); len(once) != len(got) {
			t.Errorf("subdomains %t: %d pages, %d of them different", subdomains, len(got), len(once))
		}
		slices.Sort(want)
		want = uniquePages(want)
		got = uniquePages(sorted(got))
		if !slices.Equal(got, want) {
			t.Errorf("subdomains %t:\ngot  %q\nwant %q", subdomains, got, want)
		}
	}
}

// uniquePages keeps one URL of each page.
func uniquePages(hrefs []string) (keys []string) {
	for _, href := range hrefs {
		keys = append(keys, weburl.Key(href))
	}
	return slices.Compact(sorted(keys))
}

func sorted(list []string) []string { slices.Sort(list); return list }
