package judge

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/fetch/filter"
)

// Beside what vendors have their customers put into a page there is nothing: none of it is fetched, and none is evidence.
func TestJudge_vendorsSnippetsAreNoEvidence(t *testing.T) {
	files, err := filepath.Glob("testdata/snippets/*.html")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		snippet, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimSuffix(filepath.Base(file), ".html"), func(t *testing.T) {
			get := func(_ context.Context, url string, _ int64) ([]byte, error) {
				t.Errorf("%s was fetched", url)
				return nil, os.ErrNotExist
			}
			for _, page := range []string{`<p>Closed until May.</p><div id=root></div>`, `<h1>Not here</h1><p>Go elsewhere.</p>`, words + `<p id=note></p>`} {
				e, from := evidence(t, library(), site+"/page", 200, "<body>"+page+string(snippet))
				if v := decided(t, library(), from, &e, get); v.Choice != Static || e.Unread+e.Foreign > 0 || len(v.Places) > 0 || v.Confidence < 0.85 {
					t.Errorf("%.20s: %d unread, %d foreign, %s", page, e.Unread, e.Foreign, v)
				}
			}
		})
	}
}

var words = strings.Repeat("<p>Barley is a cereal grain that has been grown for years in the crescent and beyond it.</p>", 12)

// A name that only contains a vendor's is the site's own, and so is code that stands beside a vendor's.
func TestJudge_whatOnlySoundsLikeAVendorCounts(t *testing.T) {
	const fill = `fetch("/x").then(a => { document.getElementById("root").innerHTML = a })`
	get := func(context.Context, string, int64) ([]byte, error) { return []byte(fill), nil }
	for _, script := range []string{
		`<script src=/pixel-art/app.js></script>`, `<script src=/umami-kitchen/menu.js></script>`, `<script src=/sentry.js></script>`,
		`<script src=/js/moments.js></script>`, `<script src=/parsely.js></script>`, `<script src=/hubspot-like.js></script>`,
		`<script>window.dataLayer = window.dataLayer || []; dataLayer.push({page: "home"}); ` + fill + `</script>`,
		`<script>gtag("event", "view"); ` + fill + `</script>`,
		`<script>(function(d){var s=d.createElement("script");s.src="https://www.googletagmanager.com/gtm.js?id=1";d.head.append(s)})(document);` + fill + `</script>`,
	} {
		if v := weigh(t, library(), 200, words+"<div id=root></div>"+script, get); v.Choice != Dynamic {
			t.Errorf("%s: got %s", script, v)
		}
	}
}

func TestKnown(t *testing.T) {
	s := Sources{Page: "https://shop.example/"}
	for src, want := range map[string]bool{
		"https://cdn.cookielaw.org/x.js": true, "https://www.google.com/recaptcha/api.js": true, "https://www.google.com/app.js": false,
		"https://notcookielaw.org/x.js": false, "https://cookielaw.org.evil.example/x.js": false, "https://shop.example/prebid9.12.js": true,
		"https://shop.example/gtm.js?id=1": true, "https://shop.example/gtmaps.js": false, "https://shop.example/utag.sync.js": true, "https://shop.example": false,
	} {
		if got := s.isKnown(src); got != want {
			t.Errorf("%s: got %t", src, got)
		}
	}
	if s.Page = "https://www.intercom.com/"; s.isKnown("https://js.intercom.com/app.js") {
		t.Error("the vendor's own site counts as its widget")
	}
}

// The list is sorted, and has nothing twice, nor what the filter has.
func TestKnown_isSortedAndRepeatsNothing(t *testing.T) {
	source, err := os.ReadFile("vendors.go")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for i, group := range strings.Split(string(source), "`") {
		if i%2 == 0 { // between the groups
			continue
		}
		entries := strings.Fields(group)
		if !slices.IsSorted(entries) {
			t.Errorf("not sorted: %.60q", group)
		}
		for _, entry := range entries {
			if seen[entry] {
				t.Errorf("%s twice", entry)
			}
			seen[entry] = true
			if blocked, _ := builtin().Match(filter.Request{URL: "https://" + entry, PageHost: "shop.example", Type: filter.Script}); blocked {
				t.Errorf("%s: the filter has it", entry)
			}
		}
	}
	if len(seen) != len(knownHosts)+len(knownFiles) {
		t.Errorf("%d entries, of which %d hosts and %d files are kept: a host stands there with two paths", len(seen), len(knownHosts), len(knownFiles))
	}
}
