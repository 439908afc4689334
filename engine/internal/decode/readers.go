package decode

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"
	"unicode/utf8"
)

// Text reads a string of lowest to highest characters.
func Text(into *string, lowest, highest int) Reader {
	shape := func() Schema {
		if lowest > 0 {
			return Schema{"type": "string", "minLength": lowest, "maxLength": highest}
		}
		return Schema{"type": "string", "maxLength": highest}
	}
	return Reader{shape, func(raw json.RawMessage) []Issue {
		var s string
		if null(raw) || json.Unmarshal(raw, &s) != nil {
			return wrongType("a string")
		}
		if n := utf8.RuneCountInString(s); n < lowest || n > highest {
			return wrongType(fmt.Sprintf("a string of %d to %d characters", lowest, highest))
		}
		*into = s
		return nil
	}}
}

// maxText bounds strings that have no bound of their own.
const maxText = 100_000

// Word reads one of some words.
func Word[T ~string](into *T, words ...T) Reader {
	return Reader{func() Schema { return Schema{"type": "string", "enum": words} }, func(raw json.RawMessage) []Issue {
		var s T
		if null(raw) || json.Unmarshal(raw, &s) != nil || !slices.Contains(words, s) {
			return wrongType(fmt.Sprintf("one of %q", words))
		}
		*into = s
		return nil
	}}
}

// Flag reads true or false.
func Flag(into *bool) Reader {
	return Reader{func() Schema { return Schema{"type": "boolean"} }, func(raw json.RawMessage) []Issue {
		if null(raw) || json.Unmarshal(raw, into) != nil {
			return wrongType("true or false")
		}
		return nil
	}}
}

// flagOr reads a flag whose default isn't false.
func flagOr(into **bool) Reader { return maybe(into, Flag) }

// maybe reads a value whose absence differs from its zero.
func maybe[T any](into **T, by func(*T) Reader) Reader {
	return Reader{by(new(T)).Shape, func(raw json.RawMessage) []Issue {
		value := new(T)
		issues := by(value).Read(raw)
		if issues == nil {
			*into = value
		}
		return issues
	}}
}

// Whole reads an integer, also one that is written as 5.0.
func Whole(into *int, lowest, highest int) Reader {
	return Reader{func() Schema { return wholeSchema(lowest, highest) }, func(raw json.RawMessage) []Issue {
		var f float64
		if null(raw) || json.Unmarshal(raw, &f) != nil || f != math.Trunc(f) {
			return wrongType("an integer")
		}
		if f < float64(lowest) || f > float64(highest) {
			return wrongType(fmt.Sprintf("%d to %d", lowest, highest))
		}
		*into = int(f)
		return nil
	}}
}

func wholeOr(into **int, lowest, highest int) Reader {
	return maybe(into, func(n *int) Reader { return Whole(n, lowest, highest) })
}

// fraction reads a number from 0 to 1.
func fraction(into *float64) Reader {
	return Reader{func() Schema { return Schema{"type": "number", "minimum": 0, "maximum": 1} }, func(raw json.RawMessage) []Issue {
		var f float64
		if null(raw) || json.Unmarshal(raw, &f) != nil || f < 0 || f > 1 {
			return wrongType("a number from 0 to 1")
		}
		*into = f
		return nil
	}}
}

// span reads an integer of units of time.
func span(into *time.Duration, unit time.Duration, lowest, highest int) Reader {
	var n int
	count := Whole(&n, lowest, highest)
	return Reader{count.Shape, func(raw json.RawMessage) []Issue {
		issues := count.Read(raw)
		if issues == nil {
			*into = time.Duration(n) * unit
		}
		return issues
	}}
}

// maxAge, in ms, is a hundred years: more fits no Duration well.
const maxAge = 100 * 365 * 24 * 3600 * 1000

func age(into **time.Duration) Reader {
	return maybe(into, func(d *time.Duration) Reader { return span(d, time.Millisecond, 0, maxAge) })
}

// seconds reads a number above 0.
func seconds(into *time.Duration, highest float64) Reader {
	shape := func() Schema { return Schema{"type": "number", "exclusiveMinimum": 0, "maximum": highest} }
	return Reader{shape, func(raw json.RawMessage) []Issue {
		var f float64
		if null(raw) || json.Unmarshal(raw, &f) != nil || f <= 0 || f > highest {
			return wrongType(fmt.Sprintf("a number above 0 and up to %g", highest))
		}
		*into = time.Duration(f * float64(time.Second))
		return nil
	}}
}

// Texts reads a list of at most that many strings.
func Texts(into *[]string, highest int) Reader {
	return List(into, highest, func(s *string) Reader { return Text(s, 0, maxText) })
}

