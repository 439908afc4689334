package filter

import (
	"fmt"
	"strings"
	"sync"
	"testing"
)

func TestMatch_eachKindOfRule(t *testing.T) {
	const page = "news.example.org"
	tests := []struct {
		rule  string
		url   string
		page  string
		typ   Type
		block bool
	}{
		// hosts
		{"||ads.com^", "https://ads.com/", page, Script, true},
		{"||ads.com^", "https://x.ads.com/a", page, Script, true},
		{"||ads.com^", "https://x.ads.com:8443/a", page, Script, true},
		{"||ads.com^", "wss://ads.com", page, WebSocket, true},
		{"||ads.com^", "https://notads.com/", page, Script, false},
		{"||ads.com^", "https://ads.com.example.net/", page, Script, false},
		{"||ads.com^", "https://ads.community/", page, Script, false},
		{"||ads.com^", "https://example.net/?u=https://ads.com/", page, Script, false},
		{"||ads.com^", "https://ads.com@example.net/", page, Script, false},
		{"||ads.com^", "https://user:ads.com@x.ads.com/", page, Script, true},
		{"||ads.com^", "https://ads.com./x", page, Script, true},
		{"||ads.com^", "HTTPS://ADS.COM/x", page, Script, true},
		{"||ADS.com^", "https://ads.com/x", page, Script, true},
		{"||ads.com", "https://ads.community/", page, Script, true},
		{"||ads.", "https://x.ads.net/", page, Script, true},
		{"||ads.", "https://xads.net/", page, Script, false},
		{"||ads.com/banner/", "https://x.ads.com/banner/1", page, Image, true},
		{"||ads.com/banner/", "https://x.ads.com/1", page, Image, false},
		{"||ads.com^*/banner", "https://ads.com/x/y/banner.png", page, Image, true},
		{"||ads.com:8080^", "https://ads.com:8080/", page, Image, true},
		{"||ads.com:8080^", "https://ads.com/", page, Image, false},
		{"||192.0.2.7^", "http://192.0.2.7/x", page, Image, true},
		{"||*.ads.com^", "http://x.ads.com/x", page, Image, true},
		// anchors, stars, separators
		{"|https://ads.", "https://ads.net/", page, Script, true},
		{"|https://ads.", "https://x.net/?https://ads.", page, Script, false},
		{"/pixel.gif|", "https://x.net/pixel.gif", page, Image, true},
		{"/pixel.gif|", "https://x.net/pixel.gif?1", page, Image, false},
		{"|https://x.net/a|", "https://x.net/a", page, Image, true},
		{"|https://x.net/a|", "https://x.net/ab", page, Image, false},
		{"/ad/*/top.", "https://x.net/ad/2024/top.js", page, Script, true},
		{"/ad/*/top.", "https://x.net/top.js/ad/", page, Script, false},
		{"-ad-^", "https://x.net/b-ad-", page, Script, true},
		{"-ad-^", "https://x.net/b-ad-?", page, Script, true},
		{"-ad-^", "https://x.net/b-ad-x", page, Script, false},
		{"^utm^", "https://x.net/?utm=1", page, Script, true},
		{"^utm^", "https://x.net/?utm_source=1", page, Script, false},
		{"^utm^", "https://x.net/?q=%75utm=1", page, Script, false},
		{"/Banner/x", "https://x.net/banner/X", page, Image, true},
		{"/Banner/x$match-case", "https://x.net/banner/x", page, Image, false},
		{"/Banner/x$match-case", "https://x.net/Banner/x", page, Image, true},
		// regular expressions
		{"/banner[0-9]+/", "https://x.net/BANNER12", page, Image, true},
		{"/banner[0-9]+/", "https://x.net/banner", page, Image, false},
		{"/banner/", "https://x.net/mybanners", page, Image, true},
		{"/^https:\\/\\/[a-z]{5}\\.top\\//$script,third-party", "https://abcde.top/x.js", page, Script, true},
		{"/^https:\\/\\/[a-z]{5}\\.top\\//$script,third-party", "https://abcdef.top/x.js", page, Script, false},
		{"/^https:\\/\\/[a-z]{5}\\.top\\//$script,third-party", "https://abcde.top/x.js", page, Image, false},
		{"/\\.js$/$domain=news.example.org", "https://x.net/a.js", page, Script, true},
		{"/\\.js$/$domain=news.example.org", "https://x.net/a.js?1", page, Script, false},
		{"/\\.js$/$domain=news.example.org", "https://x.net/a.js", "other.example", Script, false},
		{"/(foo|bar)-[0-9]{3}/", "https://x.net/bar-123", page, Script, true},
		{"/(foo|bar)-[0-9]{3}/", "https://x.net/baz-123", page, Script, false},
		{"/(foo|bar)[0-9]/", "https://x.net/foo7", page, Script, true},
		{"/Ad[0-9]/$match-case", "https://x.net/ad7", page, Script, false},
		{"/Ad[0-9]/$match-case", "https://x.net/Ad7", page, Script, true},
		{"/a\\*b[0-9]/", "https://x.net/a*b7", page, Script, true},
		{"example.net^ad$", "https://example.net/ad$", page, Image, true},
		{"/ad$foo/bar.js", "https://x.net/ad$foo/bar.js", page, Script, true},
		// types
		{"||ads.com^$script", "https://ads.com/", page, Script, true},
		{"||ads.com^$script", "https://ads.com/", page, Image, false},
		{"||ads.com^$script,image", "https://ads.com/", page, Image, true},
		{"||ads.com^$~script", "https://ads.com/", page, Script, false},
		{"||ads.com^$~script", "https://ads.com/", page, Font, true},
		{"||ads.com^$stylesheet", "https://ads.com/", page, Stylesheet, true},
		{"||ads.com^$font", "https://ads.com/", page, Font, true},
		{"||ads.com^$media", "https://ads.com/", page, Media, true},
		{"||ads.com^$xmlhttprequest", "https://ads.com/", page, XHR, true},
		{"||ads.com^$subdocument", "https://ads.com/", page, Subdocument, true},
		{"||ads.com^$websocket", "wss://ads.com/", page, WebSocket, true},
		{"||ads.com^$ping", "https://ads.com/", page, Ping, true},
		{"||ads.com^$other", "https://ads.com/", page, Other, true},
		{"||ads.com^$popup", "https://ads.com/", page, Popup, true},
		{"||ads.com^$popup", "https://ads.com/", page, Script, false},
		{"||ads.com^$document", "https://ads.com/", page, Document, true},
		{"||ads.com^$all", "https://ads.com/", page, Document, true},
		{"||ads.com^", "https://ads.com/", page, Document, false},
		{"||ads.com^", "https://ads.com/", page, Popup, false},
		{"||ads.com^$object,image", "https://ads.com/", page, Image, true},
		{"||ads.com^$object,image", "https://ads.com/", page, Other, false},
		{"||ads.com^", "https://ads.com/", page, Unknown, true},
		{"||ads.com^$script", "https://ads.com/", page, Unknown, false},
		{"||ads.com^$~script", "https://ads.com/", page, Unknown, false},
		// parties
		{"||ads.co.uk^$third-party", "https://ads.co.uk/", "news.co.uk", Script, true},
		{"||ads.co.uk^$third-party", "https://x.ads.co.uk/", "www.ads.co.uk", Script, false},
		{"||ads.co.uk^$3p", "https://x.ads.co.uk/", "", Script, false},
		{"||ads.co.uk^$~third-party", "https://x.ads.co.uk/", "www.ads.co.uk", Script, true},
		{"||ads.co.uk^$1p", "https://ads.co.uk/", "news.co.uk", Script, false},
		{"||ads.co.uk^$~1p", "https://ads.co.uk/", "news.co.uk", Script, true},
		{"/x.js$3p", "https://a.github.io/x.js", "b.github.io", Script, true},
		{"/x.js$3p", "http://192.0.2.7/x.js", "192.0.2.8", Script, true},
		{"/x.js$3p", "http://192.0.2.7/x.js", "192.0.2.7:8080", Script, false},
		{"/x.js$3p", "http://intranet/x.js", "intranet", Script, false},
		// pages
		{"/x.js$domain=a.com|b.com", "https://c.net/x.js", "www.b.com", Script, true},
		{"/x.js$domain=a.com|b.com", "https://c.net/x.js", "c.com", Script, false},
		{"/x.js$domain=a.com|~m.a.com", "https://c.net/x.js", "m.a.com", Script, false},
		{"/x.js$domain=a.com|~m.a.com|x.m.a.com", "https://c.net/x.js", "y.x.m.a.com", Script, true},
		{"/x.js$domain=~a.com", "https://c.net/x.js", "a.com", Script, false},
		{"/x.js$domain=~a.com", "https://c.net/x.js", "nota.com", Script, true},
		{"/x.js$domain=a.*", "https://c.net/x.js", "www.a.co.uk", Script, true},
		{"/x.js$domain=a.*", "https://c.net/x.js", "a.b.co.uk", Script, false},
		{"/x.js$from=a.com", "https://c.net/x.js", "A.com.", Script, true},
		{"$image,domain=a.com", "https://c.net/x", "a.com", Image, true},
		{"*$image,third-party,domain=a.com", "https://c.net/x", "a.com", Image, true},
		{"*$image,third-party,domain=a.com", "https://c.net/x", "b.com", Image, false},
		// not our concern
		{"*$domain=a.com", "data:text/plain,x", "a.com", Image, false},
		{"*$domain=a.com", "blob:https://a.com/1", "a.com", Image, false},
		{"*$domain=a.com", "https:///x", "a.com", Image, false},
	}
	for _, tt := range tests {
		t.Run(tt.rule+" "+tt.url, func(t *testing.T) {
			s := newSet(t, tt.rule)
			got, rule := s.Match(Request{URL: tt.url, PageHost: tt.page, Type: tt.typ})
			if got != tt.block {
				t.Errorf("blocked = %v, want %v (page %s, type %d)", got, tt.block, tt.page, tt.typ)
			}
			if got && rule != tt.rule {
				t.Errorf("rule = %q, want %q", rule, tt.rule)
			}
		})
	}
}

