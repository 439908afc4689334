package search

import (
	"errors"
	"fmt"
)

var (
	// ErrAnswer: the answer isn't what the provider should give: no JSON, too long, or without a
	// list of results where one should be.
	ErrAnswer = errors.New("the search provider's answer can't be read")
	// ErrClosed: the index was closed.
	ErrClosed = errors.New("the search index is closed")
	// ErrDetached: an index was asked that no engine has attached to its cache.
	ErrDetached = errors.New("the search index has no pages yet: give it to an engine (engine.Options.Search)")
	// ErrAttached: an index was given to a second engine.
	ErrAttached = errors.New("the search index belongs to another engine")
)

// OptionError says which part of a query can't be honoured, and what could be.
type OptionError struct {
	Field string // in the service's spelling, such as "tbs"
	Value any
	Want  string
}

func (e *OptionError) Error() string {
	value := fmt.Sprint(e.Value)
	if len(value) > 200 {
		value = value[:200] + "…"
	}
	return fmt.Sprintf("%s: %q; want %s", e.Field, value, e.Want)
}

// StatusError: a provider's server answered with a status that is no success, also after further
// tries. Neither URL nor body are told: they may hold keys and the query.
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
