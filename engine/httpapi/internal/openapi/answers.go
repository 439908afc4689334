package openapi

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/swaggest/jsonschema-go"
	"github.com/swaggest/openapi-go/openapi31"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/internal/decode"
	"github.com/winnow-go/winnow/formats"
)

// failures are the statuses of errors, with what each means.
var failures = map[int]string{
	http.StatusBadRequest:            "A field, an option or the id cannot be honored; the details say which.",
	http.StatusUnauthorized:          "A valid key is needed.",
	http.StatusPaymentRequired:       "The credits of the team do not suffice.",
	http.StatusForbidden:             "It belongs to another team, or policy or robots.txt forbids it.",
	http.StatusNotFound:              "There is no such thing, or it isn't kept any longer; for a scrape from the cache alone: there is no copy.",
	http.StatusRequestTimeout:        "The time is up.",
	http.StatusConflict:              "The state of the job, profile or file does not permit it.",
	http.StatusGone:                  "The browser session has ended.",
	http.StatusRequestEntityTooLarge: "The body is too large.",
	http.StatusUnsupportedMediaType:  "A body of this type is not taken.",
	http.StatusTooManyRequests:       "Too many requests, or browser sessions, at once.",
	http.StatusInternalServerError:   "The page could not be fetched, or the service has failed.",
	http.StatusBadGateway:            "A language model, a search provider or a browser has failed.",
	http.StatusServiceUnavailable:    "What the request needs isn't set up here, or the service is stopping.",
}

