package quota

import (
	"context"
	"errors"
	"testing"
)

// books is an account kept by hand.
type books struct {
	used, sessions int64
	jobs           map[string]int64 // what each running job has used
	err            error
}

func (b *books) Used(context.Context, string) (int64, error) { return b.used, b.err }

func (b *books) Job(_ context.Context, id string) (used int64, running bool, err error) {
	used, running = b.jobs[id]
	return used, running, b.err
}

func (b *books) Sessions(context.Context, string) (int64, error) { return b.sessions, b.err }

// reserve reserves what there is from lowest to highest, 0 for none.
func reserve(t *testing.T, h *CreditHold, lowest, highest int64) int64 {
	t.Helper()
	n, err := h.ReserveUpTo(t.Context(), lowest, highest)
	if err != nil && !errors.Is(err, ErrNoCredits) {
		t.Fatal(err)
	}
	return n
}

func TestCreditHold_reservesNoMoreThanIsLeft(t *testing.T) {
	b := &books{used: 2, sessions: 1}
	c := NewCredits(b)
	first, second := c.Hold("red", 10), c.Hold("red", 10)
	if n := reserve(t, first, 1, 4); n != 4 {
		t.Errorf("the first gets %d", n)
	}
	if n := reserve(t, second, 4, 4); n != 0 {
		t.Errorf("the second gets %d, and 3 are left", n)
	}
	if n := reserve(t, second, 1, 4); n != 3 {
		t.Errorf("the second gets %d of the 3 that are left", n)
	}
	if n := reserve(t, first, 1, 2); n != 2 { // in place of its 4
		t.Errorf("the first gets %d", n)
	}
	if n := reserve(t, c.Hold("blue", 10), 7, 7); n != 7 {
		t.Errorf("another team gets %d", n)
	}
	first.Release()
	second.Release()
	if n, err := first.Remaining(t.Context()); n != 8 || err != nil {
		t.Errorf("%d remain, %v", n, err)
	}
	if c.teams["red"] != nil {
		t.Error("a team without reservations is remembered")
	}
}

func TestCreditHold_keepsCreditsOfAJobUntilItsEnd(t *testing.T) {
	b := &books{jobs: map[string]int64{"job": 0}}
	c := NewCredits(b)
	h := c.Hold("red", 10)
	if n := reserve(t, h, 6, 6); n != 6 {
		t.Fatal(n)
	}
	h.KeepFor("job")
	h.Release()
	b.used, b.jobs["job"] = 2, 2 // the job has used 2 of its 6
	if n := reserve(t, c.Hold("red", 10), 1, 10); n != 4 {
		t.Errorf("%d are left beside the job", n)
	}
	c = NewCredits(b)
	h = c.Hold("red", 10)
	reserve(t, h, 6, 6)
	h.KeepFor("job")
	h.Release()
	delete(b.jobs, "job")
	last := c.Hold("red", 10)
	if n := reserve(t, last, 8, 8); n != 8 {
		t.Errorf("%d are left after the job", n)
	}
	if last.Release(); len(c.teams) != 0 {
		t.Errorf("%d teams are remembered", len(c.teams))
	}
}

func TestCreditHold_withoutALimitNeedsNoAccount(t *testing.T) {
	h := NewCredits(&books{err: errors.New("closed")}).Hold("red", 0)
	if n, err := h.ReserveUpTo(t.Context(), 1, 1_000_000); n != 1_000_000 || err != nil {
		t.Error(n, err)
	}
	if n, err := h.Remaining(t.Context()); n != Unlimited || err != nil {
		t.Error(n, err)
	}
	h.KeepFor("job")
	h.Release()
}

func TestCreditHold_reservesNothingWhenTheAccountFails(t *testing.T) {
	b := &books{err: errors.New("closed")}
	h := NewCredits(b).Hold("red", 10)
	if err := h.Reserve(t.Context(), 1); !errors.Is(err, b.err) {
		t.Error(err)
	}
	b.err = nil
	if err := h.Reserve(t.Context(), 10); err != nil {
		t.Error(err)
	}
}
