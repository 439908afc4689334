package actions

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Validate checks whether a list can be run: at most [MaxActions], each with the
// fields of its type in their ranges and no other field set, and all waits
// together with the request's waitFor at most [MaxWait]. The error is an
// *OptionError that names the first fault. It doesn't check whether a selector or
// script is well-formed: the page reports that when the action runs.
func Validate(list []Action, waitFor time.Duration) error {
	if waitFor < 0 {
		return &OptionError{Field: "waitFor", Value: waitFor, Want: "0 or more"}
	}
	if len(list) > MaxActions {
		return &OptionError{Field: "actions", Value: fmt.Sprintf("a list of %d", len(list)), Want: fmt.Sprintf("at most %d", MaxActions)}
	}
	for i := range list {
		if err := list[i].validate(); err != nil {
			return err.below(fmt.Sprintf("actions[%d]", i))
		}
	}
	// Subtracting keeps a huge waitFor from overflowing the sum.
	if waits := Waits(list); waitFor > MaxWait-waits {
		return &OptionError{Field: "actions", Value: fmt.Sprintf("waits of %s after a waitFor of %s", waits, waitFor), Want: "at most " + MaxWait.String() + " together"}
	}
	return nil
}

// Waits returns how long the waits of a valid list count, a wait by selector as [SelectorWait].
func Waits(list []Action) time.Duration {
	var sum time.Duration
	for _, a := range list {
		switch {
		case a.Type != Wait:
		case a.Selector != "":
			sum += SelectorWait
		default:
			sum += time.Duration(a.Milliseconds) * time.Millisecond
		}
	}
	return sum
}

// validate returns the first fault; its Field is relative to the action.
func (a *Action) validate() *OptionError {
	names, known := fieldNames(a.Type)
	if !known {
		return unknownType(a.Type)
	}
	if err := checkUsed(a, names); err != nil {
		return err
	}
	switch a.Type {
	case Wait:
		return a.validateWait()
	case Click:
		return required("selector", a.Selector, wantSelector)
	case Screenshot:
		return a.validateScreenshot()
	case Write:
		return present("text", a.Text, wantText)
	case Press:
		return a.validatePress()
	case Scroll:
		return a.validateScroll()
	case ExecuteJavaScript:
		return required("script", a.Script, wantScript)
	case PDF:
		return a.validatePDF()
	}
	return nil
}

func (a *Action) validateWait() *OptionError {
	switch {
	case a.Selector != "" && a.Milliseconds != 0:
		return &OptionError{Field: "milliseconds", Value: a.Milliseconds, Want: "either milliseconds or selector, not both"}
	case a.Selector != "":
		return required("selector", a.Selector, wantSelector)
	case a.Milliseconds == 0:
		return &OptionError{Field: "milliseconds", Want: "either milliseconds or selector"}
	}
	return inRange("milliseconds", a.Milliseconds, 1, int(MaxWait/time.Millisecond), wantMilliseconds)
}

func (a *Action) validateScreenshot() *OptionError {
	if a.Quality != 0 {
		if err := inRange("quality", a.Quality, 1, 100, wantQuality); err != nil {
			return err
		}
	}
	if a.Viewport == nil {
		return nil
	}
	if err := inRange("viewport.width", a.Viewport.Width, 1, 7680, "a whole number from 1 to 7680"); err != nil {
		return err
	}
	return inRange("viewport.height", a.Viewport.Height, 1, 4320, "a whole number from 1 to 4320")
}

func (a *Action) validatePress() *OptionError {
	if err := present("key", a.Key, wantKey); err != nil {
		return err
	}
	if !knownKey(a.Key) {
		return &OptionError{Field: "key", Value: a.Key, Want: wantKey}
	}
	return nil
}

func (a *Action) validateScroll() *OptionError {
	switch a.Direction {
	case "", "up", "down":
	default:
		return &OptionError{Field: "direction", Value: a.Direction, Want: wantDirection}
	}
	if a.Selector == "" {
		return nil
	}
	return required("selector", a.Selector, wantSelector)
}

func (a *Action) validatePDF() *OptionError {
	papers := []string{"", "A0", "A1", "A2", "A3", "A4", "A5", "A6", "Letter", "Legal", "Tabloid", "Ledger"}
	if !slices.Contains(papers, a.Format) {
		return &OptionError{Field: "format", Value: a.Format, Want: wantFormat}
	}
	if a.Scale != 0 && !(a.Scale >= 0.1 && a.Scale <= 2) { // NaN is in no range
		return &OptionError{Field: "scale", Value: a.Scale, Want: wantScale}
	}
	return nil
}

// present refuses an empty text; required one of white space alone too.
func present(name, value, want string) *OptionError {
	if value == "" {
		return &OptionError{Field: name, Want: want}
	}
	return nil
}

func required(name, value, want string) *OptionError {
	if value != "" && strings.TrimSpace(value) == "" {
		return &OptionError{Field: name, Value: fmt.Sprintf("%q", value), Want: want}
	}
	return present(name, value, want)
}

func inRange(name string, value, low, high int, want string) *OptionError {
	if value < low || value > high {
		return &OptionError{Field: name, Value: value, Want: want}
	}
	return nil
}