func TestMatch_exceptionsAndImportance(t *testing.T) {
	tests := []struct {
		name  string
		rules []string
		block bool
		rule  string
	}{
		{"exception", []string{"||ads.com^", "@@||ads.com/x.js"}, false, "@@||ads.com/x.js"},
		{"exception elsewhere", []string{"||ads.com^", "@@||ads.com/y.js"}, true, "||ads.com^"},
		{"exception of another type", []string{"||ads.com^", "@@||ads.com^$image"}, true, "||ads.com^"},
		{"exception on this page", []string{"||ads.com^", "@@*$script,domain=page.org"}, false, "@@*$script,domain=page.org"},
		{"exception on other pages", []string{"||ads.com^", "@@||ads.com^$domain=other.org"}, true, "||ads.com^"},
		{"exception for the page", []string{"||ads.com^", "@@||page.org^$document"}, false, "@@||page.org^$document"},
		{"exception for another page", []string{"||ads.com^", "@@||other.org^$document"}, true, "||ads.com^"},
		{"hiding exception", []string{"||ads.com^", "@@||page.org^$elemhide"}, true, "||ads.com^"},
		{"important", []string{"||ads.com^$important", "@@||ads.com^"}, true, "||ads.com^$important"},
		{"both important", []string{"||ads.com^$important", "@@||ads.com^$important"}, false, "@@||ads.com^$important"},
		{"important exception", []string{"||ads.com^", "@@||ads.com^$important"}, false, "@@||ads.com^$important"},
		{"nothing to except", []string{"@@||ads.com^"}, false, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, rule := newSet(t, tt.rules...).Match(Request{URL: "https://ads.com/x.js", PageHost: "www.page.org", Type: Script})
			if got != tt.block || rule != tt.rule {
				t.Errorf("got %v, %q; want %v, %q", got, rule, tt.block, tt.rule)
			}
		})
	}
}

