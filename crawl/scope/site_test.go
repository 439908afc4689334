package scope

import "testing"

func TestJudge_internalHosts(t *testing.T) {
	cases := []struct{ seed, in, out []string }{
		{
			[]string{"https://example.com", "http://www.example.com", "https://EXAMPLE.com.:443", "https://user:pw@example.com"},
			[]string{"https://example.com/a", "http://example.com/a", "https://www.example.com/a", "https://user@example.com/a", "https://example.com./a"},
			[]string{"https://example.com:8443/a", "https://example.org/a", "https://a.example.com/a", "https://example.com.evil.org/a", "https://example.com@evil.org/a", "https://wwwexample.com/a"},
		},
		{[]string{"https://a.example.com"}, []string{"https://www.a.example.com/a"}, []string{"https://example.com/a", "https://b.example.com/a"}},
		{[]string{"http://localhost:8080"}, []string{"http://localhost:8080/a", "https://localhost:8080/a"}, []string{"http://localhost/a", "http://localhost:8081/a"}},
		{[]string{"http://127.0.0.1", "http://0x7f.1"}, []string{"http://127.0.0.1/a", "http://2130706433/a", "https://127.0.0.1/a"}, []string{"http://127.0.0.2/a", "http://1/a"}},
		{[]string{"http://[::1]:80", "http://[0:0:0:0:0:0:0:1]"}, []string{"http://[::1]/a"}, []string{"http://[::2]/a", "http://[::1]:81/a"}},
		{[]string{"https://bücher.example", "https://xn--bcher-kva.example"}, []string{"https://BÜCHER.example/a", "https://xn--bcher-kva.example/a"}, []string{"https://bucher.example/a"}},
		{[]string{"https://www.com"}, []string{"https://www.com/a"}, []string{"https://example.com/a"}},
	}
	for _, c := range cases {
		for _, seed := range c.seed {
			s := mustNew(t, Options{Seed: seed})
			for _, url := range c.in {
				checkRows(t, s, []row{{url, ""}})
			}
			for _, url := range c.out {
				checkRows(t, s, []row{{url, ExternalLink}})
			}
		}
	}
}

func TestJudge_subdomainsByPublicSuffix(t *testing.T) {
	cases := []struct {
		seed    string
		in, out []string
	}{
		{"https://www.example.com", []string{"https://a.example.com/", "https://a.b.example.com:8443/x", "http://example.com/"}, []string{"https://example.org/", "https://notexample.com/"}},
		{"https://blog.example.co.uk", []string{"https://example.co.uk/", "https://shop.example.co.uk/"}, []string{"https://other.co.uk/", "https://co.uk/"}},
		{"https://me.github.io", []string{"https://me.github.io/a", "https://docs.me.github.io/"}, []string{"https://you.github.io/", "https://github.io/"}},
		{"https://github.io", []string{"https://github.io/a"}, []string{"https://me.github.io/"}},
		{"https://me.s3.amazonaws.com", nil, []string{"https://you.s3.amazonaws.com/"}},
		{"https://bücher.example", []string{"https://xn--tnge-0qa.xn--bcher-kva.example/"}, []string{"https://xn--tnge-0qa.example/"}},
		{"http://localhost", nil, []string{"http://a.localhost/"}},
		{"http://10.0.0.1", nil, []string{"http://10.0.0.2/", "http://10.9.0.1/", "http://a.10.0.0.1.example/"}},
		{"http://[::1]", nil, []string{"http://[::2]/"}},
	}
	for _, c := range cases {
		s, narrow := mustNew(t, Options{Seed: c.seed, AllowSubdomains: true}), mustNew(t, Options{Seed: c.seed})
		for _, url := range c.in {
			checkRows(t, s, []row{{url, ""}})
		}
		for _, url := range c.out {
			checkRows(t, s, []row{{url, ExternalLink}})
			checkRows(t, narrow, []row{{url, ExternalLink}})
		}
	}
}

