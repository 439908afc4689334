package httpapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/engine/internal/decode"
	"github.com/winnow-go/winnow/formats"
)

// junk is of every kind that JSON has.
var junk = []any{nil, true, false, 0, 7, 7.5, -1, 1e300, "", "x", []any{}, []any{7}, map[string]any{}, map[string]any{"nosuch": 1}}

// edges gives values at the edges of schemas, on both sides of them. Which side, a validator of JSON Schema says. It looks
// into a titled schema once.
type edges map[string]bool

func (e edges) around(s map[string]any) []any {
	list := slices.Clone(junk)
	if title, ok := s["title"].(string); ok && e[title] {
		return list
	} else if ok {
		e[title] = true
	}
	if word, ok := s["const"]; ok {
		list = append(list, word)
	}
	for _, word := range many(s["enum"]) {
		list = append(list, word, fmt.Sprint(word, "x"))
	}
	for _, one := range many(s["oneOf"]) {
		if branch := one.(map[string]any); branch["properties"] != nil || s["properties"] == nil {
			list = append(list, e.around(branch)...)
		}
	}
	for _, edge := range []string{"minimum", "maximum", "exclusiveMinimum"} {
		if n, ok := s[edge].(float64); ok {
			list = append(list, n-1, n-0.01, n, n+0.01, n+1)
		}
	}
	for _, edge := range []string{"minLength", "maxLength"} {
		if n, ok := s[edge].(float64); ok {
			list = append(list, letters(n-1), letters(n), letters(n+1), strings.Repeat(" ", int(n)))
		}
	}
	return append(list, e.aroundParts(s)...)
}

func many(v any) []any {
	list, _ := v.([]any)
	return list
}

func letters(n float64) string { return strings.Repeat("ö", max(0, int(n))) }

// aroundParts gives lists and objects whose parts are at the edges.
func (e edges) aroundParts(s map[string]any) (list []any) {
	if item, ok := s["items"].(map[string]any); ok {
		for _, v := range e.around(item) {
			list = append(list, []any{v})
		}
		if most, ok := s["maxItems"].(float64); ok {
			one := fitting(item)
			list = append(list, slices.Repeat([]any{one}, int(most)), slices.Repeat([]any{one}, int(most)+1))
		}
	}
	if more, ok := s["additionalProperties"].(map[string]any); ok {
		for _, v := range e.around(more) {
			list = append(list, map[string]any{"a": v})
		}
	}
	properties, _ := s["properties"].(map[string]any)
	if properties == nil {
		return list
	}
	whole := needed(s)
	for name, p := range properties {
		for _, v := range e.around(p.(map[string]any)) {
			list = append(list, with(whole, name, v))
		}
		less := maps.Clone(whole)
		delete(less, name)
		list = append(list, less)
	}
	return append(list, whole, with(whole, "nosuch", 1))
}

// needed is an object that has what it needs and nothing else.
func needed(s map[string]any) map[string]any {
	object := map[string]any{}
	properties := s["properties"].(map[string]any)
	for _, name := range many(s["required"]) {
		object[name.(string)] = fitting(properties[name.(string)].(map[string]any))
	}
	return object
}

func with(object map[string]any, name string, v any) map[string]any {
	object = maps.Clone(object)
	object[name] = v
	return object
}

// fitting is a value that a schema takes.
func fitting(s map[string]any) any {
	fits := compiled(s)
	for _, v := range append(many(s["enum"]), append([]any{s["const"]}, "x", 1, true, map[string]any{}, []any{})...) {
		if fits(v) {
			return v
		}
	}
	for _, v := range (edges{}).around(s) {
		if fits(v) {
			return v
		}
	}
	return nil
}

// compiled is a schema as a validator of JSON Schema understands it.
func compiled(s map[string]any) func(any) bool {
	c := jsonschema.NewCompiler()
	if err := c.AddResource("mem:///s", s); err != nil {
		panic(err)
	}
	v, err := c.Compile("mem:///s")
	if err != nil {
		panic(err)
	}
	return func(value any) bool {
		data, err := json.Marshal(value)
		if err != nil {
			panic(err)
		}
		plain, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
		return err == nil && v.Validate(plain) == nil
	}
}

// plainly is a schema as JSON has it.
func plainly(s decode.Schema) map[string]any {
	data, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	var m map[string]any
	if err := json.Unmarshal(data, &m); err != nil {
		panic(err)
	}
	return m
}

// withBody are the routes that read a body.
func withBody() (list []route) {
	known := operations()
	for _, r := range published() {
		if known[r.pattern].BodyName != "" {
			list = append(list, r)
		}
	}
	return list
}

// skipRaced leaves out what takes seconds under the race detector, which has nothing to see in one goroutine.
func skipRaced(t *testing.T) {
	t.Helper()
	if raced {
		t.Skip("-race: one goroutine is at work")
	}
}

// TestOpenAPI_schemasTakeWhatTheReadersTake holds both against each other at every edge of every field: the document
// promises nothing that is refused, and keeps nothing from clients that is taken.
func TestOpenAPI_schemasTakeWhatTheReadersTake(t *testing.T) {
	skipRaced(t)
	taken, refused := 0, 0
	all, seen := edges{}, map[string]bool{}
	for _, r := range withBody() {
		for name, field := range bodyOf(Options{}.resolve(), r) {
			s := plainly(field.Shape())
			if key := fmt.Sprint(name, s); seen[key] {
				continue
			} else {
				seen[key] = true
			}
			fits := compiled(s)
			for _, v := range all.around(s) {
				raw, err := json.Marshal(v)
				if err != nil {
					t.Fatal(err)
				}
				issues := field.Read(raw)
				if promised := fits(v); promised != (issues == nil) {
					t.Errorf("%s, %s: %.200s: by the document taken: %v, by the reader: %v %v", r.pattern, name, raw, promised, issues == nil, issues)
				}
				if issues == nil {
					taken++
				} else {
					refused++
				}
			}
		}
	}
	t.Logf("%d values taken, %d refused", taken, refused)
	if taken < 500 || refused < 3000 {
		t.Errorf("%d values taken, %d refused: too few", taken, refused)
	}
}

