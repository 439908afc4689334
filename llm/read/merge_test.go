package read

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/llm"
)

func extractedFrom(values ...string) []Extracted {
	var all []Extracted
	for _, v := range values {
		all = append(all, Extracted{JSON: json.RawMessage(v)})
	}
	return all
}

func TestMerge_byKindOfValue(t *testing.T) {
	cases := []struct {
		name  string
		parts []string
		want  string
	}{
		{"one part stays as it is", []string{`{"b":[1,1],"a":null}`}, `{"b":[1,1],"a":null}`},
		{"objects by name, in order", []string{`{"b":1}`, `{"a":2,"b":1}`}, `{"b":1,"a":2}`},
		{"null and empty say nothing", []string{`{"a":null}`, `{"a":""}`, `{"a":"x"}`}, `{"a":"x"}`},
		{"the first of equally frequent", []string{`{"a":"x"}`, `{"a":"y"}`}, `{"a":"x"}`},
		{"the most frequent", []string{`{"a":"x"}`, `{"a":"y"}`, `{"a":" Y "}`}, `{"a":"y"}`},
		{"false counts", []string{`{"a":null}`, `{"a":false}`}, `{"a":false}`},
		{"lists without repetition", []string{`{"a":["x","y"]}`, `{"a":["Y","z"]}`}, `{"a":["x","y","z"]}`},
		{"what one list repeats itself stays", []string{`{"a":[3,3]}`, `{"a":[4,4]}`}, `{"a":[3,3,4,4]}`},
		{"items that complete each other", []string{`[{"name":"A","price":null},{"name":"B"}]`, `[{"name":"A","price":3}]`},
			`[{"name":"A","price":3},{"name":"B"}]`},
		{"items that contradict each other", []string{`[{"name":"A","price":2}]`, `[{"name":"A","price":3}]`},
			`[{"name":"A","price":2},{"name":"A","price":3}]`},
		{"items that have nothing in common", []string{`[{"name":"A"}]`, `[{"price":3}]`}, `[{"name":"A"},{"price":3}]`},
		{"another shape than the first", []string{`{"a":[1]}`, `{"a":"x"}`, `{"a":[2]}`}, `{"a":[1,2]}`},
		{"nested", []string{`{"a":{"b":[1],"c":null}}`, `{"a":{"b":[2],"c":"d"}}`}, `{"a":{"b":[1,2],"c":"d"}}`},
		{"nothing", []string{`{"a":null}`, `null`, ``}, `null`},
		{"no parts", nil, `null`},
		{"long numbers stay exact", []string{`{"a":[9007199254740993]}`, `{"a":[9007199254740992]}`}, `{"a":[9007199254740993,9007199254740992]}`},
	}
	for _, c := range cases {
		got, err := Merge(nil, extractedFrom(c.parts...))
		if err != nil || string(got.JSON) != c.want {
			t.Errorf("%s: got %s, %v, want %s", c.name, got.JSON, err, c.want)
		}
		if (c.want == "null") != (len(got.Warnings) == 1) {
			t.Errorf("%s: got warnings %q", c.name, got.Warnings)
		}
	}
}

func TestMerge_movesEvidenceWithItsValues(t *testing.T) {
	got, err := Merge(nil, []Extracted{
		{JSON: json.RawMessage(`{"items":[{"n":"A"}],"title":null}`), Evidence: map[string]string{"/items/0/n": "an A"}, Warnings: []string{"w"}},
		{JSON: json.RawMessage(`{"items":[{"n":"B"}],"title":"T"}`), Evidence: map[string]string{"/items/0/n": "a B", "/title": "the T"}, Warnings: []string{"w"}},
	})
	want := map[string]string{"/items/0/n": "an A", "/items/1/n": "a B", "/title": "the T"}
	if err != nil || fmt.Sprint(got.Evidence) != fmt.Sprint(want) || len(got.Warnings) != 1 {
		t.Errorf("got %v, %q, %v, want %v", got.Evidence, got.Warnings, err, want)
	}
}

