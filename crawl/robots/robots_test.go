package robots

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

const agent = "winnow"

func TestAllowed_pathsHoweverSpelt(t *testing.T) {
	cases := []struct {
		name, rules, path string
		want              bool
	}{
		{"escape of a letter, rule plain", "Disallow: /admin", "/%61dmin", false},
		{"escape of a letter, rule encoded", "Disallow: /%61dmin", "/admin", false},
		{"in doubt an allow rule doesn't open", "Disallow: /\nAllow: /%61b", "/ab", false},
		{"hex digits in any case", "Disallow: /%c3%a4", "/%C3%A4", false},
		{"raw and encoded letters beyond ASCII", "Disallow: /ä", "/%c3%a4", false},
		{"an encoded slash is no slash", "Disallow: /a%2Fb", "/a/b", true},
		{"an encoded slash in any case", "Disallow: /a%2Fb", "/a%2fb", false},
		{"an encoded star is a star", "Disallow: /a%2Ab", "/a*b", false},
		{"an encoded star is no wildcard", "Disallow: /a%2Ab", "/axb", true},
		{"an encoded dollar is a dollar", "Disallow: /a%24", "/a$b", false},
		{"a stray percent sign", "Disallow: /100%", "/100%", false},
		{"a stray percent sign, encoded", "Disallow: /100%", "/100%25", false},
		{"a stray percent sign begins no other octet", "Disallow: /100%", "/100%41", true},
		{"a stray percent sign and hex", "Disallow: /100%2", "/100%2", false},
		{"an apostrophe", "Disallow: /x?q='a", "/x?q='a", false},
		{"a space", "Disallow: /a b", "/a%20b", false},
		{"quotes and angles", `Disallow: /"<a>"`, `/"<a>"`, false},
		{"dot segments of the URL", "Disallow: /private", "/public/../private", false},
		{"an encoded NUL", "Disallow: /a%00", "/a%00", false},
		{"the fragment", "Disallow: /a$", "/a#b", false},
		{"the end of the path counts as an octet", "Disallow: /a$\nAllow: /a", "/a", false},
		{"an empty query", "Disallow: /a$", "/a?", true},
	}
	for _, c := range cases {
		f := Parse([]byte("User-agent: *\n" + c.rules))
		if got := f.Allowed(agent, "https://example.com"+c.path); got != c.want {
			t.Errorf("%s: %q on %q: got %v, want %v", c.name, c.rules, c.path, got, c.want)
		}
	}
}

func TestAllowed_whatIsAskedFor(t *testing.T) {
	f := Parse([]byte("User-agent: *\nDisallow: /a\n"))
	for url, want := range map[string]bool{
		"https://example.com/a":       false,
		"/a?x":                        false,
		"/b":                          true,
		"HTTPS://user@Example.COM//a": true,
		"https://example.com":         true,
		"mailto:a@example.com":        true, // the root, which is free
		"no URL":                      true,
		"":                            true,
	} {
		if got := f.Allowed(agent, url); got != want {
			t.Errorf("Allowed(%q): got %v, want %v", url, got, want)
		}
	}
	if Parse([]byte("User-agent: *\nDisallow: /$")).Allowed(agent, "no URL") {
		t.Error("what is no URL isn't judged as the root")
	}
}

func TestAllowed_robotsTxtAlways(t *testing.T) {
	for name, f := range map[string]*File{"rules": Parse([]byte("User-agent: *\nDisallow: /")), "DisallowAll": DisallowAll()} {
		if !f.Allowed(agent, "https://example.com/robots.txt?x=1") {
			t.Errorf("%s: robots.txt is forbidden", name)
		}
		if f.Allowed(agent, "https://example.com/a/robots.txt") {
			t.Errorf("%s: a file of that name elsewhere is allowed", name)
		}
	}
}

