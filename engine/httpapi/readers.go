package httpapi

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/winnow-go/winnow/engine"
)

// text reads a string of least to most characters.
func text(into *string, least, most int) reader {
	shape := func() schema {
		if least > 0 {
			return schema{"type": "string", "minLength": least, "maxLength": most}
		}
		return schema{"type": "string", "maxLength": most}
	}
	return reader{shape, func(raw json.RawMessage) []issue {
		var s string
		if null(raw) || json.Unmarshal(raw, &s) != nil {
			return wrongType("a string")
		}
		if n := utf8.RuneCountInString(s); n < least || n > most {
			return wrongType(fmt.Sprintf("a string of %d to %d characters", least, most))
		}
		*into = s
		return nil
	}}
}

// longestText bounds strings that have no bound of their own.
const longestText = 100_000

// word reads one of some words.
func word[T ~string](into *T, words ...T) reader {
	return reader{func() schema { return schema{"type": "string", "enum": words} }, func(raw json.RawMessage) []issue {
		var s T
		if null(raw) || json.Unmarshal(raw, &s) != nil || !slices.Contains(words, s) {
			return wrongType(fmt.Sprintf("one of %q", words))
		}
		*into = s
		return nil
	}}
}

func flag(into *bool) reader {
	return reader{func() schema { return schema{"type": "boolean"} }, func(raw json.RawMessage) []issue {
		if null(raw) || json.Unmarshal(raw, into) != nil {
			return wrongType("true or false")
		}
		return nil
	}}
}

// flagOr reads a flag whose default isn't false.
func flagOr(into **bool) reader { return maybe(into, flag) }

// maybe reads a value whose absence means something else than its zero.
func maybe[T any](into **T, by func(*T) reader) reader {
	return reader{by(new(T)).shape, func(raw json.RawMessage) []issue {
		value := new(T)
		issues := by(value).read(raw)
		if issues == nil {
			*into = value
		}
		return issues
	}}
}

// whole reads an integer, also one that is written as 5.0.
func whole(into *int, least, most int) reader {
	return reader{func() schema { return schema{"type": "integer", "minimum": least, "maximum": most} }, func(raw json.RawMessage) []issue {
		var f float64
		if null(raw) || json.Unmarshal(raw, &f) != nil || f != math.Trunc(f) {
			return wrongType("an integer")
		}
		if f < float64(least) || f > float64(most) {
			return wrongType(fmt.Sprintf("%d to %d", least, most))
		}
		*into = int(f)
		return nil
	}}
}

func wholeOr(into **int, least, most int) reader {
	return maybe(into, func(n *int) reader { return whole(n, least, most) })
}

// fraction reads a number from 0 to 1.
func fraction(into *float64) reader {
	return reader{func() schema { return schema{"type": "number", "minimum": 0, "maximum": 1} }, func(raw json.RawMessage) []issue {
		var f float64
		if null(raw) || json.Unmarshal(raw, &f) != nil || f < 0 || f > 1 {
			return wrongType("a number from 0 to 1")
		}
		*into = f
		return nil
	}}
}

// span reads an integer of units of time.
func span(into *time.Duration, unit time.Duration, least, most int) reader {
	var n int
	count := whole(&n, least, most)
	return reader{count.shape, func(raw json.RawMessage) []issue {
		issues := count.read(raw)
		if issues == nil {
			*into = time.Duration(n) * unit
		}
		return issues
	}}
}

// longestAge, in ms, is a hundred years: more fits no Duration well.
const longestAge = 100 * 365 * 24 * 3600 * 1000

func age(into **time.Duration) reader {
	return maybe(into, func(d *time.Duration) reader { return span(d, time.Millisecond, 0, longestAge) })
}

// seconds reads a number above 0.
func seconds(into *time.Duration, most float64) reader {
	shape := func() schema { return schema{"type": "number", "exclusiveMinimum": 0, "maximum": most} }
	return reader{shape, func(raw json.RawMessage) []issue {
		var f float64
		if null(raw) || json.Unmarshal(raw, &f) != nil || f <= 0 || f > most {
			return wrongType(fmt.Sprintf("a number above 0 and up to %g", most))
		}
		*into = time.Duration(f * float64(time.Second))
		return nil
	}}
}

