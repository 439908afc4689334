package llm_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/winnow-go/winnow/llm"
)

func TestEach_givesResultsInOrderAndBoundsCallsAtOnce(t *testing.T) {
	var now, most atomic.Int32
	parts := strings.Split("abcdefghijklmnop", "")
	got, err := llm.Each(t.Context(), 3, parts, func(_ context.Context, _ int, part string) (string, error) {
		n := now.Add(1)
		defer now.Add(-1)
		for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
		}
		return strings.ToUpper(part), nil
	})
	if err != nil || strings.Join(got, "") != "ABCDEFGHIJKLMNOP" {
		t.Errorf("got %v, %v", got, err)
	}
	if most.Load() > 3 {
		t.Errorf("%d at once", most.Load())
	}
}

func TestEach_firstErrorEndsTheOthers(t *testing.T) {
	broken := errors.New("broken")
	var begun atomic.Int32
	got, err := llm.Each(t.Context(), 2, slices.Repeat([]string{"x"}, 50), func(ctx context.Context, i int, _ string) (int, error) {
		begun.Add(1)
		if i == 1 {
			return 0, broken
		}
		<-ctx.Done()
		return 0, ctx.Err()
	})
	if !errors.Is(err, broken) || len(got) != 50 || begun.Load() > 3 {
		t.Errorf("%v, %d results, %d begun", err, len(got), begun.Load())
	}
}

func TestEach_anEndedContextBeginsNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := llm.Each(ctx, 2, []string{"x"}, func(context.Context, int, string) (int, error) {
		t.Error("called")
		return 0, nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("err %v", err)
	}
}

func TestEach_aPanicEndsTheOthersAndReachesTheCaller(t *testing.T) {
	defer func() {
		if p := fmt.Sprint(recover()); !strings.HasPrefix(p, "a page\n") || !strings.Contains(p, "each_test.go") {
			t.Errorf("recovered %.200s", p)
		}
	}()
	_, err := llm.Each(t.Context(), 2, []string{"a", "b"}, func(ctx context.Context, i int, _ string) (int, error) {
		if i == 1 {
			panic("a page")
		}
		<-ctx.Done()
		return 0, ctx.Err()
	})
	t.Errorf("returned %v", err)
}