func TestAllowed_agentsAsTokenOrHeader(t *testing.T) {
	f := Parse([]byte("User-agent: Winnow\nDisallow: /w\n\nUser-agent: 360Spider/2.0\nDisallow: /3\n\nUser-agent: w\nDisallow: /one\n\nUser-agent: *\nDisallow: /any\n"))
	cases := map[string]string{
		"winnow":                     "/w",
		"WINNOW":                     "/w",
		" winnow ":                   "/w",
		"winnow/1.0":                 "/w",
		"winnow/1.0 (+https://x.de)": "/w",
		"winnow (+https://x.de)":     "/w",
		"Mozilla/5.0 (compatible; Winnow/1.0; +https://x.de)": "/w",
		"Mozilla/5.0 (X11; Linux x86_64)":                     "/any",
		"360spider":                                           "/3",
		"w":                                                   "/one",
		"winnows":                                             "/any",
		"win":                                                 "/any",
		"winnow two":                                          "/any",
		"":                                                    "/any",
		"*":                                                   "/any",
		"/":                                                   "/any",
	}
	for agent, want := range cases {
		var got []string
		for _, path := range []string{"/w", "/3", "/one", "/any"} {
			if !f.Allowed(agent, path) {
				got = append(got, path)
			}
		}
		if !slices.Equal(got, []string{want}) {
			t.Errorf("%q: forbidden %q, want %q", agent, got, want)
		}
	}
}

func TestParse_directivesAreReadKindly(t *testing.T) {
	for name, body := range map[string]string{
		"one s less":               "User-agent: *\nDisalow: /a",
		"one s more":               "User-agent: *\nDissallow: /a",
		"no hyphen":                "useragent: *\nDisallow: /a",
		"a space in place of it":   "User agent: *\nDisallow: /a",
		"spaces around the colon":  "User-agent :\t*\n  Disallow\t: /a  ",
		"no colon":                 "User-agent *\nDisallow /a",
		"no slash":                 "User-agent: *\nDisallow: a",
		"a comment behind the *":   "User-agent: * # all\nDisallow: /a",
		"words behind the *":       "User-agent: * all\nDisallow: /a",
		"junk above":               "<!doctype html>\x00\xff\nDisallow: /b\nUser-agent: *\nDisallow: /a",
		"a bad delay above":        "User-agent: *\nCrawl-delay: soon\nDisallow: /a",
		"a group without a name":   "User-agent: *\nDisallow: /a\nUser-agent: ???\nAllow: /a",
		"a name beside none":       "User-agent: ???\nUser-agent: *\nDisallow: /a",
		"unknown lines in between": "User-agent: *\nNoindex: /x\nHost: example.com\nDisallow: /a",
	} {
		f := Parse([]byte(body))
		if f.Allowed(agent, "/a") || !f.Allowed(agent, "/b") {
			t.Errorf("%s: /a %v, /b %v, want only /b allowed: %q", name, f.Allowed(agent, "/a"), f.Allowed(agent, "/b"), body)
		}
	}
}

func TestParse_groupOfOwnWithoutRulesIsFree(t *testing.T) {
	f := Parse([]byte("User-agent: *\nDisallow: /\nCrawl-delay: 3\n\nUser-agent: winnow\n"))
	if !f.Allowed(agent, "/a") {
		t.Error("the rules for anyone hold for a robot with a group of its own")
	}
	if d, ok := f.CrawlDelay(agent); ok {
		t.Errorf("the delay for anyone, %s, holds too", d)
	}
}

func TestParse_onlyTheFirst512KiBCount(t *testing.T) {
	head := "User-agent: *\nDisallow: /a\n"
	cut := "Disallow: /private"
	pad := strings.Repeat("#", MaxSize-len(head)-len("\nDisallow: /")) + "\n"
	f := Parse([]byte(head + pad + cut + "\nDisallow: /b\n"))
	if f.Allowed(agent, "/a") || !f.Allowed(agent, "/b") || !f.Allowed(agent, "/private") {
		t.Error("the limit isn't where it should be")
	}
	if line, ok := f.Rule(agent, "/x"); ok {
		t.Errorf("the line that was cut through counts: %q", line)
	}
	if whole := head + pad + "Disallow: /"; Parse([]byte(whole)).Allowed(agent, "/x") || len(whole) != MaxSize {
		t.Errorf("the last line of a file of %d bytes doesn't count", len(whole))
	}
}

