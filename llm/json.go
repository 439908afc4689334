package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// JSON requests one JSON value that follows s; s nil: any JSON value. The value is looked for in the answer,
// for models put it into code fences and prose. When there is none, or s refuses it, the
// request is repeated once with where and why. After that the error wraps [ErrMalformed] and a
// [*SchemaError] with the path. r.Schema and r.Tools are not used. The usage is that of all
// calls, also beside an error.
func JSON(ctx context.Context, m Model, r Request, s *Schema) (json.RawMessage, Usage, error) {
	r.Tools, r.MustCall, r.Schema = nil, false, nil
	if s != nil {
		r.Schema = s.ForModel()
	}
	answer, err := m.Ask(ctx, r)
	used := answer.Usage
	if err != nil {
		return nil, used, err
	}
	value, wrong := findJSON(answer, s)
	if wrong == nil {
		return value, used, nil
	}
	answer, err = m.Ask(ctx, repair(r, answer, wrong, m.Info()))
	used = used.Plus(answer.Usage)
	if err != nil {
		return nil, used, fmt.Errorf("retry after a wrong answer %w: %w", wrong, err)
	}
	if value, wrong = findJSON(answer, s); wrong != nil {
		return nil, used, fmt.Errorf("%w: %w", ErrMalformed, wrong)
	}
	return value, used, nil
}

// repair is the request that describes what was wrong.
func repair(r Request, answer Answer, wrong *SchemaError, info Info) Request {
	say := "Your answer can't be used: " + wrong.Error() + ".\nAnswer again with the corrected JSON value only: no code fence, no other text."
	if answer.Cut {
		say += " It was cut at its length limit, so make it shorter."
	}
	if r.Schema != nil {
		say += "\nIt must follow this JSON Schema:\n" + string(r.Schema)
	}
	again := r
	said := Message{Role: Assistant, Text: answer.Text}
	again.Messages = append(append([]Message(nil), r.Messages...), said, Message{Role: User, Text: say})
	if said.Text == "" || requestTokens(again)+wantedOutput(r, info) > info.Context {
		again.Messages = append(again.Messages[:len(r.Messages)], Message{Role: User, Text: say})
	}
	return again
}

// findJSON returns the first value that s takes, or says what is wrong with the best one.
func findJSON(answer Answer, s *Schema) (json.RawMessage, *SchemaError) {
	var wrong *SchemaError
	largest := 0
	for _, value := range jsonValues(answer.Text, s == nil) {
		if s == nil {
			return value, nil
		}
		err := s.Validate(value)
		if err == nil {
			return value, nil
		}
		if e, ok := errors.AsType[*SchemaError](err); ok && len(value) > largest {
			wrong, largest = e, len(value)
		}
	}
	switch {
	case answer.Cut:
		return nil, &SchemaError{Reason: "the answer was cut before its end"}
	case wrong != nil:
		return nil, wrong
	case len(answer.Calls) > 0:
		return nil, &SchemaError{Reason: "the answer calls a tool instead of giving JSON"}
	}
	return nil, &SchemaError{Reason: "the answer holds no JSON value"}
}

// maxStarts bounds where values are looked for in one answer.
const maxStarts = 64

// jsonValues returns the JSON values of a text: the whole if it is one, else what code fences hold,
// else objects and arrays amid the text, in their order. A bare string or number amid the text is
// prose, but for the whole.
func jsonValues(text string, prose bool) []json.RawMessage {
	text = strings.TrimSpace(strings.ToValidUTF8(text, "\uFFFD"))
	if whole := compactJSON(text); whole != nil {
		return []json.RawMessage{whole}
	}
	var all []json.RawMessage
	for _, block := range fencedBlocks(text) {
		if value := compactJSON(block); value != nil {
			all = append(all, value)
		}
	}
	if prose && len(all) > 0 {
		return all
	}
	for at, tries := 0, 0; tries < maxStarts; tries++ {
		i := strings.IndexAny(text[at:], "{[")
		if i < 0 {
			break
		}
		at += i
		value, size := leadingJSON(text[at:])
		if value != nil {
			all = append(all, value)
		}
		at += max(size, 1)
	}
	return all
}

// leadingJSON reads the value that text begins with, and how long it is there.
func leadingJSON(text string) (json.RawMessage, int) {
	d := json.NewDecoder(strings.NewReader(text))
	var value json.RawMessage
	if d.Decode(&value) != nil {
		return nil, 0
	}
	return compactJSON(string(value)), int(d.InputOffset())
}

func compactJSON(text string) json.RawMessage {
	if text == "" {
		return nil
	}
	var b bytes.Buffer
	if json.Compact(&b, []byte(text)) != nil {
		return nil
	}
	return b.Bytes()
}

// fencedBlocks returns what stands in code fences; the last may have no end.
func fencedBlocks(text string) []string {
	var all []string
	for len(all) < maxStarts {
		_, rest, found := strings.Cut(text, "```")
		if !found {
			break
		}
		_, rest, _ = strings.Cut(rest, "\n") // the language
		block, after, _ := strings.Cut(rest, "```")
		all = append(all, strings.TrimSpace(block))
		text = after
	}
	return all
}
