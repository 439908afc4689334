package filter

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestSuspects_whatAPageNeedsToHaveJudged(t *testing.T) {
	tests := []struct {
		name, page string
		lines      []string
		want       Suspects
	}{
		{"no rules", "a.com", nil, Suspects{}},
		{"whole hosts", "a.com", []string{"||ads.com^", "||b.com^$third-party", "a.com##.x"}, Suspects{}},
		{"popups", "a.com", []string{"||ads.com^$popup"}, Suspects{}},
		{"a path", "a.com", []string{"||ads.com/x/"}, Suspects{Others: true}},
		{"a type", "a.com", []string{"||ads.com^$script"}, Suspects{Others: true}},
		{"an exception", "a.com", []string{"||ads.com^", "@@||ads.com/ok.js"}, Suspects{Others: true}},
		{"own host", "www.a.com", []string{"||a.com/Sponsor/*/x", "||b.com/y/"}, Suspects{Others: true, Own: []string{"/sponsor/"}}},
		{"own host, other site's pages", "www.a.com", []string{"||a.com/sponsor/$third-party"}, Suspects{Others: true}},
		{"own host, other pages", "www.a.com", []string{"||a.com/sponsor/$domain=b.com"}, Suspects{Others: true}},
		{"own host, all of it", "www.a.com", []string{"||a.com^$ping"}, Suspects{Others: true, All: true}},
		{"by page", "www.a.com", []string{"-zone-$domain=a.com", "-place-$domain=b.com"}, Suspects{Others: true, Own: []string{"-zone-"}}},
		{"by page, everything", "a.com", []string{"*$ping,domain=a.com"}, Suspects{Others: true, All: true}},
		{"anywhere", "a.com", []string{"/adserver/x", "/adserver.", "_adserver_"}, Suspects{Others: true, Own: []string{"adse"}}},
		{"anywhere, except elsewhere", "a.com", []string{"/adserver/x$~script,domain=~b.com"}, Suspects{Others: true, Own: []string{"/ads"}}},
		{"usual words", "a.com", []string{"/api/*/js/*"}, Suspects{Others: true, Own: []string{"/api/"}}},
		{"no page", "", []string{"||ads.com/x/"}, Suspects{Others: true, All: true}},
	}
	for _, test := range tests {
		got := newSet(t, test.lines...).Suspects(test.page)
		if got.Others != test.want.Others || got.All != test.want.All || !slices.Equal(got.Own, test.want.Own) {
			t.Errorf("%s: got %+v, want %+v", test.name, got, test.want)
		}
	}
}

func TestNarrow_countsWhatHostsDoNotDecide(t *testing.T) {
	s := newSet(t, "||ads.com^", "||b.com^$third-party", "a.com##.x", "||ads.com^$popup", "||ads.com/x/", "||c.com^$script", "@@||ads.com/ok.js")
	if got := s.Narrow(); got != 3 {
		t.Errorf("got %d, want 3: a path, a type and an exception", got)
	}
}

func TestSuspects_tooManyTextsAreAll(t *testing.T) {
	var lines []string
	for i := range maxOwn + 1 {
		lines = append(lines, fmt.Sprintf("||a.com/%d-/", i))
	}
	if got := newSet(t, lines...).Suspects("a.com"); !got.All || got.Own != nil {
		t.Errorf("got %v, %d texts; want all", got.All, len(got.Own))
	}
}

// suspected reports whether a request is among the suspects.
func (c Suspects) suspected(url, host, page string) bool {
	if host != page {
		return c.Others || c.All
	}
	return c.All || slices.ContainsFunc(c.Own, func(text string) bool { return strings.Contains(strings.ToLower(url), text) })
}

// checkSuspected: what Match blocks and MatchHost doesn't is a suspect, or nobody would see it.
func checkSuspected(t *testing.T, s *Set, lines []string, host, page, url string) {
	t.Helper()
	for _, kind := range []Type{Unknown, Script, Image, Subdocument, XHR} {
		blocked, rule := s.Match(Request{URL: url, PageHost: page, Type: kind})
		if blocked && !s.MatchHost(host, page) && !s.Suspects(page).suspected(url, host, page) {
			t.Errorf("rules %q\n%s on %s is blocked by %q and not among %+v", lines, url, page, rule, s.Suspects(page))
		}
	}
}
