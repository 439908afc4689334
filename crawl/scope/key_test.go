package scope

import (
	"slices"
	"testing"
)

func keys(s *Scope, urls []string) []string {
	out := make([]string, 0, len(urls))
	for _, u := range urls {
		out = append(out, s.Key(u))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func TestKey_similarURLsAreOnePage(t *testing.T) {
	same := [][]string{
		{"https://example.com/a", "http://example.com/a", "https://www.example.com/a", "http://www.example.com/a/", "https://example.com/a/index.html",
			"https://example.com/a/index.php", "https://EXAMPLE.com:443/a#part", "http://example.com:80/a", "https://user:pw@example.com/a", "https://example.com./a",
			"https://example.com/a?", "https://example.com/a//", "https://example.com/b/../a/"},
		{"https://example.com", "http://www.example.com/index.php", "https://example.com/index.html", "https://example.com//"},
		{"https://example.com/a?x=1", "http://www.example.com/a/?x=1", "https://example.com/a/index.html?x=1#p"},
		{"https://example.com/#/a", "http://www.example.com/index.html#/a"},
		{"http://example.com:8080/a", "https://www.example.com:8080/a/"},
		{"http://[::1]/a", "https://[0::1]/a/"},
		{"https://bücher.example/ä", "http://www.xn--bcher-kva.example/%C3%A4/"},
		{"https://www.com/", "http://www.com"},
	}
	similar, plain := mustNew(t, Options{DeduplicateSimilarURLs: true}), mustNew(t, Options{})
	var all []string
	for _, urls := range same {
		got := keys(similar, urls)
		if len(got) != 1 {
			t.Errorf("%q: keys %q", urls, got)
		}
		all = append(all, got...)
	}
	slices.Sort(all)
	if got := slices.Compact(slices.Clone(all)); len(got) != len(same) {
		t.Errorf("different pages have one key: %q", all)
	}
	if got := keys(plain, []string{"https://example.com/a", "http://example.com/a", "https://www.example.com/a", "https://example.com/a/", "https://example.com/a/index.html"}); len(got) != 5 {
		t.Errorf("without deduplicateSimilarURLs: %q", got)
	}
}

func TestKey(t *testing.T) {
	const (
		plain = 1 << iota
		similar
		queryless
	)
	cases := []struct {
		options   int
		url, want string
	}{
		{plain, "http://www.example.com/a/index.html?b#c", "http://www.example.com/a/index.html?b"},
		{plain, "https://user:pw@example.com:8443/?", "https://example.com:8443/"},
		{plain, "https://example.com/#!/a?b", "https://example.com/#!/a?b"},
		{plain, "https://example.com/#!a", "https://example.com/"},
		{plain, "https://example.com/a#b/c", "https://example.com/a"},
		{plain | similar, "https://example.com/Index.html", "https://example.com/Index.html"},
		{similar, "https://example.com/a/index.html/", "https://example.com/a"},
		{similar, "http://example.com:443/", "https://example.com/"},
		{plain | similar, "https://example.com/xindex.html", "https://example.com/xindex.html"},
		{queryless, "https://example.com/a?b=c", "https://example.com/a"},
		{queryless | similar, "http://example.com/a/?b=c#/d", "https://example.com/a#/d"},
		{plain | similar, "https://example.com/%70a%67e%2Dx%2e%5f%7E?%71=%c3%bc%26", "https://example.com/page-x._~?q=%C3%BC%26"},
		{plain | similar, "https://example.com/a%2fb%3f%23%2B%20%2570age", "https://example.com/a%2Fb%3F%23%2B%20%2570age"},
		{plain | similar, "https://example.com/#/%61%2f", "https://example.com/#/a%2F"},
		{plain | similar, "https://example.com/%61%zz%61?%61%", "https://example.com/a%zz%61?a%"},
		{plain | similar, "https://example.com/%%37%30/%7%30", "https://example.com/%%37%30/%7%30"},
		{similar, "https://example.com/a/%69ndex%2Ehtml", "https://example.com/a"},
		{plain | similar | queryless, "mailto:a@example.com", ""},
		{plain | similar | queryless, "/a", ""},
	}
	for _, c := range cases {
		for option, s := range map[int]*Scope{plain: mustNew(t, Options{}), similar: mustNew(t, Options{DeduplicateSimilarURLs: true}),
			queryless: mustNew(t, Options{IgnoreQueryParameters: true}), queryless | similar: mustNew(t, Options{IgnoreQueryParameters: true, DeduplicateSimilarURLs: true})} {
			if option&c.options != option || option != c.options && c.options == queryless|similar {
				continue
			}
			if got := s.Key(c.url); got != c.want {
				t.Errorf("options %b, %s: got %q, want %q", option, c.url, got, c.want)
			}
		}
	}
}

func TestJudge_theURLKeepsWhatTheKeyDrops(t *testing.T) {
	s := mustNew(t, Options{IgnoreQueryParameters: true, DeduplicateSimilarURLs: true})
	v := s.Judge(Link{URL: "http://www.example.com/a/?b=c", From: "https://example.com/"})
	if v.URL != "http://www.example.com/a/?b=c" || v.Key != "https://example.com/a" {
		t.Errorf("got %+v", v)
	}
}
