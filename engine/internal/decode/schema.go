package decode

import "reflect"

// Schema is a JSON Schema of the dialect that OpenAPI 3.1 has.
type Schema map[string]any

// Titled gives the schema a name, under which the document has it once, for all who use it.
func (s Schema) Titled(name string) Schema {
	s["title"] = name
	return s
}

// Requiring names the properties that must be there.
func (s Schema) Requiring(names ...string) Schema {
	if len(names) > 0 {
		s["required"] = names
	}
	return s
}

// Shape is the schema of an object with those fields, and no others.
func (f Fields) Shape() Schema {
	properties := Schema{}
	for name, field := range f {
		properties[name] = field.Shape()
	}
	return Closed(properties)
}

// Closed is an object of those properties, and no others.
func Closed(properties Schema, required ...string) Schema {
	return Schema{"type": "object", "properties": properties, "additionalProperties": false}.Requiring(required...)
}

// nameOf is a type's name without its package.
func nameOf[T any]() string { return reflect.TypeFor[T]().Name() }
