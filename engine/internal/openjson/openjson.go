// Package openjson writes a struct and further keys, whose values are texts, as one JSON object, and reads them back. A key of
// the struct wins over a further one.
package openjson

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"sync"
)

// Marshal writes a struct and, behind its fields, further keys in their order. One value is written as a text, several as a list; none are
// left out.
func Marshal(known any, further map[string][]string) ([]byte, error) {
	own, err := json.Marshal(known)
	if err != nil || len(further) == 0 {
		return own, err
	}
	more := make(map[string]any, len(further))
	keys := keysOf(reflect.TypeOf(known))
	for name, values := range further {
		if !keys[name] && len(values) > 0 {
			more[name] = oneOrMany(values)
		}
	}
	rest, err := json.Marshal(more)
	switch {
	case err != nil || len(more) == 0:
		return own, err
	case len(own) == len("{}"):
		return rest, nil
	}
	return append(append(own[:len(own)-1], ','), rest[1:]...), nil
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

// keysByType are the keys of the types that have been seen: a handful.
var keysByType sync.Map // reflect.Type → map[string]bool

// keysOf returns the JSON names of a struct's fields, embedded ones included.
func keysOf(t reflect.Type) map[string]bool {
	if keys, ok := keysByType.Load(t); ok {
		return keys.(map[string]bool)
	}
	keys, _ := keysByType.LoadOrStore(t, readKeys(t))
	return keys.(map[string]bool)
}

func readKeys(t reflect.Type) map[string]bool {
	keys := map[string]bool{}
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name != "" && name != "-" {
			keys[name] = true
		}
	}
	return keys
}
