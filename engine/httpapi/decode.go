package httpapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/formats"
)

// issue is one thing that is wrong with a request; Path leads to it by names and list positions.
type issue struct {
	Code    string `json:"code"` // invalid_type, invalid, unrecognized_keys, required, unsupported, custom
	Path    []any  `json:"path"`
	Message string `json:"message"`
}

// fields are the keys that an object may have, with who reads the value of each.
type fields map[string]reader

// reader reads a value, and tells what it takes.
type reader struct {
	// shape is the JSON Schema of what is taken, for the document of the API.
	shape func() schema
	// read gets JSON that is well formed; it gives the issues with paths relative to the value.
	read func(raw json.RawMessage) []issue
}

// body reads the request's JSON object into f and tells all that is wrong with it.
func (c *call) body(f fields) error {
	if c.asked != nil {
		*c.asked = f
		return errAsked
	}
	if err := c.mayCome(c.api.options.MaxBody); err != nil {
		return err
	}
	data, err := io.ReadAll(http.MaxBytesReader(c.w, c.r.Body, c.api.options.MaxBody))
	if err != nil {
		if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
			return errTooLarge
		}
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return errSlowBody
		}
		return &problem{status: http.StatusBadRequest, code: engine.CodeBadRequest, text: "the body could not be read"}
	}
	return decode(data, f)
}

// mayCome refuses a body before it is read by what its header says of it.
func (c *call) mayCome(most int64) error {
	if coding := c.r.Header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		return &problem{status: http.StatusUnsupportedMediaType, code: codeContentType, text: "a body must come as it is, without a Content-Encoding"}
	}
	if c.r.ContentLength > most {
		return errTooLarge
	}
	return nil
}

// decode reads one JSON object.
func decode(data []byte, f fields) error {
	switch {
	case !utf8.Valid(data) || !json.Valid(data): // RFC 8259 §8.1: JSON is UTF-8
		return &problem{status: http.StatusBadRequest, code: codeInvalidJSON, text: "the body is no valid JSON"}
	case values(data) > mostValues:
		return &problem{status: http.StatusRequestEntityTooLarge, code: codeTooLarge, text: "the body has too many values"}
	}
	return badRequest(f.read(data))
}

// mostValues bounds what a body can grow to in memory, where small values take many times their length.
const mostValues = 500_000

// values is about how many values some JSON has, and at least as many as its longest list.
func values(data []byte) int {
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

func badRequest(issues []issue) error {
	if len(issues) == 0 {
		return nil
	}
	for i := range issues {
		if in := &issues[i]; in.Code != "custom" {
			in.Message = fieldOf(in.Path) + in.Message
		}
	}
	return &problem{status: http.StatusBadRequest, code: engine.CodeBadRequest, text: issues[0].Message, details: issues}
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

// read is the reader of an object with those fields.
func (f fields) read(raw json.RawMessage) []issue {
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
		issues = append(issues, below(valued(field.read(keys[name]), keys[name]), name)...)
	}
	return append(unrecognized(unknown), issues...)
}

// valued adds to issues of a value itself what it is.
func valued(issues []issue, raw json.RawMessage) []issue {
	for i := range issues {
		if in := &issues[i]; len(in.Path) == 0 && in.Code == "invalid_type" {
			in.Message += ", not " + strings.ToValidUTF8(string(raw[:min(len(raw), longestValue)]), "")
		}
	}
	return issues
}

// longestValue bounds what an error repeats of a value, in bytes.
const longestValue = 60

// members are those of an object, nil where it is none, with an issue for each that is given twice: readers differ in which they believe.
func members(raw json.RawMessage) (keys map[string]json.RawMessage, issues []issue) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if begin, err := d.Token(); err != nil || begin != json.Delim('{') {
		return nil, nil
	}
	keys = map[string]json.RawMessage{}
	for d.More() {
		var value json.RawMessage
		token, err := d.Token()
		name, ok := token.(string)
		if err != nil || !ok || d.Decode(&value) != nil { // can't be: it is valid
			return nil, nil
		}
		if _, twice := keys[name]; twice && len(issues) < mostIssues {
			issues = append(issues, issue{Code: "invalid", Path: []any{name[:min(len(name), longestName)]}, Message: "given twice"})
		}
		keys[name] = value
	}
	return keys, issues
}

// longestName bounds what an error repeats of a key.
const longestName = 100

func unrecognized(names []string) (issues []issue) {
	for _, name := range names[:min(len(names), mostIssues)] {
		name = name[:min(len(name), longestName)]
		issues = append(issues, issue{Code: "unrecognized_keys", Path: []any{name}, Message: "unrecognised key in body"})
	}
	return issues
}

// mostIssues bounds what is told of unknown keys.
const mostIssues = 50

func sorted(keys map[string]json.RawMessage) []string {
	names := make([]string, 0, len(keys))
	for name := range keys {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// below puts a name or a list position in front of each path.
func below(issues []issue, step any) []issue {
	for i := range issues {
		issues[i].Path = append([]any{step}, issues[i].Path...)
	}
	return issues
}

func wrongType(want string) []issue {
	return []issue{{Code: "invalid_type", Path: []any{}, Message: "want " + want}}
}

// required is the issue of a field that isn't there.
func required(name, want string) error {
	return badRequest([]issue{{Code: "required", Path: []any{name}, Message: "required: " + want}})
}

// invalid is an issue beyond the value of one field.
func invalid(name, text string) error {
	return badRequest([]issue{{Code: "invalid", Path: []any{name}, Message: text}})
}

// pathOf reads a field as the engine spells it: "location.languages[1]".
func pathOf(field string) []any {
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

// optionIssues tells what a leaf's own decoder found wrong.
func optionIssues(err error, whole string) []issue {
	if e, ok := errors.AsType[*formats.OptionError](err); ok {
		return []issue{{Code: "custom", Path: pathOf(e.Field), Message: e.Error()}}
	}
	if e, ok := errors.AsType[*actions.OptionError](err); ok {
		path := pathOf(strings.TrimPrefix(e.Field, whole))
		return []issue{{Code: "custom", Path: path, Message: e.Error()}}
	}
	return wrongType(whole + " (" + err.Error() + ")")
}

func null(raw json.RawMessage) bool { return bytes.Equal(bytes.TrimSpace(raw), []byte("null")) }
