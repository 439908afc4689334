package httpapi

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/swaggest/openapi-go/openapi31"

	"github.com/winnow-go/winnow/engine"
)

const documentPath = "/openapi.json"

func documentTable() []route {
	return []route{{"GET " + documentPath, open, 0, (*call).openAPI}}
}

// apiDocument is the OpenAPI document of a handler, as it is served.
type apiDocument struct {
	body []byte
	tag  string // an entity tag, quoted
}

// newDocument makes the document of a handler: of each route's own reader of the body, and of the types of the answers.
func newDocument(o Options) (*apiDocument, error) {
	spec, err := describe(o)
	if err != nil {
		return nil, fmt.Errorf("make the OpenAPI document: %w", err)
	}
	body, err := json.Marshal(spec)
	if err != nil {
		return nil, fmt.Errorf("encode the OpenAPI document: %w", err)
	}
	sum := sha256.Sum256(body)
	return &apiDocument{body, `"` + hex.EncodeToString(sum[:16]) + `"`}, nil
}

// openAPI is GET /openapi.json.
func (c *call) openAPI() error {
	doc, err := c.api.document()
	if err != nil {
		return err
	}
	h := c.w.Header()
	h.Set("Cache-Control", "public, no-cache") // to be kept, and asked about
	h.Set("ETag", doc.tag)
	if given := c.r.Header.Get("If-None-Match"); given == "*" || strings.Contains(given, doc.tag) {
		h.Del("Content-Type")
		c.w.WriteHeader(http.StatusNotModified)
		return nil
	}
	_, _ = c.w.Write(doc.body) // a client that is gone needs no answer
	return nil
}

// describe makes the document.
func describe(o Options) (*openapi31.Spec, error) {
	d, err := newDescription(o)
	if err != nil {
		return nil, err
	}
	known := operations()
	for _, r := range published() {
		told, ok := known[r.pattern]
		if !ok {
			return nil, fmt.Errorf("%s: nothing is told of it", r.pattern)
		}
		if err := d.add(r, told); err != nil {
			return nil, fmt.Errorf("%s: %w", r.pattern, err)
		}
	}
	if err := d.addWebhooks(); err != nil {
		return nil, err
	}
	return d.spec, nil
}

// description is a document in the making.
type description struct {
	options Options
	spec    *openapi31.Spec
	answers *openapi31.Reflector
}

func newDescription(o Options) (*description, error) {
	spec := &openapi31.Spec{Openapi: "3.1.0"}
	spec.SetTitle("Web data")
	spec.SetVersion("2")
	spec.SetDescription(aboutAPI)
	spec.WithServers(openapi31.Server{URL: cmp.Or(o.BaseURL, "/")})
	spec.SetHTTPBearerTokenSecurity("key", "", "An API key: Authorization: Bearer <key>.")
	spec.WithSecurity(map[string][]string{"key": {}})
	for _, g := range groups {
		spec.WithTags(append(spec.Tags, openapi31.Tag{Name: g.name, Description: &g.about})...)
	}
	d := &description{options: o, spec: spec, answers: newAnswers(spec)}
	return d, d.addErrors()
}

const aboutAPI = `Web pages, files and searches as data for programs and language models.

Bodies are JSON and read strictly: what isn't known or can't be honoured is a 400 whose details name the field. Every error has a code, which programs may act on, and a text for people. A page that answers with an error of its own is no error of this service.`

// add describes a route.
func (d *description) add(r route, o operation) error {
	method, path, _ := strings.Cut(r.pattern, " ")
	op := openapi31.Operation{Tags: []string{o.tag}, Summary: &o.summary, ID: &o.id}
	if o.about != "" {
		op.Description = &o.about
	}
	if r.endpoint == open {
		op.Security = []map[string][]string{{}} // none is needed
	}
	op.Parameters = parametersOf(path, o)
	body, err := d.requestOf(r, o)
	if err != nil {
		return err
	}
	op.RequestBody = body
	if op.Responses, err = d.responsesOf(r, o); err != nil {
		return err
	}
	return d.spec.AddOperation(method, path, op)
}

func parametersOf(path string, o operation) (list []openapi31.ParameterOrReference) {
	add := func(in openapi31.ParameterIn, required bool, p parameter) {
		list = append(list, openapi31.ParameterOrReference{Parameter: &openapi31.Parameter{
			Name: p.name, In: in, Description: &p.text, Required: &required, Schema: p.takes,
		}})
	}
	if strings.Contains(path, "{id}") {
		add(openapi31.ParameterInPath, true, parameter{"id", "As the answer to the first request has it.", schema{"type": "string", "format": "uuid"}})
	}
	if strings.Contains(path, "{snapshot}") {
		add(openapi31.ParameterInPath, true, parameter{"snapshot", "As the trace has it.", schema{"type": "string"}})
	}
	for _, p := range o.query {
		add(openapi31.ParameterInQuery, false, p)
	}
	for _, p := range o.header {
		add(openapi31.ParameterInHeader, false, p)
	}
	return list
}

// requestOf describes the body of a request; nil: there is none.
func (d *description) requestOf(r route, o operation) (*openapi31.RequestBodyOrReference, error) {
	content := map[string]openapi31.MediaType{}
	if o.file {
		content["*/*"] = openapi31.MediaType{Schema: schema{}}
	}
	if o.body != "" {
		takes, err := d.hoist(bodyOf(d.options, r).shape().requiring(o.needs...).titled(o.body), "")
		if err != nil {
			return nil, err
		}
		content["application/json"] = openapi31.MediaType{Schema: takes, Example: exampleOf(o)}
	}
	if isParse(r) {
		form, err := d.form()
		if err != nil {
			return nil, err
		}
		content["multipart/form-data"] = form
	}
	if len(content) == 0 {
		return nil, nil
	}
	return &openapi31.RequestBodyOrReference{RequestBody: &openapi31.RequestBody{Content: content, Required: new(true)}}, nil
}

func exampleOf(o operation) *any {
	if o.example == "" {
		return nil
	}
	return new(any(json.RawMessage(o.example)))
}

// form is one with a file and its options.
func (d *description) form() (openapi31.MediaType, error) {
	options, err := d.hoist((&call{}).parseFields(&engine.ScrapeOptions{}).shape().titled("ParseOptions"), "")
	file := schema{"type": "string", "contentMediaType": "application/octet-stream", "description": "The file, with its name and, if known, its type."}
	return openapi31.MediaType{
		Schema:   closed(schema{"file": file, "options": options}, "file"),
		Encoding: map[string]openapi31.Encoding{"options": {ContentType: new("application/json")}},
	}, err
}

// isParse tells the route that takes a form too.
func isParse(r route) bool { return strings.HasSuffix(r.pattern, " "+parsePath) }

// errAsked ends a handler that was asked for the fields of its body only.
var errAsked = fmt.Errorf("only the fields were asked for")

// bodyOf asks a route's own handler for the fields of its JSON body: those that it reads requests with.
func bodyOf(o Options, r route) fields {
	var f fields
	c := &call{api: &api{options: o}, asked: &f, caller: caller{limits: Limits{ZeroDataRetention: true}}}
	if isParse(r) { // which looks at the request's type first
		_, _, _ = c.referred()
		return f
	}
	_ = r.do(c) // errAsked
	return f
}
