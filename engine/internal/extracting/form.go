package extracting

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/winnow-go/winnow/llm"
)

// form fixes the form of the data where several pages are read and no schema is given:
// else each page would choose names of its own. It is made of the prompt alone.
func (c *chooser) form(ctx context.Context) (json.RawMessage, error) {
	if c.Schema != nil || c.Prompt == "" || len(c.pages) < 2 {
		return nil, nil
	}
	meter := llm.NewMeter(c.Model, llm.MeterOptions{})
	made, err := makeSchema(ctx, meter, c.Prompt)
	if err := c.Spend(meter.Usage()); err != nil {
		return nil, err
	}
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		c.warnings = append(c.warnings, fmt.Sprintf("each page chose its own form, for no schema could be made of the prompt: %v", err))
	}
	return made, nil
}

// makeSchema asks for a schema, and once more where an answer is none.
func makeSchema(ctx context.Context, m llm.Model, prompt string) (json.RawMessage, error) {
	messages := []llm.Message{{Role: llm.System, Text: formPrompt}, {Role: llm.User, Text: "What is wanted:\n" + prompt}}
	var broken error
	for range 2 {
		answer, _, err := llm.JSON(ctx, m, llm.Request{Messages: messages}, nil)
		if err != nil {
			return nil, err
		}
		if broken = usableSchema(answer); broken == nil {
			return answer, nil
		}
		messages = append(messages,
			llm.Message{Role: llm.Assistant, Text: string(answer)},
			llm.Message{Role: llm.User, Text: "That can't be used: " + broken.Error() + "\nAnswer again with the JSON Schema alone."})
	}
	return nil, fmt.Errorf("%w: %w", llm.ErrMalformed, broken)
}

func usableSchema(answer json.RawMessage) error {
	var shape struct {
		Type       string                     `json:"type"`
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if err := json.Unmarshal(answer, &shape); err != nil {
		return err
	}
	if shape.Type != "object" || len(shape.Properties) == 0 {
		return errors.New("it is no schema of an object with properties")
	}
	_, err := llm.CompileSchema(answer)
	return err
}

const formPrompt = `You design the form of data that is read from several web pages, whose findings are put together afterwards.
Answer with one JSON Schema and nothing else: "type" is "object", with "properties"; short field names in camelCase; a list of objects where there can be several of something; single values as "string", "number" or "boolean". Only what the words ask for. No "required", no references.`