func TestMerge_checksTheSchema(t *testing.T) {
	s := mustSchema(t, `{"type":"object","properties":{"a":{"type":"array","items":{"type":"string"},"maxItems":2}},"required":["a"]}`)
	got, err := Merge(s, extractedFrom(`{"a":["x",null]}`))
	if err != nil || len(got.Warnings) > 0 {
		t.Errorf("fits: got %q, %v", got.Warnings, err)
	}
	got, err = Merge(s, extractedFrom(`{"a":["x","y"]}`, `{"a":["z"]}`))
	if err != nil || len(got.Warnings) != 1 || !strings.Contains(got.Warnings[0], "/a") {
		t.Errorf("too many: got %s, %q, %v", got.JSON, got.Warnings, err)
	}
}

func TestMerge_brokenJSONIsAnError(t *testing.T) {
	for _, broken := range []string{`{`, `{} {}`, `nope`, strings.Repeat("[", maxDepth+2) + strings.Repeat("]", maxDepth+2)} {
		if _, err := Merge(nil, extractedFrom(`{}`, broken)); err == nil || !strings.Contains(err.Error(), "part 1") {
			t.Errorf("%.20q: got %v", broken, err)
		}
	}
}

// Merging long lists of like items stays quick, for only some earlier ones are compared.
func TestMerge_ofManyItems(t *testing.T) {
	list := func(from int) string {
		var all []string
		for i := range soak(10_000) {
			all = append(all, fmt.Sprintf(`{"name":"item %d","colour":"red","price":%d}`, from+i, from+i))
		}
		return "[" + strings.Join(all, ",") + "]"
	}
	got, err := Merge(nil, extractedFrom(list(0), list(soak(10_000)/2), list(0)))
	var items []any
	if err != nil || json.Unmarshal(got.JSON, &items) != nil || len(items) != soak(10_000)*3/2 {
		t.Errorf("got %d items, %v", len(items), err)
	}
}

func FuzzMerge(f *testing.F) {
	f.Add(`{"a":[1,{"b":"c"}],"d":null}`, `{"a":[{"b":"c","e":2}],"d":"x"}`)
	f.Add(`[1,2.0,"x"]`, `[2,true]`)
	f.Fuzz(func(t *testing.T, a, b string) {
		if len(a)+len(b) > 20_000 {
			t.Skip("fuzzed input: over 20,000 bytes")
		}
		got, err := Merge(nil, extractedFrom(a, b))
		if err != nil {
			return
		}
		if !json.Valid(got.JSON) {
			t.Fatalf("%q and %q give %q", a, b, got.JSON)
		}
		again, err := Merge(nil, extractedFrom(string(got.JSON)))
		if err != nil || string(again.JSON) != string(got.JSON) {
			t.Fatalf("%s became %s, %v", got.JSON, again.JSON, err)
		}
	})
}

func TestRelaxed_takesNullForSingleValues(t *testing.T) {
	s := mustSchema(t, `{"type":"object","required":["a","b","c","d","e","f"],"properties":{
		"a":{"type":"string","minLength":2},"b":{"enum":["x","y"]},"c":{"const":1},"d":{"oneOf":[{"type":"string"},{"type":"number"}]},
		"e":{"$ref":"#/$defs/e"},"f":{"type":"array","minItems":1,"items":{"type":"integer"}},"g":{"type":"object","properties":{"h":{"type":["boolean","string"]}}}},
		"$defs":{"e":{"type":"number"}}}`)
	cases := []struct {
		how   looseness
		value string
		want  bool
	}{
		{nullLeaves, `{"a":null,"b":null,"c":null,"d":null,"e":null,"f":[null],"g":{"h":null}}`, true},
		{nullLeaves, `{"a":null,"b":null,"c":null,"d":null,"e":null,"f":[],"g":{"h":null}}`, false},
		{nullLeaves, `{"a":null,"b":null,"c":null,"d":null,"e":null,"f":[1],"g":null}`, false},
		{nullLeaves, `{"a":"x","b":null,"c":null,"d":null,"e":null,"f":[1]}`, false},
		{nullLeaves, `{"b":null,"c":null,"d":null,"e":null,"f":[1]}`, false},
		{anyPart, `{}`, true},
		{anyPart, `{"f":[],"g":null}`, true},
		{anyPart, `{"f":null,"a":null}`, true},
		{anyPart, `{"a":1}`, false},
		{anyPart, `null`, false},
	}
	for _, c := range cases {
		root, err := relaxed(s, c.how)
		if err != nil {
			t.Fatal(err)
		}
		loose, err := llm.CompileSchema(root.json())
		if err != nil {
			t.Fatal(err)
		}
		if err := loose.Validate(json.RawMessage(c.value)); (err == nil) != c.want {
			t.Errorf("%v: %s: got %v", c.how, c.value, err)
		}
	}
}

