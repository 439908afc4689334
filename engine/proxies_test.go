package engine

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/fetch/fetchtest"
)

// A tier that can't be honoured is refused before anything is fetched.
func TestScrape_aTierWithoutAProxyIsRefused(t *testing.T) {
	e := plainEngine(t, func(o *Options) { o.Proxies = []Proxy{{URL: "http://b", Tier: ProxyBasic}} })
	for tier, code := range map[ProxyTier]Code{ProxyEnhanced: CodeProxy, ProxyStealth: CodeProxy, "teapot": CodeBadRequest} {
		_, err := e.Scrape(t.Context(), "http://a.example/", ScrapeOptions{Proxy: tier})
		wantRefusal(t, err, "proxy", code)
	}
}

// gate answers 403 until it has been asked for often enough.
func gate(t *testing.T, refusals int64) (*httptest.Server, *atomic.Int64) {
	var asked atomic.Int64
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked.Add(1) <= refusals {
			w.WriteHeader(http.StatusForbidden)
		}
		fmt.Fprint(w, "<p>the page behind the wall</p>")
	}))
	t.Cleanup(srv.Close)
	return srv, &asked
}

func TestScrape_autoRetriesOnceWithTheEnhancedProxy(t *testing.T) {
	enhanced := fetchtest.NewProxy(t, "", "")
	e := plainEngine(t, func(o *Options) { o.Proxies = []Proxy{{URL: enhanced.URL("http"), Tier: ProxyEnhanced}} })
	srv, asked := gate(t, 1)
	doc, err := e.Scrape(t.Context(), srv.URL, ScrapeOptions{})
	if err != nil || doc.Metadata.StatusCode != 200 || doc.Metadata.ProxyUsed != "stealth" || asked.Load() != 2 {
		t.Errorf("got %+v, %v after %d requests", doc, err, asked.Load())
	}
	if n := len(enhanced.Targets()); n != 1 {
		t.Errorf("%d connections went through the proxy", n)
	}

	srv, asked = gate(t, 9)
	doc, err = e.Scrape(t.Context(), srv.URL, ScrapeOptions{})
	if err != nil || doc.Metadata.StatusCode != 403 || doc.Metadata.ProxyUsed != "basic" || asked.Load() != 2 || !strings.Contains(doc.Warning, "enhanced") {
		t.Errorf("got %+v, %v after %d requests", doc, err, asked.Load())
	}

	srv, asked = gate(t, 1)
	doc, err = e.Scrape(t.Context(), srv.URL, ScrapeOptions{Proxy: ProxyBasic})
	if err != nil || doc.Metadata.StatusCode != 403 || asked.Load() != 1 {
		t.Errorf("basic: got %+v, %v after %d requests", doc, err, asked.Load())
	}
}

func TestScrape_anEnhancedProxyThatFailsLeavesTheFirstAnswer(t *testing.T) {
	e := plainEngine(t, func(o *Options) { o.Proxies = []Proxy{{URL: "http://" + fetchtest.ClosedPort(t), Tier: ProxyEnhanced}} })
	srv, _ := gate(t, 9)
	doc, err := e.Scrape(t.Context(), srv.URL, ScrapeOptions{})
	if err != nil || doc.Metadata.StatusCode != 403 || doc.Metadata.ProxyUsed != "basic" || !strings.Contains(doc.Warning, "gave no page") {
		t.Errorf("got %+v, %v", doc, err)
	}
}

// nameless knows no name: what is scraped all the same was resolved by the proxy.
type nameless struct{}

func (nameless) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
}

// resolving is an engine whose only way out is a proxy that allows CONNECT to 443 only and alone knows only.example.
func resolving(t *testing.T, render Render, resolve bool) (*Engine, *fetchtest.Proxy) {
	site, p := fetchtest.New(t), fetchtest.NewProxy(t, "user", "secret")
	p.ConnectOnly("443")
	p.Name("only.example:80", site.Host())
	return plainEngine(t, func(o *Options) {
		o.Policy, o.Resolver, o.Render = fetch.Policy{}, nameless{}, render
		o.Proxies = []Proxy{{URL: p.URL("http"), Resolve: resolve}}
	}), p
}

func TestScrape_namesAndPlainPagesThroughAProxyThatResolves(t *testing.T) {
	e, _ := resolving(t, RenderNever, false)
	if _, err := e.Scrape(t.Context(), "http://only.example/article", ScrapeOptions{}); CodeOf(err) != CodeDNS {
		t.Errorf("without Resolve: %v, want %s", err, CodeDNS)
	}
	e, p := resolving(t, RenderNever, true)
	doc, err := e.Scrape(t.Context(), "http://only.example/article", ScrapeOptions{ObeyRobots: true})
	if err != nil || doc.Metadata.StatusCode != 200 || !strings.HasPrefix(doc.Markdown, "# ") {
		t.Fatalf("got %+v, %v", doc, err)
	}
	for _, head := range p.Heads() { // robots.txt and the page
		if !strings.HasPrefix(head, "GET http://only.example/") {
			t.Errorf("the proxy got %q", head)
		}
	}
	if _, err := e.Scrape(t.Context(), "http://127.0.0.1/", ScrapeOptions{}); CodeOf(err) != CodeBlocked {
		t.Errorf("a literal address: %v, want %s", err, CodeBlocked)
	}
}

