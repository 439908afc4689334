package llmtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/winnow-go/winnow/llm"
)

// Request is a request of a client.
type Request struct {
	Model    string
	Messages []llm.Message
	Tools    []llm.Tool
	MustCall bool
	// Format is the type of response_format: "json_schema", "json_object" or "". Schema is that of
	// a json_schema.
	Format string
	Schema json.RawMessage
	Stream bool
	// MaxTokens of the answer, under either name; 0: not set.
	MaxTokens int
	// Temperature; nil: not set.
	Temperature *float64
	// Header and Body as they came.
	Header http.Header
	Body   json.RawMessage
}

// Text of all messages, one below the other.
func (r Request) Text() string {
	var texts []string
	for _, m := range r.Messages {
		texts = append(texts, m.Text)
	}
	return strings.Join(texts, "\n")
}

// System is the text of the system messages.
func (r Request) System() string {
	var texts []string
	for _, m := range r.Messages {
		if m.Role == llm.System {
			texts = append(texts, m.Text)
		}
	}
	return strings.Join(texts, "\n")
}

// Last is the text of the last message.
func (r Request) Last() string {
	if len(r.Messages) == 0 {
		return ""
	}
	return r.Messages[len(r.Messages)-1].Text
}

// Holds reports whether a message holds the text.
func (r Request) Holds(text string) bool { return strings.Contains(r.Text(), text) }

// wireRequest is a request of the protocol.
type wireRequest struct {
	Model               string          `json:"model"`
	Messages            []wireMessage   `json:"messages"`
	Tools               []wireTool      `json:"tools"`
	ToolChoice          json.RawMessage `json:"tool_choice"`
	ResponseFormat      *wireFormat     `json:"response_format"`
	Stream              bool            `json:"stream"`
	StreamOptions       *wireOptions    `json:"stream_options"`
	MaxTokens           int             `json:"max_tokens"`
	MaxCompletionTokens int             `json:"max_completion_tokens"`
	Temperature         *float64        `json:"temperature"`
}

type wireOptions struct {
	IncludeUsage bool `json:"include_usage"`
}

type wireMessage struct {
	Role       string     `json:"role"`
	Content    any        `json:"content"`
	ToolCalls  []wireCall `json:"tool_calls,omitempty"`
	ToolCallID string     `json:"tool_call_id,omitempty"`
}

type wireCall struct {
	Index    *int         `json:"index,omitempty"`
	ID       string       `json:"id,omitempty"`
	Type     string       `json:"type,omitempty"`
	Function wireFunction `json:"function"`
}

type wireFunction struct {
	Name      string `json:"name,omitempty"`
	Arguments string `json:"arguments"`
}

type wireTool struct {
	Type     string `json:"type"`
	Function struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Parameters  json.RawMessage `json:"parameters"`
	} `json:"function"`
}

type wireFormat struct {
	Type       string `json:"type"`
	JSONSchema *struct {
		Name   string          `json:"name"`
		Schema json.RawMessage `json:"schema"`
	} `json:"json_schema"`
}

// read checks a request as strict servers do.
func read(body []byte, header http.Header) (Request, wireRequest, error) {
	var w wireRequest
	if err := json.Unmarshal(body, &w); err != nil {
		return Request{}, w, fmt.Errorf("the body is not a request: %w", err)
	}
	r := Request{Model: w.Model, Stream: w.Stream, MaxTokens: max(w.MaxTokens, w.MaxCompletionTokens),
		Temperature: w.Temperature, MustCall: string(w.ToolChoice) == `"required"`, Header: header, Body: body}
	if w.Model == "" || len(w.Messages) == 0 {
		return r, w, fmt.Errorf("model and messages are required")
	}
	if w.StreamOptions != nil && !w.Stream {
		return r, w, fmt.Errorf("stream_options is only allowed when stream is enabled")
	}
	for _, t := range w.Tools {
		r.Tools = append(r.Tools, llm.Tool{Name: t.Function.Name, Description: t.Function.Description, Parameters: t.Function.Parameters})
	}
	if err := r.readFormat(w.ResponseFormat); err != nil {
		return r, w, err
	}
	return r, w, r.readMessages(w.Messages)
}

func (r *Request) readFormat(f *wireFormat) error {
	if f == nil {
		return nil
	}
	r.Format = f.Type
	if f.Type != "json_schema" {
		return nil
	}
	if f.JSONSchema == nil || f.JSONSchema.Name == "" || !json.Valid(f.JSONSchema.Schema) {
		return fmt.Errorf("json_schema needs name and schema")
	}
	r.Schema = f.JSONSchema.Schema
	return nil
}

// readMessages checks also that each tool result answers a call that was made before.
func (r *Request) readMessages(messages []wireMessage) error {
	called := map[string]bool{}
	for i, w := range messages {
		m := llm.Message{Role: llm.Role(w.Role), Text: textOf(w.Content), CallID: w.ToolCallID}
		switch m.Role {
		case llm.System, llm.User, llm.Assistant:
		case llm.ToolResult:
			if !called[m.CallID] {
				return fmt.Errorf("messages[%d] answers no call", i)
			}
		default:
			return fmt.Errorf("messages[%d] has the unknown role %q", i, w.Role)
		}
		for _, c := range w.ToolCalls {
			called[c.ID] = true
			m.Calls = append(m.Calls, llm.Call{ID: c.ID, Name: c.Function.Name, Arguments: json.RawMessage(c.Function.Arguments)})
		}
		r.Messages = append(r.Messages, m)
	}
	return nil
}

func textOf(content any) string {
	text, _ := content.(string)
	return text
}
