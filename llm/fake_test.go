package llm_test

import (
	"context"
	"sync"

	"github.com/winnow-go/winnow/llm"
)

// fake is a Model that answers by a function, and keeps what it was asked.
type fake struct {
	info   llm.Info
	answer func(ctx context.Context, r llm.Request) (llm.Answer, error)

	mu    sync.Mutex
	asked []llm.Request
}

func (f *fake) Info() llm.Info { return f.info }

func (f *fake) Ask(ctx context.Context, r llm.Request) (llm.Answer, error) {
	f.mu.Lock()
	f.asked = append(f.asked, r)
	f.mu.Unlock()
	return f.answer(ctx, r)
}

// says is a fake that gives these answers, one after the other.
func says(answers ...llm.Answer) *fake {
	f := &fake{info: llm.Info{Name: "fake", Context: 10_000, Output: 1000}}
	f.answer = func(context.Context, llm.Request) (llm.Answer, error) { return answers[len(f.asked)-1], nil }
	return f
}

func ask(text string) llm.Request {
	return llm.Request{Messages: []llm.Message{{Role: llm.User, Text: text}}}
}
