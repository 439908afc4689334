package httpapi

import "reflect"

// schema is a JSON Schema of the dialect that OpenAPI 3.1 has.
type schema map[string]any

// titled gives the schema a name, under which the document has it once, for all who use it.
func (s schema) titled(name string) schema {
	s["title"] = name
	return s
}

// requiring names the properties that must be there.
func (s schema) requiring(names ...string) schema {
	if len(names) > 0 {
		s["required"] = names
	}
	return s
}

// shape is the schema of an object with those fields, and no others.
func (f fields) shape() schema {
	properties := schema{}
	for name, field := range f {
		properties[name] = field.shape()
	}
	return schema{"type": "object", "properties": properties, "additionalProperties": false}
}

// nameOf is a type's name without its package.
func nameOf[T any]() string { return reflect.TypeFor[T]().Name() }
