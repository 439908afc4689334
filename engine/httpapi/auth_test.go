package httpapi

import (
	"net/http"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/engine"
)

// example is a request that fits a pattern of the table, with an id that is known to nobody.
func example(pattern string) (method, target string) {
	method, target, _ = strings.Cut(pattern, " ")
	return method, strings.Replace(target, "{id}", "0190b8a0-0000-7000-8000-000000000000", 1)
}

func TestAuth_everyRouteNeedsAKey(t *testing.T) {
	s := newService(t)
	for _, r := range table() {
		method, target := example(r.pattern)
		for name, header := range map[string]string{
			"none": "", "empty": "Bearer ", "wrong": "Bearer wrong-secret-0123456789", "another scheme": "Basic " + redSecret, "bare": redSecret,
		} {
			a := s.as("", method, target, "{}", func(r *http.Request) {
				if header != "" {
					r.Header.Set("Authorization", header)
				}
			})
			if a.status != 401 || a.text("code") != string(codeUnauthorized) || a.get("success") != false || a.header.Get("WWW-Authenticate") != "Bearer" {
				t.Errorf("%s, key %s: %d %s", r.pattern, name, a.status, a.raw)
			}
		}
	}
}

func TestAuth_withoutKeysEverythingIsRefused(t *testing.T) {
	s := newService(t, func(_ *engine.Options, o *Options) { o.Keys = nil })
	if a := s.red("GET", "/v2/team/activity", ""); a.status != 401 {
		t.Errorf("%d %s", a.status, a.raw)
	}
}

func TestAnonymous_refusesOtherHostsOriginsAndTypes(t *testing.T) {
	s := newService(t, func(_ *engine.Options, o *Options) {
		o.Anonymous, o.Keys, o.BaseURL = true, nil, "http://localhost:3002"
	})
	set := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	for name, c := range map[string]struct {
		host   string
		change func(*http.Request)
		want   int
	}{
		"loopback":            {"localhost:3002", nil, 200},
		"loopback, IPv4":      {"127.0.0.1:80", nil, 200},
		"loopback, IPv6":      {"[::1]:80", nil, 200},
		"a name of others":    {"rebound.example", nil, 403},
		"no host":             {"", nil, 403},
		"own page":            {"localhost:3002", set("Origin", "http://localhost:3002"), 200},
		"other page":          {"localhost:3002", set("Origin", "https://other.example"), 403},
		"other port":          {"localhost:3002", set("Origin", "http://localhost:8080"), 403},
		"opaque origin":       {"localhost:3002", set("Origin", "null"), 403},
		"cross-site":          {"localhost:3002", set("Sec-Fetch-Site", "cross-site"), 403},
		"a form's type":       {"localhost:3002", set("Content-Type", "text/plain"), 415},
		"form with a file":    {"localhost:3002", set("Content-Type", "multipart/form-data; boundary=x"), 415},
		"a charset":           {"localhost:3002", set("Content-Type", "application/json; charset=utf-8"), 200},
		"a key that is wrong": {"localhost:3002", set("Authorization", "Bearer wrong-secret-0123456789"), 401},
	} {
		a := s.as("", "POST", "/v2/scrape", `{"url":"lamp.example"}`, func(r *http.Request) {
			r.Host = c.host
			if c.change != nil {
				c.change(r)
			}
		})
		if a.status != c.want {
			t.Errorf("%s: %d, want %d: %.200s", name, a.status, c.want, a.raw)
		}
	}
	used, err := s.engine.Usage(t.Context(), AnonymousTeam)
	if err != nil || used.Credits != 5 {
		t.Errorf("the anonymous team has used %+v, %v", used, err)
	}
}

func TestAuth_theSecretIsNotKept(t *testing.T) {
	if k := key(t, redSecret, "red"); strings.Contains(strings.ToLower(printed(k)), redSecret) {
		t.Error("the key holds its secret")
	}
}
