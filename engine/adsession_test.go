package engine

import (
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/actions"
)

// adPlaces are rules about paths, parties, pages and types, websockets among them, with exceptions.
const adPlaces = `/ads/*
||cdn.example/track/$third-party
/spot/*$domain=a.example
||ads.example^
@@||ads.example/wanted$domain=b.example
||cdn.example^$websocket
/feed/*$websocket,domain=b.example
@@/feed/ok$websocket
`

// adWalk requests what adPlaces is about, one thing after the other, and says when that is done.
const adWalk = `<p>content</p><script>
const script = src => new Promise(r => { const s = document.createElement("script"); s.onload = s.onerror = r; s.src = src; document.head.append(s) })
const socket = src => new Promise(r => { const s = new WebSocket(src); s.onopen = s.onerror = s.onclose = r })
const frame = src => new Promise(r => { const f = document.createElement("iframe"); f.onload = r; f.src = src; document.body.append(f) })
Promise.all([script("/ads/own"), script("/kept"), script("https://cdn.example/track/1"), script("https://cdn.example/spot/1"), script("https://cdn.example/kept"),
	script("https://ads.example/1"), script("https://ads.example/wanted"), frame("https://ads.example/frame"), socket("wss://cdn.example/socket"),
	socket("wss://free.example/feed/1"), socket("wss://free.example/feed/ok"), socket("wss://free.example/ads/socket"),
	socket("wss://free.example/socket")])
	.then(() => { const p = document.createElement("p"); p.id = p.textContent = "done"; document.body.append(p) })</script>`

// adWalked is what gets through on each page.
var adWalked = map[string][]string{
	"a.example": {"a.example/kept", "cdn.example/kept", "free.example/feed/1", "free.example/feed/ok", "free.example/socket"},
	"b.example": {"ads.example/wanted", "b.example/kept", "cdn.example/kept", "cdn.example/spot/1", "free.example/feed/ok", "free.example/socket"},
}

// adWalkEngine is an engine whose pages request what the rules are about, and what has been requested.
func adWalkEngine(t *testing.T, change func(*Options)) (*Engine, *asked) {
	t.Helper()
	list := filepath.Join(t.TempDir(), "list.txt")
	if err := os.WriteFile(list, []byte(adPlaces), 0o600); err != nil {
		t.Fatal(err)
	}
	var got asked
	hosts := map[string]http.Handler{"cdn.example": &got, "ads.example": &got, "free.example": &got}
	for page := range adWalked {
		site := http.NewServeMux()
		site.Handle("/{$}", htmlPage(adWalk))
		site.Handle("/", &got)
		site.HandleFunc("/worker.js", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/javascript")
			fmt.Fprint(w, `addEventListener("install", e => e.waitUntil(Promise.allSettled(
				["/ads/worker", "/kept-by-worker", "https://cdn.example/track/worker"].map(to => fetch(to, {mode: "no-cors"})))))`)
		})
		hosts[page] = site
	}
	return hostEngine(t, hosts, func(o *Options) { o.FilterLists = []string{list} }, change), &got
}

// All rules count for all requests, websockets and service workers' among them, of scrapes and of sessions, on whichever page they are.
func TestFilterInProxy_sessionsAndWebsockets(t *testing.T) {
	t.Parallel()
	needSandbox(t)
	e, got := adWalkEngine(t, func(o *Options) { o.FilterInProxy = true })
	done := actions.Action{Type: actions.Wait, Selector: "#done"}
	check := func(page, of string) {
		if seen := slices.DeleteFunc(got.take(), isIcon); !slices.Equal(seen, adWalked[page]) {
			t.Errorf("%s in a %s requested %q, want %q", page, of, seen, adWalked[page])
		}
	}
	s := newTestSession(t, e, SessionOptions{URL: "https://a.example/"})
	for _, page := range []string{"a.example", "b.example"} {
		if page == "b.example" {
			if err := s.Goto(t.Context(), "https://b.example/"); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := s.Do(t.Context(), done); err != nil {
			t.Fatal(err)
		}
		check(page, "session")
	}
	if r := runIn(t, s, "node", adWorker); resultText(r) != "activated" {
		t.Fatalf("%+v, %s", r, resultText(r))
	}
	if seen := got.take(); !slices.Contains(seen, "a.example/kept-by-worker") || slices.ContainsFunc(seen, isWorkersAd) {
		t.Errorf("a service worker requested %q", seen)
	}
	if err := s.Goto(t.Context(), "https://ads.example/"); err != nil || !slices.Contains(got.take(), "ads.example/") {
		t.Errorf("a page that an advertiser has: %v", err)
	}
	for page := range adWalked {
		if _, err := e.Scrape(t.Context(), "https://"+page+"/", ScrapeOptions{MaxAge: fresh, Actions: []actions.Action{done}}); err != nil {
			t.Fatal(err)
		}
		check(page, "scrape")
	}
}

// adWorker starts a service worker in a context that code has made itself, as in those of the engine there are none.
const adWorker = `const c = await page.context().browser().newContext({serviceWorkers: "allow"});
const p = await c.newPage();
await p.goto("https://a.example/kept");
const state = await p.evaluate(async () => { await navigator.serviceWorker.register("/worker.js"); const r = await navigator.serviceWorker.ready;
	const w = r.active; if (w.state != "activated") { await new Promise(done => w.onstatechange = done) } return w.state });
await c.close(); state`

func isIcon(address string) bool { return strings.HasSuffix(address, "/favicon.ico") }

func isWorkersAd(address string) bool {
	return strings.HasSuffix(address, "/ads/worker") || strings.HasSuffix(address, "/track/worker")
}

// A session that can't apply rules says how many.
func TestFilterLists_sessionsSayWhatTheyIgnore(t *testing.T) {
	t.Parallel()
	needSandbox(t)
	var log logBuffer
	e, _ := adWalkEngine(t, func(o *Options) { o.Logger = slog.New(slog.NewTextHandler(&log, nil)) })
	for range 2 {
		if _, err := e.pages.Blocker.ForSession("a.example"); err != nil {
			t.Fatal(err)
		}
	}
	if said := strings.Count(log.String(), "Options.FilterInProxy"); said != 1 || !strings.Contains(log.String(), "ignored=5") {
		t.Errorf("said %d times: %s", said, log.String())
	}
}
