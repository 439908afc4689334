package page

import (
	"context"
	"errors"
	"fmt"

	"github.com/winnow-go/winnow/browser/profile"
)

// HoldProfile takes the plan's profile for as long as the scrape lasts: the one
// that saves holds it alone. Without a profile it gives nil.
func (a *Acquisition) HoldProfile(ctx context.Context) (*profile.Hold, error) {
	p := a.Request.Profile
	if p == nil {
		return nil, nil
	}
	hold, err := a.Profiles.Acquire(ctx, a.Request.Owner, p.Name, p.Save)
	if errors.Is(err, profile.ErrBusy) {
		return nil, fmt.Errorf("profile %q: %w", p.Name, err)
	}
	return hold, err
}

// ProfileState is what the page begins with.
func ProfileState(h *profile.Hold) ([]byte, error) {
	if h == nil {
		return nil, nil
	}
	return h.State()
}

// saveProfile keeps the page's state, where the request says so.
func (v *Visit) saveProfile(ctx context.Context, _ *Page) error {
	if v.hold == nil || !v.Request.Profile.Save {
		return nil
	}
	return v.step("profile", func() (string, error) {
		state, err := v.Tab.WholeState(ctx)
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("%d bytes", len(state)), v.hold.Save(state)
	})
}
