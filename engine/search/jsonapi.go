package search

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// JSONAPIOptions say how a service that answers in JSON is queried.
//
// Templates hold placeholders in braces: {query}, with site: and filetype: terms if Operators is
// set; {limit}, {page} (from 1) and {offset} (from 0); {lang}, {country}, {location}, {safe}, {tbs},
// {past} (h, d, w, m or y), {filter}. An option without a placeholder is not supported, and refused.
// In a URL, values are escaped; a parameter, or a member of the body, that becomes empty is omitted.
type JSONAPIOptions struct {
	// Name of the provider, as shown in messages. Required.
	Name string
	// Sources that the service has, each with its own template. Required.
	Sources map[Source]Endpoint
	// Header is added to each request; it may hold keys. Errors and logs never show header or URL.
	Header http.Header
	// Operators says that the service understands site: and filetype: terms in the query, and so
	// supports domains and categories.
	Operators bool
	// PageSize is the number of results on a page, for services with {page} or {offset}; {limit} is
	// then at most that. 0: all results are in one answer.
	PageSize int
	// Values translates values of a placeholder to the service's own, such as
	// {"safe": {"strict": "2"}}; others are sent as they are.
	Values map[string]map[string]string
	// OnPremises says that queries and results stay on the operator's machines. The caller
	// declares it; it is never guessed.
	OnPremises bool
	HTTP
}

// Endpoint says how one source is queried, and where the fields of a result are in the answer. Paths
// are names and numbers joined with dots; alternatives, joined with "|", are tried in order.
type Endpoint struct {
	// URL is a template, such as https://api.example/web?q={query}&count={limit}. Required.
	URL string
	// Method defaults to GET, or to POST if there is a Body.
	Method string
	// Body is a template too: JSON with placeholders inside its strings. Empty: none.
	Body string
	// List is the path of the array of results; empty: the answer itself.
	List string
	// Paths within a result. Href is required.
	Href, Title, Description, Date    string
	ImageURL, ImageWidth, ImageHeight string
}

// JSONAPI queries a service that answers in JSON. Make one with NewJSONAPI.
type JSONAPI struct {
	o         JSONAPIOptions
	templates map[Source]*template
	can       Capabilities
	client    client
}

var _ Provider = (*JSONAPI)(nil)

// NewJSONAPI checks the options; it contacts nothing.
func NewJSONAPI(o JSONAPIOptions) (*JSONAPI, error) {
	switch {
	case o.Name == "":
		return nil, &OptionError{Field: "Name", Value: "", Want: "a name"}
	case len(o.Sources) == 0:
		return nil, &OptionError{Field: "Sources", Value: 0, Want: "at least one source"}
	case o.PageSize < 0 || o.PageSize > MaxLimit:
		return nil, &OptionError{Field: "PageSize", Value: o.PageSize, Want: "0 to 200"}
	}
	o.Header = o.Header.Clone()
	if o.Header == nil {
		o.Header = http.Header{}
	}
	o.Header.Set("Accept", "application/json")
	p := &JSONAPI{o: o, templates: map[Source]*template{}, client: newClient(o.Name, o.HTTP)}
	for source, e := range o.Sources {
		if e.Href == "" {
			return nil, &OptionError{Field: "Href", Value: "", Want: "the path of a result's URL"}
		}
		t, err := newTemplate(e.URL, e.Body)
		if err != nil {
			return nil, err
		}
		p.templates[source] = t
	}
	p.can = p.capabilities()
	return p, nil
}

// capabilities returns what all templates have a placeholder for.
func (p *JSONAPI) capabilities() Capabilities {
	c := Capabilities{Domains: p.o.Operators, Filter: p.all("filter"), Language: p.all("lang"), Country: p.all("country"), Location: p.all("location"), Safe: p.all("safe")}
	for _, s := range []Source{Web, News, Images} {
		if p.templates[s] != nil {
			c.Sources = append(c.Sources, s)
		}
	}
	if p.o.Operators {
		c.Categories = AllCategories
	}
	c.Range, c.ByDate = p.all("tbs"), p.all("tbs")
	for _, period := range []Period{Hour, Day, Week, Month, Year} {
		if p.all("tbs") || p.all("past") && (p.o.Values["past"] == nil || p.o.Values["past"][string(period)] != "") {
			c.Past = append(c.Past, period)
		}
	}
	return c
}

