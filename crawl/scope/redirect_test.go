package scope

import "testing"

func TestJudgeRedirect(t *testing.T) {
	narrow := Options{Seed: "https://example.com/docs/", MaxDiscoveryDepth: new(0), IncludePaths: []string{"^/docs"}, ExcludePaths: []string{"/login"}}
	external := narrow
	external.AllowExternalLinks = true
	subdomains := narrow
	subdomains.AllowSubdomains = true
	cases := []struct {
		options          Options
		from, to, detail string // "": accepted
	}{
		{narrow, "https://example.com/docs/a", "https://example.com/docs/b", ""},
		{narrow, "https://example.com/docs/", "https://example.com/docs", ""}, // outside the area, but the same page
		{narrow, "http://example.com/docs/", "https://www.example.com/docs/index.html", ""},
		{narrow, "https://example.com/docs/a", "https://example.com/docs/b#part", ""},
		{narrow, "https://example.com/docs/a", "https://example.com/docs/login", "EXCLUDE_PATTERN: /login"},
		{narrow, "https://example.com/docs/a", "https://example.com/home", "BACKWARD_CRAWLING: outside /docs/"},
		{narrow, "https://example.com/docs/a", "https://other.org/docs/a", "EXTERNAL_LINK: other.org"},
		{narrow, "https://example.com/docs/a", "https://a.example.com/docs/a", "EXTERNAL_LINK: a.example.com"},
		{narrow, "https://example.com/docs/a", "https://example.com/docs/a.zip", "FILE_TYPE: .zip"},
		{narrow, "https://example.com/docs/a", "itms-apps://example.com/a", "NON_WEB_PROTOCOL: itms-apps"},
		{narrow, "no URL", "https://example.com/docs/a", ""},
		{subdomains, "https://example.com/docs/a", "https://a.example.com/docs/a", ""},
		{subdomains, "https://example.com/docs/a", "https://a.example.com/a", "INCLUDE_PATTERN"},
		{external, "https://example.com/docs/a", "https://other.org/a", ""},
		{external, "https://other.org/a", "https://other.org/b", ""},
		{external, "https://other.org/a", "https://third.org/b", ""},
		{external, "https://other.org/a", "https://other.org/", "EXTERNAL_LINK: other.org"},
		{external, "https://other.org/a", "https://github.com/a", "SOCIAL_MEDIA: github"},
	}
	for _, c := range cases {
		v := mustNew(t, c.options).JudgeRedirect(c.from, c.to)
		want := Reason("")
		if c.detail != "" {
			want = Redirect
		}
		if v.Reason != want || v.Detail != c.detail || (v.Key == "") != (c.detail != "") {
			t.Errorf("%s to %s: got %+v, want %q", c.from, c.to, v, c.detail)
		}
	}
	if v := mustNew(t, narrow).JudgeRedirect("https://example.com/docs/a", "https://["); v.Reason != Redirect || v.URL != "" {
		t.Errorf("no URL: %+v", v)
	}
}

func TestRebase_movesTheCrawlToAnotherHost(t *testing.T) {
	old := mustNew(t, Options{Seed: "https://example.com/", MaxDepth: new(1), ExcludePaths: []string{"bad"}, AllowSubdomains: true})
	s, err := old.Rebase("https://example.org/docs/#x")
	if err != nil {
		t.Fatal(err)
	}
	checkRows(t, s, []row{
		{"https://example.org/docs/a", ""},
		{"https://a.example.org/", ""},
		{"https://example.org/docs/bad", ExcludePattern},
		{"https://example.org/docs/a/b", DepthLimit},
		{"https://example.org/a", BackwardCrawling},
		{"https://example.com/a", ExternalLink},
	})
	checkRows(t, old, []row{{"https://example.com/a", ""}, {"https://example.org/docs/a", DepthLimit}})
	if _, err := old.Rebase("ftp://example.org/"); err == nil {
		t.Error("no error")
	}
}

// A redirect is followed by way of addresses that are no pages of the crawl, but neither to another host nor to a picture.
func TestJudgeHop(t *testing.T) {
	s := mustNew(t, Options{Seed: "https://example.com/docs/", ExcludePaths: []string{`^/docs/old`}})
	for to, want := range map[string]Reason{
		"https://example.com/docs/new": "", "https://example.com/docs/old/1": "", "https://example.com/elsewhere": "",
		"https://other.example/docs/": Redirect, "https://example.com/docs/logo.png": Redirect, "mailto:a@b": Redirect,
	} {
		if v := s.JudgeHop("https://example.com/docs/from", to); v.Reason != want {
			t.Errorf("%s: %+v, want %q", to, v, want)
		}
	}
	if v := s.JudgeRedirect("https://example.com/docs/from", "https://example.com/docs/old/1"); v.Reason != Redirect {
		t.Errorf("at its end: %+v", v)
	}
}
