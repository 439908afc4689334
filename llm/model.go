package llm

import (
	"context"
	"encoding/json"
	"errors"
)

// Model answers requests. Implementations are safe for concurrent use, end soon after ctx
// has ended, and give the usage also beside an error where tokens were spent.
type Model interface {
	// Info tells what the model is and takes. It doesn't change.
	Info() Info
	// Ask sends one request and gives the answer. Errors: [ErrUnavailable], [ErrRefused],
	// [ErrTooLong], [ErrBudget], a context's, found by errors.Is.
	Ask(ctx context.Context, r Request) (Answer, error)
}

// Info is what is known of a model.
type Info struct {
	// Name for people and records.
	Name string
	// Local says that what the model is told stays on machines of the operator. Only a local
	// model is asked under lockdown and zero data retention.
	Local bool
	// Context is the most tokens of request and answer together; at least 1000. Output is the
	// most tokens of an answer.
	Context, Output int
}

// Role says who speaks.
type Role string

// The roles of chat completions.
const (
	System    Role = "system"
	User      Role = "user"
	Assistant Role = "assistant"
	// ToolResult answers a [Call] of the assistant's.
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

// Tool is something that the model may ask to be done.
type Tool struct {
	// Name of letters, digits, "_" and "-", at most 64.
	Name        string
	Description string
	// Parameters is a JSON Schema of type object.
	Parameters json.RawMessage
}

// Call asks for a tool.
type Call struct {
	ID, Name string
	// Arguments are JSON as the model wrote it. Whoever runs the tool checks it.
	Arguments json.RawMessage
}

// Request is one question with all that was said before. The zero value of each option is the
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
	// Temperature is 0 unless said otherwise.
	Temperature float64
	// OnText is told the answer's text as it comes, by the goroutine of Ask. Nil tells nobody.
	OnText func(delta string)
}

// Answer is what a model said.
type Answer struct {
	Text  string
	Calls []Call
	// Cut says that the answer met its token limit before its end.
	Cut   bool
	Usage Usage
}

// Usage is what asking has cost so far.
type Usage struct {
	// Calls that were answered.
	Calls int `json:"calls,omitempty"`
	// InputTokens and OutputTokens by the server's count, or estimated where it gives none.
	InputTokens  int `json:"inputTokens,omitempty"`
	OutputTokens int `json:"outputTokens,omitempty"`
	// Cost in the currency of the prices that the model was given; 0 without prices.
	Cost float64 `json:"cost,omitempty"`
}

// Plus adds up.
func (u Usage) Plus(v Usage) Usage {
	return Usage{u.Calls + v.Calls, u.InputTokens + v.InputTokens, u.OutputTokens + v.OutputTokens, u.Cost + v.Cost}
}

// Tokens are all, of input and output.
func (u Usage) Tokens() int { return u.InputTokens + u.OutputTokens }

// The errors that models and those who ask them have in common.
var (
	// ErrUnavailable: the model can't be reached, or goes on failing after further tries.
	ErrUnavailable = errors.New("the model can't be had")
	// ErrRefused: the model or its server declines the request; trying again changes nothing.
	ErrRefused = errors.New("the model refused the request")
	// ErrTooLong: the request is longer than the model takes.
	ErrTooLong = errors.New("the request is longer than the model takes")
	// ErrBudget: the tokens that the caller allowed are used up.
	ErrBudget = errors.New("the allowed tokens are used up")
	// ErrMalformed: the model's answer doesn't have the asked form, also after it was told so.
	ErrMalformed = errors.New("the model's answer does not have the asked form")
)
