package robots

import (
	"strings"
	"testing"
	"time"
)

func FuzzParse(f *testing.F) {
	for _, c := range corpus(f) {
		f.Add([]byte(c.Robots), c.Agent, c.URL)
	}
	f.Add([]byte("User-agent: *\nCrawl-delay: 1e9\nSitemap: https://a/ b\nDisallow: /*a*%zz$"), "Mozilla/5.0 (compatible; x", "/%")
	f.Fuzz(func(t *testing.T, body []byte, agent, url string) {
		file := Parse(body)
		line, decided := file.Rule(agent, url)
		allowed := file.Allowed(agent, url)
		if !decided && !allowed {
			t.Errorf("%q is forbidden by no line", url)
		}
		if decided && line == "" && len(body) < 200 {
			t.Errorf("%q is decided by an unknown line", url)
		}
		if decided && !strings.Contains(strings.ToValidUTF8(string(body), ""), line) {
			t.Errorf("the line %q isn't in the file", line)
		}
		if file.Allowed(strings.ToUpper(agent), url) != file.Allowed(strings.ToLower(agent), url) && isASCII(agent) {
			t.Errorf("the case of %q counts", agent)
		}
		if !file.Allowed(agent, "/robots.txt") {
			t.Error("robots.txt is forbidden")
		}
		if d, ok := file.CrawlDelay(agent); ok != (d > 0) || d < 0 || d > 24*time.Hour {
			t.Errorf("delay %s, %v", d, ok)
		}
		if n := len(file.Sitemaps()); n > maxSitemaps {
			t.Errorf("%d sitemaps", n)
		}
	})
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= 0x80 })
}

// The library gets no text that it refuses: that would cost delays and sitemaps.
func FuzzCleanText(f *testing.F) {
	for _, c := range corpus(f) {
		f.Add([]byte(c.Robots))
	}
	f.Add([]byte("User-agent: a\nCrawl-delay: 0x1p3\nSitemap: https://a/\xe2\x80\xa8b\tc"))
	f.Fuzz(func(t *testing.T, body []byte) {
		var c cleanText
		want := map[string]bool{}
		for d := range directives(body) {
			c.add(d)
			if address, ok := readSitemap(d.value); ok && d.kind == sitemap {
				want[address] = true
			}
		}
		text := c.finish()
		e := readExtras(text)
		if e.data == nil {
			t.Fatalf("refused: %q", text)
		}
		if len(e.sitemaps) != min(len(want), maxSitemaps) {
			t.Errorf("%d sitemaps, want %d: %q", len(e.sitemaps), len(want), text)
		}
		for _, s := range e.sitemaps {
			if !want[s] {
				t.Errorf("%q is none of the sitemaps", s)
			}
		}
	})
}
