package fetch

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/winnow-go/winnow/fetch/fetchtest"
)

// newClient makes a client that may contact loopback and never waits between tries.
func newClient(t testing.TB, change ...func(*Options)) *Client {
	t.Helper()
	o := Options{
		Policy: &Policy{AllowPrivate: true},
		Sleep:  func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
	}
	for _, c := range change {
		c(&o)
	}
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func mustDo(t testing.TB, c *Client, r Request) *Response {
	t.Helper()
	resp, err := c.Do(t.Context(), r)
	if err != nil {
		t.Fatalf("Do(%s): %v", r.URL, err)
	}
	return resp
}

func TestDo_encodingsAreUndone(t *testing.T) {
	site, c := fetchtest.New(t), newClient(t)
	for _, path := range []string{"/gzip", "/gzip/twice", "/gzip/tail", "/deflate", "/deflate/raw", "/br", "/zstd"} {
		t.Run(path, func(t *testing.T) {
			resp := mustDo(t, c, Request{URL: site.URL(path)})
			if !bytes.Contains(resp.Body, []byte(fetchtest.EncodedText)) {
				t.Errorf("body %q, want it to hold %q", resp.Body, fetchtest.EncodedText)
			}
			for _, name := range []string{"Content-Encoding", "Content-Length"} {
				if got := resp.Header.Get(name); got != "" {
					t.Errorf("%s: %q is left", name, got)
				}
			}
		})
	}
	if got := site.Requests("/gzip")[0].Header.Get("Accept-Encoding"); got != "gzip, deflate, br, zstd" {
		t.Errorf("Accept-Encoding %q", got)
	}
}

func TestDo_everyPageOfTheSite(t *testing.T) {
	site, c := fetchtest.New(t), newClient(t)
	for path, want := range map[string]struct{ mediaType, text string }{
		"/article":    {"text/html", fetchtest.ArticleText},
		"/table":      {"text/html", "Wheat"},
		"/js":         {"text/html", fetchtest.JSText},
		"/spa":        {"text/html", `<div id="root"></div>`},
		"/app.js":     {"text/javascript", fetchtest.JSText},
		"/links":      {"text/html", "mailto:"},
		"/images":     {"text/html", "srcset"},
		"/meta":       {"text/html", "og:title"},
		"/deep?n=600": {"text/html", "at the bottom"},
		"/json":       {"application/json", `"winnow"`},
		"/text":       {"text/plain", "naïve café"},
		"/xml":        {"application/xml", "<item id=\"2\">"},
		"/pdf":        {"application/pdf", "%PDF-1.4"},
		"/png":        {"image/png", "PNG"},
		"/octet":      {"application/octet-stream", "not known"},
		"/slow?ms=1":  {"text/html", fetchtest.ArticleText},
		"/status/404": {"text/html", "Not Found"},
	} {
		t.Run(path, func(t *testing.T) {
			resp := mustDo(t, c, Request{URL: site.URL(path)})
			if resp.MediaType != want.mediaType || !strings.Contains(string(resp.Body), want.text) {
				t.Errorf("got %s with %.200q, want %s with %q", resp.MediaType, resp.Body, want.mediaType, want.text)
			}
			if resp.URL != site.URL(path) || len(resp.Redirects) != 0 {
				t.Errorf("URL %s, redirects %v", resp.URL, resp.Redirects)
			}
		})
	}
}

func TestDo_speaksHTTP2(t *testing.T) {
	site, c := fetchtest.New(t), newClient(t)
	for range 2 {
		mustDo(t, c, Request{URL: site.TLSURL("/article"), SkipTLSVerify: true})
	}
	seen := site.Requests("/article")
	if seen[0].Proto != "HTTP/2.0" {
		t.Errorf("protocol %s, want HTTP/2.0", seen[0].Proto)
	}
	if seen[0].RemoteAddr != seen[1].RemoteAddr {
		t.Error("the connection was not kept")
	}
}

func TestDo_connectionsWithAndWithoutVerificationAreNotShared(t *testing.T) {
	site, c := fetchtest.New(t), newClient(t)
	mustDo(t, c, Request{URL: site.TLSURL("/article"), SkipTLSVerify: true})
	var e *TLSError
	if _, err := c.Do(t.Context(), Request{URL: site.TLSURL("/article")}); !errors.As(err, &e) {
		t.Fatalf("error %v, want a TLSError", err)
	}
	if site.Hits("/article") != 1 {
		t.Error("the unverified connection was used again")
	}
}

func TestDo_redirectsAreListed(t *testing.T) {
	site, c := fetchtest.New(t), newClient(t)
	resp := mustDo(t, c, Request{URL: site.URL("/redirect/3#part")})
	want := []string{site.URL("/redirect/3#part"), site.URL("/redirect/2#part"), site.URL("/redirect/1#part")}
	if resp.URL != site.URL("/article#part") || !slices.Equal(resp.Redirects, want) {
		t.Errorf("URL %s over %v, want %s over %v", resp.URL, resp.Redirects, site.URL("/article#part"), want)
	}
}

func TestDo_redirectStatuses(t *testing.T) {
	site, c := fetchtest.New(t), newClient(t)
	for status, followed := range map[string]bool{
		"300": false, "301": true, "302": true, "303": true, "304": false, "305": false, "307": true, "308": true,
	} {
		resp := mustDo(t, c, Request{URL: site.URL("/redirect-to?url=/text&status=" + status)})
		if got := resp.Status == http.StatusOK; got != followed {
			t.Errorf("%s followed: %v, want %v", status, got, followed)
		}
	}
	if resp := mustDo(t, c, Request{URL: site.URL("/redirect-to")}); resp.Status != http.StatusFound {
		t.Errorf("without Location: status %d, want 302", resp.Status)
	}
}

func TestDo_locationsAreResolvedAsBrowsersDo(t *testing.T) {
	site, c := fetchtest.New(t), newClient(t)
	for location, want := range map[string]string{
		"text":                    "/text",
		"./a/../text?q=%20#f":     "/text?q=%20#f",
		`\text`:                   "/text",
		"//" + site.Host() + "/a": "/a",
		"?x":                      "/redirect-to?x",
		"/p%C3%A4th":              "/p%C3%A4th",
		"/100%-off|sale":          "/100%-off|sale",
		" /text\t":                "/text",
	} {
		q := "/redirect-to?url=" + strings.NewReplacer("%", "%25", "&", "%26", "#", "%23", " ", "%20", "\t", "%09").Replace(location)
		resp, err := c.Do(t.Context(), Request{URL: site.URL(q)})
		if location == "?x" { // which then has no Location and ends there
			if err != nil || resp.URL != site.URL(want) {
				t.Errorf("%q: %v %v", location, resp, err)
			}
			continue
		}
		if err != nil || resp.URL != site.URL(want) {
			t.Errorf("%q led to %+v, %v; want %s", location, resp, err, want)
		}
	}
}

// requestLines serves any number of requests on a raw listener and gives their first lines.
func requestLines(t *testing.T) (host string, lines chan string) {
	ln, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	lines = make(chan string, 32)
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			line, _ := bufio.NewReader(c).ReadString('\n')
			lines <- line
			_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
			c.Close()
		}
	})
	t.Cleanup(func() { ln.Close(); wg.Wait() })
	return ln.Addr().String(), lines
}