// texts reads a list of at most that many strings.
func texts(into *[]string, most int) reader {
	return list(into, most, func(s *string) reader { return text(s, 0, longestText) })
}

// list reads a list whose items are read by what item gives.
func list[T any](into *[]T, most int, item func(*T) reader) reader {
	shape := func() schema { return schema{"type": "array", "maxItems": most, "items": item(new(T)).shape()} }
	return reader{shape, func(raw json.RawMessage) (issues []issue) {
		var items []json.RawMessage
		if null(raw) || json.Unmarshal(raw, &items) != nil {
			return wrongType("a list")
		}
		if len(items) > most {
			return wrongType(fmt.Sprintf("a list of at most %d", most))
		}
		values := make([]T, len(items))
		for i, one := range items {
			if len(issues) < mostIssues {
				issues = append(issues, below(valued(item(&values[i]).read(one), one), i)...)
			}
		}
		*into = values
		return issues
	}}
}

// texted reads an object whose values are strings.
func texted(into *map[string]string) reader {
	shape := func() schema { return schema{"type": "object", "additionalProperties": schema{"type": "string"}} }
	return reader{shape, func(raw json.RawMessage) []issue {
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

// object reads a JSON object as it is.
func object(into *json.RawMessage) reader {
	return reader{func() schema { return schema{"type": "object"} }, func(raw json.RawMessage) []issue {
		var keys map[string]json.RawMessage
		if null(raw) || json.Unmarshal(raw, &keys) != nil {
			return wrongType("an object")
		}
		*into = slices.Clone(raw)
		return nil
	}}
}

// nested reads an object into what makes its fields.
func nested[T any](into **T, of func(*T) fields) reader {
	return reader{func() schema { return of(new(T)).shape().titled(nameOf[T]()) }, func(raw json.RawMessage) []issue {
		value := new(T)
		issues := of(value).read(raw)
		*into = value
		return issues
	}}
}

// inlaid reads an object into a value that is there already.
func inlaid[T any](value *T, of func(*T) fields) reader {
	return reader{func() schema { return of(value).shape().titled(nameOf[T]()) }, of(value).read}
}

// own reads a value by its type's own decoder; want names what it should be, and takes is its schema.
func own(into json.Unmarshaler, want string, takes func() schema) reader {
	return reader{takes, func(raw json.RawMessage) []issue {
		if null(raw) {
			return wrongType(want)
		}
		if err := into.UnmarshalJSON(raw); err != nil {
			return optionIssues(err, want)
		}
		return nil
	}}
}

// unsupported is a field of the service that this one hasn't: it is refused, but its default, false, is no request for it.
var unsupported = reader{func() schema { return schema{"const": false} }, func(raw json.RawMessage) []issue {
	if string(raw) == "false" {
		return nil
	}
	return []issue{{Code: "unsupported", Path: []any{}, Message: "not supported"}}
}}

// labels are accepted with every body: who the client says it is.
func (c *call) labels(f fields) fields {
	f["origin"] = text(&c.origin, 0, longestLabel)
	f["integration"] = orNull(text(&c.integration, 0, longestLabel))
	return f
}

// elsewhere adds the service's fields of nearly every body that this one has nowhere.
func elsewhere(f fields) fields {
	for _, name := range []string{"threatProtection", "auditMetadata", "useMock"} {
		f[name] = unsupported
	}
	return f
}

// said are the labels of the request, as the engine keeps them with its record.
func (c *call) said() engine.Labels {
	version, _, _ := strings.Cut(strings.TrimPrefix(c.r.URL.Path, "/"), "/")
	return engine.Labels{Origin: c.origin, Integration: c.integration, Version: version}
}

// orNull reads null as no value.
func orNull(r reader) reader {
	shape := func() schema {
		s := r.shape()
		s["type"] = []any{s["type"], "null"}
		return s
	}
	return reader{shape, func(raw json.RawMessage) []issue {
		if null(raw) {
			return nil
		}
		return r.read(raw)
	}}
}

const longestLabel = 200
