package enrich

import (
	"context"
	"fmt"
	"runtime/debug"

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
