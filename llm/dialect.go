package llm

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"

	openai "github.com/sashabaranov/go-openai"
)

// format is how a schema is passed to the model.
type format int

const (
	formatSchema format = iota // response_format json_schema
	formatObject               // response_format json_object, and the schema in the prompt
	formatPrompt               // the schema in the prompt
)

// dialect is the features of chat completions that a server has turned out not to support. It only grows.
type dialect struct {
	format           format
	completionTokens bool // max_completion_tokens instead of max_tokens
	noTemperature    bool
	noStreamOptions  bool
	noToolChoice     bool
	noStream         bool
}

// maxDialect is how often a dialect can grow.
const maxDialect = 7

// after returns the dialect to try after err, if err reports that something wasn't supported.
func (d dialect) after(err error, r Request) (dialect, bool) {
	switch {
	case errors.Is(err, errNotStreamed):
		return d.without("stream", r)
	case errors.Is(err, openai.ErrReasoningModelMaxTokensDeprecated):
		return d.without("max_tokens", r)
	case errors.Is(err, openai.ErrReasoningModelLimitationsOther), errors.Is(err, openai.ErrReasoningSamplingUnsupported):
		return d.without("temperature", r)
	}
	if e, ok := errors.AsType[*ServerError](err); ok && slices.Contains(notTaken, e.Status) && !errors.Is(e, ErrTooLong) {
		return d.without(strings.ToLower(e.Param+" "+e.Code+" "+e.Message), r)
	}
	return d, false
}

// notTaken are the statuses with which servers refuse a parameter.
var notTaken = []int{http.StatusBadRequest, http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity, http.StatusNotImplemented}

// formatWords name the response format, or the schema in it.
var formatWords = []string{"response_format", "response format", "json_schema", "json_object", "schema", "structured output", "grammar", "not implemented"}

// without leaves out the features that the words name. The order matters: the more specific name first.
func (d dialect) without(words string, r Request) (dialect, bool) {
	named := func(names ...string) bool { return containsAny(words, names) }
	before := d
	switch {
	case named("stream_options", "include_usage") && !d.noStream:
		d.noStreamOptions = true
	case named("max_tokens", "max_completion_tokens") && !d.completionTokens:
		d.completionTokens = true
	case named("tool_choice") && r.MustCall:
		d.noToolChoice = true
	case r.Schema != nil && d.format < formatPrompt && named(formatWords...):
		d.format++
	case named("temperature"):
		d.noTemperature = true
	case named("stream"):
		d.noStream = true
	}
	return d, d != before
}

// blamesSchema reports whether the server takes schemas, but not the one at hand.
func blamesSchema(err error) bool {
	e, ok := errors.AsType[*ServerError](err)
	return ok && containsAny(strings.ToLower(e.Code+" "+e.Message), []string{"invalid schema", "invalid_json_schema", "unsupported schema"})
}

// and joins what two calls have learned.
func (d dialect) and(k dialect) dialect {
	return dialect{
		format:           max(d.format, k.format),
		completionTokens: d.completionTokens || k.completionTokens,
		noTemperature:    d.noTemperature || k.noTemperature,
		noStreamOptions:  d.noStreamOptions || k.noStreamOptions,
		noToolChoice:     d.noToolChoice || k.noToolChoice,
		noStream:         d.noStream || k.noStream,
	}
}

// greedy is sent for temperature 0, which the client library would leave out: small enough to be
// greedy, and large enough for servers that divide by it in single precision.
const greedy = 1e-6

// request writes r in the dialect.
func (d dialect) request(r Request, model string, output int) openai.ChatCompletionRequest {
	q := openai.ChatCompletionRequest{Model: model, Messages: wireMessages(d.messages(r)), Tools: wireTools(r.Tools), Stream: !d.noStream}
	if d.completionTokens {
		q.MaxCompletionTokens = output
	} else {
		//lint:ignore SA1019 it is the only name that many local servers know
		q.MaxTokens = output
	}
	if !d.noTemperature {
		q.Temperature = max(float32(r.Temperature), greedy)
	}
	if !d.noStream && !d.noStreamOptions {
		q.StreamOptions = &openai.StreamOptions{IncludeUsage: true}
	}
	if r.MustCall && len(r.Tools) > 0 && !d.noToolChoice {
		q.ToolChoice = "required"
	}
	if r.Schema != nil {
		q.ResponseFormat = d.responseFormat(r.Schema)
	}
	return q
}

func (d dialect) responseFormat(schema json.RawMessage) *openai.ChatCompletionResponseFormat {
	switch d.format {
	case formatSchema:
		return &openai.ChatCompletionResponseFormat{
			Type:       openai.ChatCompletionResponseFormatTypeJSONSchema,
			JSONSchema: &openai.ChatCompletionResponseFormatJSONSchema{Name: "answer", Schema: schema},
		}
	case formatObject:
		return &openai.ChatCompletionResponseFormat{Type: openai.ChatCompletionResponseFormatTypeJSONObject}
	}
	return nil
}

const schemaPrompt = "Answer with one JSON value only, without code fence or other text. It must follow this JSON Schema:\n"

// messages puts the schema into the first system message where the server takes none, for some
// servers want exactly one, at the beginning.
func (d dialect) messages(r Request) []Message {
	if r.Schema == nil || d.format == formatSchema {
		return r.Messages
	}
	say := schemaPrompt + string(r.Schema)
	if len(r.Messages) == 0 || r.Messages[0].Role != System {
		return append([]Message{{Role: System, Text: say}}, r.Messages...)
	}
	messages := slices.Clone(r.Messages)
	messages[0].Text += "\n\n" + say
	return messages
}

func wireMessages(messages []Message) []openai.ChatCompletionMessage {
	all := make([]openai.ChatCompletionMessage, len(messages))
	for i, m := range messages {
		all[i] = openai.ChatCompletionMessage{Role: string(m.Role), Content: m.Text, ToolCallID: m.CallID}
		for _, c := range m.Calls {
			all[i].ToolCalls = append(all[i].ToolCalls, openai.ToolCall{
				ID: c.ID, Type: openai.ToolTypeFunction,
				Function: openai.FunctionCall{Name: c.Name, Arguments: string(c.Arguments)},
			})
		}
	}
	return all
}

func wireTools(tools []Tool) []openai.Tool {
	var all []openai.Tool
	for _, t := range tools {
		parameters := t.Parameters
		if parameters == nil {
			parameters = json.RawMessage(`{"type":"object","properties":{}}`)
		}
		all = append(all, openai.Tool{Type: openai.ToolTypeFunction, Function: &openai.FunctionDefinition{
			Name: t.Name, Description: t.Description, Parameters: parameters,
		}})
	}
	return all
}
