package monitoring

import (
	"encoding/json"
	"reflect"
	"strconv"
)

// field is how a field of data has changed; null: it wasn't there, or is no more.
type field struct {
	Previous any `json:"previous"`
	Current  any `json:"current"`
}

func same(a, b any) bool { return reflect.DeepEqual(a, b) }

// maxFields bounds how many fields a comparison lists; what is beyond is in one entry of the whole.
const maxFields = 1000

// fieldsBetween lists the fields of two values of JSON that differ, by their paths: "price", "items[2].name"; "" is the whole.
func fieldsBetween(before, after json.RawMessage) json.RawMessage {
	var a, b any
	if json.Unmarshal(before, &a) != nil || json.Unmarshal(after, &b) != nil {
		return nil
	}
	out := map[string]field{}
	walk("", a, b, out)
	if len(out) > maxFields {
		out = map[string]field{"": {a, b}}
	}
	data, err := json.Marshal(out)
	if err != nil { // not possible: it was JSON
		return nil
	}
	return data
}

func walk(path string, a, b any, out map[string]field) {
	if same(a, b) || len(out) > maxFields {
		return
	}
	switch x := a.(type) {
	case map[string]any:
		if y, ok := b.(map[string]any); ok {
			walkObjects(path, x, y, out)
			return
		}
	case []any:
		if y, ok := b.([]any); ok && len(x) == len(y) {
			for i := range x {
				walk(path+"["+strconv.Itoa(i)+"]", x[i], y[i], out)
			}
			return
		}
	}
	out[path] = field{a, b}
}

func walkObjects(path string, a, b map[string]any, out map[string]field) {
	for name, value := range a {
		walk(fieldPath(path, name), value, b[name], out)
	}
	for name, value := range b {
		if _, both := a[name]; !both {
			walk(fieldPath(path, name), nil, value, out)
		}
	}
}

func fieldPath(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
