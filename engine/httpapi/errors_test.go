package httpapi

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/winnow-go/winnow/engine"
)

// codesIn reads the codes out of a source file.
func codesIn(t *testing.T, path string) (codes []engine.Code) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 || !strings.HasPrefix(strings.ToLower(spec.Names[0].Name), "code") {
			return true
		}
		if lit, ok := spec.Values[0].(*ast.BasicLit); ok && lit.Kind == token.STRING {
			code, _ := strconv.Unquote(lit.Value)
			codes = append(codes, engine.Code(code))
		}
		return true
	})
	return codes
}

func TestStatuses_haveEveryCode(t *testing.T) {
	codes := slices.Concat(codesIn(t, "../errors.go"), codesIn(t, "errors.go"))
	if len(codes) < 47 {
		t.Fatalf("found %d codes only", len(codes))
	}
	for _, code := range codes {
		if statuses[code] == 0 {
			t.Errorf("%s has no status", code)
		}
	}
	if len(statuses) != len(codes) {
		t.Errorf("%d statuses for %d codes", len(statuses), len(codes))
	}
}

func TestProblemOf_statusAndBody(t *testing.T) {
	a := &api{options: Options{}.resolve()}
	option := &engine.OptionError{Field: "location.languages[1]", Value: "?", Want: "a tag"}
	for name, c := range map[string]struct {
		err    error
		status int
		text   string
	}{
		"an option":         {&engine.Error{Code: engine.CodeBadRequest, Op: "scrape", Err: option}, 400, "location.languages[1]"},
		"a name":            {&engine.Error{Code: engine.CodeDNS, Op: "scrape", URL: "http://x", Err: errors.New("no such host")}, 500, "no such host"},
		"nested":            {&engine.Error{Code: engine.CodeReplay, Err: &engine.Error{Code: engine.CodeSite, Err: errors.New("gone")}}, 409, "gone"},
		"wrapped":           {fmt.Errorf("x: %w", &engine.Error{Code: engine.CodeTimeout}), 408, "SCRAPE_TIMEOUT"},
		"closed":            {&engine.Error{Code: engine.CodeCancelled, Err: engine.ErrClosed}, 503, "stopping"},
		"an internal error": {errors.New("open /var/secret: denied"), 500, "internal error"},
		"a file's name":     {&engine.Error{Code: engine.CodeProfileDamaged, Err: errors.New("/var/secret")}, 500, "profile"},
		"an install path":   {&engine.Error{Code: engine.CodeAllEnginesFailed, Err: errors.New("/var/secret")}, 500, "neither"},
	} {
		p := a.problemOf(c.err)
		if p.status != c.status || !strings.Contains(p.text, c.text) || strings.Contains(p.text, "/var/secret") {
			t.Errorf("%s: %+v", name, p)
		}
		if (p.id != "") != (hiddenTexts[p.code] != "") {
			t.Errorf("%s: id %q", name, p.id)
		}
	}
	p := a.problemOf(option)
	if p.status != 500 { // an option error without a code is a fault of the server
		t.Errorf("%+v", p)
	}
}

func TestErrors_sayWhereJSONEndsToBeOne(t *testing.T) {
	s := newService(t)
	for body, want := range map[string]string{
		"{\"url\":\"lamp.example\",\n \"formats\": [\"markdown\",]}": "the body is not valid JSON: line 2, column 25: invalid character ']'",
		`{"url":"lamp.example"`:          "line 1, column 21: unexpected end of JSON input",
		`{"ürl":'a'}`:                    `line 1, column 8: invalid character '\''`,
		"{\"url\":\"lamp\xff.example\"}": "line 1, column 13: not UTF-8",
		" ":                              "it is empty; want a JSON object",
	} {
		if a := s.must(400, "POST", "/v2/scrape", body); !strings.Contains(a.text("error"), want) || a.text("code") != "BAD_REQUEST_INVALID_JSON" {
			t.Errorf("%s: %s; want %q", body, a.raw, want)
		}
	}
	if a := s.send(part{"file", "lamp.html", article}, part{"options", "", "{\n]"}); a.status != 400 || !strings.Contains(a.text("error"), "options: want a JSON object: it is not valid JSON: line 2, column 1") {
		t.Errorf("%d %s", a.status, a.raw)
	}
}

