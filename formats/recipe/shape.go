package recipe

import (
	"encoding/json"
	"slices"
	"strings"
)

// Kinds of values in JSON Schema; "" is any.
const (
	kindObject  = "object"
	kindArray   = "array"
	kindString  = "string"
	kindNumber  = "number"
	kindInteger = "integer"
	kindBoolean = "boolean"
)

// Bounds of a schema.
const (
	maxSchemaBytes = 1 << 20
	maxDepth       = 12
	maxFields      = 1000
)

// shape is what a schema says of a value, as far as reading needs it. Nil says nothing.
type shape struct {
	kind     string
	format   string
	props    map[string]*shape
	names    []string
	required []string
	items    *shape
}

// child of a field, and whether it must be there.
func (s *shape) child(step string) (*shape, bool) {
	switch {
	case s == nil:
		return nil, false
	case step == list:
		return s.items, false
	}
	return s.props[step], slices.Contains(s.required, step)
}

// shapeReader reads a schema, following its own references only.
type shapeReader struct {
	root   map[string]any
	fields int
}

// readShape returns nil for no schema and for one that isn't an object.
func readShape(schema json.RawMessage) *shape {
	var root map[string]any
	if len(schema) == 0 || len(schema) > maxSchemaBytes || json.Unmarshal(schema, &root) != nil {
		return nil
	}
	r := &shapeReader{root: root}
	return r.read(root, 0)
}

func (r *shapeReader) read(o map[string]any, depth int) *shape {
	if r.fields++; depth > maxDepth || r.fields > maxFields || o == nil {
		return nil
	}
	if ref, ok := o["$ref"].(string); ok {
		return r.read(r.find(ref), depth+1)
	}
	for _, key := range []string{"anyOf", "oneOf", "allOf"} {
		if some, ok := o[key].([]any); ok && o["properties"] == nil {
			return r.first(some, depth)
		}
	}
	s := &shape{kind: kindOf(o), props: map[string]*shape{}}
	s.format, _ = o["format"].(string)
	props, _ := o["properties"].(map[string]any)
	for name, p := range props {
		if p, ok := p.(map[string]any); ok {
			s.props[name] = r.read(p, depth+1)
			s.names = append(s.names, name)
		}
	}
	slices.Sort(s.names)
	required, _ := o["required"].([]any)
	for _, name := range required {
		if name, ok := name.(string); ok {
			s.required = append(s.required, name)
		}
	}
	if items, ok := o["items"].(map[string]any); ok {
		s.items = r.read(items, depth+1)
	}
	return s
}

// first alternative that isn't null.
func (r *shapeReader) first(some []any, depth int) *shape {
	for _, alt := range some {
		if o, ok := alt.(map[string]any); ok && o["type"] != "null" {
			return r.read(o, depth+1)
		}
	}
	return nil
}

// find follows "#/$defs/X"; nil for all else.
func (r *shapeReader) find(ref string) map[string]any {
	at := r.root
	path, ok := strings.CutPrefix(ref, "#")
	if !ok {
		return nil
	}
	for _, step := range strings.FieldsFunc(path, func(c rune) bool { return c == '/' }) {
		at, _ = at[strings.NewReplacer("~1", "/", "~0", "~").Replace(step)].(map[string]any)
	}
	return at
}

// kindOf is the type, of several the first that isn't null.
func kindOf(o map[string]any) string {
	types, ok := o["type"].([]any)
	if !ok {
		types = []any{o["type"]}
	}
	for _, t := range types {
		if t, ok := t.(string); ok && t != "null" {
			return t
		}
	}
	switch {
	case o["properties"] != nil:
		return kindObject
	case o["items"] != nil:
		return kindArray
	}
	return ""
}
