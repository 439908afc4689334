package browser

import (
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

var blockRoutes = map[string]http.HandlerFunc{
	"/rich": page(`<img src="/a.png"><img src="/b.JPG?size=2"><img src="/pixel"><video src="/v.mp4"></video><style>@font-face { font-family: f; src: url(/f.woff2) }
		p { font-family: f }</style><p>text</p><script src="/tracker.js?x=1"></script><script src="/app.js"></script>
		<script>console.log("said", 1); console.error("bad"); setTimeout(() => { throw new Error("lost") }, 0)</script>`),
	"/app.js": raw("text/javascript", ""),
}

func visitRich(t *testing.T, o PageOptions) (*site, *Page) {
	t.Helper()
	needsBrowser(t)
	s := newSite(t, newProxy(t).URL, blockRoutes)
	o.Proxy = s.proxy
	p := open(t, o)
	visit(t, p, s.URL+"/rich")
	if _, err := p.WaitReady(testContext(t)); err != nil {
		t.Fatal(err)
	}
	return s, p
}

func TestBlock_addressesAndKindsAreNotAskedFor(t *testing.T) {
	tests := map[string]struct {
		o               PageOptions
		asked, notAsked []string
	}{
		"nothing":  {PageOptions{}, []string{"/a.png", "/b.JPG", "/pixel", "/f.woff2", "/v.mp4", "/tracker.js", "/app.js"}, nil},
		"kinds":    {PageOptions{Skip: []string{"image", "font", "media"}}, []string{"/tracker.js", "/app.js"}, []string{"/a.png", "/b.JPG", "/f.woff2", "/v.mp4"}},
		"patterns": {PageOptions{Block: []string{"*://127.0.0.1:*/tracker*"}}, []string{"/a.png", "/app.js"}, []string{"/tracker.js"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s, p := visitRich(t, test.o)
			for _, path := range test.asked {
				eventually(t, path+" is asked for", func() bool { return len(s.requests(path)) > 0 })
			}
			for _, path := range test.notAsked {
				if len(s.requests(path)) > 0 {
					t.Errorf("%s was asked for", path)
				}
			}
			contains(t, "content", contentOf(t, p), "text")
		})
	}
}

func TestPage_tellsConsoleAndRequests(t *testing.T) {
	s, p := visitRich(t, PageOptions{Block: []string{"*tracker*"}})
	for _, want := range []string{"log: said 1", "error: bad", "uncaught: lost"} {
		eventually(t, want, func() bool { return slices.Contains(p.Console(), want) })
	}
	for _, want := range []string{"GET " + s.URL + "/rich 200", "GET " + s.URL + "/pixel 200", "GET " + s.URL + "/a.png 404"} {
		eventually(t, want, func() bool { return slices.Contains(p.Requests(), want) })
	}
	eventually(t, "the blocked one is told", func() bool {
		return strings.Contains(strings.Join(p.Requests(), "\n"), "/tracker.js?x=1 blocked")
	})
}

func TestPage_aFloodOfMessagesIsBounded(t *testing.T) {
	needsBrowser(t)
	p := open(t, PageOptions{})
	visit(t, p, "data:text/html,<p>text")
	if os.Getenv("WINNOW_SOAK") != "1" {
		p.traffic.mu.Lock()
		p.traffic.messages = maxMessages * 9 / 10 // the first of them were heard: the rest is a tenth of the work
		p.traffic.mu.Unlock()
	}
	flood := fmt.Sprintf(`const say = (n) => { for (; n > 0; n--) console.log("x".repeat(1100)) }; say(150); setInterval(say, 20, %d)`, inFull(5, 20))
	if _, err := p.Evaluate(testContext(t), flood); err != nil {
		t.Fatal(err)
	}
	heard := func() int {
		p.traffic.mu.Lock()
		defer p.traffic.mu.Unlock()
		return p.traffic.messages
	}
	eventually(t, "nobody listens any more", func() bool {
		before := heard()
		_ = p.Wait(testContext(t), 100*time.Millisecond)
		return before >= maxMessages && heard() == before
	})
	if lines := p.Console(); len(lines) != maxLines || len(lines[0]) > maxLineBytes+10 {
		t.Errorf("got %d lines, the first of %d bytes", len(lines), len(lines[0]))
	}
	contains(t, "content", contentOf(t, p), "text")
}
