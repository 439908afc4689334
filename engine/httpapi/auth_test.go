package httpapi

import (
	"net/http"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/engine"
)

// example is a request that fits a pattern of the table, with an id that is unknown.
func example(pattern string) (method, target string) {
	method, target, _ = strings.Cut(pattern, " ")
	return method, strings.Replace(target, "{id}", "0190b8a0-0000-7000-8000-000000000000", 1)
}

func TestAuth_everyRouteNeedsAKey(t *testing.T) {
	s := newService(t)
	for _, r := range append(table(), tableV1()...) {
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

func TestAuth_howAKeyMayCome(t *testing.T) {
	s := newService(t)
	for name, c := range map[string]struct {
		target  string
		headers []string
		want    int
	}{
		"as it should":         {"", []string{"Bearer " + redSecret}, 200},
		"a scheme in capitals": {"", []string{"BEARER " + redSecret}, 200},
		"blanks around":        {"", []string{"Bearer   " + redSecret + "  "}, 200},
		"a tab before":         {"", []string{"Bearer\t" + redSecret}, 401},
		"blanks within":        {"", []string{"Bearer " + redSecret[:5] + " " + redSecret[5:]}, 401},
		"more behind it":       {"", []string{"Bearer " + redSecret + ", Bearer " + blueSecret}, 401},
		"a NUL behind it":      {"", []string{"Bearer " + redSecret + "\x00"}, 401},
		"in capitals":          {"", []string{"Bearer " + strings.ToUpper(redSecret)}, 401},
		"its hash":             {"", []string{"Bearer " + HashSecret(redSecret)}, 401},
		"two, both good":       {"", []string{"Bearer " + redSecret, "Bearer " + redSecret}, 401},
		"two, the first bad":   {"", []string{"Basic x", "Bearer " + redSecret}, 401},
		"digest":               {"", []string{"Digest " + redSecret}, 401},
		"in the query":         {"?apiKey=" + redSecret + "&api_key=" + redSecret + "&key=" + redSecret + "&token=" + redSecret + "&access_token=" + redSecret, nil, 401},
	} {
		a := s.as("", "GET", "/v2/team/activity"+c.target, "", func(r *http.Request) { r.Header["Authorization"] = c.headers })
		if a.status != c.want {
			t.Errorf("%s: %d, want %d: %s", name, a.status, c.want, a.raw)
		}
	}
}

// On every route: a page of another site must get nowhere, whether it rebinds a name of its own or posts a form.
func TestAnonymous_refusesOtherSitesOnEveryRoute(t *testing.T) {
	s := newService(t, func(_ *engine.Options, o *Options) {
		o.Anonymous, o.Keys, o.BaseURL = true, nil, "http://localhost:3002"
	})
	for _, r := range append(table(), tableV1()...) {
		method, target := example(r.pattern)
		for name, c := range map[string]struct {
			header, value string
			want          int
		}{
			"rebound": {"Host", "rebound.example", 403}, "other origin": {"Origin", "https://other.example", 403}, "opaque origin": {"Origin", "null", 403},
			"cross-site": {"Sec-Fetch-Site", "cross-site", 403}, "same site": {"Sec-Fetch-Site", "same-site", 403}, "a form": {"Content-Type", "application/x-www-form-urlencoded", 415},
		} {
			body := map[bool]string{true: "a=b", false: ""}[c.want == 415]
			a := s.as("", method, target, body, func(r *http.Request) {
				r.Host = "localhost:3002"
				r.Header.Set(c.header, c.value)
				if c.header == "Host" {
					r.Host = c.value
				}
			})
			if a.status != c.want {
				t.Errorf("%s, %s: %d, want %d: %.200s", r.pattern, name, a.status, c.want, a.raw)
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

func TestAnonymous_besideKeysAWrongKeyIsRefused(t *testing.T) {
	s := newService(t, func(_ *engine.Options, o *Options) { o.Anonymous, o.BaseURL = true, "http://localhost:3002" })
	for secret, want := range map[string]int{"": 200, "wrong-secret-0123456789": 401} {
		a := s.as(secret, "GET", "/v2/team/activity", "", func(r *http.Request) { r.Host = "localhost:3002" })
		if a.status != want {
			t.Errorf("%q: %d %s", secret, a.status, a.raw)
		}
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
		"loopback":           {"localhost:3002", nil, 200},
		"loopback, IPv4":     {"127.0.0.1:80", nil, 200},
		"loopback, IPv6":     {"[::1]:80", nil, 200},
		"a name of others":   {"rebound.example", nil, 403},
		"no host":            {"", nil, 403},
		"own page":           {"localhost:3002", set("Origin", "http://localhost:3002"), 200},
		"other page":         {"localhost:3002", set("Origin", "https://other.example"), 403},
		"other port":         {"localhost:3002", set("Origin", "http://localhost:8080"), 403},
		"opaque origin":      {"localhost:3002", set("Origin", "null"), 403},
		"cross-site":         {"localhost:3002", set("Sec-Fetch-Site", "cross-site"), 403},
		"a form's type":      {"localhost:3002", set("Content-Type", "text/plain"), 415},
		"form with a file":   {"localhost:3002", set("Content-Type", "multipart/form-data; boundary=x"), 415},
		"a charset":          {"localhost:3002", set("Content-Type", "application/json; charset=utf-8"), 200},
		"any key":            {"localhost:3002", set("Authorization", "Bearer any-secret-0123456789"), 200},
		"no key's scheme":    {"localhost:3002", set("Authorization", "Basic YTpi"), 401},
		"any key, elsewhere": {"rebound.example", set("Authorization", "Bearer any-secret-0123456789"), 403},
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
	if err != nil || used.Credits != 6 {
		t.Errorf("the anonymous team has used %+v, %v", used, err)
	}
}

func TestAuth_theSecretIsNotKept(t *testing.T) {
	if k := key(t, redSecret, "red"); strings.Contains(strings.ToLower(printed(k)), redSecret) {
		t.Error("the key holds its secret")
	}
}