func TestScrape_theBrowserUsesAProxyThatResolves(t *testing.T) {
	needBrowser(t)
	e, p := resolving(t, RenderAlways, true)
	doc, err := e.Scrape(t.Context(), "http://only.example/js", ScrapeOptions{})
	if err != nil || doc.Metadata.StatusCode != 200 || doc.Metadata.RenderedBy != "browser" {
		t.Fatalf("got %+v, %v", doc, err)
	}
	if head := p.Heads()[0]; !strings.HasPrefix(head, "GET http://only.example/js\n") || !strings.Contains(head, "Proxy-Authorization: Basic ") {
		t.Errorf("the proxy got %q", head)
	}
	bound := plainEngine(t, func(o *Options) { o.Render, o.ProxyPolicy = RenderAlways, &fetch.Policy{} })
	for _, address := range []string{"http://127.0.0.1:8080/", "https://127.0.0.1:8443/"} {
		_, err = bound.Scrape(t.Context(), address, ScrapeOptions{ProxyURL: p.URL("http")})
		if CodeOf(err) != CodeProxy {
			t.Errorf("%s by a proxy that the policy refuses: %v, want %s", address, err, CodeProxy)
		}
	}
}

func TestScrape_aProxyOfAnotherCountryIsAWarning(t *testing.T) {
	needBrowser(t)
	site, p := fetchtest.New(t), fetchtest.NewProxy(t, "", "")
	e := plainEngine(t, func(o *Options) {
		o.Proxies = []Proxy{{URL: p.URL("http"), Country: "us"}, {URL: p.URL("socks5"), Tier: ProxyEnhanced}}
	})
	const both = "The location asks for DE, but the proxy that got the page is in US."
	for _, c := range []struct {
		name string
		o    ScrapeOptions
		warn bool
	}{
		{"another", ScrapeOptions{Location: &Location{Country: "DE"}}, true},
		{"another, from the cache", ScrapeOptions{Location: &Location{Country: "DE"}}, true},
		{"the same", ScrapeOptions{Location: &Location{Country: "US"}}, false},
		{"none asked for", ScrapeOptions{Location: &Location{Languages: []string{"de"}}}, false},
		{"no location", ScrapeOptions{}, false},
		{"a proxy of no known country", ScrapeOptions{Location: &Location{Country: "DE"}, Proxy: ProxyEnhanced}, false},
		{"a proxy of its own", ScrapeOptions{Location: &Location{Country: "DE"}, ProxyURL: p.URL("http")}, false},
	} {
		c.o.Render = RenderAlways
		doc, err := e.Scrape(t.Context(), site.URL("/article"), c.o)
		if err != nil || strings.Contains(doc.Warning, both) != c.warn {
			t.Errorf("%s: %v, %v", c.name, doc, err)
		}
	}
	if n := site.Hits("/article"); n != 6 {
		t.Errorf("%d requests, want one less than scrapes", n)
	}
}

// An embedder that takes ProxyURL from its users keeps them from connecting to what is inside.
func TestScrape_aPolicyOfItsOwnBoundsProxyURL(t *testing.T) {
	site, p := fetchtest.New(t), fetchtest.NewProxy(t, "", "")
	for name, c := range map[string]struct {
		policy *fetch.Policy
		want   Code
	}{
		"none": {nil, ""}, "the public internet": {&fetch.Policy{}, CodeProxy}, "one that allows it": {&fetch.Policy{AllowHosts: []string{p.Host()}}, ""},
	} {
		e := plainEngine(t, func(o *Options) { o.ProxyPolicy = c.policy })
		before := len(p.Targets())
		_, err := e.Scrape(t.Context(), site.URL("/article"), ScrapeOptions{ProxyURL: p.URL("http")})
		if CodeOf(err) != c.want || len(p.Targets()) > before != (c.want == "") {
			t.Errorf("%s: %v", name, err)
		}
	}
	e := plainEngine(t, func(o *Options) { o.ProxyPolicy, o.Proxies = &fetch.Policy{}, []Proxy{{URL: p.URL("http")}} })
	if _, err := e.Scrape(t.Context(), site.URL("/article"), ScrapeOptions{}); err != nil {
		t.Errorf("the operator's own proxy: %v", err)
	}
	_, err := New(Options{ProxyPolicy: &fetch.Policy{AllowHosts: []string{"a b"}}})
	if opt, ok := errors.AsType[*OptionError](err); !ok || opt.Field != "ProxyPolicy" {
		t.Errorf("an invalid policy: %v", err)
	}
}