func (p *JSONAPI) all(name string) bool {
	for _, t := range p.templates {
		if !t.uses(name) {
			return false
		}
	}
	return true
}

// Name implements Provider.
func (p *JSONAPI) Name() string { return p.o.Name }

// Local implements Provider: it returns what the operator has declared.
func (p *JSONAPI) Local() bool { return p.o.OnPremises }

// Can implements Provider.
func (p *JSONAPI) Can() Capabilities { return p.can }

// jsonPages bounds the pages that one query reads.
const jsonPages = 20

// Search implements Provider.
func (p *JSONAPI) Search(ctx context.Context, q Query) (Results, error) {
	q = q.WithDefaults()
	if err := p.can.Check(p.o.Name, q); err != nil {
		return Results{}, err
	}
	found := newCollect(q)
	for page := range jsonPages {
		list, err := p.page(ctx, q, page)
		if err != nil {
			if page > 0 && ctx.Err() == nil {
				return Results{found.list, "Further pages of results are unavailable."}, nil
			}
			return Results{}, err
		}
		before := len(found.list)
		for _, item := range list {
			found.add(p.result(q.Source, item))
		}
		if found.full() || !p.pages(q.Source) || len(list) == 0 || len(found.list) == before {
			break
		}
	}
	return Results{List: found.list}, nil
}

// pages reports whether a source can have more than one page.
func (p *JSONAPI) pages(s Source) bool {
	t := p.templates[s]
	return p.o.PageSize > 0 && (t.uses("page") || t.uses("offset"))
}

func (p *JSONAPI) page(ctx context.Context, q Query, page int) ([]any, error) {
	e := p.o.Sources[q.Source]
	href, body, err := p.templates[q.Source].fill(p.values(q, page))
	if err != nil {
		return nil, err
	}
	r := request{method: e.Method, url: href, header: p.o.Header, body: body}
	if body != nil {
		r.header = r.header.Clone()
		r.header.Set("Content-Type", "application/json")
	}
	if r.method == "" {
		r.method = map[bool]string{true: http.MethodPost, false: http.MethodGet}[body != nil]
	}
	answer, err := p.client.ask(ctx, r)
	if err != nil {
		return nil, err
	}
	return p.list(e.List, answer)
}

// list returns the results in an answer: none if the path is missing.
func (p *JSONAPI) list(path string, answer []byte) ([]any, error) {
	var value any
	d := json.NewDecoder(bytes.NewReader(answer))
	d.UseNumber()
	if err := d.Decode(&value); err != nil {
		return nil, fmt.Errorf("%s: %w", p.o.Name, ErrAnswer)
	}
	switch list := at(value, path).(type) {
	case []any:
		return list, nil
	case nil:
		if _, isObject := value.(map[string]any); isObject {
			return nil, nil
		}
	}
	return nil, fmt.Errorf("%s: %w: no list at %q", p.o.Name, ErrAnswer, path)
}

func (p *JSONAPI) values(q Query, page int) map[string]string {
	limit := q.Limit
	if p.o.PageSize > 0 {
		limit = min(limit, p.o.PageSize)
	}
	text := q.Text
	if p.o.Operators {
		text = withOperators(q)
	}
	values := map[string]string{
		"query": text, "limit": strconv.Itoa(limit), "page": strconv.Itoa(page + 1), "offset": strconv.Itoa(page * p.o.PageSize),
		"lang": q.Language, "country": q.Country, "location": q.Location, "safe": string(q.Safe),
		"tbs": q.Span.String(), "past": string(q.Span.Past), "filter": q.Filter,
	}
	for name, words := range p.o.Values {
		if word, ok := words[values[name]]; ok && name != "query" {
			values[name] = word
		}
	}
	return values
}

func (p *JSONAPI) result(s Source, item any) Result {
	e := p.o.Sources[s]
	r := Result{
		URL: textAt(item, e.Href), Title: textAt(item, e.Title), Description: textAt(item, e.Description),
		Date: parseDate(textAt(item, e.Date)), ImageURL: textAt(item, e.ImageURL),
		ImageWidth: pixels(textAt(item, e.ImageWidth)), ImageHeight: pixels(textAt(item, e.ImageHeight)),
	}
	if u, err := url.Parse(r.URL); err != nil || u.Host == "" && !strings.Contains(r.URL, ":") {
		r.URL = "" // not an address
	}
	return r
}
