package tracking

import (
	"context"
	"strings"
)

// Texts larger than this get a diff of one chunk. At the limit a diff takes some
// tenths of a second, and twenty times the texts in memory.
const (
	maxLines = 100_000
	maxBytes = 8 << 20
)

// Diff is a unified diff with three lines of context from previous.md to current.md,
// of the two texts in their normalised form, so that a mere change of white space or of
// a tracking parameter isn't shown; "" when they are [Same]. Applied to the normalised
// form of previous it gives that of current. The first line is "--- previous.md"; all
// lines end with "\n".
//
// It is an anchored diff: lines that occur once in both texts are held together, then
// lines between them. It is near the smallest, but need not be it.
//
// Where one of the normalised texts has more than 100,000 lines or 8 MiB, all that lies
// between their common beginning and end is shown as one change. Time and memory are in
// proportion to the texts, but for a factor of the logarithm of their lines. The error is the
// context's; it is looked at between the steps, each of which is bounded by these numbers.
func Diff(ctx context.Context, previous, current string) (string, error) {
	if previous == current {
		return "", nil
	}
	from, to := normal(previous), normal(current)
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case from == to:
		return "", nil
	case large(from) || large(to):
		return whole(from, to).unified(), nil
	}
	s := anchored(from, to)
	if err := s.refine(ctx); err != nil {
		return "", err
	}
	return s.unified(), nil
}

func large(text string) bool {
	return len(text) > maxBytes || strings.Count(text, "\n") > maxLines
}
