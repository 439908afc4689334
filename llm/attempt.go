package llm

import (
	"context"
	"errors"
	"io"

	openai "github.com/sashabaranov/go-openai"
)

// attempt is the outcome of one try.
type attempt struct {
	answer     Answer
	received   bool // OnText has received text
	retryAfter string
	err        error
}

// once sends the request one time. The usage is returned even when the answer was cut off.
func (o *OpenAI) once(ctx context.Context, d dialect, r Request, input int) attempt {
	n := &noted{streamed: !d.noStream}
	a := &assembly{limit: o.options.MaxAnswer, onText: r.OnText}
	err := o.receive(context.WithValue(ctx, notedKey{}, n), d.request(r, o.options.Model, o.output(r, input)), a)
	if err == nil {
		err = a.refusal()
	}
	if !learnable(err) {
		err = o.serverError(ctx, err)
	}
	return attempt{answer: o.counted(a, input), received: a.received, retryAfter: n.retryAfter, err: err}
}

// learnable errors come before any text: the dialect grows by them.
func learnable(err error) bool {
	return errors.Is(err, errNotStreamed) || errors.Is(err, openai.ErrReasoningModelMaxTokensDeprecated) ||
		errors.Is(err, openai.ErrReasoningSamplingUnsupported) || errors.Is(err, openai.ErrReasoningModelLimitationsOther)
}

// counted returns the answer with its usage, estimated where the server says none.
func (o *OpenAI) counted(a *assembly, input int) Answer {
	answer := a.answer()
	if a.finish != "" {
		answer.Usage.Calls = 1
	}
	if a.began && answer.Usage.Tokens() == 0 {
		answer.Usage.InputTokens, answer.Usage.OutputTokens = input, a.estimate()
	}
	answer.Usage.Cost = o.cost(answer.Usage)
	return answer
}

// receive sends the request and assembles the answer.
func (o *OpenAI) receive(ctx context.Context, q openai.ChatCompletionRequest, a *assembly) error {
	if !q.Stream {
		whole, err := o.client.CreateChatCompletion(ctx, q)
		if err != nil {
			return err
		}
		return a.whole(whole)
	}
	stream, err := o.client.CreateChatCompletionStream(ctx, q)
	if err != nil {
		return err
	}
	defer stream.Close()
	for {
		chunk, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return a.ended()
		}
		if err != nil {
			return err
		}
		if err := a.add(chunk); err != nil {
			return err
		}
	}
}
