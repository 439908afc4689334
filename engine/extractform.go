package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/winnow-go/winnow/llm"
)

// form fixes the form of the data where several pages are read and no schema is given:
// else each page would choose names of its own. It is made of the prompt alone.
func (x *extraction) form(ctx context.Context, all *selection) error {
	if x.schema != nil || x.options.Prompt == "" || len(all.Pages) < 2 {
		return nil
	}
	meter := llm.NewMeter(x.model, llm.MeterOptions{})
	made, err := makeSchema(ctx, meter, x.options.Prompt)
	if err := x.store.spend(x.id, x.owner, meter.Usage(), 0); err != nil {
		return err
	}
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		all.Warnings = append(all.Warnings, fmt.Sprintf("each page chose its own form, for no schema could be made of the prompt: %v", err))
	default:
		all.Schema = made
	}
	return nil
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

// fitted is the merged data without its nulls where the schema takes it only so.
func (x *extraction) fitted(data json.RawMessage) json.RawMessage {
	if len(data) == 0 {
		return json.RawMessage("null")
	}
	if x.schema == nil || x.options.Evidence || x.schema.Validate(data) == nil {
		return data
	}
	var v any
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return data
	}
	slim, err := json.Marshal(withoutNulls(v))
	if err != nil || x.schema.Validate(slim) != nil {
		return data
	}
	return slim
}

func withoutNulls(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, child := range v {
			if v[name] = withoutNulls(child); child == nil {
				delete(v, name)
			}
		}
	case []any:
		kept := []any{}
		for _, child := range v {
			if child != nil {
				kept = append(kept, withoutNulls(child))
			}
		}
		return kept
	}
	return v
}