func TestDo_pathsReachTheServerByteForByte(t *testing.T) {
	c := newClient(t)
	host, lines := requestLines(t)
	for path, want := range map[string]string{
		"/":                  "/",
		"":                   "/",
		"/?":                 "/?",
		"/100%-off":          "/100%-off",
		"/a%2Fb%2f":          "/a%2Fb%2f",
		"/a|b[]^'":           "/a|b[]^'",
		"/%zz?%zz=%":         "/%zz?%zz=%",
		"/a//b":              "/a//b",
		"//a":                "//a",
		"//100%":             "//100%25", // the one form that net/http can't send as it is
		"/a?b=c&d=%E4":       "/a?b=c&d=%E4",
		"/(x)!$&'*+,;=:@":    "/(x)!$&'*+,;=:@",
		"/ä b":               "/%C3%A4%20b",
		"/a?q=ä'\"":          "/a?q=%C3%A4%27%22",
		"/%":                 "/%",
		"/%?":                "/%?",
		"/a#fragment":        "/a",
		"/.%2e/b/./c/../d":   "/b/d",
		"/http://b.example/": "/http://b.example/",
	} {
		mustDo(t, c, Request{URL: "http://" + host + path})
		if got := <-lines; got != "GET "+want+" HTTP/1.1\r\n" {
			t.Errorf("%q went out as %q, want %q", path, got, want)
		}
	}
}

