package toolloop

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/winnow-go/winnow/llm"
)

// When the same call is refused, and how many steps without an effect end the loop.
const (
	maxSame = 2
	warnAt  = 3
	stuckAt = 8
)

// turn is one answer of the model and what it asks for.
func (l *loop) turn(ctx context.Context) (done bool, err error) {
	answer, err := l.ask(ctx)
	if err != nil {
		return false, err
	}
	if len(answer.Calls) == 0 {
		return l.speechless(answer)
	}
	l.silent = false
	call := answer.Calls[0]
	l.end.Steps++
	result, err := l.call(ctx, call)
	if err != nil {
		return false, err
	}
	step := Step{Number: l.end.Steps, Tool: Clip(call.Name, maxTool), Arguments: arguments(call), Why: Clip(answer.Text, maxWhy)}
	if l.o.OnStep != nil {
		if err := l.o.OnStep(step, result); err != nil {
			return false, err
		}
	}
	if result.Done && !result.Failed {
		return true, nil
	}
	l.talk.add(answer, result, l.remark(result))
	if l.idle >= stuckAt {
		return false, fmt.Errorf("%w (%d)", ErrStuck, l.idle)
	}
	return false, nil
}

// ask returns the model's next answer. A conversation that is too long for the server is shortened.
func (l *loop) ask(ctx context.Context) (llm.Answer, error) {
	for {
		answer, err := Ask(ctx, l.model, l.talk.request(), l.left())
		l.end.Usage = l.end.Usage.Plus(answer.Usage)
		if errors.Is(err, llm.ErrTooLong) && l.talk.shrink() {
			continue
		}
		return answer, err
	}
}

// Ask asks m, and waits for the answer as long as left, nil for no bound: then the error is [ErrTime].
func Ask(ctx context.Context, m llm.Model, r llm.Request, left *time.Duration) (llm.Answer, error) {
	if left == nil {
		return m.Ask(ctx, r)
	}
	if *left <= 0 {
		return llm.Answer{}, ErrTime
	}
	bounded, cancel := context.WithTimeoutCause(ctx, *left, ErrTime)
	defer cancel()
	answer, err := m.Ask(bounded, r)
	if err != nil && ctx.Err() == nil && errors.Is(context.Cause(bounded), ErrTime) {
		err = ErrTime
	}
	return answer, err
}

// speechless is what an answer without a call comes to: one more try, then what it says is the end.
func (l *loop) speechless(answer llm.Answer) (done bool, err error) {
	if l.silent {
		l.end.Text = strings.TrimSpace(answer.Text)
		if l.end.Text == "" {
			return false, fmt.Errorf("%w: neither a call nor a text", llm.ErrMalformed)
		}
		return true, nil
	}
	l.silent = true
	l.talk.nudge(answer)
	return false, nil
}

// call checks a call and runs it.
func (l *loop) call(ctx context.Context, c llm.Call) (Result, error) {
	tool := l.tool(c.Name)
	switch {
	case tool == nil:
		return refusal("There is no such tool. The tools are: %s.", l.names()), nil
	case len(c.Arguments) > maxArguments:
		return refusal("The arguments are too long: at most %d characters.", maxArguments), nil
	case !isObject(c.Arguments):
		return refusal("The arguments are no JSON object."), nil
	}
	if key := l.key(c); l.seen[key] >= maxSame {
		return refusal("You have done exactly this %d times while the page was as it is now. Do something else.", maxSame), nil
	} else {
		l.seen[key]++
	}
	return tool.Run(ctx, c.Arguments)
}

func (l *loop) tool(name string) *Tool {
	for i := range l.o.Tools {
		if l.o.Tools[i].Name == name {
			return &l.o.Tools[i]
		}
	}
	return nil
}

func (l *loop) names() string {
	var names []string
	for _, t := range l.o.Tools {
		names = append(names, t.Name)
	}
	return strings.Join(names, ", ")
}

// key is the same for the same calls after the same views.
func (l *loop) key(c llm.Call) string {
	h := sha256.New()
	for _, v := range l.talk.last() {
		fmt.Fprintf(h, "%d:%s", len(v.Text), v.Text)
	}
	fmt.Fprintf(h, "\x00%s\x00%s", c.Name, c.Arguments)
	return string(h.Sum(nil))
}

// remark counts steps without an effect, and says so to the model.
func (l *loop) remark(r Result) string {
	if l.idle++; !r.Failed && !r.Same {
		l.idle = 0
	}
	var say []string
	if l.idle >= warnAt && (r.Failed || r.Same) {
		say = append(say, fmt.Sprintf("For %d steps nothing has changed. Try another way, or finish with what you have.", l.idle))
	}
	if left := l.o.MaxSteps - l.end.Steps; left <= 3 {
		say = append(say, fmt.Sprintf("Steps left: %d. Finish in time.", left))
	}
	return strings.Join(say, " ")
}

// refusal is a result that says what was wrong.
func refusal(format string, args ...any) Result {
	return Result{Text: fmt.Sprintf(format, args...), Failed: true}
}

// Refuse is the result of a call that the model can correct.
func Refuse(format string, args ...any) Result { return refusal(format, args...) }

// arguments are those of a call as an event can carry them.
func arguments(c llm.Call) json.RawMessage {
	if len(c.Arguments) > maxArguments || !isObject(c.Arguments) {
		return json.RawMessage("{}")
	}
	return c.Arguments
}

func isObject(data json.RawMessage) bool {
	text := strings.TrimSpace(string(data))
	return strings.HasPrefix(text, "{") && json.Valid(data)
}