func TestMatch_unknownTypeTakesAnyException(t *testing.T) {
	s := newSet(t, "||ads.com^", "@@||ads.com^$font")
	if blocked, _ := s.Match(Request{URL: "https://ads.com/x", PageHost: "a.com"}); blocked {
		t.Error("a request that may be a font is blocked")
	}
}

func TestMatch_longURLsAndHosts(t *testing.T) {
	s := newSet(t, "||ads.com^", "/tail.js|", "$image,domain=a.com")
	long := "https://ads.com/" + strings.Repeat("ad/", 1<<18)
	if blocked, _ := s.Match(Request{URL: long, PageHost: "b.com"}); !blocked {
		t.Error("long URL of a blocked host is let through")
	}
	for _, host := range []string{strings.Repeat("a.", 300) + "com", strings.Repeat("a", 300)} {
		if blocked, rule := s.Match(Request{URL: "https://" + host + "/", PageHost: "a.com", Type: Image}); blocked {
			t.Errorf("a host of %d bytes is blocked by %q", len(host), rule)
		}
		s.MatchHost(host, host)
		s.Hiding(host)
		s.URLPatterns(host, 10)
	}
}

func TestSet_zeroOptionsBlockNothing(t *testing.T) {
	s, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	if blocked, _ := s.Match(Request{URL: "https://doubleclick.net/", PageHost: "a.com"}); blocked {
		t.Error("an empty set blocks")
	}
	if s.MatchHost("doubleclick.net", "a.com") || len(s.Hiding("a.com")) > 0 || len(s.URLPatterns("a.com", 10)) > 0 {
		t.Error("an empty set blocks or hides")
	}
}

