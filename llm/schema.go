package llm

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// Schema is a compiled JSON Schema, of draft 4, 6, 7, 2019-09 or 2020-12 (the default). It is
// immutable and safe for concurrent use.
type Schema struct {
	raw, forModel json.RawMessage
	compiled      *jsonschema.Schema
	effort        *effort
}

// SchemaError reports where and why a value doesn't follow its schema, or a schema is unusable.
type SchemaError struct {
	// Path is a JSON pointer (RFC 6901) into the value, or into the schema if that is at
	// fault. The empty pointer is the whole.
	Path string
	// Reason in words, without values longer than a line.
	Reason string
}

// Error returns path and reason.
func (e *SchemaError) Error() string {
	if e.Path == "" {
		return e.Reason
	}
	return "at " + e.Path + ": " + e.Reason
}

// Bounds of schemas, and of the values that are checked by them.
const (
	maxSchemaBytes = 256 << 10
	maxSchemaDepth = 64
	maxValueDepth  = 256
)

// the schema's fictional address: nothing can be loaded from there.
const schemaURL = "schema:///given"

// CompileSchema compiles a caller's schema. It must be an object, of at most 256 KiB and 64
// levels. Nothing is loaded: a reference that leads out of the schema is an error, but for the
// published meta-schemas, which are compiled in. Patterns are RE2, so that no pattern is slow; one
// with lookahead or backreferences is an error. Entries of required that name no property are
// taken out, and an object without properties that allows any is refused, for it carries no information.
// The error is a [*SchemaError] that points into the schema.
func CompileSchema(raw json.RawMessage) (*Schema, error) {
	if len(raw) > maxSchemaBytes {
		return nil, &SchemaError{Reason: fmt.Sprintf("the schema is larger than %d KiB", maxSchemaBytes>>10)}
	}
	root, err := decodeObject(raw)
	if err != nil {
		return nil, err
	}
	if err := tidy(root, ""); err != nil {
		return nil, err
	}
	full, err := json.Marshal(root) // before it is slimmed, a copy to check by
	if err != nil {
		return nil, &SchemaError{Reason: err.Error()}
	}
	s := &Schema{raw: bytes.Clone(raw), effort: &effort{}}
	if s.compiled, err = s.effort.compile(full); err != nil {
		return nil, err
	}
	if s.forModel, err = json.Marshal(slim(root)); err != nil {
		return nil, &SchemaError{Reason: err.Error()}
	}
	return s, nil
}

func decodeObject(raw json.RawMessage) (map[string]any, error) {
	if depth(raw) > maxSchemaDepth {
		return nil, &SchemaError{Reason: fmt.Sprintf("the schema is nested deeper than %d levels", maxSchemaDepth)}
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, &SchemaError{Reason: "the schema is not JSON: " + err.Error()}
	}
	root, ok := value.(map[string]any)
	if !ok {
		return nil, &SchemaError{Reason: "the schema is not a JSON object"}
	}
	return root, nil
}

func (e *effort) compile(full json.RawMessage) (s *jsonschema.Schema, err error) {
	root, err := decodeObject(full)
	if err != nil {
		return nil, err
	}
	counted(root, root)
	defer func() { // the compiler reads foreign bytes
		if recover() != nil {
			s, err = nil, &SchemaError{Reason: "the schema does not compile"}
		}
	}()
	c := jsonschema.NewCompiler()
	c.UseLoader(jsonschema.SchemeURLLoader{})
	c.RegisterFormat(e.format())
	c.AssertFormat()
	if err := c.AddResource(schemaURL, root); err != nil {
		return nil, compileError(err)
	}
	if s, err = c.Compile(schemaURL); err != nil {
		return nil, compileError(err)
	}
	return s, nil
}

// compileError describes common mistakes of callers in plain words.
func compileError(err error) error {
	if load, ok := errors.AsType[*jsonschema.LoadURLError](err); ok {
		return &SchemaError{Reason: fmt.Sprintf("the schema refers to %.200q; only references inside the schema are followed", strings.TrimPrefix(load.URL, "schema:///"))}
	}
	if invalid, ok := errors.AsType[*jsonschema.SchemaValidationError](err); ok {
		if inner, ok := errors.AsType[*jsonschema.ValidationError](invalid.Err); ok {
			return deepest(inner)
		}
	}
	return &SchemaError{Reason: oneLine(strings.ReplaceAll(err.Error(), schemaURL, ""))}
}

// Raw is the schema as it was given. It must not be altered.
func (s *Schema) Raw() json.RawMessage { return s.raw }

// ForModel is the schema as models receive it: what servers commonly refuse or misread is left
// out (defaults, patterns, formats, lengths, bounds, and additionalProperties beside properties).
// [Schema.Validate] checks it all the same. It must not be altered.
func (s *Schema) ForModel() json.RawMessage { return s.forModel }

// Validate checks a value. The error is a [*SchemaError] for the deepest place that is wrong.
// Formats are not checked. Values nested deeper than 256 levels are refused.
func (s *Schema) Validate(value json.RawMessage) error {
	if depth(value) > maxValueDepth {
		return &SchemaError{Reason: fmt.Sprintf("nested deeper than %d levels", maxValueDepth)}
	}
	decoded, err := jsonschema.UnmarshalJSON(bytes.NewReader(value))
	if err != nil {
		return &SchemaError{Reason: "no JSON: " + err.Error()}
	}
	if err := s.effort.check(s.compiled, decoded); err != nil {
		if invalid, ok := errors.AsType[*jsonschema.ValidationError](err); ok {
			return deepest(invalid)
		}
		return err
	}
	return nil
}

// deepest follows the causes to the one with the longest path: of alternatives that all
// fail, this is most often the one that was meant.
func deepest(e *jsonschema.ValidationError) *SchemaError {
	best := e
	var walk func(e *jsonschema.ValidationError)
	walk = func(e *jsonschema.ValidationError) {
		if len(e.Causes) == 0 && (len(best.Causes) > 0 || len(e.InstanceLocation) > len(best.InstanceLocation)) {
			best = e
		}
		for _, cause := range e.Causes {
			walk(cause)
		}
	}
	walk(e)
	return &SchemaError{
		Path:   pointer(best.InstanceLocation),
		Reason: oneLine(best.ErrorKind.LocalizedString(message.NewPrinter(language.English))),
	}
}

// pointer writes a path as a JSON pointer.
func pointer(path []string) string {
	var b strings.Builder
	for _, step := range path {
		b.WriteByte('/')
		b.WriteString(pointerEscapes.Replace(step))
	}
	return b.String()
}

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

// oneLine is text from elsewhere for an error: visible, on one line, of bounded length.
func oneLine(text string) string {
	const limit = 300
	text = strings.Join(strings.Fields(Visible(text)), " ")
	if len(text) > limit {
		text = strings.ToValidUTF8(text[:limit], "") + "…"
	}
	return text
}

// depth is how deep brackets are nested, counted without decoding.
func depth(raw []byte) int {
	deepest, now, inString := 0, 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			now++
			deepest = max(deepest, now)
		case c == '}' || c == ']':
			now--
		}
	}
	return deepest
}
