package httpapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/httpapi/internal/quota"
)

func TestAccess_oneLineDescribesTheRequest(t *testing.T) {
	clock := time.Unix(1_700_000_000, 0)
	w := newWatched(t, func(_ *engine.Options, o *Options) {
		o.Now = func() time.Time { clock = clock.Add(time.Second); return clock }
		o.TracerProvider = nil
	})
	a := w.red("POST", "/v2/map?x=1", `{"url":"lamp.example","sitemap":"skip","origin":"js-sdk@4.42.0","integration":"_n8n"}`, header("X-Request-Id", "mine.1-2_3"))
	w.as("", "POST", "/v2/map", `{"url":"lamp.example"}`)
	w.red("GET", "/v9/hush", "")
	want := []map[string]any{
		{"request": "mine.1-2_3", "method": "POST", "route": "/v2/map", "status": 200.0, "bytes": float64(len(a.raw)), "team": "red", "key": HashSecret(redSecret)[len(hashPrefix):][:8], "origin": "js-sdk@4.42.0", "integration": "_n8n"},
		{"method": "POST", "route": "/v2/map", "status": 401.0, "code": "UNAUTHORIZED"},
		{"method": "GET", "route": "unknown", "status": 404.0, "team": "red", "code": "NOT_FOUND"},
	}
	lines := w.lines()
	if len(lines) != len(want) {
		t.Fatalf("%d lines: %v", len(lines), lines)
	}
	for i, l := range lines {
		for name, value := range want[i] {
			if l[name] != value {
				t.Errorf("line %d: %s is %v, want %v", i, name, l[name], value)
			}
		}
		if took, _ := l["duration"].(float64); took < float64(time.Second) || l["level"] != "INFO" {
			t.Errorf("line %d: %v", i, l)
		}
	}
	if keys := slices.Sorted(maps.Keys(lines[1])); !slices.Equal(keys, []string{"bytes", "code", "duration", "level", "method", "msg", "request", "route", "status", "time"}) {
		t.Errorf("empty attributes are logged: %v", keys)
	}
}

func TestAccess_requestIDs(t *testing.T) {
	w := newWatched(t)
	seen := map[string]bool{}
	for name, c := range map[string]struct {
		given    []string
		believed bool
	}{
		"none": {nil, false}, "one letter": {[]string{"x"}, true}, "a UUID": {[]string{"0190b8a0-0000-7000-8000-000000000000"}, true},
		"64": {[]string{strings.Repeat("k", 64)}, true}, "65": {[]string{strings.Repeat("k", 65)}, false}, "empty": {[]string{""}, false},
		"two": {[]string{"a", "b"}, false}, "a line": {[]string{"a\nb"}, false}, "a blank": {[]string{"a b"}, false}, "a slash": {[]string{"a/b"}, false},
		"a colon": {[]string{"http:x"}, false}, "not ASCII": {[]string{"é"}, false}, "NUL": {[]string{"a\x00"}, false},
	} {
		for _, secret := range []string{redSecret, "wrong-secret-0123456789"} {
			a := w.as(secret, "GET", "/v2/concurrency-check", "", header("X-Request-Id", c.given...))
			id := a.header.Get("X-Request-Id")
			if c.believed != (len(c.given) == 1 && id == c.given[0]) || !plain(id, 64) || !c.believed && seen[id] {
				t.Errorf("%s: %q", name, id)
			}
			lines := w.lines()
			if logged := lines[len(lines)-1]["request"]; logged != id {
				t.Errorf("%s: the log has %q, the answer %q", name, logged, id)
			}
			seen[id] = true
		}
	}
}

