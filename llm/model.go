package llm

import (
	"context"
	"encoding/json"
	"errors"
)

// Model answers requests. Implementations are safe for concurrent use, return soon after ctx
// has ended, and return the usage also beside an error where tokens were spent.
type Model interface {
	// Info describes the model and its limits. It doesn't change.
	Info() Info
	// Ask sends one request and returns the answer. Errors: [ErrUnavailable], [ErrRefused],
	// [ErrTooLong], [ErrBudget], a context's, found by errors.Is.
	Ask(ctx context.Context, r Request) (Answer, error)
}

// Info describes a model.
type Info struct {
	// Name for display and records.
	Name string
	// Local declares that requests to the model stay on machines of the operator. Only a local
	// model is called under lockdown and zero data retention.
	Local bool
	// Context is the most tokens of request and answer together; at least 1000. Output is the
	// most tokens of an answer.
	Context, Output int
}

// Role is the speaker of a message.
type Role string

// The roles of chat completions.
const (
	System    Role = "system"
	User      Role = "user"
	Assistant Role = "assistant"
	// ToolResult answers a [Call] of the assistant.
	ToolResult Role = "tool"
)

// Message is one turn.
type Message struct {
	Role Role
	Text string
	// Calls of an Assistant.
	Calls []Call
	// CallID of the call that a ToolResult answers.
	CallID string
}

// Tool is a function that the model may call.
type Tool struct {
	// Name of letters, digits, "_" and "-", at most 64.
	Name        string
	Description string
	// Parameters is a JSON Schema of type object.
	Parameters json.RawMessage
}

// Call is a call of a tool.
type Call struct {
	ID, Name string
	// Arguments are JSON as the model wrote it. The code that runs the tool checks it.
	Arguments json.RawMessage
}

// Request is one question with the conversation so far. The zero value of each option is the
// server's own choice, but for Temperature.
type Request struct {
	Messages []Message
	// Tools that may be called. MustCall forces one.
	Tools    []Tool
	MustCall bool
	// Schema is the JSON Schema that the answer's text must follow; nil: free text. A model may
	// follow it badly: use [JSON], which checks.
	Schema json.RawMessage
	// MaxTokens of the answer. 0: Info.Output.
	MaxTokens int
	// Temperature defaults to 0.
	Temperature float64
	// OnText receives the answer's text as it arrives, on the goroutine of Ask. If nil, no callback is made.
	OnText func(delta string)
}

// Answer is the model's answer.
type Answer struct {
	Text  string
	Calls []Call
	// Cut reports whether the answer met its token limit before its end.
	Cut   bool
	Usage Usage
}

// Usage is the cost of the calls so far.
type Usage struct {
	// Calls counts the calls that were answered.
	Calls int `json:"calls,omitempty"`
	// InputTokens and OutputTokens by the server's count, or estimated where it gives none.
	InputTokens  int `json:"inputTokens,omitempty"`
	OutputTokens int `json:"outputTokens,omitempty"`
	// Cost is in the currency of the prices that the model has; 0 without prices.
	Cost float64 `json:"cost,omitempty"`
}

// Plus returns the sum.
func (u Usage) Plus(v Usage) Usage {
	return Usage{u.Calls + v.Calls, u.InputTokens + v.InputTokens, u.OutputTokens + v.OutputTokens, u.Cost + v.Cost}
}

// Tokens returns all tokens, of input and output.
func (u Usage) Tokens() int { return u.InputTokens + u.OutputTokens }

// The errors that models and their callers have in common.
var (
	// ErrUnavailable: the model is unreachable, or still fails after the retries.
	ErrUnavailable = errors.New("the model is unavailable")
	// ErrRefused: the model or its server declines the request; a retry changes nothing.
	ErrRefused = errors.New("the model refused the request")
	// ErrTooLong: the request is longer than the model supports.
	ErrTooLong = errors.New("the request is longer than the model supports")
	// ErrBudget: the tokens that the caller allowed are used up.
	ErrBudget = errors.New("the allowed tokens are used up")
	// ErrMalformed: the model's answer doesn't have the requested form, even after a correction.
	ErrMalformed = errors.New("the model's answer does not have the requested form")
)
