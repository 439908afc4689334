package scope

import (
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/winnow-go/winnow/fetch/weburl"
)

// soak is a count for long tests: in full with WINNOW_SOAK=1, else a tenth.
func soak(full int) int {
	if os.Getenv("WINNOW_SOAK") == "1" {
		return full
	}
	return full / 10
}

// maker makes random URLs that are near the edges of the rules.
type maker struct{ *rand.Rand }

func (m maker) pick(list string) string {
	words := strings.Split(list, " ")
	return words[m.IntN(len(words))]
}

func (m maker) url() string {
	path := ""
	for range m.IntN(5) {
		path += "/" + m.pick(" a docs index.html index.php x.png b.pdf .. . %2e%2e ü %41 a%2Fb a%2fb %%36%31 %6%31 %7e www")
	}
	return m.pick("https http HTTPS ftp mailto") + m.pick(":// : :/ :\\\\ ://u:p@") +
		m.pick("example.com www.example.com www.www.example.com a.example.com example.com. me.github.io github.io 127.0.0.1 [::1] localhost BÜCHER.example www. . facebook.com www.1") +
		m.pick(" : :80 :443 :8080 :99999") + path + m.pick(" / // ? ?q=1 ?q=ä ?%71=%c3%a4 ?% # #a #/a #!/b #a/b ?#")
}

func (m maker) options() Options {
	flip := func() bool { return m.IntN(2) == 0 }
	o := Options{
		Seed:         m.pick("https://example.com http://www.example.com/docs/ https://u:p@example.com:8080/docs https://me.github.io/index.html http://[::1]/a"),
		IncludePaths: strings.Fields(m.pick(" ^/docs a|b .")), ExcludePaths: strings.Fields(m.pick(" x ü ^/www")),
		RegexOnFullURL: flip(), CrawlEntireDomain: flip(), AllowSubdomains: flip(), AllowExternalLinks: flip(), IgnoreQueryParameters: flip(), DeduplicateSimilarURLs: flip(),
	}
	if flip() {
		o.MaxDepth, o.MaxDiscoveryDepth = new(m.IntN(3)), new(m.IntN(3))
	}
	return o
}

func TestJudge_propertiesOfRandomLinks(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	m := maker{rand.New(rand.NewPCG(seed, 0))}
	seen := map[Reason]int{}
	for range soak(10_000) {
		o := m.options()
		s, twin := mustNew(t, o), mustNew(t, o)
		for range 10 {
			l := Link{URL: m.url(), From: m.url(), Hops: m.IntN(4), Sitemap: m.IntN(4) == 0}
			v := checkVerdict(t, s, l)
			if again := twin.Judge(l); again != v {
				t.Fatalf("%+v, %+v: %+v, then %+v", o, l, v, again)
			}
			seen[v.Reason]++
		}
	}
	for _, r := range []Reason{"", URLParseError, NonWebProtocol, DepthLimit, FileType, SectionLink, BackwardCrawling, ExcludePattern, IncludePattern, SocialMedia, ExternalLink, DiscoveryLimit} {
		if seen[r] == 0 {
			t.Errorf("no link was denied for %q: %v", r, seen)
		}
	}
}

// checkVerdict holds what is true of every verdict.
func checkVerdict(t *testing.T, s *Scope, l Link) Verdict {
	t.Helper()
	v := s.Judge(l)
	key := s.Key(l.URL)
	if twice := s.Key(key); twice != key {
		t.Errorf("%+v: key of %q is %q, its key %q", s.options, l.URL, key, twice)
	}
	if v.Accepted() && (v.Key != key || key == "") {
		t.Errorf("%q: key %q, in the verdict %q", l.URL, key, v.Key)
	}
	if !v.Accepted() && v.Key != "" {
		t.Errorf("%q: denied for %s with key %q", l.URL, v.Reason, v.Key)
	}
	if href, err := weburl.Parse(v.URL); v.Reason != URLParseError && (err != nil || href != v.URL) {
		t.Errorf("%q: URL %q isn't in normal form: %q, %v", l.URL, v.URL, href, err)
	}
	if !v.Accepted() {
		return v
	}
	if s.Key(v.URL) != key {
		t.Errorf("%q: key of the URL to fetch %q, want %q", l.URL, s.Key(v.URL), key)
	}
	if back := s.JudgeRedirect(v.URL, v.URL); back.URL != v.URL || back.Key != v.Key || !back.Accepted() {
		t.Errorf("%q: a redirect to itself gives %+v, want %+v", l.URL, back, v)
	}
	return v
}

func TestJudge_concurrently(t *testing.T) {
	s := mustNew(t, Options{IncludePaths: []string{"a"}, AllowSubdomains: true, DeduplicateSimilarURLs: true})
	want := s.Judge(Link{URL: "https://www.example.com/a/"})
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 1000 {
				if v := s.Judge(Link{URL: "https://www.example.com/a/"}); v != want {
					t.Errorf("got %+v, want %+v", v, want)
					return
				}
			}
		})
	}
	wg.Wait()
}

func FuzzJudge(f *testing.F) {
	m := maker{rand.New(rand.NewPCG(1, 2))}
	for range 100 {
		f.Add(m.url(), m.url(), m.url(), "a|b", m.Uint32())
	}
	f.Fuzz(func(t *testing.T, seed, url, from, pattern string, bits uint32) {
		bit := func(n int) bool { return bits>>n&1 == 1 }
		o := Options{
			Seed: seed, RegexOnFullURL: bit(0), CrawlEntireDomain: bit(1), AllowSubdomains: bit(2), AllowExternalLinks: bit(3),
			IgnoreQueryParameters: bit(4), DeduplicateSimilarURLs: bit(5),
		}
		if bit(6) {
			o.IncludePaths = []string{pattern}
		}
		if bit(7) {
			o.ExcludePaths = []string{pattern}
		}
		if bit(8) {
			o.MaxDepth = new(int(bits >> 9 & 3))
		}
		s, err := New(o)
		if err != nil {
			return
		}
		l := Link{URL: url, From: from, Hops: int(bits >> 12 & 3), Sitemap: bit(11)}
		if v := checkVerdict(t, s, l); s.Judge(l) != v {
			t.Errorf("%+v: judged differently the second time", l)
		}
		s.JudgeRedirect(from, url)
	})
}