func TestRule_namesTheLine(t *testing.T) {
	long := "Disallow: /long" + strings.Repeat("x", 300)
	f := Parse([]byte("User-agent: *\n  Disallow: /a  # why\nallow: /a/b\n" + long + "\nAllow: /d/index.html\n"))
	cases := map[string]string{
		"/a/x":                              "Disallow: /a",
		"/a/b":                              "allow: /a/b",
		"/long" + strings.Repeat("x", 300):  long[:200],
		"/d/":                               "Allow: /d/index.html",
		"/d/x":                              "",
		"/robots.txt":                       "",
		"https://example.com/a#x":           "Disallow: /a",
		"https://example.com/a%2fb?c=%zz#x": "Disallow: /a",
	}
	for url, want := range cases {
		got, ok := f.Rule(agent, url)
		if got != want || ok != (want != "") {
			t.Errorf("Rule(%q): got %q, %v, want %q", url, got, ok, want)
		}
	}
	for _, f := range []*File{AllowAll(), DisallowAll(), {}} {
		if line, ok := f.Rule(agent, "/a"); ok {
			t.Errorf("a file without text has the line %q", line)
		}
	}
}

func TestFromStatus(t *testing.T) {
	body := []byte("User-agent: *\nDisallow: /a\n")
	cases := []struct {
		status      int
		a, b, again bool
	}{
		{200, false, true, false},
		{204, false, true, false},
		{301, true, true, false},
		{304, true, true, false},
		{401, true, true, false},
		{403, true, true, false},
		{404, true, true, false},
		{410, true, true, false},
		{451, true, true, false},
		{429, false, false, true},
		{500, false, false, true},
		{503, false, false, true},
		{0, false, false, true},
		{100, false, false, true},
		{999, false, false, true},
	}
	for _, c := range cases {
		f, again := FromStatus(c.status, body)
		if a, b := f.Allowed(agent, "/a"), f.Allowed(agent, "/b"); a != c.a || b != c.b || again != c.again {
			t.Errorf("%d: got /a %v, /b %v, again %v, want %v, %v, %v", c.status, a, b, again, c.a, c.b, c.again)
		}
	}
}

func TestCrawlDelay(t *testing.T) {
	const s = time.Second
	cases := []struct {
		name, body string
		want       time.Duration
	}{
		{"own group", "User-agent: *\nCrawl-delay: 9\nDisallow: /x\nUser-agent: winnow\nCrawl-delay: 2\nDisallow: /y", 2 * s},
		{"fraction", "User-agent: *\nCrawl-delay: 0.5", s / 2},
		{"for anyone", "User-agent: *\nDisallow: /a\nCrawl-delay: 4", 4 * s},
		{"not inherited", "User-agent: *\nCrawl-delay: 4\nUser-agent: winnow\nDisallow: /", 0},
		{"merged groups", "User-agent: winnow\nCrawl-delay: 4\n\nUser-agent: other\nDisallow: /\n\nUser-agent: winnow\nDisallow: /x", 4 * s},
		{"only of the lines right above", "User-agent: other\nCrawl-delay: 10\nUser-agent: winnow\nDisallow: /x", 0},
		{"each its own", "User-agent: other\nCrawl-delay: 10\nUser-agent: winnow\nCrawl-delay: 1", s},
		{"shared", "User-agent: winnow\nUser-agent: other\nCrawl-delay: 10", 10 * s},
		{"the last one", "User-agent: winnow\nCrawl-delay: 10\nDisallow: /x\nCrawl-delay: 20", 20 * s},
		{"no prefix of a name", "User-agent: win\nCrawl-delay: 10", 0},
		{"a name of one letter", "User-agent: *\nCrawl-delay: 10\nUser-agent: w\nCrawl-delay: 1", 10 * s},
		{"before any group", "Crawl-delay: 10\nUser-agent: *\nDisallow: /x", 0},
		{"of nobody", "User-agent: ???\nCrawl-delay: 10\nUser-agent: *\nDisallow: /x", 0},
		{"zero", "User-agent: *\nCrawl-delay: 0", 0},
		{"below zero", "User-agent: *\nCrawl-delay: -1", 0},
		{"no number", "User-agent: *\nCrawl-delay: NaN", 0},
		{"without end", "User-agent: *\nCrawl-delay: Inf", 24 * time.Hour},
		{"too long", "User-agent: *\nCrawl-delay: 1e300", 24 * time.Hour},
		{"too short to be one", "User-agent: *\nCrawl-delay: 1e-300", 0},
		{"empty", "User-agent: *\nCrawl-delay:\nDisallow: /x", 0},
		{"no file", "", 0},
	}
	for _, c := range cases {
		if got, ok := Parse([]byte(c.body)).CrawlDelay("winnow/1.0"); got != c.want || ok != (c.want > 0) {
			t.Errorf("%s: got %s, %v, want %s", c.name, got, ok, c.want)
		}
	}
	if got, _ := Parse([]byte("User-agent: w\nCrawl-delay: 1\nUser-agent: *\nCrawl-delay: 10")).CrawlDelay("w"); got != s {
		t.Errorf("a robot with a name of one letter: got %s, want 1s", got)
	}
}