// List reads a list; item returns the reader of one.
func List[T any](into *[]T, highest int, item func(*T) Reader) Reader {
	shape := func() Schema { return Schema{"type": "array", "maxItems": highest, "items": item(new(T)).Shape()} }
	return Reader{shape, func(raw json.RawMessage) (issues []Issue) {
		var items []json.RawMessage
		if null(raw) || json.Unmarshal(raw, &items) != nil {
			return wrongType("a list")
		}
		if len(items) > highest {
			return wrongType(fmt.Sprintf("a list of at most %d", highest))
		}
		values := make([]T, len(items))
		for i, one := range items {
			if len(issues) < MaxIssues {
				issues = append(issues, below(valued(item(&values[i]).Read(one), one), i)...)
			}
		}
		*into = values
		return issues
	}}
}

// texted reads an object whose values are strings.
func texted(into *map[string]string) Reader {
	shape := func() Schema { return Schema{"type": "object", "additionalProperties": Schema{"type": "string"}} }
	return Reader{shape, func(raw json.RawMessage) []Issue {
		var m map[string]*string
		if null(raw) || json.Unmarshal(raw, &m) != nil {
			return wrongType("an object whose values are strings")
		}
		values := make(map[string]string, len(m))
		for name, value := range m {
			if value == nil {
				return wrongType("an object whose values are strings")
			}
			values[name] = *value
		}
		*into = values
		return nil
	}}
}

// JSONObject reads a JSON object as it is.
func JSONObject(into *json.RawMessage) Reader {
	return Reader{func() Schema { return Schema{"type": "object"} }, func(raw json.RawMessage) []Issue {
		var keys map[string]json.RawMessage
		if null(raw) || json.Unmarshal(raw, &keys) != nil {
			return wrongType("an object")
		}
		*into = slices.Clone(raw)
		return nil
	}}
}

// nested reads an object into what makes its fields.
func nested[T any](into **T, of func(*T) Fields) Reader {
	return Reader{func() Schema { return of(new(T)).Shape().Titled(nameOf[T]()) }, func(raw json.RawMessage) []Issue {
		value := new(T)
		issues := of(value).Read(raw)
		*into = value
		return issues
	}}
}

// inlaid reads an object into a value that is there already.
func inlaid[T any](value *T, of func(*T) Fields) Reader {
	return Reader{func() Schema { return of(value).Shape().Titled(nameOf[T]()) }, of(value).Read}
}

// own reads a value by its type's own decoder; want names what it should be, and takes is its schema.
func own(into json.Unmarshaler, want string, takes func() Schema) Reader {
	return Reader{takes, func(raw json.RawMessage) []Issue {
		if null(raw) {
			return wrongType(want)
		}
		if err := into.UnmarshalJSON(raw); err != nil {
			return optionIssues(err, want)
		}
		return nil
	}}
}

// unsupported is a field that is known but not supported: it is refused, but its default, false, is accepted.
var unsupported = Reader{func() Schema { return Schema{"const": false} }, func(raw json.RawMessage) []Issue {
	if string(raw) == "false" {
		return nil
	}
	return []Issue{{Code: "unsupported", Path: []any{}, Message: "not supported"}}
}}

// noting reads a flag, or an object of options, that isn't honoured; given reports that there is one.
func noting(given *bool) Reader {
	shape := func() Schema { return Schema{"oneOf": []Schema{flagSchema(), {"type": "object"}}} }
	return Reader{shape, func(raw json.RawMessage) []Issue {
		if raw[0] != '{' {
			return Flag(given).Read(raw)
		}
		*given = true
		return nil
	}}
}

// WithUnsupported adds the known fields of nearly every body that are not supported.
func WithUnsupported(f Fields) Fields {
	for _, name := range []string{"threatProtection", "auditMetadata", "useMock"} {
		f[name] = unsupported
	}
	return f
}

// OrNull reads null as no value.
func OrNull(r Reader) Reader {
	shape := func() Schema {
		s := r.Shape()
		s["type"] = []any{s["type"], "null"}
		return s
	}
	return Reader{shape, func(raw json.RawMessage) []Issue {
		if null(raw) {
			return nil
		}
		return r.Read(raw)
	}}
}

const MaxLabel = 200

// nameOr reads a name, or an object whose type is that name.
func nameOr(title string, name Reader, object Fields) Reader {
	return shortOr(title, "type", name, object)
}

// shortOr reads a value, or an object which has it under a key. The document of the API calls both by the title.
func shortOr(title, key string, short Reader, object Fields) Reader {
	shape := func() Schema {
		f := maps.Clone(object)
		f[key] = short
		return Schema{"oneOf": []Schema{short.Shape(), f.Shape().Requiring(key)}}.Titled(title)
	}
	return Reader{shape, func(raw json.RawMessage) []Issue {
		if len(raw) > 0 && raw[0] == '"' {
			return short.Read(raw)
		}
		there := false
		f := maps.Clone(object)
		f[key] = Reader{short.Shape, func(raw json.RawMessage) []Issue {
			there = true
			return short.Read(raw)
		}}
		issues := f.Read(raw)
		if issues == nil && !there {
			return []Issue{{Code: "required", Path: []any{key}, Message: "required"}}
		}
		return issues
	}}
}
