package actions

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// Decode reads a JSON list of actions, strictly: see [Action.UnmarshalJSON].
// Errors are *OptionError with paths such as "actions[3].selector", or the JSON
// decoder's when data is no JSON. [Validate] checks the limits of the list as a whole.
func Decode(data []byte) ([]Action, error) {
	var items []json.RawMessage
	err := json.Unmarshal(data, &items)
	switch {
	case err != nil && !json.Valid(data):
		return nil, err
	case err != nil || items == nil:
		return nil, &OptionError{Field: "actions", Value: string(data), Want: "a list of actions"}
	}
	list := make([]Action, len(items))
	for i, item := range items {
		if err := decodeAction(item, &list[i]); err != nil {
			return nil, err.below(fmt.Sprintf("actions[%d]", i))
		}
	}
	return list, nil
}

// UnmarshalJSON reads one action and validates it. Only the keys of its type are
// accepted, in their exact spelling; null is no value of any key, and a zero
// that stands for "not given" in Go is refused. Errors are *OptionError.
func (a *Action) UnmarshalJSON(data []byte) error {
	err := decodeAction(data, a)
	switch {
	case err == nil:
		return nil
	case err.Field == "":
		err.Field = "action"
	}
	return err
}

// decodeAction returns an error whose Field is relative to the action, "" for the whole of it.

func decodeAction(data []byte, a *Action) *OptionError {
	*a = Action{}
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(data, &keys); err != nil || keys == nil {
		return &OptionError{Value: string(data), Want: "an object with a type"}
	}
	if raw, given := keys["type"]; given && json.Unmarshal(raw, &a.Type) != nil {
		return &OptionError{Field: "type", Value: string(raw), Want: unknownType("").Want}
	}
	names, known := fieldNames(a.Type)
	if !known {
		return unknownType(a.Type)
	}
	if err := refuseUnknown(keys, a.Type, names); err != nil {
		return err
	}
	for _, f := range fields() {
		if err := f.decode(keys, a); err != nil {
			return err
		}
	}
	return a.validate()
}

// refuseUnknown names the first key, in alphabetical order, that the type does not have.
func refuseUnknown(keys map[string]json.RawMessage, t Type, names []string) *OptionError {
	var strange []string
	for key := range keys {
		if key != "type" && !slices.Contains(names, key) {
			strange = append(strange, key)
		}
	}
	if len(strange) == 0 {
		return nil
	}
	key := slices.Min(strange)
	return unused(key, string(keys[key]), t, names)
}

// decode puts the value of f's key into the action, if the key is there.
func (f field) decode(keys map[string]json.RawMessage, a *Action) *OptionError {
	raw, given := keys[f.name]
	if !given {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(f.at(a)); err != nil || string(raw) == "null" {
		return f.wrong(raw, err)
	}
	if _, set := f.get(a); !set && f.want != wantBool {
		return &OptionError{Field: f.name, Value: string(raw), Want: f.want}
	}
	return nil
}

// wrong names the field within a viewport too.
func (f field) wrong(raw json.RawMessage, err error) *OptionError {
	name := f.name
	if typeErr, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && typeErr.Field != "" {
		name += "." + typeErr.Field
	}
	return &OptionError{Field: name, Value: string(raw), Want: f.want}
}
