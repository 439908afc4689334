package fetch

import (
	"bytes"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/winnow-go/winnow/fetch/archive"
	"github.com/winnow-go/winnow/fetch/fetchtest"
)

// tape is a Recorder that keeps exchanges in memory, bodies read.
type tape struct {
	mu   sync.Mutex
	list []taped
}

type taped struct {
	archive.Exchange
	body string
}

func (r *tape) Record(e archive.Exchange) {
	body, _ := io.ReadAll(e.Response.Body)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.list = append(r.list, taped{e, string(body)})
}

func (r *tape) Resource(string, string, io.Reader) {}

func (r *tape) urls(site string) (urls []string) {
	for _, e := range r.list {
		urls = append(urls, strings.TrimPrefix(e.URL, site))
	}
	return urls
}

// Each response is recorded as it was on the wire, encoded, whole and once; redirects too.
func TestRecord_whatTheSiteSent(t *testing.T) {
	site := fetchtest.New(t)
	for _, path := range []string{"/article", "/gzip", "/gzip/twice", "/deflate", "/br", "/zstd", "/status/404", "/status/204"} {
		r := &tape{}
		c := newClient(t, func(o *Options) { o.Record = r })
		resp := mustDo(t, c, Request{URL: site.URL(path), Header: http.Header{"X-Own": {"1"}}})
		if len(r.list) != 1 {
			t.Errorf("%s: recorded %q", path, r.urls(site.URL("")))
			continue
		}
		e := r.list[0]
		if e.Truncated != "" || e.Response.Status() != resp.Status || e.IP != "127.0.0.1" || e.Request.Header.Get("X-Own") != "1" ||
			e.Request.Line != "GET "+path+" HTTP/1.1" || e.Request.Header.Get("Host") != site.Host() {
			t.Errorf("%s: %+v, %q, %v", path, e.Exchange, e.Request.Line, e.Request.Header)
		}
		encoding := e.Response.Header.Get("Content-Encoding")
		if plain := e.body == string(resp.Body); plain != (encoding == "") {
			t.Errorf("%s: the body is recorded as it was decoded: %t, Content-Encoding %q", path, plain, encoding)
		}
		decoded, err := decode(contentCodings(http.Header{"Content-Encoding": {encoding}}), strings.NewReader(e.body), 1<<20, -1)
		if encoding != "" && (err != nil || !bytes.Equal(decoded, resp.Body)) {
			t.Errorf("%s: what was recorded decodes to %.60q, %v", path, decoded, err)
		}
	}
}

func TestRecord_redirectsAndRetries(t *testing.T) {
	site, r := fetchtest.New(t), &tape{}
	c := newClient(t, func(o *Options) { o.Record = r })
	mustDo(t, c, Request{URL: site.URL("/redirect/2")})
	mustDo(t, c, Request{URL: site.URL("/flaky?fail=1&key=record")})
	want := []string{"/redirect/2", "/redirect/1", "/article", "/flaky?fail=1&key=record", "/flaky?fail=1&key=record"}
	if got := r.urls(site.URL("")); !slices.Equal(got, want) {
		t.Errorf("recorded %q, want %q", got, want)
	}
	if e := r.list[0]; e.Response.Status() != 302 || e.Response.Header.Get("Location") == "" || e.Truncated != "" {
		t.Errorf("%+v", e.Response)
	}
}

// A body that isn't whole says so; what never had a response isn't recorded.
func TestRecord_brokenResponses(t *testing.T) {
	site, r := fetchtest.New(t), &tape{}
	c := newClient(t, func(o *Options) { o.Record, o.Retries, o.MaxBytes = r, -1, 1<<20 })
	for _, path := range []string{"/truncated", "/huge?bytes=3000000&chunked=1", "/empty"} {
		if _, err := c.Do(t.Context(), Request{URL: site.URL(path)}); err == nil {
			t.Errorf("%s: no error", path)
		}
	}
	if got := r.urls(site.URL("")); !slices.Equal(got, []string{"/truncated", "/huge?bytes=3000000&chunked=1"}) {
		t.Fatalf("recorded %q", got)
	}
	for _, e := range r.list {
		if e.Truncated == "" {
			t.Errorf("%s: recorded as whole", e.URL)
		}
	}
}

// An upstream proxy's credentials are not the site's: they are in no record, even with secrets kept.
func TestRecord_proxyCredentialsAreLeftOut(t *testing.T) {
	site, r := fetchtest.New(t), &tape{}
	proxy := fetchtest.NewProxy(t, "user", "s3cret")
	c := newClient(t, func(o *Options) { o.Record = r })
	mustDo(t, c, Request{URL: site.URL("/article"), Proxy: Proxy{URL: proxy.URL("http"), Resolve: true}})
	if len(r.list) != 1 || r.list[0].IP != "" || r.list[0].Request.Header.Get("Proxy-Authorization") != "" {
		t.Errorf("%+v", r.list)
	}
}
