package structured

import (
	"bytes"
	"encoding/json"
	"html"
	"maps"
	"slices"
	"strconv"
)

// script reads one JSON-LD script. Its objects keep the order of their keys only where that
// matters, in arrays: properties come in the order of their names.
func (r *reader) script(text []byte) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if d.Decode(&v) == nil {
		r.top(v, 0)
	}
}

// top reads what stands at the top of a script or in a graph.
func (r *reader) top(v any, depth int) {
	if depth > maxDepth {
		return
	}
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			r.top(e, depth+1)
		}
	case map[string]any:
		r.object(v, nil, "", depth)
	}
}

// object reads an object as an item; nil when there are enough items, or it only wraps a graph.
func (r *reader) object(o map[string]any, parent *Item, via string, depth int) *Item {
	if depth > maxDepth {
		return nil
	}
	var it *Item
	if _, wraps := o["@graph"]; !wraps || len(o) > 3 {
		if it = r.item(parent, via); it == nil {
			return nil
		}
		it.ID, _ = o["@id"].(string)
		it.Types = typeNames(o["@type"])
	}
	for _, key := range slices.Sorted(maps.Keys(o)) {
		switch key {
		case "@graph":
			r.top(o[key], depth+1)
		case "@context", "@id", "@type":
		case "@value":
			r.property(it, key, o[key], depth)
		default:
			r.property(it, local(key), o[key], depth)
		}
	}
	return it
}

// property adds the values of one property.
func (r *reader) property(it *Item, name string, v any, depth int) {
	if it == nil || depth > maxDepth {
		return
	}
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			r.property(it, name, e, depth+1)
		}
	case map[string]any:
		if text, ok := v["@value"]; ok {
			r.property(it, name, text, depth+1)
		} else if list, ok := v["@list"]; ok {
			r.property(it, name, list, depth+1)
		} else if inner := r.object(v, it, name, depth+1); inner != nil {
			r.add(it, name, Value{Item: inner})
		}
	case string:
		r.add(it, name, Value{Text: html.UnescapeString(html.UnescapeString(v))}) // often escaped twice
	case json.Number:
		r.add(it, name, Value{Text: v.String()})
	case bool:
		r.add(it, name, Value{Text: strconv.FormatBool(v)})
	}
}

// maxTypes bounds the types of one item.
const maxTypes = 16

func typeNames(v any) []string {
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	var names []string
	for _, e := range list[:min(len(list), maxTypes)] {
		if s, ok := e.(string); ok && local(s) != "" {
			names = append(names, local(s))
		}
	}
	return names
}
