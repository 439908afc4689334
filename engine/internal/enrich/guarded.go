package enrich

import (
	"context"
	"fmt"
	"runtime/debug"

	"github.com/winnow-go/winnow/engine/internal/option"
	"github.com/winnow-go/winnow/llm"
)

// Guarded makes panics of a model errors of its answers, which wrap [llm.ErrUnavailable].
func Guarded(m llm.Model) llm.Model { return guarded{m} }

type guarded struct{ llm.Model }

func (g guarded) Ask(ctx context.Context, r llm.Request) (a llm.Answer, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: panic: %v\n%s", llm.ErrUnavailable, p, debug.Stack())
		}
	}()
	return g.Model.Ask(ctx, r)
}

// minContext is the least context, in tokens, that a model must have.
const minContext = 1000

// CheckModel refuses a model that can't read a page, by an [*option.Error]; nil is none.
func CheckModel(m llm.Model) error {
	if m == nil {
		return nil
	}
	if info := m.Info(); info.Context < minContext || info.Output < 1 || info.Output > info.Context {
		given := fmt.Sprintf("context %d, output %d", info.Context, info.Output)
		return &option.Error{Field: "Model", Value: given, Want: fmt.Sprintf("a context of at least %d tokens that holds the output", minContext)}
	}
	return nil
}
