package sitemap

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// site is a real server and a fetcher of its pages; both keep count.
type site struct {
	*httptest.Server
	asked        []string
	opened, shut int
}

// newSite serves documents by path; HOST in them stands for the server's URL.
func newSite(t *testing.T, docs map[string]string) *site {
	t.Helper()
	s := &site{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		doc, ok := docs[r.URL.RequestURI()]
		if !ok {
			http.NotFound(w, r)
			return
		}
		if doc = strings.ReplaceAll(doc, "HOST", s.URL); strings.HasSuffix(r.URL.Path, ".gz") {
			doc = zipped(t, doc)
		}
		io.WriteString(w, doc)
	}))
	t.Cleanup(func() {
		s.Client().CloseIdleConnections()
		s.Close()
		if s.opened != s.shut {
			t.Errorf("%d bodies opened, %d closed", s.opened, s.shut)
		}
	})
	return s
}

func (s *site) Fetch(ctx context.Context, url string) (io.ReadCloser, error) {
	s.asked = append(s.asked, strings.TrimPrefix(url, s.URL))
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	resp, err := s.Client().Do(req)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		resp.Body.Close()
		return nil, errors.New(resp.Status)
	}
	s.opened++
	return &counted{resp.Body, &s.shut}, nil
}

type counted struct {
	io.ReadCloser
	shut *int
}

func (c *counted) Close() error { *c.shut++; return c.ReadCloser.Close() }

// walked is one line for each URL and problem, without the server's address.
func (s *site) walked(ctx context.Context, o WalkOptions, roots ...string) []string {
	for i, root := range roots {
		roots[i] = strings.Replace(root, "HOST", s.URL, 1)
	}
	var lines []string
	for u, err := range Walk(ctx, s, roots, o) {
		text := u.Loc
		if p, ok := errors.AsType[*Problem](err); ok {
			text = fmt.Sprintf("! %s %s", p.Code, p.Sitemap)
		} else if err != nil {
			text = "!! " + err.Error()
		}
		lines = append(lines, strings.ReplaceAll(text, s.URL, ""))
	}
	return lines
}

func index(children ...string) string {
	var b strings.Builder
	for _, child := range children {
		fmt.Fprintf(&b, "<sitemap><loc>%s</loc></sitemap>", child)
	}
	return "<sitemapindex>" + b.String() + "</sitemapindex>"
}

func set(pages ...string) string {
	var b strings.Builder
	for _, page := range pages {
		fmt.Fprintf(&b, "<url><loc>%s</loc></url>", page)
	}
	return entries(b.String())
}

func checkLines(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestWalk_wholeSite(t *testing.T) {
	s := newSite(t, map[string]string{
		"/sitemap.xml":  index("HOST/posts.xml", "HOST/pages.xml.gz", "HOST/list?page=1", "HOST/sitemap.xml", "HOST/posts.xml#again", "HOST/gone.xml"),
		"/posts.xml":    set("HOST/post/1", "HOST/post/2", "https://other.example/3"),
		"/pages.xml.gz": set("HOST/page/1", "HOST/page/2"),
		"/list?page=1":  "HOST/line/1\nHOST/line/2\n",
		"/feed":         "<rss><channel><item><link>HOST/item/1</link></item></channel></rss>",
	})
	got := s.walked(t.Context(), WalkOptions{}, "HOST/sitemap.xml", "HOST/feed", "HOST/feed", "/not/absolute", "ftp://a.example/s.xml")
	checkLines(t, got, "! BAD_LOC /not/absolute", "! BAD_LOC ftp://a.example/s.xml",
		"/item/1", "/post/1", "/post/2", "https://other.example/3", "/page/1", "/page/2",
		"/line/1", "/line/2", "! FETCH_FAILED /gone.xml")
	checkLines(t, s.asked, "/sitemap.xml", "/feed", "/posts.xml", "/pages.xml.gz", "/list?page=1", "/gone.xml")
}

func TestWalk_sitemapsAmongPages(t *testing.T) {
	s := newSite(t, map[string]string{
		"/sitemap.xml":   set("HOST/a", "HOST/Child.XML?x=1", "HOST/data.xml", "HOST/lost.xml", "HOST/b"),
		"/Child.XML?x=1": set("HOST/c"),
		"/data.xml":      "<data><x/></data>",
	})
	got := s.walked(t.Context(), WalkOptions{}, "HOST/sitemap.xml")
	checkLines(t, got, "/a", "/b", "/c", "/data.xml", "! FETCH_FAILED /lost.xml")
}

func TestWalk_problemsOfADocumentDontEndIt(t *testing.T) {
	s := newSite(t, map[string]string{
		"/1": "<html><body>404", "/2": openSet + "<url><loc>HOST/a</loc></url><url>", "/3": "", "/4": set("HOST/b"),
	})
	got := s.walked(t.Context(), WalkOptions{}, "HOST/0", "HOST/1", "HOST/2", "HOST/3", "HOST/4")
	checkLines(t, got, "! FETCH_FAILED /0", "! NOT_SITEMAP /1", "/a", "! NO_LOC /2", "! TRUNCATED /2", "! NOT_SITEMAP /3", "/b")
}

func TestWalk_bounds(t *testing.T) {
	docs := map[string]string{"/wide": index("HOST/w1", "HOST/w2", "HOST/w3", "HOST/w4")}
	for i := range 6 {
		docs[fmt.Sprintf("/d%d", i)] = index(fmt.Sprintf("HOST/d%d", i+1), fmt.Sprintf("HOST/s%d", i), fmt.Sprintf("HOST/t%d", i))
		docs[fmt.Sprintf("/s%d", i)] = set(fmt.Sprintf("HOST/page%d", i))
		docs[fmt.Sprintf("/t%d", i)] = set()
		docs[fmt.Sprintf("/w%d", i)] = set(fmt.Sprintf("HOST/a%d", i), fmt.Sprintf("HOST/b%d", i))
	}
	for _, c := range []struct {
		name  string
		root  string
		o     WalkOptions
		want  string
		asked int
	}{
		{"depth of 3", "HOST/d0", WalkOptions{}, "/page0 /page1 ! TOO_DEEP /d4 /page2", 10},
		{"depth of 1", "HOST/d0", WalkOptions{MaxDepth: 1}, "! TOO_DEEP /d2 /page0", 4},
		{"roots only", "HOST/d0", WalkOptions{MaxDepth: -1}, "! TOO_DEEP /d1", 1},
		{"sitemaps", "HOST/wide", WalkOptions{MaxSitemaps: 3}, "! TOO_MANY_SITEMAPS /w3 /a1 /b1 /a2 /b2", 3},
		{"URLs in all", "HOST/wide", WalkOptions{MaxURLs: 3}, "/a1 /b1 /a2 ! TOO_MANY_URLS /w2", 3},
		{"just the URLs", "HOST/w1", WalkOptions{MaxURLs: 2}, "/a1 /b1", 1},
		{"URLs of each", "HOST/wide", WalkOptions{Limits: Limits{MaxURLs: 2}, MaxURLs: 5}, "! TOO_MANY_URLS /wide /a1 /b1 /a2 /b2", 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSite(t, docs)
			if got := strings.Join(s.walked(t.Context(), c.o, c.root), " "); got != c.want || len(s.asked) != c.asked {
				t.Errorf("got  %s (%d documents)\nwant %s (%d)", got, len(s.asked), c.want, c.asked)
			}
		})
	}
}

