// Package openapi makes the OpenAPI document of an API: of its routes, the readers of their bodies and the types of their answers.
//
//   - openapi.go — [New], and what it is given: [Request], [Route], [Operation]
//   - schema.go, notes.go — schemas of bodies, among the components; what is said of fields
//   - answers.go — schemas of answers, by reflection, and of errors
//   - hooks.go — webhooks
package openapi

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/swaggest/openapi-go/openapi31"

	"github.com/winnow-go/winnow/engine/internal/decode"
)

// Document is the OpenAPI document of a handler, as it is served.
type Document struct {
	Body []byte
	Tag  string // an entity tag, quoted
}

// New builds the document of routes: of each route's own reader of the body, and of the types of the answers.
func New(r Request) (*Document, error) {
	spec, err := describe(r)
	if err != nil {
		return nil, fmt.Errorf("make the OpenAPI document: %w", err)
	}
	body, err := json.Marshal(spec)
	if err != nil {
		return nil, fmt.Errorf("encode the OpenAPI document: %w", err)
	}
	sum := sha256.Sum256(body)
	return &Document{body, `"` + hex.EncodeToString(sum[:16]) + `"`}, nil
}

// Request is what a document is made of.
type Request struct {
	BaseURL string  // where the service is; empty: "/"
	Routes  []Route // all that the document describes
	Codes   []any   // all codes of errors, in order
	Problem any     // a value of the type of the body of errors
}

// Route is a route with what the document says of it.
type Route struct {
	Pattern string // method, blank and path
	Open    bool   // it needs no key
	Charged bool   // it costs credits
	// Body are the fields of its JSON body, where Operation.BodyName names one.
	Body decode.Fields
	// Form are the options in a form with a file; nil: it takes no form.
	Form decode.Fields
	Operation
}

// describe makes the document.
func describe(r Request) (*openapi31.Spec, error) {
	d, err := newDescription(r)
	if err != nil {
		return nil, err
	}
	for _, route := range r.Routes {
		if route.ID == "" {
			return nil, fmt.Errorf("%s: the route has no description", route.Pattern)
		}
		if err := d.add(route); err != nil {
			return nil, fmt.Errorf("%s: %w", route.Pattern, err)
		}
	}
	if err := d.addWebhooks(); err != nil {
		return nil, err
	}
	return d.spec, nil
}

// description is a document in the making.
type description struct {
	spec    *openapi31.Spec
	answers *openapi31.Reflector
}

func newDescription(r Request) (*description, error) {
	spec := &openapi31.Spec{Openapi: "3.1.0"}
	spec.SetTitle("Web data")
	spec.SetVersion("2")
	spec.SetDescription(aboutAPI)
	spec.Info.WithLicense(openapi31.License{Name: "Apache 2.0", Identifier: new("Apache-2.0")})
	spec.WithServers(openapi31.Server{URL: cmp.Or(r.BaseURL, "/")})
	spec.SetHTTPBearerTokenSecurity("key", "", "An API key: Authorization: Bearer <key>.")
	spec.WithSecurity(map[string][]string{"key": {}})
	for _, g := range groups {
		spec.WithTags(append(spec.Tags, openapi31.Tag{Name: g.name, Description: &g.about})...)
	}
	d := &description{spec: spec, answers: newAnswers(spec, r.Codes)}
	return d, d.addErrors(r.Problem)
}

const aboutAPI = `Web pages, files and searches as data for programs and language models.

Bodies are JSON and read strictly: what isn't known or cannot be honored is a 400 whose details name the field. Every error has a code, which programs may act on, and a text for people. A page that answers with an error of its own is no error of this service.`

// add describes a route.
func (d *description) add(r Route) error {
	method, path, _ := strings.Cut(r.Pattern, " ")
	op := openapi31.Operation{Tags: []string{r.Tag}, Summary: &r.Summary, ID: &r.ID}
	if r.About != "" {
		op.Description = &r.About
	}
	if r.Open {
		op.Security = []map[string][]string{{}} // none is needed
	}
	op.Parameters = parametersOf(path, r.Operation)
	body, err := d.requestOf(r)
	if err != nil {
		return err
	}
	op.RequestBody = body
	if op.Responses, err = d.responsesOf(r); err != nil {
		return err
	}
	return d.spec.AddOperation(method, path, op)
}