func TestJudge_subdomainsAndPatterns(t *testing.T) {
	s := mustNew(t, Options{Seed: "https://example.com/docs/", AllowSubdomains: true, IncludePaths: []string{"^/docs", "^/blog"}, ExcludePaths: []string{"^/blog/old", "//x[.]example"}})
	checkRows(t, s, []row{
		{"https://a.example.com/blog", ""},
		{"https://a.example.com/shop", IncludePattern},
		{"https://a.example.com/blog/old/1", ExcludePattern},
		{"https://x.example.com/blog", ExcludePattern},
	})
}

func TestJudge_externalLinksAreOneHop(t *testing.T) {
	s := mustNew(t, Options{Seed: "https://example.com/docs/", AllowExternalLinks: true, IncludePaths: []string{"^/docs"}, ExcludePaths: []string{"bad", "^/a"}})
	cases := []struct {
		from, url string
		want      Reason
	}{
		{"https://example.com/docs/", "https://other.org/a", ""},
		{"http://www.example.com/", "https://other.org/a", ""},
		{"https://example.com/docs/", "https://other.org/?q", ""},
		{"https://example.com/docs/", "https://other.org/#/a", ""},
		{"https://example.com/docs/", "https://other.org/", ExternalLink},
		{"https://example.com/docs/", "https://other.org//", ExternalLink},
		{"https://example.com/docs/", "https://other.org/?", ExternalLink},
		{"https://example.com/docs/", "https://other.org/#a", ExternalLink},
		{"https://example.com/docs/", "https://bad.org/a", ExcludePattern},
		{"https://example.com/docs/", "https://other.org/?bad", ExcludePattern},
		{"https://other.org/a", "https://other.org/b", ExternalLink},
		{"https://other.org/a", "https://third.org/b", ExternalLink},
		{"https://sub.example.com/a", "https://third.org/b", ExternalLink},
		{"not a URL", "https://third.org/b", ExternalLink},
		{"", "https://third.org/b", ExternalLink},
		{"https://other.org/a", "https://example.com/docs/b", ""},
	}
	for _, c := range cases {
		if v := s.Judge(Link{URL: c.url, From: c.from}); v.Reason != c.want {
			t.Errorf("%s on %s: got %q (%s), want %q", c.url, c.from, v.Reason, v.Detail, c.want)
		}
	}
	if v := s.Judge(Link{URL: "https://third.org/b", Sitemap: true}); v.Reason != ExternalLink {
		t.Errorf("an external URL of a sitemap: %+v", v)
	}
	both := mustNew(t, Options{AllowExternalLinks: true, AllowSubdomains: true})
	for from, want := range map[string]Reason{"https://sub.example.com/a": "", "https://other.org/": ExternalLink} {
		if v := both.Judge(Link{URL: "https://third.org/b", From: from}); v.Reason != want {
			t.Errorf("found on %s: got %q, want %q", from, v.Reason, want)
		}
	}
}

func TestJudge_socialMedia(t *testing.T) {
	s := mustNew(t, Options{AllowExternalLinks: true})
	for _, host := range []string{
		"facebook.com", "www.facebook.com", "de-de.facebook.com", "twitter.com", "mobile.twitter.com", "linkedin.com", "instagram.com",
		"pinterest.com", "www.pinterest.co.uk", "github.com", "gist.github.com", "calendly.com", "discord.com", "discord.gg",
	} {
		checkRows(t, s, []row{{"https://" + host + "/a", SocialMedia}})
	}
	for _, host := range []string{"me.github.io", "notfacebook.com", "facebook.example.org", "10.0.0.1", "github", "xn--bcher-kva.example"} {
		checkRows(t, s, []row{{"https://" + host + "/a", ""}})
	}
	checkRows(t, mustNew(t, Options{Seed: "https://github.com/winnow-go/", AllowSubdomains: true}), []row{
		{"https://github.com/winnow-go/winnow", ""},
		{"https://gist.github.com/a", ""},
		{"https://twitter.com/a", SocialMedia},
	})
}