func TestWalk_givesTheFieldsAndTheirSitemap(t *testing.T) {
	s := newSite(t, map[string]string{"/s": entries(fullEntry)})
	for u, err := range Walk(t.Context(), s, []string{s.URL + "/s"}, WalkOptions{}) {
		want := URL{
			Loc: "https://site.example/section/page-with-a-name.html?id=12345&lang=en", LastMod: fullEntryTime, Priority: 0.5, ChangeFreq: "weekly",
			Sitemap: s.URL + "/s",
		}
		if err != nil || !reflect.DeepEqual(u, want) {
			t.Errorf("got %+v, %v\nwant %+v", u, err, want)
		}
	}
}

func TestWalk_endsWithTheContext(t *testing.T) {
	s := newSite(t, map[string]string{"/i": index("HOST/1", "HOST/2"), "/1": set("HOST/a"), "/2": set("HOST/b")})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var got []string
	for u, err := range Walk(ctx, s, []string{s.URL + "/i"}, WalkOptions{}) {
		got = append(got, strings.TrimPrefix(u.Loc, s.URL)+fmt.Sprint(err))
		cancel()
	}
	checkLines(t, got, "/a<nil>", "context canceled")
	got = s.walked(ctx, WalkOptions{}, "HOST/i")
	checkLines(t, got, "!! context canceled")
}

// A body that hangs ends with the context, since the fetcher's body does.
func TestWalk_aBodyThatHangsEndsWithTheContext(t *testing.T) {
	release := make(chan struct{})
	s := newSite(t, nil)
	s.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, openSet+strings.Repeat(a, 2000)) // more than is buffered on the way
		w.(http.Flusher).Flush()
		select {
		case <-r.Context().Done():
		case <-release:
		}
	})
	defer close(release)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	n, last := 0, error(nil)
	for _, err := range Walk(ctx, s, []string{s.URL + "/s"}, WalkOptions{}) {
		if n++; n == 1 {
			cancel()
		}
		last = err
	}
	if last != context.Canceled {
		t.Errorf("%d rounds, ended with %v", n, last)
	}
}

func TestWalk_breakingOffClosesTheBody(t *testing.T) {
	s := newSite(t, map[string]string{"/s": set("HOST/a", "HOST/b"), "/bad": "<html>"})
	for _, root := range []string{"/s", "/bad", "/none"} {
		for range Walk(t.Context(), s, []string{s.URL + root, s.URL + "/s?"}, WalkOptions{}) {
			break
		}
	}
	checkLines(t, s.asked, "/s", "/bad", "/none") // open and closed bodies are compared at the end
}

func TestUsualPlaces(t *testing.T) {
	got := UsualPlaces("https://Site.example:8443/shop/page?x#y")
	if len(got) == 0 || got[0] != "https://site.example:8443/sitemap.xml" {
		t.Errorf("%q", got)
	}
	for _, place := range got {
		if !strings.HasPrefix(place, "https://site.example:8443/") || strings.ContainsAny(place, "?#") {
			t.Errorf("%q", place)
		}
	}
	for _, bad := range []string{"", "site.example", "ftp://site.example/"} {
		if got := UsualPlaces(bad); got != nil {
			t.Errorf("%q: %q", bad, got)
		}
	}
}
