package search

import (
	"errors"
	"fmt"
	"strings"
)

var (
	// ErrAnswer: a provider's answer is not valid: not JSON, too long, or without a list of results.
	ErrAnswer = errors.New("the search provider's answer is not valid")
	// ErrClosed: the index was closed.
	ErrClosed = errors.New("the search index is closed")
	// ErrDetached: an index was searched that no engine has attached to its cache.
	ErrDetached = errors.New("the search index has no pages yet: give it to an engine (engine.Options.Search)")
	// ErrAttached: an index was given to a second engine.
	ErrAttached = errors.New("the search index belongs to another engine")
)

// OptionError says which part of a query is not supported, and what is.
type OptionError struct {
	Field string // the request's field, such as "tbs"; of a constructor's options, the Go field
	Value any
	Want  string
}

func (e *OptionError) Error() string {
	value := fmt.Sprint(e.Value)
	if len(value) > 200 {
		value = strings.ToValidUTF8(value[:200], "") + "…"
	}
	return fmt.Sprintf("%s: %q; want %s", e.Field, value, e.Want)
}

// StatusError: a provider's server answered with an error status, also after retries. It has neither
// URL nor body, which may hold keys and the query.
type StatusError struct {
	Provider string
	Status   int
	// Hint says what to do about it; may be empty.
	Hint string
}

func (e *StatusError) Error() string {
	text := fmt.Sprintf("%s answered with status %d", e.Provider, e.Status)
	if e.Hint != "" {
		text += ": " + e.Hint
	}
	return text
}
