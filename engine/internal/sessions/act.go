package sessions

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/engine/internal/drive"
	"github.com/winnow-go/winnow/engine/internal/drivepage"
)

// Sight is what the page shows to those who act on it, and what the last tool did.
type Sight struct{ Text, URL, Title, Did string }

// Act calls a tool of package drive on the page, "" for none, and returns what the page shows then. What the page or the rules refuse is an
// *[actions.Error].
func (s *Session) Act(ctx context.Context, tool string, arguments json.RawMessage) (v Sight, err error) {
	err = s.useFor(ctx, s.set.o.CallTime, func(ctx context.Context, tab *browser.Page) error {
		tab.Alone(true)
		defer tab.Alone(false)
		hand, err := drive.NewHand(ctx, operated{drivepage.New(tab, 0), tab, s}, drive.Options{Allow: s.allow, Now: s.set.o.Now})
		if err == nil && tool != "" {
			v.Did, err = do(ctx, hand, tool, arguments)
		}
		if hand != nil {
			at := hand.Snapshot()
			v.Text, v.URL, v.Title = at.Text, at.URL, at.Title
		}
		return err
	})
	return v, err
}

func do(ctx context.Context, hand *drive.Hand, tool string, arguments json.RawMessage) (string, error) {
	r, err := hand.Do(ctx, tool, arguments)
	if err == nil && r.Failed {
		return "", &actions.Error{Type: actions.Type(tool), Err: errors.New(r.String())}
	}
	return r.String(), err
}
