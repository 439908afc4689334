// Package decode reads the bodies of requests over HTTP, and the arguments of tools, strictly into the engine's options: what isn't known
// or has a wrong type is refused, by the field's path. Each reader of a value has the JSON Schema of what it takes too.
//
//   - decode.go — [Object], [Fields], [Issue]: objects of known fields, and what is wrong with them
//   - readers.go, schema.go — readers of values; their schemas
//   - scrape.go — the scrape options of all bodies
//   - find.go, jobs.go, live.go — the bodies of maps and searches, of jobs, of sessions
//   - monitor.go — the bodies of monitors
//   - v1.go — the bodies of the first version, read into the same options
//   - forms.go — schemas of formats and actions, whose own packages decode them
package decode

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/formats"
)

// Issue is one thing that is wrong with a request; Path leads to it by names and list positions.
type Issue struct {
	Code    string `json:"code"` // invalid_type, invalid, unrecognized_keys, required, unsupported, custom
	Path    []any  `json:"path"`
	Message string `json:"message"`
}

// Fields are the keys that an object may have, with the reader of each value.
type Fields map[string]Reader

// Reader reads a value, and describes what it accepts.
type Reader struct {
	// Shape returns the JSON Schema of what it accepts, for the document of the API.
	Shape func() Schema
	// Read gets JSON that is well formed; it returns the issues with paths relative to the value.
	Read func(raw json.RawMessage) []Issue
}

// Errors that those of [Object] wrap, beside *[Error].
var (
	ErrNotJSON       = errors.New("not valid JSON")
	ErrTooManyValues = errors.New("the body has too many values")
)

// Error is the error of a body whose values are not accepted: it lists at least one issue.
type Error struct{ Issues []Issue }

func (e *Error) Error() string { return e.Issues[0].Message }

// Object reads one JSON object. Its errors wrap [ErrNotJSON], [ErrTooManyValues] and *[Error].
func Object(data []byte, f Fields) error {
	if err := Valid(data); err != nil {
		return err
	}
	if Values(data) > MaxValues {
		return ErrTooManyValues
	}
	return refuse(f.Read(data))
}

// Valid says where some data ceases to be JSON, by an error that wraps [ErrNotJSON]; nil: it is JSON, in UTF-8 (RFC 8259 §8.1).
func Valid(data []byte) error {
	if utf8.Valid(data) && json.Valid(data) {
		return nil
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return fmt.Errorf("%w: it is empty; want a JSON object", ErrNotJSON)
	}
	at, why := len(data)-len(bytes.TrimLeftFunc(data, func(r rune) bool { return r != utf8.RuneError })), "not UTF-8"
	if syntax, ok := errors.AsType[*json.SyntaxError](json.Unmarshal(data, new(json.RawMessage))); ok {
		at, why = int(syntax.Offset)-1, syntax.Error()
	}
	before := data[:min(max(at, 0), len(data))]
	column := utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:]) + 1
	return fmt.Errorf("%w: line %d, column %d: %s", ErrNotJSON, bytes.Count(before, []byte("\n"))+1, column, why)
}

// MaxValues bounds what a body can grow to in memory, where small values take many times their length.
const MaxValues = 500_000

// Values is about how many values some JSON has, and at least as many as its longest list.
func Values(data []byte) int {
	n, quoted := 1, false
	for i := 0; i < len(data); i++ {
		switch data[i] {
		case '"':
			quoted = !quoted
		case '\\':
			i++
		case ',':
			if !quoted {
				n++
			}
		}
	}
	return n
}

// refuse makes the error of issues, nil of none.
func refuse(issues []Issue) error {
	if len(issues) == 0 {
		return nil
	}
	for i := range issues {
		if in := &issues[i]; in.Code != "custom" {
			in.Message = fieldOf(in.Path) + in.Message
		}
	}
	return &Error{issues}
}

// fieldOf spells a path as the engine does, ready to go before a text.
func fieldOf(path []any) string {
	var b strings.Builder
	for i, step := range path {
		switch n, ok := step.(int); {
		case ok:
			fmt.Fprintf(&b, "[%d]", n)
		case i > 0:
			fmt.Fprintf(&b, ".%s", step)
		default:
			fmt.Fprint(&b, step)
		}
	}
	if b.Len() > 0 {
		b.WriteString(": ")
	}
	return b.String()
}

