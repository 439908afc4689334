package trapsite

import (
	"context"
	"crypto/tls"
	"io"
	"iter"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	robotstxt "github.com/winnow-go/winnow/crawl/robots"
	"github.com/winnow-go/winnow/crawl/scope"
	"github.com/winnow-go/winnow/crawl/sitemap"
	"github.com/winnow-go/winnow/fetch/weburl"
)

// inProcess asks the handlers of a site, without a network.
type inProcess map[string]http.Handler

func (hosts inProcess) RoundTrip(r *http.Request) (resp *http.Response, err error) {
	h, ok := hosts[r.URL.Host]
	if !ok {
		return nil, io.ErrClosedPipe
	}
	defer func() {
		if recover() != nil { // http.ErrAbortHandler
			resp, err = nil, io.ErrUnexpectedEOF
		}
	}()
	r.Host = r.URL.Host
	if r.URL.Scheme == "https" {
		r.TLS = &tls.ConnectionState{}
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	resp = w.Result()
	resp.Request = r
	return resp, nil
}

// crawler is a plain crawler of one page at a time, on the packages that the real one is made of. What it shares with Want is nothing but
// the rules on paper.
type crawler struct {
	t       *testing.T
	want    Want
	client  *http.Client
	scope   *scope.Scope
	files   map[string]*robotstxt.File
	claimed map[string]bool
	queue   []scope.Link
	got     []string

	random *rand.Rand // nil: pages are taken in their order, else any of the first few, as with many workers
}

func crawl(t *testing.T, hosts map[string]http.Handler, w Want) []string {
	t.Helper()
	return crawlBy(t, inProcess(hosts), w, nil)
}

func crawlBy(t *testing.T, transport http.RoundTripper, w Want, random *rand.Rand) []string {
	t.Helper()
	c := &crawler{t: t, want: w, client: &http.Client{Transport: transport}, files: map[string]*robotstxt.File{}, claimed: map[string]bool{},
		random: random}
	if c.want.Seed == "" {
		c.want.Seed = "https://" + Main + "/"
	}
	sc, err := scope.New(scope.Options{
		Seed: c.want.Seed, IncludePaths: w.IncludePaths, ExcludePaths: w.ExcludePaths, RegexOnFullURL: w.RegexOnFullURL, MaxDepth: w.MaxDepth,
		MaxDiscoveryDepth: w.MaxDiscoveryDepth,
		CrawlEntireDomain: w.CrawlEntireDomain, AllowSubdomains: w.AllowSubdomains, AllowExternalLinks: w.AllowExternalLinks,
		IgnoreQueryParameters:  w.IgnoreQueryParameters,
		DeduplicateSimilarURLs: w.DeduplicateSimilarURLs == nil || *w.DeduplicateSimilarURLs,
	})
	if err != nil {
		t.Fatal(err)
	}
	c.scope = sc
	c.run()
	return c.got
}

func (c *crawler) run() {
	seed, _ := weburl.Parse(c.want.Seed)
	if !c.allowed(seed) {
		return
	}
	resp, err := c.client.Head(seed)
	if err != nil {
		c.t.Fatal(err)
	}
	if end := resp.Request.URL; strings.TrimPrefix(end.Host, "www.") != strings.TrimPrefix(weburl.Host(seed), "www.") {
		seed = end.String()
		c.scope, _ = c.scope.Rebase(seed)
	}
	c.put(scope.Link{URL: seed}, true)
	if c.want.Sitemap != "skip" {
		c.sitemaps(seed)
	}
	for len(c.queue) > 0 {
		at := 0
		if c.random != nil {
			at = c.random.IntN(min(len(c.queue), 8))
		}
		next := c.queue[at]
		c.queue = slices.Delete(c.queue, at, at+1)
		c.visit(next)
	}
}

func (c *crawler) put(l scope.Link, anyway bool) {
	v := c.scope.Judge(l)
	if v.Accepted() && !c.allowed(v.URL) {
		return
	}
	key := c.scope.Key(l.URL)
	if (v.Accepted() || anyway) && !c.claimed[key] {
		c.claimed[key] = true
		l.URL = v.URL
		c.queue = append(c.queue, l)
	}
}

func (c *crawler) allowed(href string) bool {
	if c.want.IgnoreRobotsTxt {
		return true
	}
	origin := href[:strings.Index(href, "/")+2] + weburl.Host(href)
	file := c.files[origin]
	if file == nil {
		resp, body := c.get(origin + "/robots.txt")
		status := 0
		if resp != nil {
			status = resp.StatusCode
		}
		file, _ = robotstxt.FromStatus(status, body)
		c.files[origin] = file
	}
	agent := c.want.RobotsUserAgent
	if agent == "" {
		agent = "winnow"
	}
	return file.Allowed(agent, href)
}

// get tries twice.
func (c *crawler) get(href string) (resp *http.Response, body []byte) {
	for range 2 {
		var err error
		resp, err = c.client.Get(href)
		if err != nil {
			return nil, nil
		}
		body, err = io.ReadAll(resp.Body)
		if err != nil {
			c.t.Fatal(err)
		}
		if resp.StatusCode != http.StatusTooManyRequests && resp.StatusCode != http.StatusServiceUnavailable {
			break
		}
	}
	return resp, body
}

func (c *crawler) visit(l scope.Link) {
	bare, fragment, _ := strings.Cut(l.URL, "#")
	resp, body := c.get(bare)
	if resp == nil {
		return
	}
	end, _ := weburl.Parse(resp.Request.URL.String())
	if fragment != "" {
		end += "#" + fragment
	}
	if c.scope.Key(end) != c.scope.Key(l.URL) {
		v := c.scope.JudgeRedirect(l.URL, end)
		if !v.Accepted() || !c.allowed(v.URL) || c.claimed[v.Key] {
			return
		}
		c.claimed[v.Key] = true
		end = v.URL
	}
	if c.scope.Judge(scope.Link{URL: end, From: l.From, Sitemap: l.Sitemap, Hops: l.Hops}).Accepted() || end != l.URL {
		c.got = append(c.got, end)
	}
	if c.want.Sitemap == "only" || !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/html") {
		return
	}
	for _, href := range anchors(c.t, end, string(body)) {
		c.put(scope.Link{URL: href, From: end, Hops: l.Hops + 1}, false)
	}
}