func TestSitemaps_inOrderWithoutDuplicates(t *testing.T) {
	f := Parse([]byte("Sitemap: https://example.com/b.xml\nUser-agent: *\nsitemap : HTTP://Example.com/A.xml # the old one\nDisallow: /x\n" +
		"Sitemap: https://example.com/b.xml\nSitemap: /c.xml\nSitemap:\nSitemap: ftp://example.com/d.xml\nSitemap: https://\n" +
		"Sitemap: https://example.com/e f.xml\nSite-map: https://example.com/ä.xml\nSitemap: https://example.com/\xff\nSitemap: https://example.com/g?a=b&c=d:e"))
	want := []string{
		"https://example.com/b.xml", "HTTP://Example.com/A.xml", "https://example.com/e%20f.xml", "https://example.com/ä.xml",
		"https://example.com/g?a=b&c=d:e",
	}
	got := f.Sitemaps()
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	got[0] = ""
	if f.Sitemaps()[0] != want[0] {
		t.Error("the slice is the file's own")
	}
	if f.Allowed(agent, "/x") {
		t.Error("a sitemap line ended the group")
	}
}

func TestSitemaps_atMost1000(t *testing.T) {
	var b strings.Builder
	for i := range 1500 {
		fmt.Fprintf(&b, "Sitemap: https://example.com/%d.xml\n", i/2*2)
		fmt.Fprintf(&b, "Sitemap: https://example.com/%d.xml\n", i)
	}
	got := Parse([]byte(b.String())).Sitemaps()
	if len(got) != 1000 || got[999] != "https://example.com/999.xml" {
		t.Errorf("got %d, last %q", len(got), got[len(got)-1])
	}
}

func TestReadExtras_anErrorOfTheLibraryCostsNoRule(t *testing.T) {
	e := readExtras([]byte("crawl-delay: x\nsitemap: https://example.com/\n"))
	if d, ok := e.crawlDelay(agent); ok || d != 0 || len(e.sitemaps) != 0 {
		t.Errorf("got %s, %q", d, e.sitemaps)
	}
	f := File{groups: Parse([]byte("User-agent: *\nDisallow: /a")).groups, extras: e}
	if f.Allowed(agent, "/a") {
		t.Error("the rule went with it")
	}
}

// The number of things that are kept, and so the work per question, grows with the text and not with a product of its parts.
func TestParse_keepsNoMoreThanTheTextHas(t *testing.T) {
	for name, body := range hostile() {
		f := Parse([]byte(body))
		names, most := 0, strings.Count(body, "\n")+1
		for token, groups := range f.groups.byName {
			names += len(groups)
			rules := 0
			for _, n := range groups {
				rules += len(f.groups.rules[n])
			}
			if rules > most {
				t.Errorf("%s: %d lines gave %d rules for %s", name, most, rules, token)
			}
		}
		if names > most {
			t.Errorf("%s: %d lines gave %d names", name, most, names)
		}
	}
}

