package openapi

import (
	"fmt"
	"reflect"

	"github.com/winnow-go/winnow/engine/internal/decode"
)

// hoist puts every titled schema among the components of the document, and a reference in its place. within is the
// title of the schema around it.
func (d *description) hoist(s decode.Schema, within string) (decode.Schema, error) {
	title, titled := s["title"].(string)
	if titled {
		within = title
	}
	placed := decode.Schema{}
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
	return decode.Schema{"$ref": SchemaPrefix + title}, d.define(title, placed)
}

// define puts a schema among the components.
func (d *description) define(title string, s decode.Schema) error {
	if known, there := d.spec.ComponentsEns().Schemas[title]; there && !reflect.DeepEqual(decode.Schema(known), s) {
		return fmt.Errorf("two schemas are called %s", title)
	}
	d.spec.Components.WithSchemasItem(title, s)
	return nil
}

func (d *description) hoistAny(key string, value any, within string) (any, error) {
	switch value := value.(type) {
	case decode.Schema:
		if key == "properties" {
			return d.hoistProperties(value, within)
		}
		return d.hoist(value, within)
	case []decode.Schema:
		list := make([]decode.Schema, len(value))
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

func (d *description) hoistProperties(properties decode.Schema, within string) (decode.Schema, error) {
	placed := decode.Schema{}
	for name, value := range properties {
		one, err := d.hoist(value.(decode.Schema), within)
		if err != nil {
			return nil, err
		}
		noteOf(within, name, one).write(one)
		placed[name] = one
	}
	return placed, nil
}

// noteOf finds the description of a property of a request.
func noteOf(within, name string, s decode.Schema) note {
	if s["const"] == false {
		return note{text: "Not supported; accepted only as false."}
	}
	if n, there := FieldNotes[within+"."+name]; there {
		return n
	}
	return FieldNotes[name]
}

// note describes a property.
type note struct {
	text    string
	without any      // the default; nil: there is none, or none that fits in a word
	words   []string // all that an answer's text can be, where its type doesn't say
	example any      // a value; nil: its type says enough
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
	if n.example != nil {
		s["examples"] = []any{n.example}
	}
}

// annotate describes an answer's properties.
func annotate(title string, s map[string]any) {
	FieldNotes[title].write(s)
	properties, _ := s["properties"].(map[string]any)
	for name, one := range properties {
		if one, ok := one.(map[string]any); ok {
			FieldNotes[title+"."+name].write(one)
		}
	}
}