// Read is the reader of an object with those fields.
func (f Fields) Read(raw json.RawMessage) []Issue {
	keys, issues := members(raw)
	if keys == nil {
		return wrongType("an object")
	}
	var unknown []string
	for _, name := range sorted(keys) {
		field, ok := f[name]
		if !ok {
			unknown = append(unknown, name)
			continue
		}
		issues = append(issues, below(valued(field.Read(keys[name]), keys[name]), name)...)
	}
	return append(unrecognized(unknown), issues...)
}

// valued adds to issues of a value itself what it is.
func valued(issues []Issue, raw json.RawMessage) []Issue {
	for i := range issues {
		if in := &issues[i]; len(in.Path) == 0 && in.Code == "invalid_type" {
			in.Message += ", not " + strings.ToValidUTF8(string(raw[:min(len(raw), maxValue)]), "")
		}
	}
	return issues
}

// maxValue bounds what an error repeats of a value, in bytes.
const maxValue = 60

// members are those of an object, nil where it is none, with an issue for each that is given twice: readers differ in which they believe.
func members(raw json.RawMessage) (keys map[string]json.RawMessage, issues []Issue) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if begin, err := d.Token(); err != nil || begin != json.Delim('{') {
		return nil, nil
	}
	keys = map[string]json.RawMessage{}
	for d.More() {
		var value json.RawMessage
		token, err := d.Token()
		name, ok := token.(string)
		if err != nil || !ok || d.Decode(&value) != nil { // not possible: it is valid
			return nil, nil
		}
		if _, twice := keys[name]; twice && len(issues) < MaxIssues {
			issues = append(issues, Issue{Code: "invalid", Path: []any{name[:min(len(name), maxName)]}, Message: "given twice"})
		}
		keys[name] = value
	}
	return keys, issues
}

// maxName bounds what an error repeats of a key.
const maxName = 100

func unrecognized(names []string) (issues []Issue) {
	for _, name := range names[:min(len(names), MaxIssues)] {
		name = name[:min(len(name), maxName)]
		issues = append(issues, Issue{Code: "unrecognized_keys", Path: []any{name}, Message: "unrecognized key in body"})
	}
	return issues
}

// MaxIssues bounds how many issues of one value or list are reported.
const MaxIssues = 50

func sorted(keys map[string]json.RawMessage) []string {
	names := make([]string, 0, len(keys))
	for name := range keys {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// below puts a name or a list position in front of each path.
func below(issues []Issue, step any) []Issue {
	for i := range issues {
		issues[i].Path = append([]any{step}, issues[i].Path...)
	}
	return issues
}

func wrongType(want string) []Issue {
	return []Issue{{Code: "invalid_type", Path: []any{}, Message: "want " + want}}
}

// Required is the issue of a field that isn't there.
func Required(name, want string) error {
	return refuse([]Issue{{Code: "required", Path: []any{name}, Message: "required: " + want}})
}

// Invalid is an issue beyond the value of one field.
func Invalid(name, text string) error {
	return refuse([]Issue{{Code: "invalid", Path: []any{name}, Message: text}})
}

// PathOf reads a field as the engine spells it: "location.languages[1]".
func PathOf(field string) []any {
	field, _, _ = strings.Cut(field, ", ")
	path := []any{}
	for _, part := range strings.FieldsFunc(field, func(r rune) bool { return r == '.' || r == '[' || r == ']' }) {
		if n, err := strconv.Atoi(part); err == nil {
			path = append(path, n)
			continue
		}
		path = append(path, part)
	}
	return path
}

// optionIssues returns what the decoder of another package found wrong.
func optionIssues(err error, whole string) []Issue {
	if e, ok := errors.AsType[*formats.OptionError](err); ok {
		return []Issue{{Code: "custom", Path: PathOf(e.Field), Message: e.Error()}}
	}
	if e, ok := errors.AsType[*actions.OptionError](err); ok {
		path := PathOf(strings.TrimPrefix(e.Field, whole))
		return []Issue{{Code: "custom", Path: path, Message: e.Error()}}
	}
	return wrongType(whole + " (" + err.Error() + ")")
}

func null(raw json.RawMessage) bool { return bytes.Equal(bytes.TrimSpace(raw), []byte("null")) }
