package llm

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Ask sends the request and reads the answer as it is made. It retries as the options allow,
// but not once OnText has received text. What a server doesn't support (response formats,
// streaming, parameters) is left out of this and later requests. A request that is longer than Context
// by estimate isn't sent, for local servers truncate silently: [ErrTooLong].
func (o *OpenAI) Ask(ctx context.Context, r Request) (Answer, error) {
	if !take(ctx, o.places) {
		return Answer{}, context.Cause(ctx)
	}
	defer func() { <-o.places }()
	input := requestTokens(r)
	if input > o.options.Context {
		return Answer{}, fmt.Errorf("%w: about %d tokens, it takes %d", ErrTooLong, input, o.options.Context)
	}
	began := o.options.Now()
	answer, err := o.try(ctx, r, input)
	o.options.Logger.DebugContext(ctx, "model called", "model", o.options.Model, "input", answer.Usage.InputTokens,
		"output", answer.Usage.OutputTokens, "took", o.options.Now().Sub(began), "err", err)
	return answer, err
}

// try sends requests until there is an answer, an error that goes on, or no try left.
func (o *OpenAI) try(ctx context.Context, r Request, input int) (Answer, error) {
	var used Usage
	grown, retries := 0, 0
	var own dialect // learned about this request's schema only
	for {
		d := o.speaks().and(own)
		got := o.once(ctx, d, r, input)
		used = used.Plus(got.answer.Usage)
		got.answer.Usage = used
		if got.err == nil {
			return got.answer, nil
		}
		if next, ok := d.after(got.err, r); ok && !got.received && grown < maxDialect {
			grown++
			if own = next; !blamesSchema(got.err) {
				o.learn(next)
			}
			continue
		}
		wait, ok := o.again(got, retries)
		if !ok {
			return Answer{Usage: used}, o.serverError(ctx, got.err)
		}
		retries++
		o.options.Logger.DebugContext(ctx, "model call is retried", "model", o.options.Model, "wait", wait, "err", got.err)
		if o.options.Sleep(ctx, wait) != nil {
			return Answer{Usage: used}, context.Cause(ctx)
		}
	}
}

// again reports whether to retry, and after how long.
func (o *OpenAI) again(got attempt, retries int) (time.Duration, bool) {
	e, ok := errors.AsType[*ServerError](got.err)
	if !ok || !e.retry || got.received || retries >= o.options.Retries {
		return 0, false
	}
	wait := o.wait(retries, got.retryAfter)
	return wait, wait <= o.options.MaxWait
}

func (o *OpenAI) speaks() dialect {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.dialect
}

// learn keeps what other calls have learned meanwhile.
func (o *OpenAI) learn(d dialect) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.dialect = o.dialect.and(d)
}

// wait before a retry: as the server requires, else doubling from half a second, spread by a
// half.
func (o *OpenAI) wait(retries int, retryAfter string) time.Duration {
	if asked, ok := o.retryAfter(retryAfter); ok {
		return asked
	}
	wait := min(500*time.Millisecond<<min(retries, 20), o.options.MaxWait)
	return wait/2 + time.Duration(float64(wait/2)*o.options.Random())
}

// retryAfter reads seconds or a date (RFC 9110, 10.2.3).
func (o *OpenAI) retryAfter(text string) (time.Duration, bool) {
	text = strings.TrimSpace(text)
	if seconds, err := strconv.ParseFloat(text, 64); err == nil && seconds >= 0 {
		return time.Duration(min(seconds, 1<<30) * float64(time.Second)), true
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(at.Sub(o.options.Now()), 0), true
	}
	return 0, false
}

// output is the answer's limit, with room for the input within the context.
func (o *OpenAI) output(r Request, input int) int {
	const minimum = 256 // the input's estimate may be high
	return min(wantedOutput(r, o.Info()), max(o.options.Context-input, minimum))
}

// cost by the prices.
func (o *OpenAI) cost(u Usage) float64 {
	const million = 1e6
	return (float64(u.InputTokens)*o.options.Prices.Input + float64(u.OutputTokens)*o.options.Prices.Output) / million
}
