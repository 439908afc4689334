package scope

import (
	"strings"
	"testing"
)

func mustNew(t testing.TB, o Options) *Scope {
	t.Helper()
	if o.Seed == "" {
		o.Seed = "https://example.com/"
	}
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// row is a link found on the seed, and why it is denied.
type row struct {
	url  string
	want Reason
}

func checkRows(t *testing.T, s *Scope, rows []row) {
	t.Helper()
	for _, r := range rows {
		v := s.Judge(Link{URL: r.url, From: s.seed.href, Hops: 1})
		if v.Reason != r.want {
			t.Errorf("seed %s, %q: got %q (%s), want %q", s.seed.href, r.url, v.Reason, v.Detail, r.want)
		}
	}
}

func TestJudge_eachReason(t *testing.T) {
	s := mustNew(t, Options{
		Seed:              "https://example.com/docs/",
		ExcludePaths:      []string{`/secret`},
		IncludePaths:      []string{`^/docs/`},
		MaxDepth:          new(2),
		MaxDiscoveryDepth: new(3),
	})
	cases := []struct {
		link   Link
		want   Reason
		detail string
	}{
		{Link{URL: "https://example.com:99999/"}, URLParseError, "invalid URL"},
		{Link{URL: "/docs/relative"}, URLParseError, "invalid URL"},
		{Link{URL: ""}, URLParseError, "invalid URL"},
		{Link{URL: "mailto:a@example.com"}, NonWebProtocol, "mailto"},
		{Link{URL: "tel:+123"}, NonWebProtocol, "tel"},
		{Link{URL: "FTP://example.com/docs/"}, NonWebProtocol, "ftp"},
		{Link{URL: "file:///docs/a"}, NonWebProtocol, "file"},
		{Link{URL: "javascript:void(0)"}, NonWebProtocol, "javascript"},
		{Link{URL: "data:text/html,x"}, NonWebProtocol, "data"},
		{Link{URL: "https://example.com/docs/a/b/c"}, DepthLimit, "3 path segments below the seed's, at most 2"},
		{Link{URL: "https://example.com/docs/a.PNG"}, FileType, ".png"},
		{Link{URL: "https://example.com/docs/a.js?v=1"}, FileType, ".js"},
		{Link{URL: "https://example.com/docs/a#part"}, SectionLink, "#part"},
		{Link{URL: "https://example.com/blog"}, BackwardCrawling, "outside /docs/"},
		{Link{URL: "https://example.com/docs"}, BackwardCrawling, "outside /docs/"},
		{Link{URL: "https://example.com/docs/secret"}, ExcludePattern, "/secret"},
		{Link{URL: "https://www.facebook.com/example"}, SocialMedia, "facebook"},
		{Link{URL: "https://other.example/secret"}, ExcludePattern, "/secret"},
		{Link{URL: "https://other.example/docs/"}, ExternalLink, "other.example"},
		{Link{URL: "https://example.com/docs/a", Hops: 4}, DiscoveryLimit, "4 links from the start, at most 3"},
		{Link{URL: "https://example.com/docs/a", Hops: 3}, "", ""},
		{Link{URL: "https://example.com/docs/a", Hops: 4, Sitemap: true}, "", ""},
		{Link{URL: "https://example.com/docs/"}, "", ""},
		{Link{URL: "https://example.com/docs/a.pdf"}, "", ""},
		{Link{URL: "https://example.com/docs/a.docx"}, "", ""},
	}
	for _, c := range cases {
		c.link.From = "https://example.com/docs/"
		v := s.Judge(c.link)
		if v.Reason != c.want || v.Accepted() != (c.want == "") || !strings.HasPrefix(v.Detail, c.detail) {
			t.Errorf("%+v: got %q, %q, want %q, %q", c.link, v.Reason, v.Detail, c.want, c.detail)
		}
		if (v.Key != "") != v.Accepted() {
			t.Errorf("%+v: %q, but key %q", c.link, v.Reason, v.Key)
		}
	}
}

// Each URL here breaks the rule of its row and all that come after it on its kind of host.
func TestJudge_firstReasonWins(t *testing.T) {
	o := Options{Seed: "https://example.com/docs/", ExcludePaths: []string{`/x`}, IncludePaths: []string{`never`}, MaxDepth: new(1), MaxDiscoveryDepth: new(0)}
	s := mustNew(t, o)
	checkRows(t, s, []row{
		{"https://example.com:99999/x/y/z.png#part", URLParseError},
		{"ftp://example.com/x/y/z.png#part", NonWebProtocol},
		{"https://example.com/x/y/z.png#part", DepthLimit},
		{"https://example.com/x.png#part", FileType},
		{"https://example.com/x#part", SectionLink},
		{"https://example.com/x", BackwardCrawling},
		{"https://example.com/docs/x", ExcludePattern},
		{"https://example.com/docs/y", IncludePattern},
		{"https://github.com/a/x/y", DepthLimit},
		{"https://github.com/x.png", FileType},
		{"https://github.com/x#part", SocialMedia},
		{"https://other.org/x#part", ExcludePattern},
		{"https://other.org/y", ExternalLink},
	})
	o.AllowSubdomains, o.AllowExternalLinks, o.IncludePaths = true, true, []string{`^/docs`}
	checkRows(t, mustNew(t, o), []row{
		{"https://other.org/docs", DiscoveryLimit},
		{"https://example.com/docs/y", DiscoveryLimit},
		{"https://a.example.com/", IncludePattern},
		{"https://a.example.com/x", ExcludePattern},
	})
}

func TestJudge_fileTypes(t *testing.T) {
	s := mustNew(t, Options{})
	for _, ext := range strings.Fields(".png .jpg .jpeg .gif .css .js .ico .svg .tiff .zip .exe .dmg .mp4 .mp3 .wav .avi .flv .woff .ttf .woff2 .webp .inc") {
		checkRows(t, s, []row{{"https://example.com/a/b" + ext, FileType}, {"https://example.com/a/B" + strings.ToUpper(ext) + "?q#f", FileType}})
	}
	checkRows(t, s, []row{
		{"https://example.com/a.pdf", ""},
		{"https://example.com/a.docx", ""},
		{"https://example.com/a.html", ""},
		{"https://example.com/a.png/", ""},
		{"https://example.com/a.png/b", ""},
		{"https://example.com/a?b=c.png", ""},
		{"https://example.com/png", ""},
		{"https://example.com/a.xpng", ""},
	})
	zip := mustNew(t, Options{Seed: "https://files.zip"})
	checkRows(t, zip, []row{{"https://files.zip", ""}, {"https://files.zip/a", ""}})
}

func TestJudge_area(t *testing.T) {
	cases := map[string]struct{ in, out []string }{
		"https://example.com":                   {[]string{"/", "/a", "/a/b"}, nil},
		"https://example.com/docs/":             {[]string{"/docs/", "/docs/a", "/docs/a/b"}, []string{"/", "/docs", "/docsx", "/doc", "/Docs/"}},
		"https://example.com/docs":              {[]string{"/docs", "/docs/", "/docs/a", "/docs?q"}, []string{"/", "/docs2", "/docs-old/a"}},
		"https://example.com/docs/start.html#a": {[]string{"/docs/start.html", "/docs/", "/docs/a/b"}, []string{"/docs", "/", "/start.html"}},
		"https://example.com/start.php?x=1":     {[]string{"/", "/a/b"}, nil},
		"https://example.com/docs/v1.2":         {[]string{"/docs/v1.2", "/docs/v1.2/a"}, []string{"/docs/", "/docs/v1.3"}},
		"https://example.com/.well-known":       {[]string{"/.well-known/a"}, []string{"/a"}},
		"https://example.com/a/.git":            {[]string{"/a/.git/b"}, []string{"/a/"}},
		"https://example.com/a/name.toolong":    {[]string{"/a/name.toolong"}, []string{"/a/"}},
		"https://example.com/a/dot.":            {[]string{"/a/dot."}, []string{"/a/"}},
		"https://example.com/a/x.a-b":           {[]string{"/a/x.a-b"}, []string{"/a/"}},
		"https://example.com/a/../b/":           {[]string{"/b/c", "/a/../b/c"}, []string{"/a/", "/b/../a"}},
	}
	for seed, c := range cases {
		s, entire := mustNew(t, Options{Seed: seed}), mustNew(t, Options{Seed: seed, CrawlEntireDomain: true})
		for _, path := range c.in {
			checkRows(t, s, []row{{"https://example.com" + path, ""}})
		}
		for _, path := range c.out {
			checkRows(t, s, []row{{"https://example.com" + path, BackwardCrawling}})
			checkRows(t, entire, []row{{"https://example.com" + path, ""}})
		}
		if v := s.Judge(Link{URL: seed}); !v.Accepted() {
			t.Errorf("the seed %s itself: %q", seed, v.Reason)
		}
	}
}

func TestJudge_maxDepthCountsSegmentsBelowTheSeed(t *testing.T) {
	const host = "https://example.com"
	checkRows(t, mustNew(t, Options{Seed: host + "/docs/guide", MaxDepth: new(1), CrawlEntireDomain: true, AllowExternalLinks: true}), []row{
		{host + "/docs/guide", ""},
		{host + "/docs/guide/", ""},
		{host + "/docs/guide/a", ""},
		{host + "/docs//guide/a/", ""},
		{host + "/docs/guide/a/index.html", ""},
		{host + "/docs/guide/a/b", DepthLimit},
		{host + "/", ""},
		{host + "/x/y/z", ""},
		{host + "/x/y/z/1", DepthLimit},
		{"https://other.org/x/y/z", ""},
		{"https://other.org/x/y/z/1", DepthLimit},
	})
	checkRows(t, mustNew(t, Options{Seed: host + "/a/start.html", MaxDepth: new(0)}), []row{
		{host + "/a/start.html", ""},
		{host + "/a/other.html", ""},
		{host + "/a/b/c.html", DepthLimit},
	})
	checkRows(t, mustNew(t, Options{Seed: host, MaxDepth: new(0)}), []row{{host + "/index.php", ""}, {host + "/a", DepthLimit}})
}

func TestJudge_fragments(t *testing.T) {
	s := mustNew(t, Options{AllowExternalLinks: true})
	checkRows(t, s, []row{
		{"https://example.com/a#", ""},
		{"https://example.com/a#b", SectionLink},
		{"https://example.com/#!b", SectionLink},
		{"https://example.com/#/b", ""},
		{"https://example.com/#!/b", ""},
		{"https://example.com/a#b/c", ""},
		{"https://other.org/a#b", ""},
	})
	for url, want := range map[string]string{
		"https://example.com/a#":    "https://example.com/a",
		"https://example.com/a#b":   "https://example.com/a",
		"https://example.com/#/b":   "https://example.com/#/b",
		"https://example.com/#!/b":  "https://example.com/#!/b",
		"https://example.com/a#b/c": "https://example.com/a",
		"https://other.org/a#b":     "https://other.org/a",
	} {
		if v := s.Judge(Link{URL: url, From: "https://example.com/"}); v.URL != want {
			t.Errorf("%s: got %s, want %s", url, v.URL, want)
		}
	}
	if v := s.Judge(Link{URL: "https://example.com/#top"}); v.URL != "https://example.com/" || !v.Accepted() {
		t.Errorf("a seed with a fragment: %+v", v)
	}
}

func TestJudge_seedOutsideThePatternsIsDenied(t *testing.T) {
	s := mustNew(t, Options{IncludePaths: []string{"^/blog"}, ExcludePaths: []string{"^/blog/old"}})
	if v := s.Judge(Link{URL: "https://example.com/"}); v.Reason != IncludePattern {
		t.Errorf("got %+v", v)
	}
	checkRows(t, s, []row{{"https://example.com/blog/a", ""}, {"https://example.com/blog/old/a", ExcludePattern}})
}

// What browsers make of a link is judged, not its spelling.
func TestJudge_spellings(t *testing.T) {
	s := mustNew(t, Options{Seed: "https://Example.com/docs/"})
	for url, want := range map[string]string{
		" https://example.com/docs/a\n":        "https://example.com/docs/a",
		"https://example.com/do\tcs/a":         "https://example.com/docs/a",
		`https:\\example.com\docs\a`:           "https://example.com/docs/a",
		"https:example.com/docs/a":             "https://example.com/docs/a",
		"HTTPS://EXAMPLE.COM:443/docs/./b/../": "https://example.com/docs/",
		"http://example.com:80/docs/a b":       "http://example.com/docs/a%20b",
		"https://example.com/docs/%":           "https://example.com/docs/%",
		"https://example.com/docs/ä?ö":         "https://example.com/docs/%C3%A4?%C3%B6",
	} {
		if v := s.Judge(Link{URL: url, From: "https://example.com/docs/"}); v.URL != want || !v.Accepted() {
			t.Errorf("%q: got %+v, want %s", url, v, want)
		}
	}
	checkRows(t, s, []row{
		{"https://example.com/docs/../a", BackwardCrawling},
		{"https://example.com/docs/%2e%2e/a", BackwardCrawling},
		{"https://exa mple.com/docs/", URLParseError},
		{"https://example.com:65536/docs/", URLParseError},
		{"https://example.com/docs/" + strings.Repeat("a", 17<<10), URLParseError},
	})
}
