package httpapi

import (
	"bytes"
	"encoding/json"
	goflag "flag"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/winnow-go/winnow/engine/httpapi/internal/openapi"
)

var update = goflag.Bool("update", false, "rewrite the golden files")

func TestOpenAPI_isAsTheGoldenFileHasIt(t *testing.T) {
	var got bytes.Buffer
	if err := json.Indent(&got, documented().body, "", " "); err != nil {
		t.Fatal(err)
	}
	got.WriteByte('\n')
	const golden = "testdata/openapi/document.golden.json"
	if *update {
		if err := os.WriteFile(golden, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Bytes(), want) {
		t.Errorf("the API has changed: see whether that is meant, and then run this test with -update and look at the diff of %s; first at %s", golden, firstDifference(got.String(), string(want)))
	}
}

// firstDifference gives the first line of got that want has otherwise.
func firstDifference(got, want string) string {
	lines := strings.Split(want, "\n")
	for i, line := range strings.Split(got, "\n") {
		if i >= len(lines) || line != lines[i] {
			return line
		}
	}
	return "its end"
}

func TestOpenAPI_isAValidDocumentOf31(t *testing.T) {
	file, err := os.ReadFile("testdata/openapi/schema-3.1.json")
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	const id = "https://spec.openapis.org/oas/3.1/schema/2022-10-07"
	if err := c.AddResource(id, decoded(file)); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(id)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(any(documented().doc)); err != nil {
		t.Error(err)
	}
	broken := maps.Clone(documented().doc)
	delete(broken, "info")
	if s.Validate(any(broken)) == nil {
		t.Error("a document without info is taken for valid: nothing is checked")
	}
}

// TestOpenAPI_everySchemaCompiles: the schema of documents doesn't look into schemas.
func TestOpenAPI_everySchemaCompiles(t *testing.T) {
	components := documented().at("/components/schemas").(map[string]any)
	if len(components) < 80 {
		t.Errorf("%d schemas", len(components))
	}
	for name := range components {
		if _, err := documented().open.Compile(paperURL + "#/components/schemas/" + name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestOpenAPI_describesEveryRouteAndNothingElse(t *testing.T) {
	var got []string
	ids := map[string]bool{}
	for path, item := range documented().at("/paths").(map[string]any) {
		for method, op := range item.(map[string]any) {
			got = append(got, strings.ToUpper(method)+" "+path)
			id, _ := op.(map[string]any)["operationId"].(string)
			if id == "" || ids[id] {
				t.Errorf("%s %s: operationId %q", method, path, id)
			}
			ids[id] = true
		}
	}
	var want []string
	for _, r := range published() {
		want = append(want, r.pattern)
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	if listed := slices.Sorted(maps.Keys(operations())); !slices.Equal(listed, want) {
		t.Errorf("the document has operations %q\nwant %q", listed, want)
	}
}

func TestOpenAPI_everyRouteThatReadsABodySaysSo(t *testing.T) {
	known := operations()
	for _, r := range published() {
		method, _, _ := strings.Cut(r.pattern, " ")
		reads := method == "POST" || bodies[r.pattern] != ""
		if reads != (known[r.pattern].BodyName != "") {
			t.Errorf("%s: reads a body: %v, in the document: %q", r.pattern, reads, known[r.pattern].BodyName)
		}
	}
}

func TestOpenAPI_everyFieldOfARequestIsExplained(t *testing.T) {
	used, answers := map[string]bool{}, answerTitles()
	for title, s := range documented().at("/components/schemas").(map[string]any) {
		used[title] = true
		eachProperty(s, func(name string, p map[string]any) {
			used[name], used[title+"."+name] = true, true
			if !answers[title] && p["description"] == nil {
				t.Errorf("%s.%s has no description", title, name)
			}
		})
	}
	for name := range openapi.FieldNotes {
		if !used[name] {
			t.Errorf("a note names %s, which isn't there", name)
		}
	}
}

// answerTitles are the schemas that answers lead to.
func answerTitles() map[string]bool {
	titles := map[string]bool{}
	var follow func(v any)
	follow = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			if ref, ok := v["$ref"].(string); ok && strings.HasPrefix(ref, openapi.SchemaPrefix) && !titles[ref[len(openapi.SchemaPrefix):]] {
				titles[ref[len(openapi.SchemaPrefix):]] = true
				follow(documented().at(ref[1:]))
			}
			for _, one := range v {
				follow(one)
			}
		case []any:
			for _, one := range v {
				follow(one)
			}
		}
	}
	follow(documented().at("/components/responses"))
	for _, item := range documented().at("/paths").(map[string]any) {
		for _, op := range item.(map[string]any) {
			follow(op.(map[string]any)["responses"])
		}
	}
	return titles
}

// eachProperty visits the properties of a schema and of its alternatives.
func eachProperty(s any, visit func(name string, p map[string]any)) {
	m, _ := s.(map[string]any)
	properties, _ := m["properties"].(map[string]any)
	for name, p := range properties {
		visit(name, p.(map[string]any))
	}
	alternatives, _ := m["oneOf"].([]any)
	for _, one := range alternatives {
		eachProperty(one, visit)
	}
}

func TestOpenAPI_isServedToAllAndKeptByClients(t *testing.T) {
	s := newService(t)
	a := s.as("", "GET", "/openapi.json", "")
	tag := a.header.Get("ETag")
	if a.status != 200 || a.text("openapi") != "3.1.0" || tag == "" || a.header.Get("Cache-Control") == "no-store" || a.text("servers", 0, "url") != "https://api.example" {
		t.Errorf("%d %v %.300s", a.status, a.header, a.raw)
	}
	for given, want := range map[string]int{tag: 304, `W/"x", W/` + tag: 304, "*": 304, `"x"`: 200} {
		r, w := request(t, given), &silent{header: http.Header{}}
		s.ServeHTTP(w, r)
		if w.status != want || (w.size == 0) != (want == 304) || w.header.Get("ETag") != tag {
			t.Errorf("%s: %d, %d bytes, %v", given, w.status, w.size, w.header)
		}
	}
}

func request(t *testing.T, known string) *http.Request {
	r, err := http.NewRequestWithContext(t.Context(), "GET", "/openapi.json", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("If-None-Match", known)
	return r
}

// silent counts what is written.
type silent struct {
	header       http.Header
	status, size int
}

func (w *silent) Header() http.Header    { return w.header }
func (w *silent) WriteHeader(status int) { w.status = status }
func (w *silent) Write(b []byte) (int, error) {
	w.size += len(b)
	w.status = max(w.status, 200)
	return len(b), nil
}

// TestOpenAPI_queriesAreAsTheSourceReadsThem finds the parameters where they are read.
func TestOpenAPI_queriesAreAsTheSourceReadsThem(t *testing.T) {
	listed, read := map[string]bool{}, map[string]bool{}
	for _, o := range operations() {
		for _, p := range o.Query {
			listed[p.Name] = true
		}
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	reads := regexp.MustCompile(`(?:Query\(\)|\bq)\.(?:Get|Has)\((?:"(\w+)"|(tokenName))\)`)
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		for _, m := range reads.FindAllStringSubmatch(string(source), -1) {
			name := m[1]
			if m[2] != "" {
				name = tokenName
			}
			read[name] = true
		}
	}
	if !maps.Equal(listed, read) || len(read) < 8 {
		t.Errorf("the document names %v, the source reads %v", listed, read)
	}
}

// What only this service has, clients can learn from the document alone.
func TestOpenAPI_winnowsOwnOptionsHaveExamples(t *testing.T) {
	const at = "/components/schemas/WinnowOptions/properties"
	options, _ := documented().at(at).(map[string]any)
	if len(options) < 4 {
		t.Fatalf("%d options", len(options))
	}
	for name, s := range options {
		examples, _ := s.(map[string]any)["examples"].([]any)
		if len(examples) == 0 {
			t.Errorf("%s has no example", name)
		}
		for _, one := range examples {
			if data, err := json.Marshal(one); err != nil || documented().fits(at+"/"+name, data) != nil {
				t.Errorf("%s: %v is no example: %v", name, one, documented().fits(at+"/"+name, data))
			}
		}
	}
}
