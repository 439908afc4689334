// Package crawlplan has a model make the parameters of a crawl of a description in plain words.
//
//	crawlplan.go Request and Run: the question, and another try where an answer breaks a rule
//	sample.go    the URLs of the site that the model sees
//	prompt.go    its task, and the form of the answer
package crawlplan

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/winnow-go/winnow/llm"
)

// Request says which crawl is wanted.
type Request struct {
	URL     string // of the seed
	Prompt  string // what is wanted, in words
	FullURL bool   // patterns are matched with whole URLs, else with their paths
	// Decided are the parameters that stay as they are, as JSON; nil for none.
	Decided json.RawMessage
	// URLs of the site that the model sees; see [Sample].
	URLs []string
	// Check returns why an answer cannot be used; nil when it can.
	Check func(answer json.RawMessage) error
}

// Run returns the first answer that passes the check: one that breaks a rule gets a second try, then the error wraps
// [llm.ErrMalformed].
func Run(ctx context.Context, model llm.Model, r Request) (json.RawMessage, error) {
	form, err := llm.CompileSchema(json.RawMessage(schema))
	if err != nil {
		return nil, err
	}
	messages := r.question()
	var broken error
	for range 2 {
		answer, _, err := llm.JSON(ctx, model, llm.Request{Messages: messages}, form)
		if err != nil {
			return nil, err
		}
		if broken = r.Check(answer); broken == nil {
			return answer, nil
		}
		messages = append(messages,
			llm.Message{Role: llm.Assistant, Text: string(answer)},
			llm.Message{Role: llm.User, Text: "A parameter can't be used: " + broken.Error() +
				"\nAnswer again with all parameters, this one corrected."})
	}
	return nil, fmt.Errorf("%w: %v", llm.ErrMalformed, broken) // no option of the caller's: not wrapped
}

// question is the messages to the model.
func (r *Request) question() []llm.Message {
	paths := "the path of a URL, such as /blog/2024/title"
	if r.FullURL {
		paths = "the whole URL"
	}
	var text strings.Builder
	fmt.Fprintf(&text, "The crawl begins at %s\n\nWhat is wanted:\n%s\n\n", r.URL, r.Prompt)
	if r.Decided != nil {
		fmt.Fprintf(&text, "Parameters that are decided already and stay as they are:\n%s\n\n", r.Decided)
	}
	if len(r.URLs) > 0 {
		fmt.Fprintf(&text, "Some URLs of the site:\n%s\n", llm.Fence("URLs of the site", strings.Join(r.URLs, "\n")))
	} else {
		text.WriteString("No URLs of the site are known.\n")
	}
	return []llm.Message{
		{Role: llm.System, Text: fmt.Sprintf(prompt, paths) + "\n" + llm.UntrustedRule},
		{Role: llm.User, Text: text.String()},
	}
}
