package mapping

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

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

// drip is a cache that takes a second for each key.
type drip struct{ shelf }

func (d drip) Keys(ctx context.Context, prefix, after string, limit int) ([]string, error) {
	select {
	case <-time.After(time.Second):
		return d.shelf.Keys(ctx, prefix, after, 1)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// What there was no time for is named.
func TestCached_aSlowCacheIsNamed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var many []string
		for i := range 30 {
			many = append(many, fmt.Sprint(home, "page-", i))
		}
		got, err := run(t, &site{failed: &PageError{Reason: "DNS", Err: errMissing}}, drip{cachedPages(many...)}, nil)
		if err != nil || len(got.Links) < 9 || len(got.Links) > 10 || !strings.Contains(strings.Join(got.Warnings, " "), "Not all pages of the cache") {
			t.Errorf("got %d links, warnings %q, %v", len(got.Links), got.Warnings, err)
		}
	})
}
