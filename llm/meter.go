package llm

import (
	"context"
	"fmt"
	"sync"
)

// MeterOptions of a [Meter]. The zero value counts, and allows any number of tokens.
type MeterOptions struct {
	// MaxTokens limits the tokens of all calls together, input and output. 0: no limit.
	MaxTokens int
	// Parallel limits the calls at once. Default 4.
	Parallel int
}

// Meter is a [Model] that counts what the calls of one piece of work use, and keeps them within
// a budget. It is safe for concurrent use. Don't call it from the OnText of its own calls.
type Meter struct {
	model  Model
	limit  int
	places chan struct{}

	mu       sync.Mutex
	used     Usage
	reserved int           // tokens of calls under way, at most
	changed  chan struct{} // closed when a reservation ends
}

// NewMeter returns a meter in front of m.
func NewMeter(m Model, o MeterOptions) *Meter {
	return &Meter{model: m, limit: o.MaxTokens, places: make(chan struct{}, parallelOr(o.Parallel)), changed: make(chan struct{})}
}

// Info returns the Info of the model behind the meter.
func (m *Meter) Info() Info { return m.model.Info() }

// Usage returns the usage of all calls that have ended, failed ones included.
func (m *Meter) Usage() Usage {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.used
}

// Ask calls the model behind, if the budget has room for the request by estimate. The answer's
// limit is lowered to what is left. [ErrBudget]: there was no room, and the model wasn't called;
// or, beside the answer, it was cut because of the lowered limit. While calls under way might
// leave more room than they have taken, Ask waits for them.
func (m *Meter) Ask(ctx context.Context, r Request) (Answer, error) {
	if !take(ctx, m.places) {
		return Answer{}, context.Cause(ctx)
	}
	defer func() { <-m.places }()
	input, want := requestTokens(r), wantedOutput(r, m.Info())
	output, err := m.reserve(ctx, input, want)
	if err != nil {
		return Answer{}, err
	}
	r.MaxTokens = output
	answer, err := m.askReserved(ctx, r, input+output)
	if err == nil && answer.Cut && output < want {
		err = fmt.Errorf("%w: the answer was cut after %d tokens", ErrBudget, output)
	}
	return answer, err
}

// askReserved gives the reservation back also when the model panics.
func (m *Meter) askReserved(ctx context.Context, r Request, reserved int) (answer Answer, err error) {
	defer func() { m.release(reserved, answer.Usage) }()
	return m.model.Ask(ctx, r)
}

// minAnswer in tokens: with less left, a call is not worth its input.
const minAnswer = 16

// reserve returns the output tokens that the call may use.
func (m *Meter) reserve(ctx context.Context, input, want int) (output int, err error) {
	for {
		output, changed, err := m.tryReserve(input, want)
		if err != nil || output > 0 {
			return output, err
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return 0, context.Cause(ctx)
		}
	}
}

// tryReserve returns 0 and a channel to wait for when calls under way hold what is missing.
func (m *Meter) tryReserve(input, want int) (output int, changed <-chan struct{}, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	left := m.limit - m.used.Tokens()
	switch {
	case m.limit <= 0:
		output = want
	case input+min(want, minAnswer) > left:
		return 0, nil, fmt.Errorf("%w: %d of %d are left, the request is about %d", ErrBudget, max(left, 0), m.limit, input)
	case input+want <= left-m.reserved:
		output = want
	case m.reserved == 0:
		output = left - input
	default:
		return 0, m.changed, nil
	}
	m.reserved += input + output
	return output, nil, nil
}

func (m *Meter) release(reserved int, used Usage) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.reserved -= reserved
	m.used = m.used.Plus(used)
	close(m.changed)
	m.changed = make(chan struct{})
}

// wantedOutput is the answer's limit in tokens, at least 1.
func wantedOutput(r Request, info Info) int {
	if r.MaxTokens > 0 && (info.Output <= 0 || r.MaxTokens < info.Output) {
		return r.MaxTokens
	}
	return max(info.Output, 1)
}