func TestErrors_nameTheLimitOfABody(t *testing.T) {
	s := newService(t, func(_ *engine.Options, o *Options) { o.MaxBody, o.MaxFile = 100, 50 })
	if a := s.must(413, "POST", "/v2/scrape", `{"url":"`+strings.Repeat("a", 100)+`"}`); a.text("error") != "the body is too large: want at most 100 bytes" {
		t.Error(a.raw)
	}
	if a := s.send(part{"file", "lamp.html", article}); a.status != 413 || a.text("error") != "the file is too large: want at most 50 bytes" {
		t.Errorf("%d %s", a.status, a.raw)
	}
}

func TestErrors_sayHowLongToWait(t *testing.T) {
	for _, code := range []engine.Code{engine.CodeSessionLimit, codeRateLimit} {
		w := httptest.NewRecorder()
		refusal(code, "later").write(w)
		if w.Code != 429 || w.Header().Get("Retry-After") != "10" {
			t.Errorf("%s: %d, Retry-After %q", code, w.Code, w.Header().Get("Retry-After"))
		}
	}
}

// The status, the errors and the webhooks of a job have the URL and the code beside the text.
func TestErrors_ofJobsAreTheCauseAlone(t *testing.T) {
	s := newService(t)
	const blocked = "127.0.0.1 (127.0.0.1:80) is refused by the policy: loopback; the server's flag -allow-private allows it"
	id := s.must(200, "POST", "/v2/batch/scrape", `{"urls":["http://nobody.example/","http://127.0.0.1/","http://lamp.example/slow"],"timeout":1000}`).text("id")
	s.ended(id)
	a := s.must(200, "GET", "/v2/batch/scrape/"+id+"/errors", "")
	want := map[string]string{
		"http://nobody.example/": "resolve nobody.example: no such host", "http://127.0.0.1/": blocked, "http://lamp.example/slow": "timeout of 1s ran out",
	}
	for i := range len(want) { // in the order in which they failed
		if url, got := a.text("errors", i, "url"), a.text("errors", i, "error"); got == "" || got != want[url] {
			t.Errorf("%s: got %q, want %q", url, got, want[url])
		}
	}
	id = s.must(200, "POST", "/v2/crawl", `{"url":"http://nobody.example/"}`).text("id")
	s.ended(id)
	if a := s.must(200, "GET", "/v2/crawl/"+id, ""); a.text("error") != "resolve nobody.example: no such host" {
		t.Error(a.raw)
	}
	if a := s.must(403, "POST", "/v2/scrape", `{"url":"http://127.0.0.1/"}`); a.text("error") != blocked {
		t.Error(a.raw)
	}
}

// Also where a part of the time passes in the queue.
func TestErrors_nameTheTimeoutOfTheCaller(t *testing.T) {
	c := &call{queued: time.Second}
	ctx, cancel := c.within(t.Context(), 2*time.Second)
	defer cancel()
	<-ctx.Done()
	if cause := context.Cause(ctx); cause.Error() != "timeout of 2s ran out" || !errors.Is(cause, context.DeadlineExceeded) {
		t.Error(cause)
	}
}

// What the engine says to programs names fields of engine.Options; clients over HTTP can't set them.
func TestErrors_nameNoFieldsOfTheProgram(t *testing.T) {
	s := newService(t, func(_ *engine.Options, o *Options) { o.Limits.ZeroDataRetention = true; o.Keys[0].Limits = nil })
	for body, want := range map[string]string{
		`{"url":"lamp.example","formats":["summary"]}`:                 "the format summary: this needs a language model, and none is configured: the server's flag -model-url",
		`{"url":"lamp.example","zeroDataRetention":true}`:              "has not enabled it",
		`{"url":"lamp.example","formats":[{"type":"json","foo":"1"}]}`: `foo "1": want one of schema, prompt, checkPromptInjection, evidence, the options of the format json`,
		`{"url":"lamp.example","formats":[{"type":"links","foo":1}]}`:  `foo "1": want no options: the format links takes none`,
		`{"url":"lamp.example","proxy":"enhanced"}`:                    "the server has a proxy",
		`{"url":"lamp.example","formats":["deterministicJson"]}`:       "-model-url",
	} {
		if a := s.red("POST", "/v2/scrape", body); a.status == 200 || !strings.Contains(a.text("error"), want) || strings.Contains(a.raw, "Options.") {
			t.Errorf("%s: %d %s", body, a.status, a.raw)
		}
	}
	if a := s.must(503, "POST", "/v2/search", `{"query":"lamp"}`); !strings.Contains(a.text("error"), "-searxng") || strings.Contains(a.raw, "Options.") {
		t.Errorf("%s", a.raw)
	}
}
