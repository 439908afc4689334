package formats

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
)

// UnmarshalJSON reads a format name or an object with "type" and the options of that type, and
// validates it. Every other key is an error, but for screenshot, where it is ignored. Errors are
// *OptionError, or the JSON decoder's when the text is not even an object or string.
func (f *Format) UnmarshalJSON(data []byte) error {
	*f = Format{}
	if data = bytes.TrimSpace(data); len(data) > 0 && data[0] == '"' {
		if err := json.Unmarshal(data, &f.Type); err != nil {
			return err
		}
		return f.validateName()
	}
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(data, &keys); err != nil {
		return &OptionError{Field: "format", Value: string(data), Want: "a format name or an object with a type"}
	}
	if err := decodeOption(keys, "type", &f.Type, "a format name"); err != nil {
		return err
	}
	if err := f.decodeOptions(keys); err != nil {
		return err
	}
	return f.Validate()
}

// validateName validates a format given as a plain name.
func (f *Format) validateName() error {
	switch f.Type {
	case Attributes, Question, Highlights, Query:
		return &OptionError{Field: "type", Value: string(f.Type), Want: "an object: " + string(f.Type) + " has options that must be given"}
	}
	return f.Validate()
}

func (f *Format) decodeOptions(keys map[string]json.RawMessage) error {
	known, ok := optionNames[f.Type]
	if !ok {
		return unknownType(f.Type)
	}
	for _, key := range sortedKeys(keys) {
		if key == "type" {
			continue
		}
		if !slices.Contains(known, key) {
			if f.Type == Screenshot {
				continue
			}
			return f.unknownOption(key, keys[key], known)
		}
		if err := f.decodeKey(keys, key); err != nil {
			return err
		}
	}
	return nil
}

// unknownOption names the options that a format has in place of one that it hasn't.
func (f *Format) unknownOption(key string, raw json.RawMessage, known []string) error {
	value := string(raw)
	if json.Unmarshal(raw, &value) != nil {
		value = string(raw) // no string
	}
	want := "no options: the format " + string(f.Type) + " takes none"
	if len(known) > 0 {
		want = "one of " + strings.Join(known, ", ") + ", the options of the format " + string(f.Type)
	}
	return &OptionError{Field: key, Value: value, Want: want}
}

func (f *Format) decodeKey(keys map[string]json.RawMessage, key string) error {
	switch key {
	case "fullPage":
		return decodeOption(keys, key, &f.FullPage, "true or false")
	case "quality":
		return decodeNumber(keys, key, &f.Quality, wantQuality)
	case "maxTokens":
		return decodeNumber(keys, key, &f.MaxTokens, wantMaxTokens)
	case "viewport":
		return decodeStrict(keys, key, &f.Viewport, "an object with width and height")
	case "selectors":
		return decodeStrict(keys, key, &f.Selectors, "a list of objects with selector and attribute")
	case "schema":
		return f.decodeSchema(keys[key])
	case "prompt":
		return decodeOption(keys, key, &f.Prompt, "a string")
	case "checkPromptInjection":
		return decodeOption(keys, key, &f.CheckPromptInjection, "true or false")
	case "evidence":
		return decodeOption(keys, key, &f.Evidence, "true or false")
	case "modes":
		return decodeOption(keys, key, &f.Modes, "a list of strings")
	case "tag":
		return decodeOption(keys, key, &f.Tag, "a string or null")
	case "question":
		return decodeOption(keys, key, &f.Question, "a string")
	case "query":
		return decodeOption(keys, key, &f.Query, "a string")
	default:
		return decodeOption(keys, key, &f.Mode, "a string")
	}
}

// decodeNumber refuses the 0 that stands for "not given" in Go.
func decodeNumber(keys map[string]json.RawMessage, key string, into *int, want string) error {
	if err := decodeOption(keys, key, into, want); err != nil {
		return err
	}
	if *into == 0 {
		return &OptionError{Field: key, Value: 0, Want: want}
	}
	return nil
}

func (f *Format) decodeSchema(raw json.RawMessage) error {
	if string(raw) == "null" {
		return nil
	}
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil {
		return err
	}
	f.Schema = b.Bytes()
	return nil
}

func decodeOption(keys map[string]json.RawMessage, key string, into any, want string) error {
	raw, ok := keys[key]
	if !ok {
		return &OptionError{Field: key, Value: nil, Want: want}
	}
	if string(raw) == "null" && key != "tag" {
		return &OptionError{Field: key, Value: "null", Want: want}
	}
	if err := json.Unmarshal(raw, into); err != nil {
		return &OptionError{Field: key, Value: string(raw), Want: want}
	}
	return nil
}

// decodeStrict refuses unknown keys of the objects inside.
func decodeStrict(keys map[string]json.RawMessage, key string, into any, want string) error {
	if string(keys[key]) == "null" {
		return &OptionError{Field: key, Value: "null", Want: want}
	}
	d := json.NewDecoder(bytes.NewReader(keys[key]))
	d.DisallowUnknownFields()
	err := d.Decode(into)
	var typeErr *json.UnmarshalTypeError
	switch {
	case errors.As(err, &typeErr) && typeErr.Field != "":
		return &OptionError{Field: key + "." + typeErr.Field, Value: typeErr.Value, Want: want}
	case err != nil:
		return &OptionError{Field: key, Value: string(keys[key]), Want: want}
	}
	return nil
}

func sortedKeys(m map[string]json.RawMessage) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// formatObject is the JSON form of a Format with options.
type formatObject struct {
	Type                 Type            `json:"type"`
	FullPage             bool            `json:"fullPage,omitempty"`
	Quality              int             `json:"quality,omitempty"`
	Viewport             *Viewport       `json:"viewport,omitempty"`
	Selectors            []Selector      `json:"selectors,omitempty"`
	Schema               json.RawMessage `json:"schema,omitempty"`
	Prompt               string          `json:"prompt,omitempty"`
	CheckPromptInjection bool            `json:"checkPromptInjection,omitempty"`
	Evidence             bool            `json:"evidence,omitempty"`
	Modes                []string        `json:"modes,omitempty"`
	Tag                  *string         `json:"tag,omitempty"`
	Question             string          `json:"question,omitempty"`
	Query                string          `json:"query,omitempty"`
	Mode                 string          `json:"mode,omitempty"`
	MaxTokens            int             `json:"maxTokens,omitempty"`
}

// MarshalJSON writes the name alone when there are no options, else an object.
func (f Format) MarshalJSON() ([]byte, error) {
	if f.plain() {
		return json.Marshal(f.Type)
	}
	return json.Marshal(formatObject(f))
}

// plain reports a format without options.
func (f Format) plain() bool {
	return !f.FullPage && f.Quality == 0 && f.Viewport == nil && len(f.Selectors) == 0 && len(f.Schema) == 0 && f.Prompt == "" &&
		!f.CheckPromptInjection && !f.Evidence && len(f.Modes) == 0 && f.Tag == nil && f.Question == "" && f.Query == "" && f.Mode == "" && f.MaxTokens == 0
}