func TestAccess_aTruncatedAnswerIsLogged(t *testing.T) {
	w := newWatched(t)
	a := newAPI(w)
	for name, do := range map[string]func(*call) error{
		"an error": func(c *call) error { _, _ = c.w.Write([]byte("part")); return errors.New("later") },
		"a panic":  func(c *call) error { _, _ = c.w.Write([]byte("part")); panic(http.ErrAbortHandler) },
	} {
		w.spans.Reset()
		func() {
			defer func() {
				if p := recover(); p != http.ErrAbortHandler {
					t.Errorf("%s: %v", name, p)
				}
			}()
			a.serve(httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil), route{"GET /cut", open, 0, do})
		}()
		lines := w.lines()
		if l := lines[len(lines)-1]; l["aborted"] != true || l["status"] != 200.0 || l["bytes"] != 4.0 {
			t.Errorf("%s: %v", name, l)
		}
		if got := attrs(w.span("GET /cut")); got["error.type"] != "aborted" {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// newAPI is what stands behind the service's handler.
func newAPI(w *watched) *api {
	o := Options{Keys: []Key{key(w.t, redSecret, "red")}, Logger: w.log.logger()}.resolve()
	return &api{engine: w.engine, options: o, limits: quota.NewRates(), teams: quota.NewTeams(), spans: newSpans(w.provider)}
}

func TestAccess_aFaultIsFoundByItsID(t *testing.T) {
	w := newWatched(t)
	a := newAPI(w)
	cause := &engine.Error{Code: engine.CodeUnknown, Op: "scrape", URL: "lamp.example/x?hush=1", Err: fmt.Errorf(
		"got lamp.example/x?hush=1 by HTTPS://user:hush@Proxy.example:81/p?hush#hush and \"ws://[::1]:9/hush\" and mailto://?hush: disk full")}
	rec := httptest.NewRecorder()
	a.serve(rec, httptest.NewRequest("GET", "/", nil), route{"GET /fault", open, 0, func(*call) error { return fmt.Errorf("wrapped: %w", cause) }})
	var body errorBody
	if err := json.Unmarshal(rec.Body.Bytes(), &body); err != nil || body.ID == "" {
		t.Fatal(rec.Body, err)
	}
	log := w.log.String()
	if strings.Contains(log, "hush") || strings.Count(log, body.ID) != 2 || !strings.Contains(log, "disk full") || !strings.Contains(log, "https://Proxy.example/…") || !strings.Contains(log, `"op":"scrape"`) {
		t.Error(log)
	}
	if l := w.lines()[0]; l["fault"] != body.ID || l["code"] != "UNKNOWN_ERROR" || l["status"] != 500.0 {
		t.Errorf("%v", l)
	}
}

// FuzzWithoutURLs puts a URL with secrets between foreign words.
func FuzzWithoutURLs(f *testing.F) {
	for _, c := range [][3]string{{"get ", "u", ": refused"}, {"1", "<'`", "\""}, {"http://", ":", "@"}, {"é//", "%zz", "\n"}} {
		f.Add(c[0], c[1], c[2])
	}
	f.Fuzz(func(t *testing.T, before, user, after string) {
		if strings.ContainsFunc(user, func(r rune) bool { return r == '"' || unicode.IsSpace(r) }) || strings.Contains(before+user+after, "Hush") {
			return
		}
		url := "https://" + user + "Hush:Hush@lamp.example/Hush?Hush#Hush"
		for _, cause := range []error{errors.New(before + url + after), &engine.Error{Op: "scrape", URL: user + "Hush", Err: errors.New(before + user + "Hush" + after)}} {
			if got := withoutURLs(cause); strings.Contains(got, "Hush") {
				t.Errorf("%q became %q", cause, got)
			}
		}
	})
}

// Words that may appear nowhere. Pages of lockdown and keys may be in no log at all, also not in the engine's.
const (
	hush = "hush"   // in URLs, headers and bodies
	lock = "sealed" // in URLs under lockdown and zero data retention
	pass = "passwd" // of a proxy
)

// secretBodies are what a route is asked with, so that all ends are met: served, refused and failed.
func secretBodies(pattern string) []string {
	base := bodies[pattern]
	if base == "" {
		return []string{"", `{"hush":"hush"}`}
	}
	all := []string{
		base, `{"hush`, `{"url":"hush.example","hush":1}`, `{"url":"hush://hush"}`,
		strings.ReplaceAll(base, "lamp.example", "http://hush:hush@lamp.example/a?hush=hush#hush"),
		strings.ReplaceAll(base, "lamp.example", "hush.example/hush"),
		strings.Replace(base, "{", `{"origin":"https://hush.example/hush","integration":"hush words",`, 1),
		strings.Replace(base, "{", `{"headers":{"Cookie":"hush"},`, 1),
	}
	for _, c := range [][2]string{
		{`"lockdown":true,`, "lamp.example/a?sealed=1"}, {`"lockdown":true,`, "http://127.0.0.1/sealed"},
		{`"zeroDataRetention":true,`, "lamp.example/a?sealed=1"}, {`"zeroDataRetention":true,`, "sealed.example/sealed"}, {`"zeroDataRetention":true,`, "http://127.0.0.1/sealed"},
		{`"scrapeOptions":{"lockdown":true},`, "sealed.example/sealed"}, {`"scrapeOptions":{"lockdown":true},"zeroDataRetention":true,`, "lamp.example/sealed"},
		{`"proxy":"enhanced",`, "sealed.example/sealed"},
	} {
		all = append(all, strings.Replace(strings.ReplaceAll(base, "lamp.example", c[1]), "{", "{"+c[0], 1))
	}
	return all
}

func TestAccess_noRouteLogsSecrets(t *testing.T) {
	w := newWatched(t, withModel(t), func(eo *engine.Options, o *Options) {
		eo.Logger = o.Logger
		eo.AllowZeroDataRetention, o.Limits.ZeroDataRetention, o.Page = true, true, true
		eo.Proxies = []engine.Proxy{{URL: "http://user:" + pass + "@proxy.example:81", Tier: engine.ProxyEnhanced}}
		eo.Browser.Executable = "/nowhere/browser"
	})
	routes := slices.Concat(table(), healthTable(), pageTable(nil), []route{{pattern: "PUT /" + hush}})
	for _, r := range routes {
		method, target := example(strings.ReplaceAll(r.pattern, "{$}", ""))
		for _, body := range secretBodies(r.pattern) {
			w.whisper(redSecret, method, target, body)
		}
		w.whisper(hush+"-secret-0123456789", method, target, bodies[r.pattern])
		w.whisper(redSecret, method, strings.Replace(target, "0190b8a0", hush, 1), "")
	}
	w.whisperFile()
	if err := w.engine.Close(); err != nil { // jobs are at an end
		t.Fatal(err)
	}
	w.checkSecrets(len(routes))
}

// whisper asks with secrets wherever there is room for one.
func (w *watched) whisper(secret, method, target, body string) {
	r := httptest.NewRequest(method, target+"?cursor="+hush+"&token="+hush, strings.NewReader(body)).WithContext(w.t.Context())
	for _, name := range []string{"User-Agent", "Referer", "Cookie", "X-Forwarded-For", "X-Idempotency-Key", "Baggage", "X-Api-Key"} {
		r.Header.Set(name, hush+"="+hush)
	}
	r.Header.Set("X-Request-Id", hush+"?"+hush)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+secret)
	w.ServeHTTP(httptest.NewRecorder(), r)
}

func (w *watched) whisperFile() {
	var form bytes.Buffer
	parts := multipart.NewWriter(&form)
	file, err := parts.CreateFormFile("file", hush+".html")
	if err == nil {
		_, err = file.Write([]byte("<p>" + hush))
	}
	if err = errors.Join(err, parts.WriteField("options", `{"zeroDataRetention":true}`), parts.Close()); err != nil {
		w.t.Fatal(err)
	}
	r := httptest.NewRequest("POST", parsePath, &form)
	r.Header.Set("Content-Type", parts.FormDataContentType())
	r.Header.Set("Authorization", "Bearer "+redSecret)
	w.ServeHTTP(httptest.NewRecorder(), r)
}

// holds are texts that are looked for; a regular expression took seconds under the race detector.
type holds []string

func (h holds) in(text string) bool {
	return slices.ContainsFunc(h, func(part string) bool { return strings.Contains(text, part) })
}

// checkSecrets looks through all that was logged.
func (w *watched) checkSecrets(routes int) {
	w.t.Helper()
	anywhere := holds{redSecret, HashSecret(redSecret)[len(hashPrefix):], lock, pass}
	own := holds{hush, "lamp.example", "127.0.0.1"}
	for line := range strings.Lines(w.log.String()) {
		if anywhere.in(line) || strings.Contains(line, `"msg":"httpapi:`) && own.in(line) {
			w.t.Errorf("in the log: %s", line)
		}
	}
	seen := map[any]bool{}
	for _, l := range w.lines() {
		seen[fmt.Sprint(l["method"], l["route"])] = true
	}
	if len(seen) != routes {
		w.t.Errorf("%d of %d routes are in the log", len(seen), routes)
	}
	for _, s := range w.spans.GetSpans() {
		if logged := fmt.Sprintf("%+v", s); anywhere.in(logged) || own.in(logged) {
			w.t.Errorf("in a span: %s", logged)
		}
	}
	for name := range w.numbers() {
		if anywhere.in(name) || own.in(name) || strings.Contains(name, "=red") {
			w.t.Errorf("in the numbers: %s", name)
		}
	}
}