func parametersOf(path string, o Operation) (list []openapi31.ParameterOrReference) {
	add := func(in openapi31.ParameterIn, required bool, p Parameter) {
		list = append(list, openapi31.ParameterOrReference{Parameter: &openapi31.Parameter{
			Name: p.Name, In: in, Description: &p.Text, Required: &required, Schema: p.Takes,
		}})
	}
	if strings.Contains(path, "{id}") {
		add(openapi31.ParameterInPath, true, Parameter{
			"id", "As the answer to the first request has it.", decode.Schema{"type": "string", "format": "uuid"},
		})
	}
	if strings.Contains(path, "{snapshot}") {
		add(openapi31.ParameterInPath, true, Parameter{"snapshot", "As the trace has it.", decode.Schema{"type": "string"}})
	}
	if strings.Contains(path, "{check}") {
		add(openapi31.ParameterInPath, true, Parameter{"check", "As the list of checks has it.", decode.Schema{"type": "string", "format": "uuid"}})
	}
	for _, p := range o.Query {
		add(openapi31.ParameterInQuery, false, p)
	}
	for _, p := range o.Header {
		add(openapi31.ParameterInHeader, false, p)
	}
	return list
}

// requestOf describes the body of a request; nil: there is none.
func (d *description) requestOf(r Route) (*openapi31.RequestBodyOrReference, error) {
	content := map[string]openapi31.MediaType{}
	if r.File {
		content["*/*"] = openapi31.MediaType{Schema: decode.Schema{}}
	}
	if r.BodyName != "" {
		takes, err := d.hoist(r.Body.Shape().Requiring(r.Needs...).Titled(r.BodyName), "")
		if err != nil {
			return nil, err
		}
		content["application/json"] = openapi31.MediaType{Schema: takes, Example: exampleOf(r.Operation)}
	}
	if r.Form != nil {
		form, err := d.form(r.Form)
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

func exampleOf(o Operation) *any {
	if o.Example == "" {
		return nil
	}
	return new(any(json.RawMessage(o.Example)))
}

// form is one with a file and its options.
func (d *description) form(takes decode.Fields) (openapi31.MediaType, error) {
	options, err := d.hoist(takes.Shape().Titled("ParseOptions"), "")
	file := decode.Schema{"type": "string", "contentMediaType": "application/octet-stream"}
	file["description"] = "The file, with its name and, if known, its type."
	return openapi31.MediaType{
		Schema:   decode.Closed(decode.Schema{"file": file, "options": options}, "file"),
		Encoding: map[string]openapi31.Encoding{"options": {ContentType: new("application/json")}},
	}, err
}

// Operation is what the document says of a route beside what follows from the route itself.
type Operation struct {
	ID, Tag  string
	Summary  string
	About    string   // more than the summary; may be empty
	BodyName string   // title of the body's schema; empty: there is no body
	Needs    []string // fields that the body must have
	Example  string   // a body
	Query    []Parameter
	Header   []Parameter
	Answer   any         // a value of the type of the answer
	Socket   bool        // a WebSocket can be requested
	Streams  bool        // events or lines can be requested
	Media    string      // the content type of the answer, a text; empty: JSON, as Answer is
	File     bool        // the body is one
	Fails    []int       // statuses of errors beside those that follow from the route: see statusesOf
	Others   map[int]any // answers that are neither that nor errors, by their statuses
}

// Parameter of a query or a header.
type Parameter struct {
	Name, Text string
	Takes      decode.Schema
}

// groups are the tags, in the order of the document.
var groups = []struct{ name, about string }{
	{"Scrape", "One page, now: its content in the requested formats."},
	{"Parse", "A file that is sent along, read like a page."},
	{"Batch", "Many pages as one job."},
	{"Crawl", "A website as one job, page by page along its links and sitemaps."},
	{"Monitor", "Pages, sites and searches that are looked at by a schedule, and what has changed."},
	{"Map", "The URLs of a website."},
	{"Search", "The web or the local index, with the pages found if wanted."},
	{"Extract", "Data by a schema or a prompt, from pages or whole sites."},
	{"Agent", "A goal in words; a language model finds the way."},
	{"Interact", "Code and prompts on a live page."},
	{"Browser", "Browser sessions that clients start and end."},
	{"Team", "What the team did and used, and what is running."},
	{"Service", "The service itself."},
}
