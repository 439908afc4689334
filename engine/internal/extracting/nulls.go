package extracting

import (
	"bytes"
	"encoding/json"

	"github.com/winnow-go/winnow/llm"
)

// fitted is merged data without its nulls where the schema takes it only so. With evidence a null stands for a value
// that no page holds, and stays.
func fitted(data json.RawMessage, schema *llm.Schema, evidence bool) json.RawMessage {
	if len(data) == 0 {
		return json.RawMessage("null")
	}
	if schema == nil || evidence || schema.Validate(data) == nil {
		return data
	}
	var v any
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return data
	}
	slim, err := json.Marshal(withoutNulls(v))
	if err != nil || schema.Validate(slim) != nil {
		return data
	}
	return slim
}

func withoutNulls(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, child := range v {
			if v[name] = withoutNulls(child); child == nil {
				delete(v, name)
			}
		}
	case []any:
		kept := []any{}
		for _, child := range v {
			if child != nil {
				kept = append(kept, withoutNulls(child))
			}
		}
		return kept
	}
	return v
}
