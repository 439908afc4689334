package llm_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/winnow-go/winnow/llm"
)

func TestMeter_countsAllCallsFailedOnesToo(t *testing.T) {
	f := says(llm.Answer{Usage: llm.Usage{Calls: 1, InputTokens: 10, OutputTokens: 5, Cost: 0.5}}, llm.Answer{Usage: llm.Usage{InputTokens: 7}})
	inner := f.answer
	f.answer = func(ctx context.Context, r llm.Request) (llm.Answer, error) {
		answer, err := inner(ctx, r)
		if len(f.asked) == 2 {
			err = llm.ErrUnavailable
		}
		return answer, err
	}
	m := llm.NewMeter(f, llm.MeterOptions{})
	m.Ask(t.Context(), ask("a"))
	if _, err := m.Ask(t.Context(), ask("b")); !errors.Is(err, llm.ErrUnavailable) {
		t.Errorf("err %v", err)
	}
	if want := (llm.Usage{Calls: 1, InputTokens: 17, OutputTokens: 5, Cost: 0.5}); m.Usage() != want {
		t.Errorf("usage %+v, want %+v", m.Usage(), want)
	}
	if m.Info() != f.info {
		t.Errorf("info %+v", m.Info())
	}
}

func TestMeter_refusesBeforeTheCallWhatDoesNotFit(t *testing.T) {
	f := says(llm.Answer{})
	m := llm.NewMeter(f, llm.MeterOptions{MaxTokens: 100})
	_, err := m.Ask(t.Context(), ask(strings.Repeat("many words ", 100)))
	if !errors.Is(err, llm.ErrBudget) || len(f.asked) != 0 {
		t.Errorf("%v, asked %d times", err, len(f.asked))
	}
}

func TestMeter_lowersTheAnswersLimitToWhatIsLeft(t *testing.T) {
	f := says(llm.Answer{Text: "half", Cut: true, Usage: llm.Usage{Calls: 1, InputTokens: 13, OutputTokens: 80}})
	m := llm.NewMeter(f, llm.MeterOptions{MaxTokens: 100})
	answer, err := m.Ask(t.Context(), ask("a"))
	if got := f.asked[0].MaxTokens; got <= 0 || got > 100 {
		t.Errorf("the answer may have %d tokens", got)
	}
	if !errors.Is(err, llm.ErrBudget) || answer.Text != "half" {
		t.Errorf("%+v, %v", answer, err)
	}
}

func TestMeter_aCutByTheCallersOwnLimitIsNoMatterOfBudget(t *testing.T) {
	f := says(llm.Answer{Text: "half", Cut: true})
	r := ask("a")
	r.MaxTokens = 5
	if answer, err := llm.NewMeter(f, llm.MeterOptions{MaxTokens: 1000}).Ask(t.Context(), r); err != nil || !answer.Cut {
		t.Errorf("%+v, %v", answer, err)
	}
}

func TestMeter_neverAllowsMoreThanTheBudgetAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		now, most := 0, 0
		f := &fake{info: llm.Info{Context: 10_000, Output: 500}}
		f.answer = func(_ context.Context, r llm.Request) (llm.Answer, error) {
			mu.Lock()
			now += r.MaxTokens
			most = max(most, now)
			mu.Unlock()
			time.Sleep(time.Second)
			mu.Lock()
			now -= r.MaxTokens
			mu.Unlock()
			return llm.Answer{Usage: llm.Usage{Calls: 1, InputTokens: 10, OutputTokens: 20}}, nil
		}
		m := llm.NewMeter(f, llm.MeterOptions{MaxTokens: 1200, Parallel: 8})
		var wg sync.WaitGroup
		for range 20 { // 20 calls of 30 tokens fit, though each might use 513
			wg.Go(func() {
				if _, err := m.Ask(t.Context(), ask("a")); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if most > 1200 || m.Usage().Tokens() != 600 {
			t.Errorf("%d tokens allowed at once, usage %+v", most, m.Usage())
		}
	})
}

func TestMeter_waitingEndsWithTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{info: llm.Info{Context: 10_000, Output: 900}}
		f.answer = func(ctx context.Context, _ llm.Request) (llm.Answer, error) {
			<-ctx.Done()
			return llm.Answer{}, ctx.Err()
		}
		for name, m := range map[string]*llm.Meter{
			"for a place":  llm.NewMeter(f, llm.MeterOptions{Parallel: 1}),
			"for a budget": llm.NewMeter(f, llm.MeterOptions{MaxTokens: 1000}),
		} {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			var wg sync.WaitGroup
			for range 2 {
				wg.Go(func() {
					if _, err := m.Ask(ctx, ask("a")); !errors.Is(err, context.DeadlineExceeded) {
						t.Errorf("%s: %v", name, err)
					}
				})
			}
			wg.Wait()
			cancel()
		}
	})
}

func TestMeter_givesTheReservationBackWhenTheModelPanics(t *testing.T) {
	f := says(llm.Answer{}, llm.Answer{})
	f.answer = func(context.Context, llm.Request) (llm.Answer, error) {
		if len(f.asked) == 1 {
			panic("broken")
		}
		return llm.Answer{Text: "ok"}, nil
	}
	m := llm.NewMeter(f, llm.MeterOptions{MaxTokens: 1100, Parallel: 1})
	func() {
		defer func() { recover() }()
		m.Ask(t.Context(), ask("a"))
	}()
	if answer, err := m.Ask(t.Context(), ask("a")); err != nil || f.asked[1].MaxTokens != 1000 {
		t.Errorf("%+v, %v, limit %d", answer, err, f.asked[1].MaxTokens)
	}
}
