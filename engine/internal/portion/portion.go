// Package portion gives of a page's Markdown what a request wants of it: passages, or the part that fits a budget.
//
//	portion.go  Request, Plan and Of
package portion

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/winnow-go/winnow/engine/internal/option"
	"github.com/winnow-go/winnow/engine/internal/relevance"
	"github.com/winnow-go/winnow/formats"
	"github.com/winnow-go/winnow/formats/passages"
	"github.com/winnow-go/winnow/formats/window"
)

// Request says what is wanted of the Markdown. The zero value gives none of it.
type Request struct {
	markdown bool
	passages bool
	size     int // of passages; 0: the default
	budget   window.Budget
}

// Result is what came of a Markdown text.
type Result struct {
	Markdown string
	Passages []passages.Passage // nil: not wanted
	Window   *window.Window     // nil: no budget
	Warnings []string
}

// Plan checks a request. The error is an [*option.Error].
func Plan(list []formats.Format, b window.Budget) (Request, error) {
	r := Request{budget: b}
	for _, f := range list {
		switch f.Type {
		case formats.Markdown:
			r.markdown = true
		case formats.Passages:
			r.passages, r.size = true, f.MaxTokens
		}
	}
	return r, r.check()
}

func (r Request) check() error {
	b := r.budget
	refuse := func(field string, value any, want string) error {
		return &option.Error{Field: "winnow.budget" + field, Value: value, Want: want}
	}
	inRange := fmt.Sprintf("%d to %d", window.MinTokens, window.MaxTokens)
	switch n := utf8.RuneCountInString(b.Query); {
	case b == window.Budget{}:
		return nil
	case b.Tokens < window.MinTokens || b.Tokens > window.MaxTokens:
		return refuse(".tokens", b.Tokens, inRange)
	case n > window.MaxQuery:
		return refuse(".query", fmt.Sprintf("%d characters", n), fmt.Sprintf("at most %d characters", window.MaxQuery))
	case b.From < 0:
		return refuse(".from", b.From, "0 or more")
	case b.From > 0 && b.Query != "":
		return refuse(".from", b.From, "0 with a query, which chooses passages wherever they are")
	case !r.markdown:
		return refuse("", b.Tokens, "markdown among the formats: it is what the budget is of")
	case r.passages:
		return refuse("", b.Tokens, "unset with the format passages, which are of the whole page")
	}
	return nil
}

// Of gives what is wanted. Language is the page's; count counts tokens, nil: a bound.
func (r Request) Of(markdown, language string, count func(string) int) Result {
	out := Result{}
	if r.passages {
		out.Passages = passages.Split(markdown, passages.Options{MaxTokens: r.size, Language: language, Count: count})
	}
	if !r.markdown {
		return out
	}
	out.Markdown, out.Window = window.Read(markdown, r.budget, window.Options{Count: count, Rank: rank})
	if from := r.budget.From; from > 0 && from >= len(markdown) {
		out.Warnings = append(out.Warnings, fmt.Sprintf("The budget begins at byte %d of a markdown of %d: nothing is left.", from, len(markdown)))
	}
	return out
}

// rank returns the passages that have a word of the query, the best first.
func rank(query string, list []passages.Passage) []int {
	docs := make([]relevance.Doc, len(list))
	for i, p := range list {
		docs[i] = relevance.Doc{Title: strings.Join(p.Headings, " "), Description: p.Text}
	}
	return relevance.Matching(query, docs)
}

// Rendered are the formats that have to be rendered for those that are wanted.
func Rendered(t formats.Type) formats.Type {
	if t == formats.Passages {
		return formats.Markdown
	}
	return t
}
