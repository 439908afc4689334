package httpapi

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/internal/decode"
	"github.com/winnow-go/winnow/fetch"
)

// embedders are names of what only the embedder may set, as clients might spell them, without those that bodies have.
func embedders() []string {
	names := map[string]bool{}
	for _, of := range []any{engine.Options{}, engine.CacheOptions{}, fetch.Policy{}, Options{}, Limits{}, engine.SessionOptions{}} {
		for field := range reflect.TypeOf(of).Fields() {
			names[strings.ToLower(field.Name[:1])+field.Name[1:]] = true
		}
	}
	for _, name := range []string{"owner", "team", "teamId", "render", "modelUrl", "modelURL", "connectUrl", "cdpUrl", "wsEndpoint", "proxyUrl", "proxyServer",
		"allowPrivate", "userDataDir", "executablePath", "maxTokens", "tokenBudget", "baseUrl", "apiKey", "folder", "path", "secretKey"} {
		names[name] = true
	}
	known := allFields()
	maps.DeleteFunc(names, func(name string, _ bool) bool {
		_, field := known[name]
		return field || name == "model" || name == "search" || name == "pages" || name == "ttl" || name == "activityTTL" // words that mean something else in bodies
	})
	return slices.Sorted(maps.Keys(names))
}

// nests are the objects within bodies that a name could hide in; %s is where.
var nests = []string{
	`"scrapeOptions":{%s}`, `"location":{%s}`, `"profile":{"name":"n",%s}`, `"parsers":[{"type":"pdf",%s}]`, `"sources":[{"type":"web",%s}]`,
	`"webhook":{"url":"https://x.example",%s}`, `"formats":[{"type":"json","prompt":"p",%s}]`, `"formats":[{"type":"changeTracking",%s}]`,
	`"actions":[{"type":"wait","milliseconds":1,%s}]`, `"actions":[{"type":"click","selector":"a",%s}]`,
	`"scrapeOptions":{"location":{%s}}`, `"scrapeOptions":{"profile":{"name":"n",%s}}`, `"scrapeOptions":{"formats":[{"type":"json","prompt":"p",%s}]}`,
}

func TestEmbedder_whatOnlyItMaySetCannotComeInABody(t *testing.T) {
	s := newService(t)
	names := embedders()
	if len(names) < 30 || !slices.Contains(names, "dir") || !slices.Contains(names, "policy") || !slices.Contains(names, "proxies") {
		t.Fatalf("%d names: %v", len(names), names)
	}
	for _, r := range table() {
		method, target := example(r.pattern)
		if bodies[r.pattern] == "" {
			continue
		}
		for part := range slices.Chunk(names, decode.MaxIssues) {
			var b strings.Builder
			for _, name := range part {
				fmt.Fprintf(&b, `,%q:"x"`, name)
			}
			given := strings.TrimPrefix(b.String(), ",")
			body := strings.TrimSuffix(strings.TrimSuffix(bodies[r.pattern], "}"), "{")
			if body != "" {
				given = strings.TrimPrefix(body, "{") + b.String()
			}
			a := s.red(method, target, "{"+given+"}")
			for _, name := range part {
				if a.status != 400 || !strings.Contains(a.raw, fmt.Sprintf(`"code":"unrecognized_keys","path":[%q]`, name)) {
					t.Errorf("%s takes %s: %d", r.pattern, name, a.status)
				}
			}
		}
	}
}

func TestEmbedder_norInAnObjectOfABody(t *testing.T) {
	all := allFields()
	for _, nest := range nests {
		if err := decode.Object(fmt.Appendf(nil, "{"+nest+"}", `"x":1`), all); err == nil {
			t.Errorf("%s takes anything", nest)
		}
		for _, name := range embedders() {
			for _, value := range []string{`"x"`, `true`, `{}`} {
				if err := decode.Object(fmt.Appendf(nil, "{"+nest+"}", fmt.Sprintf("%q:%s", name, value)), all); err == nil {
					t.Errorf("%s takes %s", nest, name)
				}
			}
		}
	}
}

func TestEmbedder_norWithAFile(t *testing.T) {
	s := newService(t)
	for _, name := range embedders() {
		options, _ := json.Marshal(map[string]any{name: "x"})
		form := "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.html\"\r\n\r\n<p>a\r\n" +
			"--x\r\nContent-Disposition: form-data; name=\"options\"\r\n\r\n" + string(options) + "\r\n--x--\r\n"
		a := s.red("POST", parsePath, form, func(r *http.Request) { r.Header.Set("Content-Type", "multipart/form-data; boundary=x") })
		if a.status != 400 || !strings.Contains(a.raw, "unrecognized_keys") {
			t.Errorf("%s: %d %s", name, a.status, a.raw)
		}
	}
}

func TestEmbedder_addressesComeFromTheBaseURLAlone(t *testing.T) {
	a := newService(t).red("POST", "/v2/batch/scrape?baseUrl=https://evil.example", `{"urls":["lamp.example/a"]}`, func(r *http.Request) {
		r.Host = "evil.example"
		for _, name := range []string{"X-Forwarded-Host", "X-Forwarded-Proto", "Forwarded", "X-Original-URL", "X-Rewrite-URL", "X-HTTP-Method-Override"} {
			r.Header.Set(name, "evil.example")
		}
	})
	if a.status != 200 || !strings.HasPrefix(a.text("url"), "https://api.example/v2/batch/scrape/") || strings.Contains(a.raw, "evil") {
		t.Errorf("%d %s", a.status, a.raw)
	}
}
