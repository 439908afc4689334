package sites

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/winnow-go/winnow/engine"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/formats"
)

// requestsSeen keeps requests.
type requestsSeen struct {
	mu   sync.Mutex
	list []*http.Request
}

func (s *requestsSeen) add(r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = append(s.list, r)
}

func (s *requestsSeen) all() []*http.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.list)
}

// tabSites open tabs.
func tabSites(hosts *requestsSeen) map[string]http.Handler {
	shop := http.NewServeMux()
	shop.Handle("/", htmlPage(`<title>Shop</title><p>shop</p><a id=detail target=_blank href="/detail">x</a>
		<a id=other target=_blank href="http://pay.example/">x</a><a id=private target=_blank href="http://10.0.0.1/">x</a>
		<button id=late onclick="fetch('/wait').then(() => window.open('/detail'))">x</button>
		<button id=popup onclick="window.open('/closing')">x</button>`))
	shop.HandleFunc("/detail", func(w http.ResponseWriter, r *http.Request) {
		hosts.add(r)
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(http.StatusAccepted)
		_, _ = w.Write([]byte(`<title>Detail</title><p>detail</p><a id=pay target=_blank href="http://pay.example/">x</a>`))
	})
	shop.Handle("/wait", htmlPage("x"))
	shop.Handle("/closing", htmlPage(`<button id=end onclick="opener.document.body.append('returned'); window.close()">x</button>`))
	return map[string]http.Handler{"shop.example": shop, "pay.example": htmlPage(`<title>Pay</title><p>payment</p>`)}
}

func tabEngine(t *testing.T, seen *requestsSeen) *engine.Engine {
	needBrowser(t)
	return newEngine(t, engine.Options{Hosts: tabSites(seen), DialContext: noDial(t), Browser: engine.BrowserOptions{Shared: commonBrowser(t)}})
}

// The result of a scrape is the document of the tab that its actions have led to, with its own address and status.
func TestActions_aTabThatOpensIsThePage(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	e := tabEngine(t, &requestsSeen{})
	for _, test := range []struct {
		name, url, want, title string
		status                 int
		clicks                 []string
	}{
		{"a link's", "http://shop.example/detail", "detail", "Detail", http.StatusAccepted, []string{"#detail"}},
		{"another site's", "http://pay.example/", "payment", "Pay", 200, []string{"#other"}},
		{"a tab's", "http://pay.example/", "payment", "Pay", 200, []string{"#detail", "#pay"}},
		{"late", "http://shop.example/detail", "detail", "Detail", http.StatusAccepted, []string{"#late"}},
		{"closed again", "http://shop.example/", "returned", "Shop", 200, []string{"#popup", "#end"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var list []actions.Action
			for _, selector := range test.clicks {
				list = append(list, actions.Action{Type: actions.Click, Selector: selector})
			}
			doc, err := e.Scrape(t.Context(), "http://shop.example/", engine.ScrapeOptions{Timeout: busy,
				Formats: []formats.Format{{Type: formats.Markdown}}, OnlyMainContent: new(false), Actions: list,
			})
			if err != nil {
				t.Fatal(err)
			}
			if m := doc.Metadata; m.URL != test.url || m.StatusCode != test.status || m.Title != test.title || !strings.Contains(doc.Markdown, test.want) {
				t.Errorf("got %s, status %d, title %q, %q; want %s, %d", m.URL, m.StatusCode, m.Title, doc.Markdown, test.url, test.status)
			}
			if doc.Actions == nil || !slices.ContainsFunc(doc.Actions.Notes, func(n actions.Note) bool {
				return strings.HasPrefix(n.Text, "A tab has opened and is the page now: http://")
			}) {
				t.Errorf("got %+v, want a note of the tab", doc.Actions)
			}
		})
	}
}

// The policy and the guard of the page hold in its tabs.
func TestActions_aTabObeysThePolicy(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	e := tabEngine(t, &requestsSeen{})
	doc, err := e.Scrape(t.Context(), "http://shop.example/", engine.ScrapeOptions{Timeout: busy, Actions: []actions.Action{{Type: actions.Click, Selector: "#private"}}})
	if engine.CodeOf(err) != engine.CodeBlocked {
		t.Errorf("got %+v, %v, want the tab refused as a page is", doc, err)
	}
}

// The caller's headers go to their own origin, in a tab too.
func TestActions_aTabGetsTheCallersHeaders(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	var seen requestsSeen
	e := tabEngine(t, &seen)
	_, err := e.Scrape(t.Context(), "http://shop.example/", engine.ScrapeOptions{Timeout: busy,
		Headers: map[string]string{"X-Key": "k"}, Actions: []actions.Action{{Type: actions.Click, Selector: "#detail"}},
	})
	if got := seen.all(); err != nil || len(got) != 2 || got[1].Header.Get("X-Key") != "k" {
		t.Errorf("got %v, %v, want the header", got, err)
	}
}

// Actions, code and scrapes of a session see the tab that has opened, and a session that goes on with a scrape begins there.
func TestSession_aTabThatOpensIsThePage(t *testing.T) {
	t.Parallel()
	needSandbox(t)
	e := tabEngine(t, &requestsSeen{})
	s, err := e.NewSession(t.Context(), engine.SessionOptions{URL: "http://shop.example/"})
	if err != nil {
		t.Fatal(err)
	}
	out, err := s.Do(t.Context(), actions.Action{Type: actions.Click, Selector: "#detail"}, actions.Action{Type: actions.Scrape})
	if err != nil || len(out.Scrapes) != 1 || out.Scrapes[0].URL != "http://shop.example/detail" || len(out.Notes) != 1 {
		t.Fatalf("got %+v, %v, want the tab's page", out, err)
	}
	doc, err := s.Scrape(t.Context(), engine.ScrapeOptions{Timeout: busy, Actions: []actions.Action{{Type: actions.Click, Selector: "#pay"}}})
	if err != nil || doc.Metadata.URL != "http://pay.example/" || doc.Metadata.Title != "Pay" {
		t.Errorf("got %+v, %v, want the tab of the tab", doc, err)
	}
	if _, err := s.Close(); err != nil {
		t.Error(err)
	}
	scraped, err := e.Scrape(t.Context(), "http://shop.example/", engine.ScrapeOptions{Timeout: busy, Actions: []actions.Action{{Type: actions.Click, Selector: "#detail"}}})
	must(t, err)
	r, err := e.Interact(t.Context(), scraped.Metadata.ScrapeID, engine.InteractRequest{Code: `page.url()`})
	if err != nil || r.Result == nil || *r.Result != "http://shop.example/detail" {
		t.Errorf("got %+v, %v, want to go on in the tab", r, err)
	}
	if _, err := e.StopInteract(t.Context(), scraped.Metadata.ScrapeID); err != nil {
		t.Error(err)
	}
}
