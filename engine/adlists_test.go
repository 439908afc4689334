package engine

import (
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// asked notes which addresses were requested.
type asked struct {
	mu   sync.Mutex
	seen []string
}

func (a *asked) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.seen = append(a.seen, r.Host+r.URL.Path)
	if strings.HasSuffix(r.URL.Path, ".js") {
		w.Header().Set("Content-Type", "text/javascript")
	}
}

func (a *asked) take() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	seen := a.seen
	a.seen = nil
	slices.Sort(seen)
	return seen
}

// adRules are rules of each kind that lists use, adPage requests something for each, and adKept is what no rule blocks.
const adRules = `/ads/*
-ad.js
||cdn.example/track/$third-party
||data.example^$xmlhttprequest
/spot/*$domain=a.example
/place/*$domain=other.example
||cdn.example/lib/
@@||cdn.example/lib/ok.js
@@/ads/wanted.js$domain=a.example
##.promo
a.example#@#.promo
a.example##.own
a.example##+js(x)
||cdn.example^$csp=x
||cdn.example^$websocket`

const adPage = `<p>content</p><div class=promo>promo</div><div class=own>own</div>
<script src=/ads/a.js></script><script src=/ads/wanted.js></script><script src=/x-ad.js></script><script src=/spot/1.js></script>
<script src=/place/1.js></script><script src=http://cdn.example/track/t.js></script><script src=http://cdn.example/lib/no.js></script>
<script src=http://cdn.example/lib/ok.js></script><script src=http://data.example/d.js></script>
<script>fetch("http://data.example/d.json", {mode: "no-cors"}).catch(() => 0).then(() => {
	const p = document.createElement("p"); p.textContent = ["promo", "own"].map(c => c + " is " + getComputedStyle(document.querySelector("." + c)).display).join(", ");
	document.body.append(p) })</script>`

var adKept = []string{"a.example/ads/wanted.js", "a.example/place/1.js", "cdn.example/lib/ok.js", "data.example/d.js"}

func TestBlockAds_byTypePartyDomainAndException(t *testing.T) {
	t.Parallel()
	list := filepath.Join(t.TempDir(), "list.txt")
	if err := os.WriteFile(list, []byte(adRules), 0o600); err != nil {
		t.Fatal(err)
	}
	var log logBuffer
	var seen asked
	site := http.NewServeMux()
	site.Handle("/{$}", htmlPage(adPage))
	site.Handle("/", &seen)
	e := hostEngine(t, map[string]http.Handler{"a.example": site, "cdn.example": &seen, "data.example": &seen}, func(o *Options) {
		o.FilterLists, o.Logger = []string{list}, slog.New(slog.NewTextHandler(&log, nil))
	})
	for name, headers := range map[string]map[string]string{"alone": nil, "with headers": {"X-A": "b"}} {
		doc, err := e.Scrape(t.Context(), "http://a.example/", ScrapeOptions{Render: RenderAlways, Headers: headers})
		if err != nil {
			t.Fatal(err)
		}
		if got := seen.take(); !slices.Equal(got, adKept) {
			t.Errorf("%s: requested %q, want %q", name, got, adKept)
		}
		if want := "promo is block, own is none"; !strings.Contains(doc.Markdown, want) {
			t.Errorf("%s: got %q, want it to hold %q", name, doc.Markdown, want)
		}
	}
	want := fmt.Sprintf("%s: 9 request rules, 3 hiding rules; 3 lines have no effect: scriptlet 1, unsupported option: csp 1, unsupported option: websocket 1", list)
	if strings.Count(log.String(), want) != 1 {
		t.Errorf("the log has %d reports of the list, want 1: %s", strings.Count(log.String(), want), log.String())
	}
}

// An exception for a path, or by a regular expression, holds where a rule blocks its whole host, too: the guard would refuse the host.
func TestBlockAds_exceptionsHoldOnHostsThatAreBlocked(t *testing.T) {
	t.Parallel()
	list := filepath.Join(t.TempDir(), "list.txt")
	const rules = "||cdn.example^\n||data.example^\n@@/lib/ok.js\n@@/^https?:\\/\\/data\\.example\\/[a-z]\\.js$/$script\n"
	if err := os.WriteFile(list, []byte(rules), 0o600); err != nil {
		t.Fatal(err)
	}
	var seen asked
	site := htmlPage(`<script src=//cdn.example/lib/no.js></script><script src=//cdn.example/lib/ok.js></script><script src=//data.example/d.js></script>
<script src=//data.example/dd.js></script>`)
	hosts := map[string]http.Handler{"a.example": site, "cdn.example": &seen, "data.example": &seen}
	for _, inProxy := range []bool{false, true} {
		e := hostEngine(t, hosts, func(o *Options) { o.FilterLists, o.FilterInProxy = []string{list}, inProxy })
		for _, address := range []string{"http://a.example/", "https://a.example/"} {
			if _, err := e.Scrape(t.Context(), address, ScrapeOptions{Render: RenderAlways, MaxAge: fresh}); err != nil {
				t.Fatal(err)
			}
			if got, want := seen.take(), []string{"cdn.example/lib/ok.js", "data.example/d.js"}; !slices.Equal(got, want) {
				t.Errorf("%s, in the proxy %v: requested %q, want %q", address, inProxy, got, want)
			}
		}
	}
}