// statusesOf are the errors of a route: those that follow from what it is, and its own.
func statusesOf(r Route) []int {
	if r.Open {
		return []int{http.StatusInternalServerError}
	}
	list := append([]int{
		http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusServiceUnavailable,
		http.StatusUnsupportedMediaType, // without a key, of any request with a body
	}, r.Fails...)
	if r.Charged {
		list = append(list, http.StatusPaymentRequired)
	}
	if strings.Contains(r.Pattern, "{id}") {
		list = append(list, http.StatusBadRequest, http.StatusNotFound)
	}
	if len(r.Query) > 0 {
		list = append(list, http.StatusBadRequest)
	}
	if r.BodyName != "" {
		list = append(list, http.StatusBadRequest, http.StatusRequestTimeout, http.StatusRequestEntityTooLarge)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// failureName is what the answer of a status is called in the document.
func failureName(status int) string { return strings.ReplaceAll(http.StatusText(status), " ", "") }

// addErrors describes the answers that are errors, once for all routes.
func (d *description) addErrors(body any) error {
	takes, err := d.schemaOf(body)
	if err != nil {
		return err
	}
	for status, text := range failures {
		one := answerOf(text, takes)
		if status == http.StatusTooManyRequests {
			one.Response.Headers = map[string]openapi31.HeaderOrReference{"Retry-After": {Header: &openapi31.Header{
				Description: new("Seconds after which a retry makes sense; absent where that is unknown."),
				Schema:      decode.Schema{"type": "integer", "minimum": 1},
			}}}
		}
		d.spec.ComponentsEns().WithResponsesItem(failureName(status), one)
	}
	return nil
}

// responsesOf describes all answers of a route.
func (d *description) responsesOf(r Route) (*openapi31.Responses, error) {
	takes, err := d.schemaOf(r.Answer)
	if err != nil {
		return nil, err
	}
	all := map[string]openapi31.ResponseOrReference{"200": answerOf("Done.", takes)}
	if r.Streams {
		all["200"] = streamed(all["200"])
	}
	if r.Media != "" {
		all["200"].Response.Content = map[string]openapi31.MediaType{r.Media: {Schema: decode.Schema{"type": "string"}}}
	}
	if r.Socket {
		all["101"] = openapi31.ResponseOrReference{Response: &openapi31.Response{Description: "A WebSocket follows the job."}}
		all["204"] = openapi31.ResponseOrReference{Response: &openapi31.Response{Description: "The client has had all events of the job."}}
	}
	if r.Open { // of all others more is said
		all["4XX"] = openapi31.ResponseOrReference{Response: &openapi31.Response{Description: "The request is no HTTP; the answer is plain text."}}
	}
	for _, status := range statusesOf(r) {
		if failures[status] == "" {
			return nil, fmt.Errorf("status %d has no description", status)
		}
		one := openapi31.ResponseOrReference{}
		one.SetReference("#/components/responses/" + failureName(status))
		all[strconv.Itoa(status)] = one
	}
	for status, v := range r.Others {
		if takes, err = d.schemaOf(v); err != nil {
			return nil, err
		}
		all[strconv.Itoa(status)] = answerOf(failures[status], takes)
	}
	return &openapi31.Responses{MapOfResponseOrReferenceValues: all}, nil
}

// streamed adds to an answer the forms in which a job is followed.
func streamed(answer openapi31.ResponseOrReference) openapi31.ResponseOrReference {
	for _, kind := range []string{"text/event-stream", "application/x-ndjson"} {
		answer.Response.Content[kind] = openapi31.MediaType{Schema: decode.Schema{"type": "string"}}
	}
	return answer
}

func answerOf(text string, takes decode.Schema) openapi31.ResponseOrReference {
	content := map[string]openapi31.MediaType{"application/json": {Schema: takes}}
	return openapi31.ResponseOrReference{Response: &openapi31.Response{Description: text, Content: content}}
}

// newAnswers makes what reads types, as encoding/json writes them.
func newAnswers(spec *openapi31.Spec, codes []any) *openapi31.Reflector {
	r := &openapi31.Reflector{Spec: spec}
	r.DefaultOptions = append(r.DefaultOptions,
		jsonschema.DefinitionsPrefix(SchemaPrefix),
		jsonschema.InterceptSchema(completing(codes)),
		jsonschema.InterceptNullability(seldomNull),
		jsonschema.InterceptDefName(func(t reflect.Type, _ string) string { return answerName(t) }),
	)
	for _, v := range alsoAsked {
		r.InlineDefinition(v)
	}
	return r
}

// alsoAsked are values of the types that answers have as requests do: the schema of requests describes both.
var alsoAsked = map[string]any{
	"Format": formats.Format{}, "Parser": engine.Parser{}, "Location": engine.Location{}, "Profile": engine.Profile{},
}

const SchemaPrefix = "#/components/schemas/"

// answerName is a type's name in the document: "documentBody" is a DocumentReply, since generators call
// what an operation gives its Response. Names of menu and product, which
// both have an Image, begin with their package.
func answerName(t reflect.Type) string {
	name := decode.Capital(t.Name())
	if short, ok := strings.CutSuffix(name, "OptionsBody"); ok {
		return short + "OptionsGiven"
	}
	if short, ok := strings.CutSuffix(name, "Body"); ok {
		return short + "Reply"
	}
	if pkg := t.PkgPath()[strings.LastIndex(t.PkgPath(), "/")+1:]; pkg == "menu" || pkg == "product" || pkg == "brand" {
		if name = decode.Capital(pkg) + name; name == decode.Capital(pkg)+decode.Capital(pkg) {
			name = decode.Capital(pkg)
		}
	}
	return name
}

// schemaOf describes a type; of a struct it is a reference to a component.
func (d *description) schemaOf(v any) (decode.Schema, error) {
	var err error
	s, reflectErr := d.answers.Reflect(v, jsonschema.RootRef, jsonschema.CollectDefinitions(func(name string, def jsonschema.Schema) {
		simple, simpleErr := def.ToSchemaOrBool().ToSimpleMap()
		if simpleErr != nil {
			err = cmp.Or(err, simpleErr)
			return
		}
		annotate(name, simple)
		err = cmp.Or(err, d.define(name, simple))
	}))
	if reflectErr != nil || err != nil {
		return nil, fmt.Errorf("describe %T: %w", v, cmp.Or(reflectErr, err))
	}
	return s.ToSchemaOrBool().ToSimpleMap()
}

// completing returns what adds to schemas that reflection can't see: see complete.
func completing(codes []any) func(jsonschema.InterceptSchemaParams) (bool, error) {
	return func(p jsonschema.InterceptSchemaParams) (bool, error) { return complete(p, codes) }
}

// complete adds what reflection can't see: which fields are always there, what types encode by themselves, and all codes of errors.
func complete(p jsonschema.InterceptSchemaParams, codes []any) (stop bool, err error) {
	t := p.Value.Type()
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if v, ok := alsoAsked[t.Name()]; ok && t == reflect.TypeOf(v) {
		p.Schema.Type, p.Schema.Ref = nil, new(SchemaPrefix+t.Name())
		return true, nil
	}
	if words := wordsOf(t, codes); words != nil && p.Processed {
		p.Schema.Enum = words
	}
	switch {
	case t == reflect.TypeFor[formats.Values]():
		p.Schema.Type, p.Schema.Items = nil, nil
		p.Schema.OneOf = oneOrMany()
		return true, nil
	case t == reflect.TypeFor[json.RawMessage]():
		p.Schema.Type = nil
		return true, nil
	case t.Kind() == reflect.Array && p.Processed:
		p.Schema.WithMinItems(int64(t.Len())).WithMaxItems(int64(t.Len()))
	case t.Kind() == reflect.Struct && p.Processed:
		p.Schema.Required = alwaysThere(t)
	}
	if t == reflect.TypeFor[engine.Metadata]() && p.Processed {
		other := (&jsonschema.Schema{OneOf: oneOrMany()}).ToSchemaOrBool()
		p.Schema.AdditionalProperties = &other
	}
	return false, nil
}

// oneOrMany is a text or a list of texts.
func oneOrMany() []jsonschema.SchemaOrBool {
	text := (&jsonschema.Schema{}).WithType(jsonschema.String.Type()).ToSchemaOrBool()
	texts := (&jsonschema.Schema{}).WithType(jsonschema.Array.Type()).WithItems(*(&jsonschema.Items{}).WithSchemaOrBool(text)).ToSchemaOrBool()
	return []jsonschema.SchemaOrBool{text, texts}
}

// wordsOf are all values that a type has, nil for most.
func wordsOf(t reflect.Type, codes []any) []any {
	switch t {
	case reflect.TypeFor[engine.Code]():
		return codes
	case reflect.TypeFor[engine.JobState]():
		return []any{engine.JobScraping, engine.JobCompleted, engine.JobFailed, engine.JobCancelled}
	}
	return nil
}

// alwaysThere are the fields of a struct that its JSON always has.
func alwaysThere(t reflect.Type) (names []string) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "-":
		case f.Anonymous && name == "" && f.Type.Kind() == reflect.Struct:
			names = append(names, alwaysThere(f.Type)...)
		case f.Anonymous && name == "": // nil, or not
		case !f.IsExported() || strings.Contains(options, "omitempty") || strings.Contains(options, "omitzero"):
		case name != "":
			names = append(names, name)
		}
	}
	return names
}

// seldomNull takes the null away that reflection gives to lists and maps, of which the answers have empty ones, and to
// what would rather be absent.
func seldomNull(p jsonschema.InterceptNullabilityParams) {
	if k := p.Type.Kind(); p.OmitEmpty || k == reflect.Slice || k == reflect.Map || k == reflect.Array {
		p.Schema.RemoveType(jsonschema.Null)
	}
}
