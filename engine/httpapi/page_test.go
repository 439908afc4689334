package httpapi

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/winnow-go/winnow/engine"
)

func withPage(_ *engine.Options, o *Options) { o.Page = true }

// file asks for a file of the page.
func (s *service) file(method, target string, header ...string) *http.Response {
	s.t.Helper()
	r := httptest.NewRequest(method, target, nil)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w.Result()
}

func TestPage_isOffUntilAskedFor(t *testing.T) {
	s := newService(t)
	for _, target := range []string{"/", "/page/app.js"} {
		if r := s.file("GET", target); r.StatusCode != 401 || r.Header.Get("Content-Security-Policy") != "" {
			t.Errorf("%s: %d", target, r.StatusCode)
		}
	}
}

func TestPage_isOpenToAllAndStrict(t *testing.T) {
	var log lockedBuffer
	s := newService(t, withPage, func(_ *engine.Options, o *Options) { o.Logger = log.logger() })
	for target, kind := range map[string]string{"/": "text/html", "/page/style.css": "text/css", "/page/app.js": "text/javascript", "/page/icon.svg": "image/svg+xml"} {
		r := s.file("GET", target)
		if r.StatusCode != 200 || !strings.HasPrefix(r.Header.Get("Content-Type"), kind) || r.ContentLength == 0 {
			t.Errorf("%s: %d, %v", target, r.StatusCode, r.Header)
		}
		for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "X-Frame-Options": "DENY"} {
			if got := r.Header.Get(name); got != want {
				t.Errorf("%s: %s is %q", target, name, got)
			}
		}
		policy := r.Header.Get("Content-Security-Policy")
		for _, want := range []string{"default-src 'none'", "script-src 'self';", "style-src 'self';", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"} {
			if !strings.Contains(policy, want) {
				t.Errorf("%s: %s is not in %q", target, want, policy)
			}
		}
		if again := s.file("GET", target, "If-None-Match", r.Header.Get("ETag")); again.StatusCode != 304 {
			t.Errorf("%s again: %d", target, again.StatusCode)
		}
		if head := s.file("HEAD", target); head.StatusCode != 200 {
			t.Errorf("HEAD %s: %d", target, head.StatusCode)
		}
	}
	for target, want := range map[string]int{"/page/none.js": 404, "/page/index.html": 404, "/page/": 401, "/page": 401, "/page/x/y": 401} {
		if r := s.file("GET", target); r.StatusCode != want || !strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") {
			t.Errorf("%s: %d, want %d", target, r.StatusCode, want)
		}
	}
	if !strings.Contains(log.String(), `"route":"/{$}"`) {
		t.Errorf("the log: %s", log.String())
	}
}

// hostile is what a page may say to a program that shows it.
const hostile = `<title>&lt;img src=x onerror="document.title='run'"&gt;</title><main><h1>A hostile page &lt;/script&gt;&lt;script&gt;document.title='run'&lt;/script&gt;</h1>
<p>It says &lt;img src=x onerror=alert(1)&gt; and goes on for a while, so that it is taken for the content of the page.</p><p><a href="javascript:document.title='run'">a link</a> and <a href="http://trap.example/two">another</a></p></main>`

// notes are markdown as a site may serve it.
const notes = "# Notes <img src=x onerror=\"document.title='run'\">\n\n[first](javascript:document.title='run') [second](<http://trap.example/two>) ![picture](http://trap.example/p.png)\n\n" +
	"- one\n  - inner **bold** and `code`\n- two\n\n> said\n\n| a | b |\n|---|---|\n| 1 | ~~2~~ |\n\n```html\n<script>document.title='run'</script>\n```\n\n<script>document.title='run'</script>\n"

func trap() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, hostile)
	})
	var turn atomic.Int64
	mux.HandleFunc("/turn", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<title>&lt;img src=x onerror="document.title='run'"&gt;</title><main><h1>Turns</h1><p>It says &lt;script&gt;document.title='%s'&lt;/script&gt;
			and &lt;img src=x onerror=alert(1)&gt;.</p><p>%s</p></main>`, []string{"run", "walk"}[turn.Add(1)%2], strings.Repeat("The mill grinds barley in winter. ", 9))
	})
	mux.HandleFunc("/notes.md", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/markdown; charset=utf-8")
		fmt.Fprint(w, notes)
	})
	return mux
}
