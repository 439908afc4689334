// Package openjson writes a struct and further keys, whose values are texts, as one JSON object, and reads them back. A key of
// the struct wins over a further one.
package openjson

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

// Marshal writes a struct and further keys. One value is written as a text, several as a list; none are left out.
func Marshal(known any, further map[string][]string) ([]byte, error) {
	own, err := json.Marshal(known)
	if err != nil || len(further) == 0 {
		return own, err
	}
	all := map[string]any{}
	keys := keysOf(reflect.TypeOf(known))
	for name, values := range further {
		if !keys[name] && len(values) > 0 {
			all[name] = oneOrMany(values)
		}
	}
	if err := json.Unmarshal(own, &all); err != nil {
		return nil, fmt.Errorf("join metadata: %w", err)
	}
	return json.Marshal(all)
}

// Unmarshal reads what Marshal wrote: known points to the struct. It returns the further keys, nil for none.
func Unmarshal(data []byte, known any) (further map[string][]string, err error) {
	if err := json.Unmarshal(data, known); err != nil {
		return nil, err
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, err
	}
	keys := keysOf(reflect.TypeOf(known).Elem())
	for name, raw := range all {
		if keys[name] {
			continue
		}
		values, err := stringOrStrings(raw)
		if err != nil {
			return nil, fmt.Errorf("metadata %q: %w", name, err)
		}
		if further == nil {
			further = map[string][]string{}
		}
		further[name] = values
	}
	return further, nil
}

func oneOrMany(values []string) any {
	if len(values) == 1 {
		return values[0]
	}
	return values
}

func stringOrStrings(raw json.RawMessage) ([]string, error) {
	var one string
	if json.Unmarshal(raw, &one) == nil {
		return []string{one}, nil
	}
	var many []string
	err := json.Unmarshal(raw, &many)
	return many, err
}

// keysOf returns the JSON names of a struct's fields, embedded ones included.
func keysOf(t reflect.Type) map[string]bool {
	keys := map[string]bool{}
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name != "" && name != "-" {
			keys[name] = true
		}
	}
	return keys
}
