package llm

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	openai "github.com/sashabaranov/go-openai"
)

// maxCalls bounds the calls of one answer.
const maxCalls = 64

// assembly puts an answer together from what a server sends, which may be anything.
type assembly struct {
	limit  int // bytes
	onText func(string)

	text, refused   strings.Builder
	calls           []*partialCall
	finish          openai.FinishReason
	usage           Usage
	size            int
	began, received bool
}

// partialCall is a call whose arguments still come.
type partialCall struct {
	index     int
	id, name  string
	arguments strings.Builder
}

// add takes one event of a stream.
func (a *assembly) add(chunk openai.ChatCompletionStreamResponse) error {
	if chunk.Usage != nil {
		a.count(*chunk.Usage)
	}
	for _, choice := range chunk.Choices {
		if choice.Index != 0 { // one answer was requested
			continue
		}
		a.began = true
		if choice.FinishReason != openai.FinishReasonNull {
			a.finish = cmp.Or(choice.FinishReason, a.finish)
		}
		if err := a.delta(choice.Delta.Content, choice.Delta.Refusal, choice.Delta.ToolCalls); err != nil {
			return err
		}
	}
	return nil
}

// whole takes an answer that wasn't streamed.
func (a *assembly) whole(r openai.ChatCompletionResponse) error {
	a.count(r.Usage)
	if len(r.Choices) == 0 {
		return io.ErrUnexpectedEOF
	}
	choice := r.Choices[0]
	a.began, a.finish = true, cmp.Or(choice.FinishReason, openai.FinishReasonStop)
	return a.delta(choice.Message.Content, choice.Message.Refusal, choice.Message.ToolCalls)
}

func (a *assembly) delta(text, refusal string, calls []openai.ToolCall) error {
	if a.size += len(text) + len(refusal); a.size > a.limit {
		return errTooLarge
	}
	a.text.WriteString(text)
	a.refused.WriteString(refusal)
	for _, c := range calls {
		if err := a.call(c); err != nil {
			return err
		}
	}
	if text != "" && a.onText != nil {
		a.received = true
		a.onText(text)
	}
	return nil
}

// call adds a piece of a call. Servers differ: some leave the index out, some the id after the
// first piece, and some give all calls the same index.
func (a *assembly) call(piece openai.ToolCall) error {
	f := piece.Function
	if a.size += len(piece.ID) + len(f.Name) + len(f.Arguments); a.size > a.limit {
		return errTooLarge
	}
	c := a.callOf(piece)
	if c == nil {
		if len(a.calls) == maxCalls {
			return errTooLarge
		}
		c = &partialCall{index: len(a.calls)}
		if piece.Index != nil {
			c.index = *piece.Index
		}
		a.calls = append(a.calls, c)
	}
	c.id = cmp.Or(c.id, piece.ID)
	if f.Name != c.name { // some repeat it in each piece
		c.name += f.Name
	}
	c.arguments.WriteString(f.Arguments)
	return nil
}

// callOf finds the call that a piece goes on with; nil: it begins a new one.
func (a *assembly) callOf(piece openai.ToolCall) *partialCall {
	for i := len(a.calls) - 1; i >= 0; i-- {
		switch c := a.calls[i]; {
		case piece.ID != "" && piece.ID == c.id:
			return c
		case piece.ID != "" && (c.id != "" || piece.Index == nil):
		case piece.Index != nil && *piece.Index != c.index:
		case piece.Index == nil && piece.Function.Name != "" && c.name != "":
		default:
			return c
		}
	}
	return nil
}

// count takes the server's counts, which may be anything. The last ones are those of the whole.
func (a *assembly) count(u openai.Usage) {
	const limit = 1 << 30
	a.usage.InputTokens = min(max(u.PromptTokens, a.usage.InputTokens), limit)
	a.usage.OutputTokens = min(max(u.CompletionTokens, a.usage.OutputTokens), limit)
}

// ended: an answer without a reason for its end was cut off.
func (a *assembly) ended() error {
	if a.finish == "" {
		return io.ErrUnexpectedEOF
	}
	return nil
}

// refusal is an error when the model, or a filter behind it, declined.
func (a *assembly) refusal() error {
	if a.finish == openai.FinishReasonContentFilter {
		return &ServerError{Kind: ErrRefused, Message: "the server's content filter stopped the answer"}
	}
	if a.refused.Len() > 0 && a.text.Len() == 0 && len(a.calls) == 0 {
		return &ServerError{Kind: ErrRefused, Message: a.refused.String()}
	}
	return nil
}

func (a *assembly) answer() Answer {
	answer := Answer{Text: withoutThoughts(a.text.String()), Cut: a.finish == openai.FinishReasonLength, Usage: a.usage}
	for i, c := range a.calls {
		answer.Calls = append(answer.Calls, Call{
			ID:        cmp.Or(c.id, fmt.Sprintf("call_%d", i+1)),
			Name:      c.name,
			Arguments: []byte(cmp.Or(strings.TrimSpace(c.arguments.String()), "{}")),
		})
	}
	return answer
}

// estimate of the tokens that have come.
func (a *assembly) estimate() int {
	n := Tokens(a.text.String()) + Tokens(a.refused.String())
	for _, c := range a.calls {
		n += Tokens(c.name) + Tokens(c.arguments.String())
	}
	return n
}

// withoutThoughts takes out what a reasoning model writes before its answer, where the server
// leaves it in.
func withoutThoughts(text string) string {
	const begin, end = "<think>", "</think>"
	if !strings.HasPrefix(strings.TrimSpace(text), begin) {
		return text
	}
	_, rest, _ := strings.Cut(text, end)
	return strings.TrimLeft(rest, " \n\r\t")
}
