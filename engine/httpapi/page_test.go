package httpapi

import (
	"fmt"
	"io/fs"
	"math"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
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

// TestPage_filesFit looks for what a browser would only find where it gets to: files and elements that aren't there.
func TestPage_filesFit(t *testing.T) {
	html := pageFile(t, "index.html")
	ids, named := map[string]bool{}, map[string]bool{}
	for _, id := range matches(html, `\bid="([^"]*)"`) {
		if ids[id] {
			t.Errorf("the id %q is there twice", id)
		}
		ids[id] = true
	}
	for _, ref := range matches(html, `\s(?:for|aria-controls|aria-labelledby)="([^"]*)"`) {
		if !ids[ref] {
			t.Errorf("index.html refers to %q", ref)
		}
	}
	for _, name := range matches(html, `(?:href|src)="page/([^"]*)"`) {
		named[name] = true
	}
	if found := matches(html, `(?i)( on\w+=| style=|<style|<script>|javascript:|(?:href|src)="(?:https?:|/))`); len(found) > 0 {
		t.Errorf("index.html has %q", found)
	}
	entries, err := fs.ReadDir(pageFiles, "page")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".js") {
			continue
		}
		code := pageFile(t, e.Name())
		for _, name := range matches(code, `from "\./([^"]*)"`) {
			named[name] = true
		}
		for _, id := range matches(code, `\bat\("([^"]*)"\)`) {
			if !ids[id] {
				t.Errorf("%s asks for the element %q", e.Name(), id)
			}
		}
		if found := matches(code, `(innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function)`); len(found) > 0 {
			t.Errorf("%s has %q", e.Name(), found)
		}
		if n := strings.Count(code, "\n"); n > 200 {
			t.Errorf("%s has %d lines", e.Name(), n)
		}
	}
	for _, e := range entries {
		if !named[e.Name()] && e.Name() != "index.html" {
			t.Errorf("nothing refers to %s", e.Name())
		}
		delete(named, e.Name())
	}
	if len(named) > 0 {
		t.Errorf("not there: %v", named)
	}
}

// TestPage_coloursCanBeRead computes the contrast of text and ground, light and dark: 4.5 for text, 3 for the edges of fields (WCAG 2.2, 1.4.3
// and 1.4.11).
func TestPage_coloursCanBeRead(t *testing.T) {
	light, dark, ok := strings.Cut(pageFile(t, "style.css"), "@media (prefers-color-scheme: dark)")
	if !ok {
		t.Fatal("no dark colours")
	}
	for name, css := range map[string]string{"light": light, "dark": dark} {
		colour := map[string]string{}
		for _, m := range regexp.MustCompile(`--([\w-]+): #([0-9a-f]{6});`).FindAllStringSubmatch(css, -1) {
			colour[m[1]] = m[2]
		}
		for _, pair := range [][2]string{
			{"text", "ground"}, {"text", "surface"}, {"text", "sunk"}, {"text", "soft"}, {"muted", "ground"}, {"muted", "surface"}, {"muted", "sunk"}, {"accent", "ground"}, {"accent", "surface"}, {"accent", "soft"},
			{"on-accent", "accent"}, {"danger", "danger-soft"}, {"danger", "surface"}, {"good", "good-soft"}, {"warn", "warn-soft"},
		} {
			if got := contrast(t, colour[pair[0]], colour[pair[1]]); got < 4.5 {
				t.Errorf("%s: %s on %s: %.2f", name, pair[0], pair[1], got)
			}
		}
		if got := contrast(t, colour["edge"], colour["surface"]); got < 3 {
			t.Errorf("%s: the edges of fields: %.2f", name, got)
		}
	}
}

// contrast is WCAG's ratio of two colours, written as rrggbb.
func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	luminance := func(hex string) (sum float64) {
		n, err := strconv.ParseUint(hex, 16, 32)
		if err != nil {
			t.Fatalf("the colour %q", hex)
		}
		for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
			c := float64(n>>(16-8*i)&255) / 255
			if c <= 0.04045 {
				c /= 12.92
			} else {
				c = math.Pow((c+0.055)/1.055, 2.4)
			}
			sum += weight * c
		}
		return sum
	}
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func pageFile(t *testing.T, name string) string {
	t.Helper()
	data, err := pageFiles.ReadFile("page/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func matches(text, pattern string) (found []string) {
	for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
		found = append(found, m[1])
	}
	return found
}

// hostile is what a page may say to whoever shows it.
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
	mux.HandleFunc("/notes.md", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/markdown; charset=utf-8")
		fmt.Fprint(w, notes)
	})
	return mux
}