func TestMatch_regularExpressionsOfAnyCase(t *testing.T) {
	s := newSet(t, "/(?i:banner)[0-9]/$match-case", "/Spot[0-9]/$match-case")
	for url, want := range map[string]bool{"https://b.com/Banner1": true, "https://b.com/banner1": true, "https://b.com/Spot1": true, "https://b.com/spot1": false} {
		if got, rule := s.Match(Request{URL: url, PageHost: "a.com", Type: Script}); got != want {
			t.Errorf("%s: blocked %v by %q, want %v", url, got, rule, want)
		}
	}
}

func TestNew_regularExpressionsAreBoundedTogether(t *testing.T) {
	var list strings.Builder
	for i := range 150 {
		fmt.Fprintf(&list, "/x%d[a-z]{1000}/\n", i)
	}
	s, err := New(Options{Lists: []List{{Name: "n", Source: strings.NewReader(list.String())}}})
	if err != nil {
		t.Fatal(err)
	}
	if r := s.Reports()[0]; r.Rules > 100 || r.Rules < 50 || r.Skipped[OverLimit] != 150-r.Rules {
		t.Errorf("got %+v, want at most 100 rules", r)
	}
}

func TestNew_rulesAboutWhatIsUnseenAreCounted(t *testing.T) {
	const list = "||a.com^$popup\n||b.com^$document,popup\n||c.com^$popup,script\n@@||c.com^$popup\n@@||d.com^$document\n||e.com^$websocket,popup\n"
	s, err := New(Options{Lists: []List{{Name: "n", Source: strings.NewReader(list)}}, Unseen: []Type{Document, Popup}})
	if err != nil {
		t.Fatal(err)
	}
	want := "n: 3 request rules, 0 hiding rules; 3 lines have no effect: unsupported option: popup 2, unsupported option: document 1"
	if got := s.Reports()[0].Summary(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestSet_concurrentUse(t *testing.T) {
	s := newSet(t, "||ads.com^$third-party", "@@||ads.com/ok", "##.ad", "a.com#@#.ad", "/x/*$domain=b.*")
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 200 {
				s.Match(Request{URL: "https://ads.com/ok/x/", PageHost: "b.co.uk"})
				s.MatchHost("x.ads.com", "a.com")
				s.Hiding("a.com")
				s.URLPatterns("a.com", 10)
				s.Reports()
			}
		})
	}
	group.Wait()
}

func TestTypeOf_browserNames(t *testing.T) {
	tests := map[string]Type{
		"document": Document, "Stylesheet": Stylesheet, "image": Image, "media": Media, "texttrack": Media, "font": Font,
		"Script": Script, "xhr": XHR, "fetch": XHR, "EventSource": XHR, "websocket": WebSocket, "Ping": Ping,
		"manifest": Other, "other": Other, "": Unknown, "hologram": Unknown,
	}
	for name, want := range tests {
		if got := TypeOf(name); got != want {
			t.Errorf("TypeOf(%q) = %d, want %d", name, got, want)
		}
	}
}
