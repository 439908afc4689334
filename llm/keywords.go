package llm

import (
	"maps"
	"slices"
	"strconv"
)

// subschemas: which keywords hold schemas, and how.
var (
	schemaMaps  = []string{"properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"}
	schemaLists = []string{"allOf", "anyOf", "oneOf", "prefixItems", "items"}
	oneSchema   = []string{"items", "additionalItems", "unevaluatedItems", "contains", "additionalProperties",
		"unevaluatedProperties", "propertyNames", "not", "if", "then", "else", "contentSchema"}
)

// notForModels are keywords that servers with constrained answers commonly refuse.
var notForModels = []string{"default", "examples", "pattern", "format", "minimum", "maximum", "exclusiveMinimum",
	"exclusiveMaximum", "multipleOf", "minLength", "maxLength", "minItems", "maxItems", "uniqueItems", "minContains",
	"maxContains", "minProperties", "maxProperties", "propertyNames", "patternProperties", "unevaluatedProperties",
	"unevaluatedItems", "contentEncoding", "contentMediaType", "contentSchema", "readOnly", "writeOnly", "$comment"}

// eachSubschema calls f for the schemas right below s, with the pointer to each.
func eachSubschema(s map[string]any, path string, f func(sub map[string]any, path string) error) error {
	visit := func(v any, path string) error {
		if sub, ok := v.(map[string]any); ok {
			return f(sub, path)
		}
		return nil
	}
	for _, key := range slices.Sorted(maps.Keys(s)) {
		at := path + pointer([]string{key})
		switch v := s[key].(type) {
		case map[string]any:
			if slices.Contains(oneSchema, key) {
				if err := f(v, at); err != nil {
					return err
				}
			}
			if !slices.Contains(schemaMaps, key) {
				continue
			}
			for _, name := range slices.Sorted(maps.Keys(v)) {
				if err := visit(v[name], at+pointer([]string{name})); err != nil {
					return err
				}
			}
		case []any:
			if !slices.Contains(schemaLists, key) {
				continue
			}
			for i, v := range v {
				if err := visit(v, at+pointer([]string{strconv.Itoa(i)})); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// tidy takes out required entries that name no property, and refuses objects that say nothing.
func tidy(s map[string]any, path string) error {
	if saysNothing(s) {
		return &SchemaError{Path: path, Reason: "an object without properties that allows any: say which properties are wanted"}
	}
	properties, hasProperties := s["properties"].(map[string]any)
	if required, ok := s["required"].([]any); ok && hasProperties {
		required = slices.DeleteFunc(slices.Clone(required), func(name any) bool {
			text, ok := name.(string)
			_, known := properties[text]
			return ok && !known
		})
		if s["required"] = required; len(required) == 0 {
			delete(s, "required") // draft 4 forbids an empty one
		}
	}
	return eachSubschema(s, path, tidy)
}

// saysNothing: an object without properties, and with additionalProperties true.
func saysNothing(s map[string]any) bool {
	properties, _ := s["properties"].(map[string]any)
	if s["type"] != "object" || s["additionalProperties"] != true || len(properties) > 0 {
		return false
	}
	for _, key := range []string{"patternProperties", "$ref", "$dynamicRef", "allOf", "anyOf", "oneOf"} {
		if s[key] != nil {
			return false
		}
	}
	return true
}

// slim takes out, in place, what models don't receive, and returns s.
func slim(s map[string]any) map[string]any {
	if _, ok := s["properties"]; ok {
		delete(s, "additionalProperties")
	}
	for _, key := range notForModels {
		delete(s, key)
	}
	eachSubschema(s, "", func(sub map[string]any, _ string) error {
		slim(sub)
		return nil
	})
	return s
}
