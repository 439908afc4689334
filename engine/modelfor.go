package engine

import (
	"github.com/winnow-go/winnow/llm"
)

// modelFor gives the engine's model, for a request that may or may not leave the machine.
func (e *Engine) modelFor(private bool) (llm.Model, error) {
	switch m := e.options.Model; {
	case m == nil:
		return nil, &Error{Code: CodeModelNotConfigured}
	case private && !m.Info().Local:
		return nil, &Error{Code: CodeModelNotLocal}
	default:
		return m, nil
	}
}