func TestOpenAPI_whatIsOutsideOfARangeIsRefusedByTheService(t *testing.T) {
	skipRaced(t)
	s, n, known := newService(t), 0, operations()
	for _, r := range withBody() {
		method, target := example(r.pattern)
		for name, field := range bodyOf(Options{}.resolve(), r) {
			shape := plainly(field.Shape())
			if name == "webhook" || shape["oneOf"] != nil || shape["properties"] != nil || shape["items"] != nil {
				continue // their parts are held against their readers above
			}
			fits := compiled(shape)
			for _, v := range (edges{}).around(shape) {
				if fits(v) {
					continue
				}
				n++
				a := s.red(method, target, mixed(t, known[r.pattern].Example, name, v))
				if a.status != 400 || a.text("details", 0, "path", 0) != name {
					t.Errorf("%s with %s %.100v: %d %s", r.pattern, name, v, a.status, a.raw)
				}
			}
		}
	}
	if n < 1000 {
		t.Errorf("%d requests only", n)
	}
}

// mixed puts a field into a body.
func mixed(t *testing.T, body, name string, v any) string {
	t.Helper()
	var object map[string]any
	if err := json.Unmarshal([]byte(body), &object); err != nil {
		t.Fatal(err)
	}
	object[name] = v
	data, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestOpenAPI_requiredFieldsAreRequired(t *testing.T) {
	s, known := newService(t), operations()
	if err := s.engine.Close(); err != nil { // so that what is taken makes no work
		t.Fatal(err)
	}
	for _, r := range withBody() {
		method, target := example(r.pattern)
		for _, name := range known[r.pattern].Needs {
			var body map[string]any
			if err := json.Unmarshal([]byte(known[r.pattern].Example), &body); err != nil {
				t.Fatal(err)
			}
			delete(body, name)
			data, err := json.Marshal(body)
			if err != nil {
				t.Fatal(err)
			}
			a := s.red(method, target, string(data))
			if a.status != 400 || a.text("details", 0, "path", 0) != name || a.text("details", 0, "code") != "required" {
				t.Errorf("%s without %s: %d %s", r.pattern, name, a.status, a.raw)
			}
		}
		if a := s.red(method, target, known[r.pattern].Example); a.status != 503 && a.status != 404 && a.status != 500 && a.status != 200 {
			t.Errorf("%s %s: %d %s", r.pattern, known[r.pattern].Example, a.status, a.raw)
		}
		if issues := bodyOf(Options{}.resolve(), r).Read([]byte(known[r.pattern].Example)); issues != nil {
			t.Errorf("%s: the example isn't taken: %v", r.pattern, issues)
		}
	}
}

func TestOpenAPI_defaultsAreValues(t *testing.T) {
	for title, s := range documented().at("/components/schemas").(map[string]any) {
		eachProperty(s, func(name string, p map[string]any) {
			without, there := p["default"]
			if !there {
				return
			}
			data, err := json.Marshal(without)
			if err != nil {
				t.Fatal(err)
			}
			if err := documented().fits("/components/schemas/"+title+"/properties/"+name, data); err != nil && s.(map[string]any)["oneOf"] == nil {
				t.Errorf("%s.%s: %v", title, name, err)
			}
		})
	}
}

// TestOpenAPI_formatsAndActionsAreAllThere asks the decoders, which say in their errors what they know.
func TestOpenAPI_formatsAndActionsAreAllThere(t *testing.T) {
	var f formats.Format
	known := f.UnmarshalJSON([]byte(`{"type":"nosuch"}`)).Error()
	for _, one := range decode.FormatOptions {
		known = strings.Replace(known, string(one.Name), "", 1)
	}
	if rest := strings.Trim(known[strings.Index(known, "one of ")+len("one of "):], ", "); rest != "" {
		t.Errorf("formats that the document hasn't: %s", rest)
	}
	_, err := actions.Decode([]byte(`[{"type":"nosuch"}]`))
	known = err.Error()
	for _, one := range decode.ActionOptions {
		known = strings.Replace(known, string(one.Name), "", 1)
	}
	if rest := strings.Trim(known[strings.Index(known, "want ")+len("want "):], ", or"); rest != "" {
		t.Errorf("actions that the document hasn't: %s", rest)
	}
	checkOptions(t, reflect.TypeFor[formats.Format](), decode.FormatSchema())
	checkOptions(t, reflect.TypeFor[actions.Action](), decode.ActionsSchema()["items"].(decode.Schema))
}

// checkOptions wants every field of a type to be an option of one of the alternatives.
func checkOptions(t *testing.T, of reflect.Type, s decode.Schema) {
	t.Helper()
	options := map[string]bool{}
	eachProperty(plainly(s), func(name string, _ map[string]any) { options[name] = true })
	for i := range of.NumField() {
		name := strings.ToLower(of.Field(i).Name[:1]) + of.Field(i).Name[1:]
		if !options[name] {
			t.Errorf("%s: option %s is not in the document", of, name)
		}
	}
}
