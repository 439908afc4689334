package read

import (
	"context"
	"fmt"
	"strings"

	"github.com/winnow-go/winnow/llm"
)

// NoAnswer is what [Answer] returns when no part of the page answers the question.
const NoAnswer = "The page does not say."

const noText = "the page has no text"

const noteTokens = 800 // of the answer about one part

// Summary returns in a few sentences what a page is about, in its language. A page that is longer
// than the model supports is read in parts. A page without text has an empty summary and a warning.
func Summary(ctx context.Context, m llm.Model, p Page) (text string, warnings []string, err error) {
	if p.blank() {
		return "", []string{noText}, nil
	}
	r := rounds{
		whole: job{m: m, p: p, task: summaryTask},
		notes: job{m: m, p: p, task: summaryNotesTask, label: "notes"},
		part:  job{m: m, p: p, task: summaryPartTask, answer: noteTokens},
	}
	r.note = func(ctx context.Context, part string) (string, error) {
		note, _, err := r.part.text(ctx, part)
		return note, err
	}
	text, warnings, err = r.read(ctx)
	if err != nil {
		return "", nil, fmt.Errorf("summary: %w", err)
	}
	return text, warnings, nil
}

// Answer answers a question from the page alone, and reports when the page has no answer. A long page
// is read in parts; when none of them answers the question the result is [NoAnswer].
// A page without text has an empty answer and a warning.
func Answer(ctx context.Context, m llm.Model, p Page, question string) (string, []string, error) {
	if p.blank() {
		return "", []string{noText}, nil
	}
	found, err := form(`{"type":"object","properties":{"found":{"type":"boolean"},"note":{"type":"string"}},
		"required":["found","note"]}`)
	if err != nil {
		return "", nil, err
	}
	asked := "\n\nQuestion: " + question
	r := rounds{
		whole: job{m: m, p: p, task: answerTask + asked},
		notes: job{m: m, p: p, task: answerNotesTask + asked, label: "notes"},
		part:  job{m: m, p: p, task: answerPartTask + asked, schema: found, answer: noteTokens},
	}
	r.note = func(ctx context.Context, part string) (string, error) {
		var said struct {
			Found bool
			Note  string
		}
		if _, err := r.part.json(ctx, part, &said); err != nil || !said.Found {
			return "", err
		}
		return said.Note, nil
	}
	text, warnings, err := r.read(ctx)
	if err != nil {
		return "", nil, fmt.Errorf("answer: %w", err)
	}
	if text == "" {
		text = NoAnswer
	}
	return text, warnings, nil
}

// rounds read a page at once if it fits; else notes are taken of its parts, and if need be of the
// notes, until they fit.
type rounds struct {
	whole, notes, part job
	// note sends the question about a part; empty if there is nothing to note.
	note func(ctx context.Context, part string) (string, error)
}

// read returns the answer, or nothing when no part has anything to note.
func (r rounds) read(ctx context.Context) (string, []string, error) {
	text, last := r.whole.p.Text, r.whole
	for range maxRounds {
		parts, err := r.fitting(last, text)
		if err != nil {
			return "", nil, err
		}
		if len(parts) == 1 {
			answer, warnings, err := last.text(ctx, text)
			if parts = smaller(text); !tooLong(err) || len(parts) < 2 {
				return answer, warnings, err
			}
		}
		notes, err := eachPart(ctx, parts, r.note)
		if err != nil {
			return "", nil, err
		}
		text, last = joinNotes(notes), r.notes
		if text == "" {
			return "", nil, nil
		}
	}
	return "", nil, fmt.Errorf("the notes do not get shorter: %w", llm.ErrTooLong)
}

// fitting are the parts of text: one if the last question fits all of it.
func (r rounds) fitting(last job, text string) ([]string, error) {
	input, _ := last.room()
	if llm.Tokens(text) <= input {
		return []string{text}, nil
	}
	return r.part.parts(text, max(input, 1))
}

func joinNotes(notes []string) string {
	var kept []string
	for _, note := range notes {
		if note = strings.TrimSpace(note); note != "" {
			kept = append(kept, note)
		}
	}
	return strings.Join(kept, "\n\n")
}
