package httpapi

import (
	"bytes"
	"io"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/winnow-go/winnow/engine/httpapi/internal/openapi"
)

// conforming holds every request and answer of a handler against the document of the API: statuses are those that it
// lists, answers match it and have no further fields, and bodies that were accepted match it too.
type conforming struct {
	http.Handler
	t testing.TB
}

// maxChecked bounds the bodies that are looked at.
const maxChecked = 1 << 20

func (c conforming) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Upgrade") != "" {
		c.Handler.ServeHTTP(w, r)
		return
	}
	var sent bytes.Buffer
	r = r.WithContext(r.Context()) // a copy: the server looks at what kind of body its own request has
	r.Body = teed{io.TeeReader(r.Body, &sent), r.Body}
	seen := &recorded{ResponseWriter: w}
	c.Handler.ServeHTTP(seen, r)
	if seen.status == 0 {
		seen.status = http.StatusOK
	}
	if seen.body.Len() < maxChecked && strings.HasPrefix(w.Header().Get("Content-Type"), "application/json") {
		c.check(r, sent.Bytes(), seen)
	}
}

func (c conforming) check(r *http.Request, sent []byte, seen *recorded) {
	pattern := documented().patternOf(r)
	answer := "/components/schemas/ErrorReply"
	if pattern != "" {
		at := operationAt(pattern)
		answer = documented().answer(at, seen.status)
		if answer == "" {
			c.t.Errorf("%s: status %d is not in the document: %.300s", pattern, seen.status, seen.body.Bytes())
			return
		}
		form := strings.HasPrefix(r.Header.Get("Content-Type"), "multipart/")
		if takes := at + "/requestBody/content/application~1json/schema"; seen.status == http.StatusOK && documented().has(takes) && !form {
			if err := documented().fits(takes, sent); err != nil {
				c.t.Errorf("%s took %.300s: %v", pattern, sent, err)
			}
		}
	} else if seen.status < 400 {
		return // a page for people
	}
	if err := documented().gives(answer, seen.body.Bytes()); err != nil {
		c.t.Errorf("%s answers %d %.500s: %v", pattern, seen.status, seen.body.Bytes(), err)
	}
}

type teed struct {
	io.Reader
	io.Closer
}

type recorded struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer
}

func (w *recorded) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

func (w *recorded) Write(b []byte) (int, error) {
	if w.body.Len() < maxChecked {
		w.body.Write(b)
	}
	return w.ResponseWriter.Write(b)
}

func (w *recorded) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// paper is the document of the API, ready to be held against.
type paper struct {
	mu           sync.Mutex
	body         []byte
	doc          map[string]any
	open, closed *jsonschema.Compiler
	known        map[string]*jsonschema.Schema
	mux          *http.ServeMux
}

var documented = sync.OnceValue(func() *paper {
	d, err := openapi.New(describedAPI(Options{}.resolve()))
	if err != nil {
		panic(err)
	}
	p := &paper{body: d.Body, doc: decoded(d.Body), open: compiler(decoded(d.Body)), known: map[string]*jsonschema.Schema{}, mux: http.NewServeMux()}
	strict := decoded(d.Body)
	closeObjects(strict)
	p.closed = compiler(strict)
	for _, r := range published() {
		p.mux.HandleFunc(r.pattern, http.NotFound)
	}
	return p
})

const paperURL = "mem:///openapi.json"

func compiler(doc any) *jsonschema.Compiler {
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	if err := c.AddResource(paperURL, doc); err != nil {
		panic(err)
	}
	return c
}

func decoded(data []byte) map[string]any {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		panic(err)
	}
	return v.(map[string]any)
}

// closeObjects lets objects have only the fields that they say.
func closeObjects(v any) {
	switch v := v.(type) {
	case map[string]any:
		_, object := v["properties"].(map[string]any)
		if _, listed := v["additionalProperties"]; object && !listed && v["type"] == "object" {
			v["additionalProperties"] = false
		}
		for _, one := range v {
			closeObjects(one)
		}
	case []any:
		for _, one := range v {
			closeObjects(one)
		}
	}
}

// operationAt is where the document has the operation of a route.
func operationAt(pattern string) string {
	method, path, _ := strings.Cut(pattern, " ")
	return "/paths/" + escape(path) + "/" + strings.ToLower(method)
}

func escape(path string) string { return strings.NewReplacer("~", "~0", "/", "~1").Replace(path) }

// patternOf finds the route of a request; "" for none that is documented.
func (p *paper) patternOf(r *http.Request) string {
	if r.URL.Path != path.Clean(r.URL.Path) {
		return ""
	}
	_, pattern := p.mux.Handler(r)
	return pattern
}

// at walks a JSON pointer.
func (p *paper) at(pointer string) any {
	var v any = p.doc
	for _, step := range strings.Split(pointer, "/")[1:] {
		m, _ := v.(map[string]any)
		v = m[strings.NewReplacer("~1", "/", "~0", "~").Replace(step)]
	}
	return v
}

func (p *paper) has(pointer string) bool { return p.at(pointer) != nil }

// answer finds the schema of an operation's answer; "" where the document does not list the status.
func (p *paper) answer(operation string, status int) string {
	at := operation + "/responses/" + strconv.Itoa(status)
	if ref, ok := p.at(at + "/$ref").(string); ok {
		at = strings.TrimPrefix(ref, "#")
	}
	if at += "/content/application~1json/schema"; p.has(at) {
		return at
	}
	return ""
}

func (p *paper) fits(pointer string, data []byte) error {
	return p.validate(p.open, "open", pointer, data)
}
func (p *paper) gives(pointer string, data []byte) error {
	return p.validate(p.closed, "closed", pointer, data)
}

func (p *paper) validate(by *jsonschema.Compiler, kind, pointer string, data []byte) error {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		return err
	}
	p.mu.Lock()
	s := p.known[kind+pointer]
	if s == nil {
		s, err = by.Compile(paperURL + "#" + strings.NewReplacer("{", "%7B", "}", "%7D").Replace(pointer))
		p.known[kind+pointer] = s
	}
	p.mu.Unlock()
	if err != nil {
		return err
	}
	return s.Validate(v)
}