func TestAllowed_whatIsTooCostlyToCompareIsForbidden(t *testing.T) {
	long := "/" + strings.Repeat("a", 16<<10-100)
	rules := func(n int, line string) *File {
		return Parse([]byte("User-agent: *\nAllow: /plain\n" + strings.Repeat(line, n)))
	}
	few, many := maxWork/len(long), maxWork/len(long)+1
	if !rules(few, "Disallow: /*b\n").Allowed(agent, long) {
		t.Error("rules that can be compared aren't")
	}
	f := rules(many, "Disallow: /*b\n")
	if f.Allowed(agent, long) {
		t.Error("rules that can't be compared count as not matching")
	}
	if line, ok := f.Rule(agent, long); line != "Disallow: /*b" || !ok {
		t.Errorf("decided by %q, %v", line, ok)
	}
	if !f.Allowed(agent, "/plain") || !f.Allowed(agent, "/a") {
		t.Error("other URLs are forbidden too")
	}
	if f := Parse([]byte("User-agent: *\nDisallow: /\n" + strings.Repeat("Allow: /*a\n", 2*many))); !f.Allowed(agent, long) {
		t.Error("a rule that was compared in time doesn't count")
	}
	if f := Parse([]byte("User-agent: *\nDisallow: /\n" + strings.Repeat("Allow: /*b\n", many) + "Allow: /*a\n")); f.Allowed(agent, long) {
		t.Error("a rule that wasn't compared allows")
	}
}

// hostile are files of full size that cost most.
func hostile() map[string]string {
	fill := func(head string, line func(i int) string) string {
		var b strings.Builder
		b.WriteString(head)
		for i := 0; b.Len() < MaxSize; i++ {
			b.WriteString(line(i))
		}
		return b.String()
	}
	half := func(first, second string) string {
		return strings.Repeat(first, MaxSize/2/len(first)) + strings.Repeat(second, MaxSize/2/len(second))
	}
	const all = "User-agent: *\n"
	return map[string]string{
		"wildcards":          fill(all, func(i int) string { return fmt.Sprintf("Disallow: /*a%d*b*c$\n", i) }),
		"short wildcards":    fill(all, func(int) string { return "Disallow:*z\n" }),
		"near misses":        fill(all, func(i int) string { return "Disallow:*" + strings.Repeat("a", 40+i%20) + "b\n" }),
		"one long wildcard":  all + "Disallow: " + strings.Repeat("*a", MaxSize/2),
		"plain rules":        fill(all, func(i int) string { return fmt.Sprintf("Disallow: /a/%d\n", i) }),
		"groups":             fill("", func(i int) string { return fmt.Sprintf("User-agent:a%d\nAllow:/\n", i) }),
		"one group by name":  fill("", func(int) string { return "User-agent:*\nAllow:/x\n" }),
		"agents and rules":   half("User-agent: winnow\n", "Disallow: /x\n"),
		"agents and delays":  fill("", func(i int) string { return fmt.Sprintf("User-agent:a%d\n", i) })[:MaxSize/2] + strings.Repeat("\nCrawl-delay: 1", MaxSize/2/15),
		"agents, then rules": fill("", func(i int) string { return fmt.Sprintf("User-agent:a%d\n", i) })[:MaxSize/2] + strings.Repeat("\nAllow: /x", MaxSize/2/10),
		"sitemaps":           fill("", func(i int) string { return fmt.Sprintf("Sitemap: http://a/%d\n", i) }),
		"one line":           strings.Repeat("a", MaxSize),
		"line ends":          strings.Repeat("\r\n", MaxSize/2),
		"letters to encode":  all + "Disallow: /" + strings.Repeat("\xff", MaxSize-30),
	}
}
