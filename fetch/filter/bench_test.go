package filter

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// bigList makes n rules in about the mix of a public list: half hosts, a third
// paths of hosts, the rest paths anywhere, exceptions and hiding rules.
func bigList(n int) string {
	var b strings.Builder
	for i := range n {
		switch i % 12 {
		case 0, 1, 2, 3, 4, 5:
			fmt.Fprintf(&b, "||ads%d.example%d.com^$third-party\n", i, i%977)
		case 6, 7, 8:
			fmt.Fprintf(&b, "||site%d.net/banner/%d/*.js$script,domain=page%d.org\n", i%5000, i, i%300)
		case 9:
			fmt.Fprintf(&b, "/ad-%d/top_%d^\n", i%3000, i)
		case 10:
			fmt.Fprintf(&b, "@@||cdn%d.org/lib%d/ok.js$script\n", i%800, i)
		case 11:
			fmt.Fprintf(&b, "page%d.org##.ad-%d\n", i%300, i)
		}
	}
	for i := range 300 {
		fmt.Fprintf(&b, "_banner%d_\n&ad%d=\nad%dx*y\n", i, i, i)
	}
	return b.String()
}

func bigSet(b *testing.B, n int) *Set {
	b.Helper()
	s, err := New(Options{Builtin: true, Lists: []List{{Source: strings.NewReader(bigList(n))}}})
	if err != nil {
		b.Fatal(err)
	}
	return s
}

var benchRequests = []struct {
	name string
	Request
}{
	{"plain", Request{"https://static.news.example.org/assets/2024/js/main-3f2a91.min.js?v=12", "www.news.example.org", Script}},
	{"blocked-host", Request{"https://x.ads12000.example276.com/pixel.gif?id=1", "www.news.example.org", Image}},
	{"blocked-path", Request{"https://c.site1006.net/banner/66006/a/b.js", "page6.org", Script}},
	{"long-hostile", Request{"https://x.com/" + strings.Repeat("ad-1/top_/banner/", 480), "www.news.example.org", Image}},
}

func BenchmarkMatch(b *testing.B) {
	for _, n := range []int{1000, 100_000} {
		s := bigSet(b, n)
		for _, r := range benchRequests {
			b.Run(fmt.Sprintf("rules=%d/%s", n, r.name), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					s.Match(r.Request)
				}
			})
		}
	}
}

func BenchmarkMatchHost(b *testing.B) {
	s := bigSet(b, 100_000)
	for b.Loop() {
		s.MatchHost("x.ads12000.example276.com", "www.news.example.org")
	}
}

func BenchmarkURLPatterns(b *testing.B) {
	s := bigSet(b, 100_000)
	for b.Loop() {
		s.URLPatterns("www.news.example.org", 1000)
	}
}

func BenchmarkHiding(b *testing.B) {
	lines := []string{"a.com##.own", "a.com#@#.general7"}
	for i := range 13_000 {
		lines = append(lines, fmt.Sprintf("##.general%d", i))
	}
	s := newSet(b, lines...)
	for b.Loop() {
		s.Hiding("www.a.com")
	}
}

func BenchmarkNew(b *testing.B) {
	text := bigList(100_000)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := New(Options{Builtin: true, Lists: []List{{Source: strings.NewReader(text)}}}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSetMemory reports what a set of 100,000 rules keeps.
func BenchmarkSetMemory(b *testing.B) {
	for b.Loop() {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		s := bigSet(b, 100_000)
		runtime.GC()
		runtime.ReadMemStats(&after)
		b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/1e6, "MB-kept")
		runtime.KeepAlive(s)
	}
}

// BenchmarkPattern_hostile compares patterns and URLs made for each other's worst.
func BenchmarkPattern_hostile(b *testing.B) {
	url := "https://a.com/" + strings.Repeat("a/", 2000)
	for name, text := range map[string]string{
		"stars":      strings.Repeat("a*", 500) + "b",
		"separators": strings.Repeat("a^", 60) + "b",
		"carets":     strings.Repeat("^", 120) + "b",
		"literal":    strings.Repeat("a/", 500) + "b",
	} {
		p, why := parsePattern(text)
		if why != "" {
			b.Fatal(why)
		}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				p.match(url, 8, 13)
			}
		})
	}
}
