package toolloop

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/winnow-go/winnow/llm"
)

// For makes a tool whose arguments are a T. Arguments that are no T are refused.
func For[T any](name, description string, parameters json.RawMessage, do func(ctx context.Context, arguments T) (Result, error)) Tool {
	return Tool{
		Tool: llm.Tool{Name: name, Description: description, Parameters: parameters},
		Run: func(ctx context.Context, arguments json.RawMessage) (Result, error) {
			var a T
			if err := Decode(arguments, &a); err != nil {
				return Refuse("The arguments are wrong: %v.", err), nil
			}
			return do(ctx, a)
		},
	}
}

// Decode reads arguments into a struct. Unknown names are an error in words for the model.
func Decode(arguments json.RawMessage, into any) error {
	d := json.NewDecoder(bytes.NewReader(arguments))
	d.DisallowUnknownFields()
	err := d.Decode(into)
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Errorf("%s must be of type %s, not %s", wrong.Field, wrong.Type, wrong.Value)
	}
	return err
}

// Object is a JSON Schema of an object with these properties, all of which are required but those that optional names.
func Object(properties map[string]string, optional ...string) json.RawMessage {
	skip := map[string]bool{}
	for _, name := range optional {
		skip[name] = true
	}
	schema := struct {
		Type       string                     `json:"type"`
		Properties map[string]json.RawMessage `json:"properties"`
		Required   []string                   `json:"required,omitempty"`
		Additional bool                       `json:"additionalProperties"`
	}{Type: "object", Properties: map[string]json.RawMessage{}}
	for _, name := range sorted(properties) {
		schema.Properties[name] = json.RawMessage(properties[name])
		if !skip[name] {
			schema.Required = append(schema.Required, name)
		}
	}
	data, err := json.Marshal(schema)
	if err != nil {
		panic("toolloop: the schema of a property is no JSON: " + err.Error()) // they are constants
	}
	return data
}

func sorted(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }
