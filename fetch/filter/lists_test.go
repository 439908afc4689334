package filter

import (
	"os"
	"path/filepath"
	"testing"
)

// realLists reads the lists that Debian's webext-ublock-origin-firefox holds, which are not ours to copy.
func realLists(t *testing.T) *Set {
	t.Helper()
	files, _ := filepath.Glob("/usr/share/mozilla/extensions/*/uBlock0@raymondhill.net/assets/thirdparties/easylist/easy*.txt")
	if len(files) < 2 {
		t.Skip("this system: Debian's webext-ublock-origin-firefox, which has the lists, is not installed")
	}
	o := Options{Builtin: true, Unseen: []Type{Document, Popup, WebSocket}}
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		o.Lists = append(o.Lists, List{Name: filepath.Base(name), Source: f})
	}
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// aboutTabs are what rules are skipped for that close tabs; a page's own is what the caller wants.
var aboutTabs = map[Reason]bool{"unsupported option: document": true, "unsupported option: popup": true}

func TestLists_easyListAndEasyPrivacyApply(t *testing.T) {
	s := realLists(t)
	for _, r := range s.Reports() {
		skipped := 0
		for why, n := range r.Skipped {
			if !aboutTabs[why] {
				skipped += n
			}
		}
		t.Log(r.Summary())
		if taken := r.Rules + r.Hiding; taken < 10_000 || skipped*50 > taken || r.Skipped[UnknownOption] > 0 || r.Truncated {
			t.Errorf("%s: %d rules taken, %d lines without effect, want at most one in fifty", r.Name, taken, skipped)
		}
	}
	const page = "www.news.example"
	for _, test := range []struct {
		url   string
		typ   Type
		block bool
	}{
		{"https://securepubads.g.doubleclick.net/tag/js/gpt.js", Script, true},
		{"https://www.google-analytics.com/analytics.js", Script, true},
		{"https://www.news.example/ads/banner-468x60.gif", Image, true},
		{"https://www.news.example/static/main.js", Script, false},
		{"https://fonts.gstatic.com/s/roboto/v30/a.woff2", Font, false},
		{"https://cdn.jsdelivr.net/npm/bootstrap@5/dist/css/bootstrap.min.css", Stylesheet, false},
		{"https://www.news.example/", Document, false},
	} {
		if got, rule := s.Match(Request{URL: test.url, PageHost: page, Type: test.typ}); got != test.block {
			t.Errorf("%s: blocked %v by %q, want %v", test.url, got, rule, test.block)
		}
	}
	if got := s.Suspects(page); !got.Others || got.All || len(got.Own) > maxOwn {
		t.Errorf("of the page's own requests all are judged, or those with one of %d texts; want at most %d", len(got.Own), maxOwn)
	}
}
