package page

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// comparison says how much of the rendered text plain HTTP had.
func (a *Acquisition) comparison(ctx context.Context, plain, rendered *Page) string {
	first, errA := plain.Parse(ctx)
	second, errB := rendered.Parse(ctx)
	if errA != nil || errB != nil {
		return ""
	}
	text, errA := recall(ctx, first.MainText, second.MainText, TokenRecall)
	links, errB := recall(ctx, first.Links, second.Links, SetRecall)
	if errA != nil || errB != nil {
		return ""
	}
	return fmt.Sprintf("; HTTP had %.2f of the text and %.2f of the links", text, links)
}

// recall measures how much of what the second gives the first gives too.
func recall[T any](
	ctx context.Context, first, second func(context.Context) (T, error), measure func(first, second T) float64,
) (float64, error) {
	a, errA := first(ctx)
	b, errB := second(ctx)
	if err := errors.Join(errA, errB); err != nil {
		return 0, err
	}
	return measure(a, b), nil
}

// TokenRecall is the share of want's words, counted with repeats, that have has.
func TokenRecall(have, want string) float64 {
	left := map[string]int{}
	for _, w := range strings.Fields(have) {
		left[w]++
	}
	found, total := 0, 0
	for _, w := range strings.Fields(want) {
		total++
		if left[w] > 0 {
			left[w]--
			found++
		}
	}
	return share(found, total)
}

// SetRecall is the share of want that is in have.
func SetRecall(have, want []string) float64 {
	in := make(map[string]bool, len(have))
	for _, h := range have {
		in[h] = true
	}
	found := 0
	for _, w := range want {
		if in[w] {
			found++
		}
	}
	return share(found, len(want))
}

func share(found, total int) float64 {
	if total == 0 {
		return 1
	}
	return float64(found) / float64(total)
}
