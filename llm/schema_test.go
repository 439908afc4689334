package llm_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/winnow-go/winnow/llm"
)

func TestCompileSchema_putsRightAndSlims(t *testing.T) {
	for name, c := range map[string]struct{ schema, forModel string }{
		"additionalProperties beside properties": {`{"type":"object","properties":{"a":{}},"additionalProperties":false}`, `{"properties":{"a":{}},"type":"object"}`},
		"additionalProperties alone":             {`{"type":"object","additionalProperties":{"type":"string"}}`, `{"additionalProperties":{"type":"string"},"type":"object"}`},
		"required without property":              {`{"type":"object","properties":{"a":{}},"required":["a","b"]}`, `{"properties":{"a":{}},"required":["a"],"type":"object"}`},
		"required of nothing":                    {`{"type":"object","properties":{"a":{}},"required":["b"]}`, `{"properties":{"a":{}},"type":"object"}`},
		"references stay":                        {`{"$defs":{"x":{"type":"string","format":"uri"}},"$ref":"#/$defs/x"}`, `{"$defs":{"x":{"type":"string"}},"$ref":"#/$defs/x"}`},
		"keywords": {`{"type":"array","items":{"type":"string","minLength":1,"pattern":"^a","default":"x","format":"date"},"minItems":1,"uniqueItems":true}`,
			`{"items":{"type":"string"},"type":"array"}`},
		"properties named like keywords": {`{"type":"object","properties":{"pattern":{"type":"string"},"default":{"minimum":1}},"required":["pattern"]}`,
			`{"properties":{"default":{},"pattern":{"type":"string"}},"required":["pattern"],"type":"object"}`},
		"values stay": {`{"enum":[{"default":1,"required":["x"]}]}`, `{"enum":[{"default":1,"required":["x"]}]}`},
		"nested": {`{"anyOf":[{"type":"object","properties":{"a":{"maximum":1}},"required":["b"]},{"type":"null"}]}`,
			`{"anyOf":[{"properties":{"a":{}},"type":"object"},{"type":"null"}]}`},
		"big numbers": {`{"const":12345678901234567890}`, `{"const":12345678901234567890}`},
	} {
		s, err := llm.CompileSchema(json.RawMessage(c.schema))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := string(s.ForModel()); got != c.forModel {
			t.Errorf("%s:\ngot  %s\nwant %s", name, got, c.forModel)
		}
		if string(s.Raw()) != c.schema {
			t.Errorf("%s: raw %s", name, s.Raw())
		}
	}
}