// References of the data's schema lead to the same places when it stands inside the envelope.
func TestEnvelope_keepsReferences(t *testing.T) {
	cases := []struct{ schema, good, bad string }{
		{`{"type":"object","properties":{"a":{"$ref":"#/$defs/a"}},"$defs":{"a":{"type":"object","properties":{"b":{"$ref":"#/$defs/b"}}},"b":{"type":"number"}}}`,
			`{"a":{"b":1}}`, `{"a":{"b":"x"}}`},
		{`{"type":"object","properties":{"name":{"type":"string"},"child":{"$ref":"#"}}}`, `{"child":{"child":{"name":"x"}}}`, `{"child":{"child":{"name":1}}}`},
		{`{"type":"object","properties":{"a":{"type":"number"},"b":{"$ref":"#/properties/a"}}}`, `{"b":1}`, `{"b":"x"}`},
		{`{"$schema":"http://json-schema.org/draft-07/schema#","$id":"http://a.example/s","type":"object","properties":{"a":{"$ref":"#/definitions/a"}},"definitions":{"a":{"type":"string"}}}`,
			`{"a":"x"}`, `{"a":1}`},
		{`{"type":"object","properties":{"$ref":{"type":"string"},"properties":{"type":"number"}}}`, `{"$ref":"x","properties":1}`, `{"$ref":1}`},
	}
	for _, c := range cases {
		for _, how := range []looseness{nullLeaves, anyPart} {
			data, err := relaxed(mustSchema(t, c.schema), how)
			if err != nil {
				t.Fatal(err)
			}
			s, err := llm.CompileSchema(envelope(data).json())
			if err != nil {
				t.Errorf("%s: %v", c.schema, err)
				continue
			}
			if err := s.Validate(json.RawMessage(`{"data":` + c.good + `,"evidence":[]}`)); err != nil {
				t.Errorf("%s refuses %s: %v", c.schema, c.good, err)
			}
			if s.Validate(json.RawMessage(`{"data":`+c.bad+`,"evidence":[]}`)) == nil {
				t.Errorf("%s takes %s", c.schema, c.bad)
			}
		}
	}
}

func FuzzRelaxed(f *testing.F) {
	f.Add(`{"type":"object","properties":{"a":{"$ref":"#/$defs/a"}},"$defs":{"a":{"$ref":"#/$defs/a"}}}`, "/a/0/b")
	f.Add(`{"anyOf":[{"$ref":"#"},{"items":[{"enum":[1]}]}],"required":["x"]}`, "$.a[0]")
	f.Fuzz(func(t *testing.T, schema, path string) {
		if len(schema) > 5000 || len(path) > 200 {
			t.Skip("fuzzed input: longer than schemas and paths that are relaxed")
		}
		root, err := parse([]byte(schema))
		if err != nil {
			return
		}
		choice(root, pathSteps(path))
		complete(root, []*node{root}, newObject("a", &node{shape: array, items: []*node{newObject()}}))
		for _, how := range []looseness{nullLeaves, anyPart} {
			eachSchema(root, func(n *node) { relax(n, how, n == root) })
		}
		if root.shape == object && !json.Valid(envelope(root).json()) {
			t.Fatalf("%q gives no JSON", schema)
		}
	})
}
