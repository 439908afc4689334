package httpapi

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/winnow-go/winnow/engine"
)

const app = "https://app.example"

// from sends a request as the script of a page does.
func (s *service) from(origin, secret, method, target, body string, change ...func(*http.Request)) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, nil)
	r.Header.Set("Origin", origin)
	r.Header.Set("Sec-Fetch-Site", "cross-site")
	r.Host = "localhost:3002"
	if secret != "" {
		r.Header.Set("Authorization", "Bearer "+secret)
	}
	for _, c := range change {
		c(r)
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

func preflight(r *http.Request) { r.Header.Set("Access-Control-Request-Method", "POST") }

func TestOrigins_mayCallFromBrowsers(t *testing.T) {
	for name, c := range map[string]struct {
		origins   []string
		origin    string
		preflight int // status
		allowed   string
	}{
		"listed":         {[]string{"https://other.example", app}, app, 204, app},
		"all":            {[]string{"*"}, app, 204, app},
		"not listed":     {[]string{"https://other.example"}, app, 401, ""},
		"another port":   {[]string{app}, app + ":8443", 401, ""},
		"an opaque one":  {[]string{app}, "null", 401, ""},
		"none is listed": {nil, app, 401, ""},
		"no wildcard":    {[]string{app}, "*", 401, ""},
	} {
		s := newService(t, func(_ *engine.Options, o *Options) { o.Origins = c.origins })
		w := s.from(c.origin, "", "OPTIONS", "/v2/scrape", "", preflight)
		if h := w.Header(); w.Code != c.preflight || h.Get("Access-Control-Allow-Origin") != c.allowed || (h.Get("Access-Control-Allow-Headers") != "") != (c.allowed != "") {
			t.Errorf("%s: the preflight request got %d %v", name, w.Code, h)
		}
		w = s.from(c.origin, redSecret, "GET", "/v2/team/activity", "")
		if h := w.Header(); w.Code != 200 || h.Get("Access-Control-Allow-Origin") != c.allowed || h.Get("Access-Control-Allow-Credentials") != "" || (h.Get("Vary") == "Origin") != (c.origins != nil) {
			t.Errorf("%s: got %d %v", name, w.Code, h)
		}
	}
}

// Without a key only pages that are listed by name get in: the server may be on a machine that people browse from.
func TestOrigins_withoutAKey(t *testing.T) {
	for name, c := range map[string]struct {
		origins []string
		want    int
	}{"listed": {[]string{app}, 200}, "all": {[]string{"*"}, 403}, "another": {[]string{"https://other.example"}, 403}} {
		s := newService(t, func(_ *engine.Options, o *Options) {
			o.Anonymous, o.Keys, o.BaseURL, o.Origins = true, nil, "http://localhost:3002", c.origins
		})
		if w := s.from(app, "", "GET", "/v2/team/activity", ""); w.Code != c.want {
			t.Errorf("%s: %d, want %d", name, w.Code, c.want)
		}
	}
}

func TestOrigins_thatAreNonePanic(t *testing.T) {
	for _, origin := range []string{"app.example", "https://app.example/", "https://app.example/a", "", "https://"} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%q is accepted", origin)
				}
			}()
			Options{Origins: []string{origin}}.resolve()
		}()
	}
}