func TestCompileSchema_refuses(t *testing.T) {
	for name, c := range map[string]struct{ schema, path, reason string }{
		"no JSON":           {`{`, "", "not JSON"},
		"no object":         {`[]`, "", "not a JSON object"},
		"two values":        {`{} {}`, "", "not JSON"},
		"says nothing":      {`{"type":"object","properties":{"a":{"type":"object","additionalProperties":true}}}`, "/properties/a", "without properties"},
		"lookahead":         {`{"properties":{"a":{"pattern":"^(?!x)"}}}`, "/properties/a/pattern", "(?!"},
		"unknown type":      {`{"properties":{"a":{"type":"text"}}}`, "/properties/a/type", ""},
		"unknown reference": {`{"$ref":"#/$defs/none"}`, "", "$defs/none"},
		"unknown draft":     {`{"$schema":"http://json-schema.org/draft-03/schema#"}`, "", "draft"},
		"too deep":          {strings.Repeat(`{"not":`, 70) + `{}` + strings.Repeat(`}`, 70), "", "deeper than 64"},
		"too large":         {`{"description":"` + strings.Repeat("x", 256<<10) + `"}`, "", "larger than 256 KiB"},
	} {
		_, err := llm.CompileSchema(json.RawMessage(c.schema))
		wrong, ok := errors.AsType[*llm.SchemaError](err)
		if !ok || wrong.Path != c.path || !strings.Contains(wrong.Reason, c.reason) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestCompileSchema_loadsNothing(t *testing.T) {
	file := filepath.Join(t.TempDir(), "schema.json")
	if err := os.WriteFile(file, []byte(`{"type":"string"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var dialled sync.WaitGroup
	dialled.Go(func() {
		if conn, err := listener.Accept(); err == nil {
			conn.Close()
			t.Error("a connection was dialed")
		}
	})
	remote := "http://" + listener.Addr().String() + "/s.json"
	for _, where := range []string{"file://" + filepath.ToSlash(file), filepath.ToSlash(file), remote, "//" + listener.Addr().String() + "/s", "other.json", "urn:x"} {
		for _, form := range []string{`{"$ref":%q}`, `{"$schema":%q}`, `{"properties":{"a":{"$ref":%q}}}`, `{"$dynamicRef":%q}`, `{"$id":"` + remote + `","$ref":%q,"type":"string"}`} {
			s, err := llm.CompileSchema(json.RawMessage(fmt.Sprintf(form, where)))
			if err == nil && s.Validate(json.RawMessage("1")) == nil {
				t.Errorf("%s of %s was taken", form, where)
			}
			if err != nil && !strings.Contains(err.Error(), "only references inside") && !strings.Contains(form, "$schema") {
				t.Errorf("%s of %s: %v", form, where, err)
			}
		}
	}
	listener.Close()
	dialled.Wait()
}

func TestSchema_Validate_knowsTheDrafts(t *testing.T) {
	for name, c := range map[string]struct{ schema, good, bad, path string }{
		"draft 4":   {`{"$schema":"http://json-schema.org/draft-04/schema#","minimum":1,"exclusiveMinimum":true}`, `2`, `1`, ""},
		"draft 6":   {`{"$schema":"http://json-schema.org/draft-06/schema#","properties":{"a":{"const":1}}}`, `{"a":1}`, `{"a":2}`, "/a"},
		"draft 7":   {`{"$schema":"http://json-schema.org/draft-07/schema#","if":{"type":"string"},"then":{"minLength":2}}`, `"ab"`, `"a"`, ""},
		"2019-09":   {`{"$schema":"https://json-schema.org/draft/2019-09/schema","dependentRequired":{"a":["b"]}}`, `{"b":1}`, `{"a":1}`, ""},
		"2020-12":   {`{"prefixItems":[{"type":"string"},{"type":"number"}]}`, `["a",1]`, `["a","b"]`, "/1"},
		"escapes":   {`{"properties":{"a/b~c":{"type":"string"}}}`, `{}`, `{"a/b~c":1}`, "/a~1b~0c"},
		"recursive": {`{"properties":{"next":{"$ref":"#"},"v":{"type":"integer"}}}`, `{"next":{"next":{"v":1}}}`, `{"next":{"next":{"v":"x"}}}`, "/next/next/v"},
		"loop":      {`{"$ref":"#"}`, ``, `1`, ""},
		"best of alternatives": {`{"anyOf":[{"type":"null"},{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"type":"string"}}}}}]}`,
			`null`, `{"a":{"b":1}}`, "/a/b"},
		"meta": {`{"properties":{"s":{"$ref":"http://json-schema.org/draft-07/schema#"}}}`, `{"s":{"type":"string"}}`, `{"s":{"type":"text"}}`, "/s/type"},
	} {
		s, err := llm.CompileSchema(json.RawMessage(c.schema))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if err := s.Validate(json.RawMessage(c.good)); c.good != "" && err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if wrong, ok := errors.AsType[*llm.SchemaError](s.Validate(json.RawMessage(c.bad))); !ok || wrong.Path != c.path || wrong.Reason == "" {
			t.Errorf("%s: %v", name, wrong)
		}
	}
}

func TestSchema_Validate_isBounded(t *testing.T) {
	var doubling strings.Builder // each level doubles the work
	for i := range 40 {
		fmt.Fprintf(&doubling, `"d%d":{"anyOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]},`, i, i+1, i+1)
	}
	recursive := `{"anyOf":[{"properties":{"a":{"$ref":"#"},"x":{}},"required":["x"]},{"properties":{"a":{"$ref":"#"},"x":{}},"required":["x"]}]}`
	for name, c := range map[string]struct{ schema, value string }{
		"recursive": {recursive, strings.Repeat(`{"a":`, 60) + `1` + strings.Repeat(`}`, 60)},
		"elsewhere": {`{"components":{"d0":{"anyOf":[{"$ref":"#/$defs/d1"}]}},"$defs":{` + doubling.String() + `"d40":{"type":"null"}},"$ref":"#/components/d0"}`, `1`},
		"deep":      {`{}`, strings.Repeat("[", 300) + strings.Repeat("]", 300)},
	} {
		err := schema(t, c.schema).Validate(json.RawMessage(c.value))
		if wrong, ok := errors.AsType[*llm.SchemaError](err); !ok || !strings.Contains(wrong.Reason, "too many alternatives") && !strings.Contains(wrong.Reason, "deeper") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSchema_isSafeForConcurrentUse(t *testing.T) {
	s := schema(t, productSchema)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 20 {
				if s.Validate(json.RawMessage(`{"name":"a"}`)) != nil || s.Validate(json.RawMessage(`{}`)) == nil {
					t.Error("wrong verdict")
				}
			}
		})
	}
	wg.Wait()
}

func FuzzSchema(f *testing.F) {
	f.Add(productSchema, `{"name":"a"}`)
	f.Add(`{"$ref":"#"}`, `1`)
	f.Add(`{"$id":"x:y","$anchor":"a","$dynamicRef":"#a","unevaluatedProperties":{"$ref":"#a"}}`, `{"a":[1]}`)
	f.Add(`{"$schema":"http://json-schema.org/draft-04/schema#","id":"#a","items":[{"$ref":"#a"}],"multipleOf":1e-400}`, `[1e400]`)
	f.Fuzz(func(t *testing.T, text, value string) {
		s, err := llm.CompileSchema(json.RawMessage(text))
		if err != nil {
			if _, ok := errors.AsType[*llm.SchemaError](err); !ok {
				t.Fatal(err)
			}
			return
		}
		if !json.Valid(s.ForModel()) {
			t.Fatalf("for the model: %s", s.ForModel())
		}
		s.Validate(json.RawMessage(value))
	})
}
