package filter

import (
	"slices"
	"strings"
	"testing"
)

func TestHiding_generalAndSpecific(t *testing.T) {
	s := newSet(t,
		"##.ad", "###top-ad", "~shop.com##.promo", "a.com,~m.a.com##.side", "b.com,c.*##div[style=\"width: 1px;\"]",
		"a.com#@#.ad", "#@#.promo-ok", "##.promo-ok", "~x.com#@#.almost", "##.almost",
		"@@||quiet.com^$elemhide", "@@||plain.com^$generichide", "plain.com##.own", "@@||coarse.com^$specifichide", "coarse.com##.own",
		"@@||free.com^$document", "*##.star", "d.com##.ad", "#@#a > b", "d.com##a > b")
	tests := map[string]string{
		"a.com":       ".side .promo #top-ad .star",
		"m.a.com":     ".promo #top-ad .star",
		"x.a.com":     ".side .promo #top-ad .star",
		"b.com":       `div[style="width:_1px;"] .promo .ad #top-ad .star`,
		"www.c.co.uk": `div[style="width:_1px;"] .promo .ad #top-ad .star`,
		"shop.com":    ".ad #top-ad .star",
		"x.com":       ".promo .ad #top-ad .almost .star",
		"d.com":       ".ad .promo #top-ad .star",
		"quiet.com":   "",
		"plain.com":   ".own",
		"coarse.com":  ".promo .ad #top-ad .star",
		"free.com":    "",
		"":            ".promo .ad #top-ad .star",
	}
	for page, want := range tests {
		var words []string
		for _, selector := range s.Hiding(page) {
			words = append(words, strings.ReplaceAll(selector, " ", "_"))
		}
		if got := strings.Join(words, " "); got != want {
			t.Errorf("Hiding(%q) = %s, want %s", page, got, want)
		}
	}
}

func TestHiding_callerMayChangeTheSlice(t *testing.T) {
	s := newSet(t, "##.a", "##.b")
	first := s.Hiding("a.com")
	first[0] = "changed"
	if got := s.Hiding("a.com"); !slices.Equal(got, []string{".a", ".b"}) {
		t.Errorf("got %q", got)
	}
}

func TestSafeSelector_refusesMoreThanSelectors(t *testing.T) {
	for _, s := range []string{
		".ad", "#a > b + c ~ d", `a[href^="http://x.com/{a};"]`, `a[href='"']`, ":not(.a, :is(b))", `.a\:b`, `a[href="\""]`, "*", "[data-x]", "тег",
	} {
		if !safeSelector(s) {
			t.Errorf("%q is refused", s)
		}
	}
	for _, s := range []string{
		"", ".a{}", "a}b", "a;b", "@import", "a/*b", "a<b", `a["`, `a[href="x]`, "(", "a)", "a[b(c])", "a\nb", "a\\", "a\"b\nc\"", "</style>",
		`a["</style>"]`, "a!b", strings.Repeat("a", 5000),
	} {
		if safeSelector(s) {
			t.Errorf("%q is taken", s)
		}
	}
}
