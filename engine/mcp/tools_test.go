package mcp

import (
	"encoding/json"
	"net/http"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/engine"
)

// maxList bounds what all tools cost before the first call, in bytes of JSON.
const maxList = 10_000

func TestTools_theListIsShort(t *testing.T) {
	c := connect(t, newEngine(t, nil), Options{})
	list, err := c.session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(list)
	if err != nil || len(data) > maxList {
		t.Errorf("%d bytes (%v), want at most %d", len(data), err, maxList)
	}
	t.Logf("tools/list: %d tools, %d bytes", len(list.Tools), len(data))
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
	}
	want := []string{"crawl", "extract", "find", "map", "monitor", "parse", "read", "session"}
	if slices.Sort(names); !slices.Equal(names, want) {
		t.Errorf("got %v, want %v", names, want)
	}
}

func TestTools_onlyThoseOfTheOptionsAreOffered(t *testing.T) {
	c := connect(t, newEngine(t, nil), Options{Tools: []string{"read", "map"}})
	list, err := c.session.ListTools(t.Context(), nil)
	if err != nil || len(list.Tools) != 2 {
		t.Errorf("%v, %v", list, err)
	}
	for _, o := range []Options{{Tools: []string{"scrape"}}, {Budget: 63}, {Budget: 100, MaxBudget: 99}, {Timeout: 1}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%+v: no panic", o)
				}
			}()
			New(newEngine(t, nil), o)
		}()
	}
}

// Each argument that is wrong is refused by its name, and what to do is said.
func TestTools_argumentsAreDecodedStrictly(t *testing.T) {
	c := connect(t, newEngine(t, map[string]http.Handler{"mill.example": html("<h1>Mill</h1><p>Oats and rye.</p>")}), Options{})
	for _, row := range []struct{ tool, arguments, want string }{
		{"read", `{}`, "exactly one of url and id"},
		{"read", `{"url":"https://mill.example/","id":"x"}`, "exactly one of url and id"},
		{"read", `{"adress":"x"}`, "the arguments are url, id, options, from, tokens, query"},
		{"read", `{"url":5}`, "url: want a string, not 5"},
		{"read", `{"url":"https://mill.example/","tokens":63}`, "tokens: want 64 to 20000"},
		{"read", `{"url":"https://mill.example/","tokens":20001}`, "tokens: want 64 to 20000"},
		{"read", `{"url":"https://mill.example/","from":5,"query":"x"}`, "from"},
		{"read", `{"url":"https://mill.example/","options":{"waitfor":5}}`, "the keys of options are actions"},
		{"read", `{"url":"https://mill.example/","options":{"waitFor":-5}}`, "options.waitFor: want 0 to 60000, not -5"},
		{"read", `{"url":"https://mill.example/","options":{"timeout":5}}`, "options.timeout: want 1000 to 300000"},
		{"read", `{"url":"https://mill.example/","options":{"proxy":"best"}}`, "options.proxy"},
		{"read", `{"url":"https://mill.example/","options":{"winnow":{"budget":{"tokens":64}}}}`, "options.winnow.budget"},
		{"read", `{"url":"https://mill.example/","options":{"formats":["markdwn"]}}`, `type "markdwn": want one of`},
		{"read", `{"url":"ftp://mill.example/"}`, "url"},
		{"read", `{"id":"0190a8a0-0000-7000-8000-000000000000"}`, "error NOT_FOUND"},
		{"read", `{"id":"0190a8a0-0000-7000-8000-000000000000/1"}`, "error NOT_FOUND"},
		{"find", `{}`, "query"},
		{"find", `{"query":"x","limit":101}`, "limit: want 1 to 100"},
		{"find", `{"query":"x","options":{"source":"web"}}`, "the keys of options are categories"},
		{"map", `{"url":"https://mill.example/","options":{"sitemap":"all"}}`, "options.sitemap"},
		{"crawl", `{}`, "exactly one of url, urls and job"},
		{"crawl", `{"url":"https://mill.example/","options":{"maxdepth":1}}`, "options.maxdepth: unrecognized"},
		{"crawl", `{"urls":["https://mill.example/"],"options":{"maxDepth":1}}`, "options.maxDepth: unrecognized"},
		{"crawl", `{"job":"x","limit":1}`, "neither options nor limit"},
		{"crawl", `{"url":"https://mill.example/","do":"cancel"}`, "cancel is of a job"},
		{"extract", `{}`, "prompt"},
		{"extract", `{"urls":["https://mill.example/"],"schema":5}`, "schema: want an object, not 5"},
		{"session", `{"steps":[5]}`, "steps[0]: want an object, not 5"},
		{"session", `{"steps":[{"click":"e1"}],"code":"1"}`, "code: want it with do run"},
		{"session", `{"do":"close"}`, "the id of what is closed"},
		{"parse", `{}`, "exactly one of path and content"},
		{"parse", `{"content":"x","options":{"waitFor":5}}`, "options.waitFor: unrecognized"},
		{"parse", `{"content":"x","options":{"winnow":{"render":"never"}}}`, "of pages, not of files"},
		{"parse", `{"content":"_","base64":true}`, "content: want base64"},
		{"parse", `{"path":"a.txt"}`, "reads no files"},
		{"monitor", `{"do":"create","urls":["https://mill.example/"]}`, "schedule"},
		{"monitor", `{"do":"get"}`, "the id of the monitor"},
		{"monitor", `{"do":"list","name":"x"}`, "name"},
	} {
		c.refused(row.tool, row.arguments, row.want)
	}
}

// The words of the tools' schemas are those that are decoded: each argument is in the list, and no other is accepted.
func TestTools_theSchemasAreClosed(t *testing.T) {
	c := connect(t, newEngine(t, nil), Options{})
	list, err := c.session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range list.Tools {
		schema := tool.InputSchema.(map[string]any)
		if schema["additionalProperties"] != false {
			t.Errorf("%s is open", tool.Name)
		}
		for name := range schema["properties"].(map[string]any) {
			if r := c.try(tool.Name, `{`+quote(name)+`:null}`); !r.IsError || strings.Contains(textIn(r), "unrecognized") {
				t.Errorf("%s.%s: %s", tool.Name, name, textIn(r))
			}
		}
		c.refused(tool.Name, `{"nonsense":1}`, "nonsense: unrecognized")
	}
}

// A program that imports the engine alone doesn't link the SDK.
func TestHouse_theEngineDoesNotLinkTheSDK(t *testing.T) {
	for pkg, want := range map[string]bool{"engine": false, "engine/httpapi": false, "engine/mcp": true} {
		out, err := exec.Command("go", "list", "-deps", "github.com/winnow-go/winnow/"+pkg).Output()
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(string(out), "github.com/modelcontextprotocol/"); got != want {
			t.Errorf("%s links it: %t", pkg, got)
		}
	}
}

// Each code that the engine gives has words on what to do next, or those of all others.
func TestErrors_sayWhatToDoNext(t *testing.T) {
	c := &call{server: &server{o: Options{}.resolve()}}
	for code := range nexts {
		if _, _, next := c.explained(&engine.Error{Code: code, Op: "x"}); next == "" || !strings.HasSuffix(next, ".") && !strings.HasSuffix(next, ")") {
			t.Errorf("%s: %q", code, next)
		}
	}
	if _, _, next := c.explained(&engine.Error{Code: engine.CodeRetryLimit}); next != otherwise {
		t.Errorf("got %q", next)
	}
}
