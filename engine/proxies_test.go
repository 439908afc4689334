package engine

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

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