func TestDo_noRedirectsWhenNegative(t *testing.T) {
	site := fetchtest.New(t)
	c := newClient(t, func(o *Options) { o.MaxRedirects = -1 })
	resp := mustDo(t, c, Request{URL: site.URL("/redirect/2")})
	if resp.Status != http.StatusFound || len(resp.Body) == 0 {
		t.Errorf("status %d with %d bytes, want 302 with its body", resp.Status, len(resp.Body))
	}
}

func TestDo_cookiesSurviveRedirectsOfOneCallOnly(t *testing.T) {
	site, c := fetchtest.New(t), newClient(t)
	resp := mustDo(t, c, Request{URL: site.URL("/cookies/set?a=1&b=2"), Header: http.Header{"Cookie": {"b=old; c=3"}}})
	if got, want := string(resp.Body), `{"a":"1","b":"2","c":"3"}`; strings.TrimSpace(got) != want {
		t.Errorf("cookies %s, want %s", got, want)
	}
	if resp = mustDo(t, c, Request{URL: site.URL("/cookies/show")}); strings.TrimSpace(string(resp.Body)) != "{}" {
		t.Errorf("the next call sent %s", resp.Body)
	}
}

func TestDo_redirectToItselfWithNewCookiesIsNoLoop(t *testing.T) {
	site, c := fetchtest.New(t), newClient(t)
	resp := mustDo(t, c, Request{URL: site.URL("/cookies/count")})
	if strings.TrimSpace(string(resp.Body)) != "3" || len(resp.Redirects) != 3 {
		t.Errorf("body %s after %v", resp.Body, resp.Redirects)
	}
}

func sentHeaders(t *testing.T, resp *Response) http.Header {
	t.Helper()
	var h http.Header
	if err := json.Unmarshal(resp.Body, &h); err != nil {
		t.Fatalf("%q: %v", resp.Body, err)
	}
	return h
}

func TestDo_secretsStayWithTheirOrigin(t *testing.T) {
	site, other := fetchtest.New(t), fetchtest.New(t)
	c := newClient(t)
	secrets := http.Header{"Authorization": {"Bearer x"}, "Cookie": {"s=1"}, "x-api-key": {"k"}, "User-Agent": {"mine"}, "Referer": {"http://r/"}}
	for _, path := range []string{site.URL("/headers"), site.URL("/redirect-to?url=/headers")} {
		got := sentHeaders(t, mustDo(t, c, Request{URL: path, Header: secrets}))
		for name, want := range secrets {
			if got.Get(name) != want[0] {
				t.Errorf("%s: %s is %q, want %q", path, name, got.Get(name), want[0])
			}
		}
	}
	// Another port, another scheme, another name for the same machine: each is another origin.
	for _, elsewhere := range []string{other.URL("/headers"), site.TLSURL("/headers"), strings.Replace(site.URL("/headers"), "127.0.0.1", "localhost", 1)} {
		got := sentHeaders(t, mustDo(t, c, Request{URL: site.URL("/redirect-to?url=" + elsewhere), Header: secrets,
			UserAgent: "public", AcceptLanguage: "de", SkipTLSVerify: true}))
		for _, name := range []string{"Authorization", "Cookie", "X-Api-Key", "Referer"} {
			if got.Get(name) != "" {
				t.Errorf("%s got %s", elsewhere, name)
			}
		}
		if got.Get("User-Agent") != "public" || got.Get("Accept-Language") != "de" {
			t.Errorf("%s: User-Agent %q, Accept-Language %q", elsewhere, got.Get("User-Agent"), got.Get("Accept-Language"))
		}
	}
}