func (c *crawler) sitemaps(seed string) {
	origin := seed[:strings.Index(seed, "/")+2] + weburl.Host(seed)
	var roots []string
	if _, body := c.get(origin + "/robots.txt"); body != nil {
		roots = robotstxt.Parse(body).Sitemaps()
	}
	roots = append(roots, seed[:strings.LastIndex(seed, "/")+1]+"sitemap.xml", origin+"/sitemap.xml")
	if strings.HasSuffix(weburl.Host(seed), Main) {
		roots = append(roots, "https://"+Main+"/sitemap.xml")
	}
	for u, err := range walkSitemaps(c, roots) {
		if err == nil {
			c.put(scope.Link{URL: u.Loc, Sitemap: true}, false)
		}
	}
}

func walkSitemaps(c *crawler, roots []string) iter.Seq2[sitemap.URL, error] {
	return sitemap.Walk(c.t.Context(), fetcher{c}, roots, sitemap.WalkOptions{})
}

type fetcher struct{ c *crawler }

func (f fetcher) Fetch(_ context.Context, href string) (io.ReadCloser, error) {
	resp, body := f.c.get(href)
	if resp == nil || resp.StatusCode != http.StatusOK {
		return nil, io.EOF
	}
	return io.NopCloser(strings.NewReader(string(body))), nil
}

// anchors are where the a[href] of a page lead.
func anchors(t *testing.T, page, body string) (list []string) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	base := page
	var visit func(n *html.Node)
	visit = func(n *html.Node) {
		if n.Data == "template" || n.Data == "noscript" {
			return
		}
		if n.Data == "base" {
			base = resolve(page, attribute(n, "href"))
		}
		if n.Data == "a" && slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "href" }) {
			list = append(list, resolve(base, attribute(n, "href")))
		}
		for child := range n.ChildNodes() {
			visit(child)
		}
	}
	visit(root)
	return list
}

func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func resolve(base, href string) string {
	b, err := weburl.NewBase(base)
	if err != nil {
		return ""
	}
	abs, err := b.Resolve(href)
	if err != nil {
		return ""
	}
	return abs
}
