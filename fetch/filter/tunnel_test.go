package filter

import (
	"slices"
	"strings"
	"testing"
)

func TestMatchHost_onlyWholeHosts(t *testing.T) {
	tests := []struct {
		name  string
		rules []string
		host  string
		page  string
		block bool
	}{
		{"host", []string{"||ads.com^"}, "ads.com", "a.org", true},
		{"below", []string{"||ads.com^"}, "x.y.ads.com", "a.org", true},
		{"port and case", []string{"||ads.com^"}, "X.Ads.com.:443", "a.org", true},
		{"other host", []string{"||ads.com^"}, "notads.com", "a.org", false},
		{"star behind", []string{"||ads.com^*"}, "ads.com", "a.org", true},
		{"path", []string{"||ads.com/"}, "ads.com", "a.org", false},
		{"path behind ^", []string{"||ads.com^x"}, "ads.com", "a.org", false},
		{"no end", []string{"||ads.com"}, "ads.com", "a.org", false},
		{"one type", []string{"||ads.com^$script"}, "ads.com", "a.org", false},
		{"not one type", []string{"||ads.com^$~image"}, "ads.com", "a.org", false},
		{"all types", []string{"||ads.com^$all"}, "ads.com", "a.org", true},
		{"third party", []string{"||ads.com^$third-party"}, "ads.com", "a.org", true},
		{"its own page", []string{"||ads.com^$third-party"}, "x.ads.com", "www.ads.com", false},
		{"no page", []string{"||ads.com^$third-party"}, "x.ads.com", "", false},
		{"page named", []string{"||ads.com^$domain=a.org"}, "ads.com", "a.org", true},
		{"other page named", []string{"||ads.com^$domain=b.org"}, "ads.com", "a.org", false},
		{"exception for a path", []string{"||ads.com^", "@@||ads.com/ok.js"}, "ads.com", "a.org", false},
		{"exception for a path above", []string{"||x.ads.com^", "@@||ads.com/ok.js"}, "x.ads.com", "a.org", false},
		{"exception for a path below", []string{"||ads.com^", "@@||x.ads.com/ok.js"}, "ads.com", "a.org", true},
		{"exception for a type", []string{"||ads.com^", "@@||ads.com^$font"}, "ads.com", "a.org", false},
		{"exception with a scheme", []string{"||ads.com^", "@@|https://ads.com/ok"}, "ads.com", "a.org", false},
		{"exception for other pages", []string{"||ads.com^", "@@||ads.com^$domain=b.org"}, "ads.com", "a.org", true},
		{"exception for this page", []string{"||ads.com^", "@@/ok.js$domain=a.org"}, "ads.com", "a.org", false},
		{"exception for any path", []string{"||ads.com^", "@@/ok.js"}, "ads.com", "a.org", true},
		{"exception for everything", []string{"||ads.com^", "@@*$image"}, "ads.com", "a.org", false},
		{"exception for a beginning", []string{"||ads.com^", "@@||ads.*/ok"}, "x.ads.com", "a.org", false},
		{"exception for another beginning", []string{"||ads.com^", "@@||adz.*/ok"}, "x.ads.com", "a.org", true},
		{"exception for documents", []string{"||ads.com^", "@@||ads.com^$popup"}, "ads.com", "a.org", true},
		{"exception for the page", []string{"||ads.com^", "@@||a.org^$document"}, "ads.com", "a.org", false},
		{"important", []string{"||ads.com^$important", "@@||ads.com/ok.js"}, "ads.com", "a.org", true},
		{"both important", []string{"||ads.com^$important", "@@||ads.com/ok.js$important"}, "ads.com", "a.org", false},
		{"nonsense host", []string{"||ads.com^"}, "", "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := newSet(t, tt.rules...).MatchHost(tt.host, tt.page); got != tt.block {
				t.Errorf("%q: MatchHost(%q, %q) = %v, want %v", tt.rules, tt.host, tt.page, got, tt.block)
			}
		})
	}
}

func TestURLPatterns_hostsForOnePage(t *testing.T) {
	s := newSet(t,
		"||one.com^$third-party", "||two.com^", "||three.com/path", "||four.com^$script", "||five.com^$domain=other.org",
		"||six.com^", "@@||x.six.com/ok.js", "||seven.com^", "@@||seven.com^$domain=page.org", "||ads.page.org^", "||page.org^",
		"||eight.com^$~third-party")
	tests := []struct {
		page string
		max  int
		want string
	}{
		{"www.page.org", 100, "one.com two.com ads.page.org"},
		{"www.one.com", 100, "two.com seven.com ads.page.org page.org"},
		{"m.other.org", 100, "one.com two.com five.com seven.com ads.page.org page.org"},
		{"www.page.org", 4, "one.com two.com"},
		{"www.page.org", 3, "one.com"},
		{"www.page.org", 0, ""},
		{"", 100, ""},
	}
	for _, tt := range tests {
		var want []string
		for _, host := range strings.Fields(tt.want) {
			want = append(want, "*://"+host+"/*", "*://*."+host+"/*")
		}
		if got := s.URLPatterns(tt.page, tt.max); !slices.Equal(got, want) {
			t.Errorf("URLPatterns(%q, %d) = %q, want %q", tt.page, tt.max, got, want)
		}
	}
}

func TestURLPatterns_noneOnAnExceptedPage(t *testing.T) {
	s := newSet(t, "||ads.com^", "@@||page.org^$document")
	if got := s.URLPatterns("www.page.org", 10); len(got) > 0 {
		t.Errorf("got %q for a page with an exception", got)
	}
}

func TestMatchWholeHost_exceptionsForPathsAnywhereCount(t *testing.T) {
	s := newSet(t, "||ads.com^", "||other.com^$important", "@@/ok.js$~third-party", "@@/fine[0-9]/$domain=~page.org")
	for page, want := range map[string]bool{"page.org": true, "www.ads.com": false, "elsewhere.org": false} {
		if got := s.MatchWholeHost("x.ads.com", page); got != want || !s.MatchHost("x.ads.com", page) {
			t.Errorf("on %s: %v, want %v", page, got, want)
		}
	}
	if !s.MatchWholeHost("other.com", "elsewhere.org") {
		t.Error("exceptions that aren't important count against a rule that is")
	}
}
