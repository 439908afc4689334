package engine

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// traces leaves everything a page can leave in a browser, and returns what of it was there before.
const traces = `<p id=p>…</p><script src="/cached.js"></script><script>
(async () => {
  const had = [];
  if (document.cookie) had.push("cookie");
  if (localStorage.length) had.push("localStorage");
  if (sessionStorage.length) had.push("sessionStorage");
  if (window.name) had.push("window.name");
  if ((await indexedDB.databases()).length) had.push("indexedDB");
  if (self.caches && (await caches.keys()).length) had.push("caches");
  if (navigator.serviceWorker && (await navigator.serviceWorker.getRegistrations()).length) had.push("service worker");
  document.cookie = "a=b; max-age=3600"; localStorage.a = 1; sessionStorage.a = 1; window.name = "n";
  indexedDB.open("d"); if (self.caches) await caches.open("c");
  if (navigator.serviceWorker) await navigator.serviceWorker.register("/worker.js").catch(() => {});
  p.textContent = "had: " + (had.join(", ") || "nothing");
})();
</script>`

// tracesSite counts how often its cacheable script is fetched.
func tracesSite(fetched *atomic.Int64) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/cached.js", "/worker.js":
			if r.URL.Path == "/cached.js" {
				fetched.Add(1)
			}
			w.Header().Set("Content-Type", "text/javascript")
			w.Header().Set("Cache-Control", "public, max-age=86400")
			http.SetCookie(w, &http.Cookie{Name: "http", Value: "only", HttpOnly: true, MaxAge: 3600})
		default:
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, traces)
		}
	})
}

func TestIsolation_nothingOfAScrapeIsThereInTheNextOrBesideIt(t *testing.T) {
	var fetched atomic.Int64
	e, host := sharedSite(t, tracesSite(&fetched))
	visit := func() {
		doc, err := e.Scrape(t.Context(), "https://"+host+"/", ScrapeOptions{Render: RenderAlways, MaxAge: fresh})
		if err != nil || strings.TrimSpace(doc.Markdown) != "had: nothing" {
			t.Errorf("%+v, %v", doc, err)
		}
	}
	const oneByOne, atOnce = 3, 3
	for range oneByOne {
		visit()
	}
	var beside sync.WaitGroup
	for range atOnce {
		beside.Go(visit)
	}
	beside.Wait()
	if n := fetched.Load(); n != oneByOne+atOnce {
		t.Errorf("the cacheable script was fetched %d times in %d scrapes: a cache is shared", n, oneByOne+atOnce)
	}
}
