package actions

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// OptionError reports an invalid option and its valid values. Validate,
// Decode and the JSON decoding of an Action return it.
type OptionError struct {
	Field string // the JSON path: "actions[3].selector"
	Value any    // the value that was given; nil: none
	Want  string // the valid values
}

// Error names field, value and valid values. Long values are shortened.
func (e *OptionError) Error() string {
	if e.Value == nil {
		return fmt.Sprintf("%s is missing: want %s", e.Field, e.Want)
	}
	return fmt.Sprintf("%s is %s: want %s", e.Field, oneLine(fmt.Sprint(e.Value), 80), e.Want)
}

// below puts the path to the action before the field of an error.
func (e *OptionError) below(path string) *OptionError {
	field := path
	if e.Field != "" {
		field += "." + e.Field
	}
	return &OptionError{Field: field, Value: e.Value, Want: e.Want}
}

// The valid values of the fields, in the words of an OptionError.
const (
	wantMilliseconds = "a whole number from 1 to 60000"
	wantSelector     = "a CSS selector"
	wantBool         = "true or false"
	wantText         = "a text of at least one character"
	wantKey          = `a character of the US keyboard or a key name, such as Enter, ArrowDown or Control+A`
	wantDirection    = "up or down"
	wantScript       = "a script"
	wantQuality      = "a whole number from 1 to 100"
	wantViewport     = "an object with width and height"
	wantFormat       = "A0 to A6, Letter, Legal, Tabloid or Ledger"
	wantScale        = "a number from 0.1 to 2"
)

// field is one option of an action.
type field struct {
	name string
	want string
	at   func(*Action) any // a pointer to where the action has it
}

// get returns the value, and whether it is other than zero.
func (f field) get(a *Action) (value any, set bool) {
	v := reflect.ValueOf(f.at(a)).Elem()
	value = v.Interface()
	return value, value != reflect.Zero(v.Type()).Interface() // not IsZero, which takes -0 for a value
}

// fieldNames of each action type, apart from "type".
func fieldNames(t Type) (names []string, known bool) {
	switch t {
	case Wait:
		names = []string{"milliseconds", "selector"}
	case Click:
		names = []string{"selector", "all"}
	case Screenshot:
		names = []string{"fullPage", "quality", "viewport"}
	case Write:
		names = []string{"text"}
	case Press:
		names = []string{"key"}
	case Scroll:
		names = []string{"direction", "selector"}
	case Scrape:
	case ExecuteJavaScript:
		names = []string{"script"}
	case PDF:
		names = []string{"format", "landscape", "scale"}
	default:
		return nil, false
	}
	return names, true
}

// fields is every option of every type, in the order of Action.
func fields() []field {
	return []field{
		{"milliseconds", wantMilliseconds, func(a *Action) any { return &a.Milliseconds }},
		{"selector", wantSelector, func(a *Action) any { return &a.Selector }},
		{"all", wantBool, func(a *Action) any { return &a.All }},
		{"text", wantText, func(a *Action) any { return &a.Text }},
		{"key", wantKey, func(a *Action) any { return &a.Key }},
		{"direction", wantDirection, func(a *Action) any { return &a.Direction }},
		{"script", wantScript, func(a *Action) any { return &a.Script }},
		{"fullPage", wantBool, func(a *Action) any { return &a.FullPage }},
		{"quality", wantQuality, func(a *Action) any { return &a.Quality }},
		{"viewport", wantViewport, func(a *Action) any { return &a.Viewport }},
		{"format", wantFormat, func(a *Action) any { return &a.Format }},
		{"landscape", wantBool, func(a *Action) any { return &a.Landscape }},
		{"scale", wantScale, func(a *Action) any { return &a.Scale }},
	}
}

func unknownType(t Type) *OptionError {
	err := &OptionError{Field: "type", Want: "wait, click, screenshot, write, press, scroll, scrape, executeJavascript or pdf"}
	if t != "" {
		err.Value = string(t)
	}
	return err
}

// unused is the error of a field that the action's type does not have.
func unused(name string, value any, t Type, names []string) *OptionError {
	have := "no field but type"
	if len(names) > 0 {
		have = "no field of a " + string(t) + " but type, " + strings.Join(names, ", ")
	}
	return &OptionError{Field: name, Value: value, Want: have}
}

// checkUsed refuses fields that the action's type does not have.
func checkUsed(a *Action, names []string) *OptionError {
	for _, f := range fields() {
		if value, set := f.get(a); set && !slices.Contains(names, f.name) {
			return unused(f.name, value, a.Type, names)
		}
	}
	return nil
}

// oneLine folds white space and cuts s to about limit bytes.
func oneLine(s string, limit int) string {
	long := len(s) > 4*limit
	if long { // folding a whole page's text for one line of it would be a waste
		s = s[:4*limit]
	}
	s = strings.ToValidUTF8(strings.Join(strings.Fields(s), " "), "")
	if len(s) > limit {
		return strings.ToValidUTF8(s[:limit], "") + "…"
	}
	if long {
		s += "…"
	}
	return s
}
