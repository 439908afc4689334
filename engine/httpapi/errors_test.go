package httpapi

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"

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

// What the engine says to programs names fields of engine.Options; clients over HTTP can't set them.
func TestErrors_nameNoFieldsOfTheProgram(t *testing.T) {
	s := newService(t, func(_ *engine.Options, o *Options) { o.Limits.ZeroDataRetention = true; o.Keys[0].Limits = nil })
	for body, want := range map[string]string{
		`{"url":"lamp.example","formats":["summary"]}`:           "the format summary: this needs a language model, and none is configured: the server's flag -model-url",
		`{"url":"lamp.example","zeroDataRetention":true}`:        "has not enabled it",
		`{"url":"lamp.example","proxy":"enhanced"}`:              "the server has a proxy",
		`{"url":"lamp.example","formats":["deterministicJson"]}`: "-model-url",
	} {
		if a := s.red("POST", "/v2/scrape", body); a.status == 200 || !strings.Contains(a.text("error"), want) || strings.Contains(a.raw, "Options.") {
			t.Errorf("%s: %d %s", body, a.status, a.raw)
		}
	}
	if a := s.must(503, "POST", "/v2/search", `{"query":"lamp"}`); !strings.Contains(a.text("error"), "-searxng") || strings.Contains(a.raw, "Options.") {
		t.Errorf("%s", a.raw)
	}
}
