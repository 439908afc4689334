package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/winnow-go/winnow/browser/profile"
)

// checkProfile refuses a name that no profile can have.
func checkProfile(o ScrapeOptions) error {
	if o.Profile == nil {
		return nil
	}
	if n := len([]rune(o.Profile.Name)); n < 1 || n > profile.MaxName {
		return &OptionError{Field: "profile.name", Value: o.Profile.Name, Want: fmt.Sprintf("1 to %d characters", profile.MaxName)}
	}
	return nil
}

// holdProfile takes the plan's profile for as long as the scrape lasts: the one
// that saves holds it alone. Without a profile it gives nil.
func (s *scrape) holdProfile(ctx context.Context) (*profile.Hold, error) {
	p := s.plan.profile
	if p == nil {
		return nil, nil
	}
	hold, err := s.engine.profiles.Acquire(ctx, s.plan.owner, p.Name, isTrue(p.SaveChanges, true))
	if errors.Is(err, profile.ErrBusy) {
		return nil, &Error{Code: CodeProfileBusy, Err: fmt.Errorf("profile %q: %w", p.Name, err)}
	}
	return hold, err
}

// profileState is what the page begins with.
func profileState(h *profile.Hold) ([]byte, error) {
	if h == nil {
		return nil, nil
	}
	state, err := h.State()
	return state, profileError(err)
}

func profileError(err error) error {
	if damaged, ok := errors.AsType[*profile.CorruptError](err); ok {
		return &Error{Code: CodeProfileDamaged, Err: damaged}
	}
	return err
}

// saveProfile keeps the page's state, where the request says so.
func (b *browsing) saveProfile(ctx context.Context, _ *source) error {
	if b.hold == nil || !isTrue(b.plan.profile.SaveChanges, true) {
		return nil
	}
	return b.step("profile", func() (string, error) {
		state, err := b.page.WholeState(ctx)
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("%d bytes", len(state)), profileError(b.hold.Save(state))
	})
}
