package induce

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/winnow-go/winnow/llm"
)

// Request describes the rules that are wanted.
type Request struct {
	// Sample is the skeleton of the page.
	Sample string
	// Schema is the JSON Schema of the data; it may be empty. It and Prompt are the caller's, and
	// are trusted.
	Schema json.RawMessage
	// Prompt describes in words what is wanted; it may be empty.
	Prompt string
	// Check tries rules and returns what is wrong with them, in words for the model, which must not
	// hold text of the page. It is called once or twice, by the goroutine of Induce.
	Check func(rules json.RawMessage) (problems []string)
}

// maxProblems are sent to the model at once.
const maxProblems = 30

// Induce makes the model propose rules: an object with the list "rules" of path, selector,
// attribute and transform, all strings. If Check finds something wrong the call is repeated once;
// of both answers the one with fewer problems is returned, together with them: none is the best
// case, and the caller decides whether the rest is acceptable. Errors are those of [llm.JSON].
func Induce(ctx context.Context, m llm.Model, r Request) (rules json.RawMessage, problems []string, err error) {
	form, err := llm.CompileSchema(json.RawMessage(answerForm))
	if err != nil {
		return nil, nil, err
	}
	ask := llm.Request{Messages: []llm.Message{{Role: llm.System, Text: role}, {Role: llm.User, Text: r.question()}}}
	if rules, _, err = llm.JSON(ctx, m, ask, form); err != nil {
		return nil, nil, fmt.Errorf("induce: %w", err)
	}
	if problems = r.Check(rules); len(problems) == 0 {
		return rules, nil, nil
	}
	shown := problems[:min(len(problems), maxProblems)]
	ask.Messages = append(ask.Messages, llm.Message{Role: llm.Assistant, Text: string(rules)},
		llm.Message{Role: llm.User, Text: repairTask + "- " + strings.Join(shown, "\n- ") + repairEnd})
	again, _, err := llm.JSON(ctx, m, ask, form)
	if err != nil {
		return nil, nil, fmt.Errorf("induce: the second round: %w", err)
	}
	if left := r.Check(again); len(left) < len(problems) {
		return again, left, nil
	}
	return rules, problems, nil
}

func (r Request) question() string {
	parts := []string{task}
	if r.Prompt != "" {
		parts = append(parts, "What is wanted: "+r.Prompt)
	}
	switch {
	case len(r.Schema) > 0:
		parts = append(parts, "The data follows this JSON Schema:\n"+string(r.Schema))
	case r.Prompt == "":
		parts = append(parts, freeTask)
	}
	return strings.Join(append(parts, llm.Fence("page skeleton", r.Sample)), "\n\n")
}
