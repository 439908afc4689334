package httpapi

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/httpapi/internal/uploads"
)

// reference asks for one as red.
func (s *service) reference(body string) (target, ref string) {
	s.t.Helper()
	a := s.must(200, "POST", "/v2/parse/upload-url", body)
	if a.text("data", "method") != "PUT" || a.text("data", "expiresAt") == "" || !strings.HasPrefix(a.text("data", "uploadUrl"), "https://api.example/v2/parse/upload/") {
		s.t.Errorf("%s", a.raw)
	}
	return strings.TrimPrefix(a.text("data", "uploadUrl"), "https://api.example"), a.text("data", "uploadRef")
}

// put uploads without a key.
func (s *service) put(target, content string) answer {
	s.t.Helper()
	return s.as("", "PUT", target, content, func(r *http.Request) { r.Header.Set("Content-Type", "text/html") })
}

func byRef(ref string) string {
	return fmt.Sprintf(`{"uploadRef":%q,"formats":["markdown"],"origin":"mcp"}`, ref)
}

func TestUpload_isParsedByItsReferenceOnce(t *testing.T) {
	dir := t.TempDir()
	s := newService(t, func(_ *engine.Options, o *Options) { o.UploadDir = dir })
	target, ref := s.reference(`{"filename":"lamp.html","contentType":"text/html; charset=utf-8","declaredSizeBytes":1000}`)
	if a := s.red("POST", parsePath, byRef(ref)); a.status != 409 {
		t.Errorf("before it is there: %d %s", a.status, a.raw)
	}
	if a := s.put(target, article); a.status != 200 || a.get("success") != true {
		t.Fatalf("%d %s", a.status, a.raw)
	}
	if a := s.put(target, "other"); a.status != 409 {
		t.Errorf("again: %d %s", a.status, a.raw)
	}
	if names, err := os.ReadDir(dir); err != nil || len(names) != 0 {
		t.Errorf("the file has a name: %v, %v", names, err)
	}
	if a := s.red("POST", parsePath, `{"uploadRef":"`+ref+`","waitFor":5}`); a.status != 400 || a.text("code") != "PARSE_UNSUPPORTED_OPTIONS" {
		t.Errorf("%d %s", a.status, a.raw)
	}
	if a := s.red("POST", parsePath, byRef(ref)); a.status != 200 || !strings.Contains(a.text("data", "markdown"), "# The lamp") {
		t.Errorf("%d %s", a.status, a.raw)
	}
	if a := s.red("POST", parsePath, byRef(ref)); a.status != 404 {
		t.Errorf("once more: %d %s", a.status, a.raw)
	}
	if a := s.put(target, article); a.status != 401 {
		t.Errorf("afterwards: %d %s", a.status, a.raw)
	}
}

func TestUpload_refusals(t *testing.T) {
	s := newService(t, func(_ *engine.Options, o *Options) { o.MaxFile = 1000 })
	for _, body := range []string{`{}`, `{"filename":""}`, `{"filename":"x","declaredSizeBytes":1001}`, `{"filename":"x","declaredSizeBytes":0}`, `{"filename":"x","path":"/etc"}`,
		`{"filename":"` + strings.Repeat("x", 513) + `"}`, `{"filename":"x","contentType":"a b"}`} {
		s.must(400, "POST", "/v2/parse/upload-url", body)
	}
	target, ref := s.reference(`{"filename":"x.html","declaredSizeBytes":10}`)
	path, _, _ := strings.Cut(target, "?")
	if a := s.put(target, "12345678901"); a.status != 413 {
		t.Errorf("too large: %d %s", a.status, a.raw)
	}
	chunked := func(r *http.Request) { r.ContentLength, r.Body = -1, io.NopCloser(strings.NewReader("12345678901")) }
	if a := s.as("", "PUT", target, "", chunked); a.status != 413 {
		t.Errorf("too large, without saying so: %d %s", a.status, a.raw)
	}
	for name, target := range map[string]string{"no token": path, "a wrong token": path + "?token=x", "the reference": path + "?token=" + ref} {
		if a := s.put(target, "x"); a.status != 401 {
			t.Errorf("%s: %d %s", name, a.status, a.raw)
		}
	}
	if a := s.as(blueSecret, "PUT", target, "x"); a.status != 403 {
		t.Errorf("another team's key: %d %s", a.status, a.raw)
	}
	if a := s.as("", "GET", target, ""); a.status != 401 { // the token is good for one thing
		t.Errorf("reading: %d %s", a.status, a.raw)
	}
	if a := s.red("PUT", path, "<p>lamp"); a.status != 200 {
		t.Errorf("by a key: %d %s", a.status, a.raw)
	}
	if a := s.as(blueSecret, "POST", parsePath, byRef(ref)); a.status != 403 {
		t.Errorf("parsing another team's: %d %s", a.status, a.raw)
	}
	for body, want := range map[string]int{byRef("x"): 404, `{}`: 400, `{"uploadRef":""}`: 400, `{"uploadRef":1}`: 400} {
		s.must(want, "POST", parsePath, body)
	}
	s.must(200, "POST", parsePath, byRef(ref))
}

// later is a clock that is moved by hand.
type later struct {
	mu sync.Mutex
	at time.Time
}

func (l *later) now() time.Time { l.mu.Lock(); defer l.mu.Unlock(); return l.at }

func (l *later) pass(d time.Duration) { l.mu.Lock(); defer l.mu.Unlock(); l.at = l.at.Add(d) }

func TestUpload_tenUnparsedReferencesADay(t *testing.T) {
	clock := &later{at: time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC)}
	s := newService(t, func(_ *engine.Options, o *Options) { o.Now = clock.now })
	var target, ref string
	for range uploads.MaxUnparsed {
		target, ref = s.reference(`{"filename":"x.html"}`)
		clock.pass(time.Second)
	}
	full := func() bool {
		a := s.red("POST", "/v2/parse/upload-url", `{"filename":"x.html"}`)
		return a.status == 429 && a.text("code") == "PARSE_UPLOAD_UNPARSED_LIMIT_REACHED"
	}
	if !full() {
		t.Error("an eleventh is given")
	}
	if a := s.as(blueSecret, "POST", "/v2/parse/upload-url", `{"filename":"x.html"}`); a.status != 200 {
		t.Errorf("another team: %d %s", a.status, a.raw)
	}
	s.put(target, article)
	s.must(200, "POST", parsePath, byRef(ref)) // makes room
	target, ref = s.reference(`{"filename":"x.html"}`)
	s.put(target, article)
	clock.pass(uploads.Lifetime)
	if a := s.red("POST", parsePath, byRef(ref)); a.status != 404 {
		t.Errorf("after ten minutes: %d %s", a.status, a.raw)
	}
	if a := s.put(target, article); a.status != 401 {
		t.Errorf("after ten minutes: %d %s", a.status, a.raw)
	}
	if !full() {
		t.Error("what is over doesn't count")
	}
	clock.pass(24 * time.Hour)
	s.reference(`{"filename":"x.html"}`)
}
