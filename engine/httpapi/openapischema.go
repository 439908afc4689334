package httpapi

import (
	"fmt"
	"reflect"
)

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
	return closed(properties)
}

// closed is an object of those properties, and no others.
func closed(properties schema, required ...string) schema {
	return schema{"type": "object", "properties": properties, "additionalProperties": false}.requiring(required...)
}

// nameOf is a type's name without its package.
func nameOf[T any]() string { return reflect.TypeFor[T]().Name() }

// hoist puts every titled schema among the components of the document, and a reference in its place. within is the
// title of the schema around it.
func (d *description) hoist(s schema, within string) (schema, error) {
	title, titled := s["title"].(string)
	if titled {
		within = title
	}
	placed := schema{}
	for key, value := range s {
		var err error
		if placed[key], err = d.hoistAny(key, value, within); err != nil {
			return nil, err
		}
	}
	if !titled {
		return placed, nil
	}
	delete(placed, "title")
	return schema{"$ref": schemaPrefix + title}, d.define(title, placed)
}

// define puts a schema among the components.
func (d *description) define(title string, s schema) error {
	if known, there := d.spec.ComponentsEns().Schemas[title]; there && !reflect.DeepEqual(schema(known), s) {
		return fmt.Errorf("two schemas are called %s", title)
	}
	d.spec.Components.WithSchemasItem(title, s)
	return nil
}

func (d *description) hoistAny(key string, value any, within string) (any, error) {
	switch value := value.(type) {
	case schema:
		if key == "properties" {
			return d.hoistProperties(value, within)
		}
		return d.hoist(value, within)
	case []schema:
		list := make([]schema, len(value))
		for i, one := range value {
			var err error
			if list[i], err = d.hoist(one, within); err != nil {
				return nil, err
			}
		}
		return list, nil
	}
	return value, nil
}

func (d *description) hoistProperties(properties schema, within string) (schema, error) {
	placed := schema{}
	for name, value := range properties {
		one, err := d.hoist(value.(schema), within)
		if err != nil {
			return nil, err
		}
		noteOf(within, name, one).write(one)
		placed[name] = one
	}
	return placed, nil
}

// noteOf finds what is told of a property of a request.
func noteOf(within, name string, s schema) note {
	if s["const"] == false {
		return note{text: "Not supported; accepted only as false."}
	}
	if n, there := fieldNotes[within+"."+name]; there {
		return n
	}
	return fieldNotes[name]
}

// note is what is told of a property.
type note struct {
	text    string
	without any      // the default; nil: there is none, or none that can be told in a word
	words   []string // all that an answer's text can be, where its type doesn't say
}

func (n note) write(s map[string]any) {
	if n.text != "" {
		s["description"] = n.text
	}
	if n.without != nil {
		s["default"] = n.without
	}
	if n.words != nil {
		s["enum"] = n.words
	}
}

// annotate tells of an answer's properties.
func annotate(title string, s map[string]any) {
	fieldNotes[title].write(s)
	properties, _ := s["properties"].(map[string]any)
	for name, one := range properties {
		if one, ok := one.(map[string]any); ok {
			fieldNotes[title+"."+name].write(one)
		}
	}
}