func TestDo_secretsComeBackToTheirOrigin(t *testing.T) {
	site, other := fetchtest.New(t), fetchtest.New(t)
	back := other.URL("/redirect-to?url=" + site.URL("/headers"))
	got := sentHeaders(t, mustDo(t, newClient(t), Request{URL: site.URL("/redirect-to?url=" + back), Header: http.Header{"X-Key": {"k"}}}))
	if got.Get("X-Key") != "k" || other.Requests("/redirect-to")[0].Header.Get("X-Key") != "" {
		t.Errorf("own origin got %q, the other %q", got.Get("X-Key"), other.Requests("/redirect-to")[0].Header.Get("X-Key"))
	}
}

func TestDo_passwordInURLIsSentAndNotShown(t *testing.T) {
	site := fetchtest.New(t)
	resp := mustDo(t, newClient(t), Request{URL: strings.Replace(site.URL("/headers"), "://", "://user:p%40ss@", 1)})
	if got := sentHeaders(t, resp).Get("Authorization"); got != "Basic dXNlcjpwQHNz" {
		t.Errorf("Authorization %q", got)
	}
	if resp.URL != site.URL("/headers") {
		t.Errorf("URL %s shows more than %s", resp.URL, site.URL("/headers"))
	}
}

func TestDo_flakyServerIsAskedAgain(t *testing.T) {
	site, c := fetchtest.New(t), newClient(t)
	for _, status := range []string{"429", "502", "503", "504", "0"} {
		resp := mustDo(t, c, Request{URL: site.URL("/flaky?fail=2&key=" + status + "&status=" + status)})
		if resp.Status != http.StatusOK {
			t.Errorf("after failures with %s: status %d, want 200", status, resp.Status)
		}
	}
}

func TestDo_lastFailureIsTheResponse(t *testing.T) {
	site, c := fetchtest.New(t), newClient(t)
	for path, tries := range map[string]int{"/status/503": 3, "/status/500": 1, "/status/404": 1, "/status/403": 1} {
		resp := mustDo(t, c, Request{URL: site.URL(path)})
		if !strings.HasSuffix(path, "/"+http.StatusText(resp.Status)) && resp.Status == 200 {
			t.Errorf("%s: status %d", path, resp.Status)
		}
		if len(resp.Body) == 0 || site.Hits(path) != tries {
			t.Errorf("%s: %d bytes after %d tries, want a body after %d", path, len(resp.Body), site.Hits(path), tries)
		}
	}
}

func TestDo_manyAtOnce(t *testing.T) {
	site, c := fetchtest.New(t), newClient(t)
	errs := make(chan error, 32)
	for i := range cap(errs) {
		go func() {
			r := Request{URL: site.URL("/cookies/set?n=1")}
			if i%2 == 0 {
				r = Request{URL: site.TLSURL("/redirect/2"), SkipTLSVerify: true}
			}
			_, err := c.Do(t.Context(), r)
			errs <- err
		}()
	}
	for range cap(errs) {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
}

func TestDo_afterCloseIsAnError(t *testing.T) {
	site, c := fetchtest.New(t), newClient(t)
	mustDo(t, c, Request{URL: site.URL("/text")})
	c.Close()
	c.Close()
	if _, err := c.Do(t.Context(), Request{URL: site.URL("/text")}); !errors.Is(err, ErrClosed) {
		t.Errorf("Do: %v, want ErrClosed", err)
	}
	if _, err := c.Dialer().DialContext(t.Context(), "tcp", site.Host()); !errors.Is(err, ErrClosed) {
		t.Errorf("dial: %v, want ErrClosed", err)
	}
}

func TestNew_namesTheBadOption(t *testing.T) {
	for want, o := range map[string]Options{
		"MaxBytes: -1":             {MaxBytes: -1},
		"HeaderTimeout":            {HeaderTimeout: -1},
		"UserAgent":                {UserAgent: "a\nb"},
		"Policy.AllowHosts[1]":     {Policy: &Policy{AllowHosts: []string{"ok.example", "http://x/"}}},
		"Policy.AllowNetworks[0]:": {Policy: &Policy{AllowNetworks: make([]prefix, 1)}},
	} {
		if _, err := New(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want it to name %s", err, want)
		}
	}
}
