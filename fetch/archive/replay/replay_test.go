package replay

import (
	"errors"
	"io"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/fetch/archive"
	"github.com/winnow-go/winnow/fetch/archive/recording"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// exchange is one that was recorded: "METHOD address", request body, response body, and lines of the response's header.
func exchange(request, sent, body string, header ...string) archive.Exchange {
	method, address, _ := strings.Cut(request, " ")
	e := archive.Exchange{URL: address,
		Request: &archive.Message{Line: method + " / HTTP/1.1", Body: strings.NewReader(sent),
			Header: archive.Header{{Name: "Content-Type", Value: "application/x-www-form-urlencoded"}}},
		Response: &archive.Message{Line: "HTTP/1.1 200 OK", Body: strings.NewReader(body), Header: archive.Header{{Name: "Content-Type", Value: "text/html"}}}}
	for _, h := range header {
		if name, value, ok := strings.Cut(h, ": "); ok {
			e.Response.Header = append(e.Response.Header, archive.Field{Name: name, Value: value})
		} else {
			e.Response.Line = h
		}
	}
	return e
}

// recorded makes an archive of exchanges.
func recorded(t *testing.T, name string, exchanges ...archive.Exchange) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	r, err := recording.Create(recording.Options{File: file})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range exchanges {
		r.Record(e)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	return file
}

func opened(t *testing.T, files ...string) *Replay {
	t.Helper()
	r, err := Open(files...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

// found is the body that answers, or the error.
func found(r *Replay, q Request) string {
	a, err := r.Find(q)
	if err != nil {
		return err.Error()
	}
	body, err := io.ReadAll(a.Body)
	if err != nil {
		return err.Error()
	}
	return string(body)
}

const shop = "https://shop.example/"

func shopExchanges() []archive.Exchange {
	signIn := exchange("POST "+shop+"signin", `{"user":"ann","password":"s3cret"}`, "signed in")
	signIn.Request.Header.Set("Content-Type", "text/plain;charset=UTF-8")
	return []archive.Exchange{
		exchange("GET "+shop, "", "home"),
		exchange("GET "+shop+"again", "", "home"), // stored as a revisit
		exchange("GET "+shop+"list?page=2&sort=a", "", "second page"),
		exchange("GET "+shop+"poll?_=1700000000123&q=1", "", "polled"),
		exchange("POST "+shop+"search", "q=shoes", "shoes"),
		exchange("POST "+shop+"search", "q=hats", "hats"),
		exchange("POST "+shop+"login", "user=ann&password=s3cret", "welcome"),
		signIn,
		exchange("GET "+shop+"enter?user=ann&pwd=s3cret", "", "entered"),
		exchange("GET "+shop+"enter?user=bob&pwd=s3cret", "", "bob entered"),
		exchange("GET "+shop+"changing", "", "before"),
		exchange("GET "+shop+"changing", "", "after"),
		exchange("GET "+shop+"changing", "", "", "HTTP/1.1 304 Not Modified"),
	}
}

func TestFind(t *testing.T) {
	form := "application/x-www-form-urlencoded"
	tests := []struct {
		q    Request
		want string
	}{
		{Request{URL: shop}, "home"},
		{Request{URL: shop + "#top"}, "home"},
		{Request{URL: "http://www.shop.example"}, "home"},
		{Request{URL: shop + "again"}, "home"},
		{Request{Method: "HEAD", URL: shop}, "home"},
		{Request{URL: shop + "list?sort=a&page=2"}, "second page"},
		{Request{URL: shop + "poll?_=1800000000999&q=1"}, "polled"},
		{Request{URL: shop + "changing"}, "after"},
		{Request{URL: shop + "enter?user=ann&pwd=another"}, "entered"},
		{Request{URL: shop + "enter?user=ann&pwd=%28redacted%29"}, "entered"},
		{Request{"POST", shop + "search", form, []byte("q=hats")}, "hats"},
		{Request{"POST", shop + "search", form, []byte("q=shoes")}, "shoes"},
		{Request{"POST", shop + "login", form, []byte("user=ann&password=another")}, "welcome"},
		{Request{"POST", shop + "signin", "text/plain;charset=UTF-8", []byte(`{"user":"ann","password":"another"}`)}, "signed in"},
	}
	for _, name := range []string{"shop.wacz", "shop.warc.gz", "shop.warc"} {
		r := opened(t, recorded(t, name, shopExchanges()...))
		for _, tt := range tests {
			if got := found(r, tt.q); got != tt.want {
				t.Errorf("%s: %s %s %q: %q, want %q", name, tt.q.Method, tt.q.URL, tt.q.Body, got, tt.want)
			}
		}
	}
}

// A form is found whatever the boundary of its parts, which browsers make up each time, and whatever its password.
func TestFind_formsWithOtherBoundaries(t *testing.T) {
	form := func(boundary, q, password string) (media, body string) {
		part := func(name, value string) string {
			return "--" + boundary + "\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + value + "\r\n"
		}
		return "multipart/form-data; boundary=" + boundary, part("q", q) + part("password", password) + "--" + boundary + "--\r\n"
	}
	for _, name := range []string{"shop.wacz", "shop.warc.gz"} {
		var exchanges []archive.Exchange
		for _, q := range []string{"shoes", "hats"} {
			media, body := form("----Form"+q, q, "s3cret")
			e := exchange("POST "+shop+"form", body, q)
			e.Request.Header.Set("Content-Type", media)
			exchanges = append(exchanges, e)
		}
		r := opened(t, recorded(t, name, exchanges...))
		media, body := form("----FormAnother", "hats", "another")
		if got := found(r, Request{"POST", shop + "form", media, []byte(body)}); got != "hats" {
			t.Errorf("%s: %q", name, got)
		}
		media, body = form("----FormAnother", "socks", "another")
		if got := found(r, Request{"POST", shop + "form", media, []byte(body)}); !strings.Contains(got, "no archive has POST") {
			t.Errorf("%s: another form: %q", name, got)
		}
	}
}

// What isn't there is a miss that names what is like it, and nothing else.
func TestFind_misses(t *testing.T) {
	r := opened(t, recorded(t, "shop.wacz", shopExchanges()...))
	for _, q := range []Request{
		{URL: shop + "list?page=3&sort=a"}, {URL: shop + "poll?_=1800000000999&q=2"}, {Method: "POST", URL: shop}, {Method: "POST", URL: shop + "search", Body: []byte("q=socks")},
		{URL: "https://other.example/"}, {Method: "DELETE", URL: shop},
	} {
		_, err := r.Find(q)
		m, ok := errors.AsType[*MissError](err)
		if !ok || m.URL != q.URL || len(m.Nearest) == 0 || len(m.Nearest) > 3 {
			t.Errorf("%s %s: %v", q.Method, q.URL, err)
			continue
		}
		if strings.Contains(q.URL, "list") && !slices.Contains(m.Nearest, shop+"list?page=2&sort=a") {
			t.Errorf("%v", m)
		}
	}
}

func TestOpen_layersInOrder(t *testing.T) {
	upper := recorded(t, "upper.warc.gz", exchange("GET "+shop, "", "new home"))
	r := opened(t, upper, recorded(t, "lower.wacz", shopExchanges()...))
	if got := found(r, Request{URL: shop}); got != "new home" {
		t.Errorf("%q", got)
	}
	if got := found(r, Request{URL: shop + "changing"}); got != "after" {
		t.Errorf("%q", got)
	}
}

func TestOpen_filesOfOtherTools(t *testing.T) {
	others := filepath.Join("..", "testdata", "others")
	for file, address := range map[string]string{"example.warc.gz": "http://example.com/", "example.arc.gz": "http://example.com/",
		"example-resource.warc.gz": "http://example.com/", "valid_example_1.wacz": "http://www.example.com/", "example-iana.org-chunked.warc": "http://www.iana.org/"} {
		r := opened(t, filepath.Join(others, file))
		if got := found(r, Request{URL: address}); len(got) < 500 {
			t.Errorf("%s: %q", file, got)
		}
	}
	r := opened(t, filepath.Join(others, "example-trunc.warc"))
	if damage := r.Damage(); len(damage) != 1 || !strings.Contains(damage[0].Error(), "its block has the digest sha1:") {
		t.Errorf("damage %v, want a digest that is another", damage)
	}
	har := filepath.Join(t.TempDir(), "x.har")
	text := `{"log":{"entries":[{"startedDateTime":"2026-11-26T12:30:15Z","request":{"method":"GET","url":"https://a.example/"},"response":{"status":200,"content":{"text":"from HAR","mimeType":"text/html"}}},
		{"request":{"url":"https://a.example/failed"},"response":{}}]}}`
	if err := os.WriteFile(har, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", t.TempDir())
	r = opened(t, har)
	if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "*")); len(left) > 0 && runtime.GOOS != "windows" {
		t.Errorf("a killed program would leave %q", left)
	}
	if got := found(r, Request{URL: "https://a.example/"}); got != "from HAR" || len(r.Damage()) != 1 {
		t.Errorf("%q, damage %v", got, r.Damage())
	}
}

func TestOpen_refuses(t *testing.T) {
	bad := filepath.Join(t.TempDir(), "bad.wacz")
	if err := os.WriteFile(bad, []byte("no zip file"), 0o600); err != nil {
		t.Fatal(err)
	}
	useless := map[string]string{"none.warc": "no WARC file at all", "none.har": "{", "empty.har": `{"log":{"entries":[{"request":{"url":"https://a.example/"},"response":{}}]}}`}
	list := [][]string{nil, {"missing.wacz"}, {bad}, {"replay.go"}}
	for name, text := range useless {
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		list = append(list, []string{file})
	}
	for _, files := range list {
		if r, err := Open(files...); err == nil || r != nil {
			t.Errorf("%q: %v", files, err)
		}
	}
}

// ask sends a request to the replay as a server.
func ask(r *Replay, method, address, body string, header ...string) *httptest.ResponseRecorder {
	q := httptest.NewRequest(method, address, strings.NewReader(body))
	for _, h := range header {
		name, value, _ := strings.Cut(h, ": ")
		q.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	r.ServeHTTP(w, q)
	return w
}

func TestServeHTTP(t *testing.T) {
	r := opened(t, recorded(t, "x.wacz",
		exchange("GET https://a.example/", "", "0123456789", "Set-Cookie: s=1", "X-Own: 1", MissHeader+": a lie", "Transfer-Encoding: chunked"),
		exchange("GET https://a.example/moved", "", "", "HTTP/1.1 302 Found", "Location: /"),
		exchange("POST https://a.example/api", "a=1", "done")))
	w := ask(r, "GET", "https://a.example/", "")
	if w.Code != 200 || w.Body.String() != "0123456789" || w.Header().Get("X-Own") != "1" || w.Header().Get("Set-Cookie") != "" || w.Header().Get(MissHeader) != "" {
		t.Errorf("%d %q %v", w.Code, w.Body, w.Header())
	}
	if w := ask(r, "GET", "https://a.example/", "", "Range: bytes=2-4"); w.Code != 206 || w.Body.String() != "234" || w.Header().Get("Content-Range") != "bytes 2-4/10" {
		t.Errorf("a part: %d %q %v", w.Code, w.Body, w.Header())
	}
	if w := ask(r, "GET", "https://a.example/moved", ""); w.Code != 302 || w.Header().Get("Location") != "/" {
		t.Errorf("a redirect: %d %v", w.Code, w.Header())
	}
	if w := ask(r, "HEAD", "https://a.example/", ""); w.Code != 200 || w.Body.Len() != 0 {
		t.Errorf("HEAD: %d %q", w.Code, w.Body)
	}
	if w := ask(r, "POST", "https://a.example/api", "a=1", "Content-Type: application/x-www-form-urlencoded"); w.Body.String() != "done" {
		t.Errorf("POST: %d %q", w.Code, w.Body)
	}
	w = ask(r, "OPTIONS", "https://a.example/api", "", "Origin: https://b.example", "Access-Control-Request-Method: PUT", "Access-Control-Request-Headers: x-a")
	if h := w.Header(); w.Code != 204 || h.Get("Access-Control-Allow-Origin") != "https://b.example" || h.Get("Access-Control-Allow-Methods") != "PUT" ||
		h.Get("Access-Control-Allow-Headers") != "x-a" {
		t.Errorf("a preflight: %d %v", w.Code, w.Header())
	}
	if w := ask(r, "GET", "https://a.example/none", ""); w.Code != 502 || !strings.Contains(w.Header().Get(MissHeader), "the nearest are https://a.example/") {
		t.Errorf("a miss: %d %v", w.Code, w.Header())
	}
}
