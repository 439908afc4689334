package formats

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/winnow-go/winnow/formats/passages"
)

// OptionError means that an option has an invalid value, and names the valid ones.
type OptionError struct {
	Field string // the JSON path: "formats[1].quality"
	Value any    // the value that was given; nil: none
	Want  string // the valid values
}

// Error names field, value and what it may be. Long values are shortened.
func (e *OptionError) Error() string {
	if e.Value == nil {
		return fmt.Sprintf("%s is missing: want %s", e.Field, e.Want)
	}
	const shown = 80
	s := fmt.Sprint(e.Value)
	if len(s) > shown {
		s = strings.ToValidUTF8(s[:shown], "") + "…"
	}
	return fmt.Sprintf("%s %q: want %s", e.Field, s, e.Want)
}

const (
	maxWidth, maxHeight = 7680, 4320
	wantQuality         = "1 to 100"
)

var (
	wantPrompt    = fmt.Sprintf("at most %d characters", MaxPrompt)
	wantMaxTokens = fmt.Sprintf("%d to %d", passages.MinTokens, passages.MaxTokens)
)

func unknownType(t Type) error {
	names := make([]string, 0, len(optionNames))
	for name := range optionNames {
		names = append(names, string(name))
	}
	slices.Sort(names)
	return &OptionError{Field: "type", Value: string(t), Want: "one of " + strings.Join(names, ", ")}
}

// Validate checks the options of one format. The error is an *OptionError with the field as in JSON.
func (f Format) Validate() error {
	if _, ok := optionNames[f.Type]; !ok {
		return unknownType(f.Type)
	}
	if err := f.validateForeign(); err != nil {
		return err
	}
	for _, check := range []func() error{f.validateScreenshot, f.validateSelectors, f.validateModel, f.validateTexts, f.validatePassages} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// validateForeign refuses options of other formats: they would be ignored without a word.
func (f Format) validateForeign() error {
	given := []struct {
		key string
		set bool
	}{
		{"fullPage", f.FullPage}, {"quality", f.Quality != 0}, {"viewport", f.Viewport != nil}, {"selectors", len(f.Selectors) > 0},
		{"schema", len(f.Schema) > 0}, {"prompt", f.Prompt != ""}, {"checkPromptInjection", f.CheckPromptInjection}, {"evidence", f.Evidence}, {"modes", len(f.Modes) > 0},
		{"tag", f.Tag != nil}, {"question", f.Question != ""}, {"query", f.Query != ""}, {"mode", f.Mode != ""},
		{"maxTokens", f.MaxTokens != 0},
	}
	for _, g := range given {
		if g.set && !slices.Contains(optionNames[f.Type], g.key) {
			return &OptionError{Field: g.key, Value: "given", Want: "nothing: " + string(f.Type) + " has no option of this name"}
		}
	}
	return nil
}

func (f Format) validateScreenshot() error {
	if f.Quality < 0 || f.Quality > 100 {
		return &OptionError{Field: "quality", Value: f.Quality, Want: wantQuality}
	}
	if f.Viewport == nil {
		return nil
	}
	if w := f.Viewport.Width; w < 1 || w > maxWidth {
		return &OptionError{Field: "viewport.width", Value: w, Want: fmt.Sprintf("1 to %d", maxWidth)}
	}
	if h := f.Viewport.Height; h < 1 || h > maxHeight {
		return &OptionError{Field: "viewport.height", Value: h, Want: fmt.Sprintf("1 to %d", maxHeight)}
	}
	return nil
}

func (f Format) validateSelectors() error {
	if f.Type != Attributes {
		return nil
	}
	if len(f.Selectors) == 0 {
		return &OptionError{Field: "selectors", Want: "a list of objects with selector and attribute"}
	}
	for i, s := range f.Selectors {
		if strings.TrimSpace(s.Selector) == "" {
			return &OptionError{Field: fmt.Sprintf("selectors[%d].selector", i), Value: s.Selector, Want: "a CSS selector"}
		}
		if strings.TrimSpace(s.Attribute) == "" {
			return &OptionError{Field: fmt.Sprintf("selectors[%d].attribute", i), Value: s.Attribute, Want: "the name of an attribute"}
		}
	}
	return nil
}

func (f Format) validatePassages() error {
	if n := f.MaxTokens; n != 0 && (n < passages.MinTokens || n > passages.MaxTokens) {
		return &OptionError{Field: "maxTokens", Value: n, Want: wantMaxTokens}
	}
	return nil
}

func (f Format) validateModel() error {
	if len(f.Schema) > 0 {
		var object map[string]json.RawMessage
		if json.Unmarshal(f.Schema, &object) != nil || object == nil {
			return &OptionError{Field: "schema", Value: string(f.Schema), Want: "a JSON Schema object"}
		}
	}
	for i, m := range f.Modes {
		if m != "git-diff" && m != "json" {
			return &OptionError{Field: fmt.Sprintf("modes[%d]", i), Value: m, Want: "git-diff or json"}
		}
	}
	if f.Mode != "" && f.Mode != "freeform" && f.Mode != "directQuote" {
		return &OptionError{Field: "mode", Value: f.Mode, Want: "freeform or directQuote"}
	}
	return nil
}

func (f Format) validateTexts() error {
	texts := []struct {
		key, value string
		required   bool
	}{
		{"prompt", f.Prompt, f.Type == Query},
		{"question", f.Question, f.Type == Question},
		{"query", f.Query, f.Type == Highlights},
	}
	for _, t := range texts {
		if t.required && strings.TrimSpace(t.value) == "" {
			return &OptionError{Field: t.key, Value: t.value, Want: fmt.Sprintf("1 to %d characters", MaxPrompt)}
		}
		if n := utf8.RuneCountInString(t.value); n > MaxPrompt {
			return &OptionError{Field: t.key, Value: fmt.Sprintf("%d characters", n), Want: wantPrompt}
		}
	}
	return nil
}

// ValidateSet checks every format and whether they can be requested together. A format without options
// may be named twice; one with options may not, since a document has one place for it. The error is
// an *OptionError whose field begins with "formats".
func ValidateSet(fs []Format) error {
	seen := make(map[Type]int, len(fs))
	for i, f := range fs {
		if err := f.Validate(); err != nil {
			return within(fmt.Sprintf("formats[%d]", i), err)
		}
		if first, ok := seen[f.Type]; ok && (len(optionNames[f.Type]) > 0) {
			return &OptionError{Field: fmt.Sprintf("formats[%d]", i), Value: string(f.Type), Want: fmt.Sprintf("one %s at most: formats[%d] is one", f.Type, first)}
		}
		seen[f.Type] = i
	}
	return validateTogether(seen)
}

// within puts the way to an option before the field of its error.
func within(path string, err error) error {
	if e, ok := err.(*OptionError); ok {
		return &OptionError{Field: path + "." + e.Field, Value: e.Value, Want: e.Want}
	}
	return err
}

func validateTogether(seen map[Type]int) error {
	has := func(t Type) bool { _, ok := seen[t]; return ok }
	refuse := func(t Type, want string) error {
		return &OptionError{Field: fmt.Sprintf("formats[%d]", seen[t]), Value: string(t), Want: want}
	}
	switch {
	case has(RawBase64) && len(seen) > 1:
		return refuse(RawBase64, "no other format beside it")
	case has(JSON) && has(DeterministicJSON):
		return refuse(DeterministicJSON, "not together with json")
	case has(ChangeTracking) && !has(Markdown):
		return refuse(ChangeTracking, "markdown to be requested as well")
	case has(Question) && has(Query):
		return refuse(Query, "not together with question: both answer in the same field")
	}
	return nil
}
