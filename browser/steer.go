package browser

import (
	"context"
	"errors"
	"fmt"

	"github.com/winnow-go/winnow/browser/internal/tab"
)

// Steer begins to load an address, as a person does by the address field: it waits only for the browser to accept it, and interrupts a load
// that is under way. A page that isn't there in 5 s continues to load. The same addresses are refused as by [Page.Goto]; the proxy decides
// about all others. Errors: ErrScheme, *NavigationError, ErrBusy when two are under way, ErrClosed, ErrCrashed, ctx's.
func (r *Remote) Steer(ctx context.Context, address string) error {
	if err := checkScheme(address); err != nil {
		return err
	}
	if err := r.loader.onSite(address); err != nil {
		return err
	}
	return r.steer(ctx, func() error {
		answer, err := r.tab.CDP.Send("Page.navigate", map[string]any{"url": address, "transitionType": "typed"})
		if text, _ := tab.Field(answer, "errorText").(string); text != "" && text != abortedText {
			return &NavigationError{URL: address, Net: netCode(text), Err: fmt.Errorf("%s", text)}
		}
		return err
	})
}

// abortedText is the browser's word for a load that was replaced by another.
const abortedText = "net::ERR_ABORTED"

// Travel goes forward in the tab's history by so many steps, backward by a negative number; 0 reloads the page. Where the history ends it
// does nothing. It waits as Steer does, and has its errors.
func (r *Remote) Travel(ctx context.Context, steps int) error {
	return r.steer(ctx, func() error {
		if steps == 0 {
			_, err := r.tab.CDP.Send("Page.reload", map[string]any{})
			return err
		}
		history, err := r.tab.CDP.Send("Page.getNavigationHistory", map[string]any{})
		if err != nil {
			return err
		}
		entries, _ := tab.Field(history, "entries").([]any)
		want := tab.Number(tab.Field(history, "currentIndex")) + float64(steps)
		if want < 0 || want >= float64(len(entries)) {
			return nil
		}
		_, err = r.tab.CDP.Send("Page.navigateToHistoryEntry", map[string]any{"entryId": tab.Field(entries[int(want)], "id")})
		return err
	})
}

// steer runs a call that changes the document. A call that the browser still processes is no error.
func (r *Remote) steer(ctx context.Context, fn func() error) error {
	if err := r.tab.Ask(ctx, "go elsewhere", steerWait, r.turns.steering, fn); !errors.Is(err, tab.ErrLate) {
		return err
	}
	return nil
}

// Title returns the title of the document that the page shows, from the browser: it works also for a page that is busy. Errors: ErrBusy
// when the browser doesn't answer in 2 s, ErrClosed, ErrCrashed, ctx's.
func (r *Remote) Title(ctx context.Context) (string, error) {
	answer := make(chan string, 1)
	err := r.tab.Ask(ctx, "read the title", titleWait, r.turns.titles, func() error {
		info, err := r.tab.CDP.Send("Target.getTargetInfo", map[string]any{})
		title, _ := tab.Field(info, "targetInfo", "title").(string)
		answer <- title
		return err
	})
	if err != nil {
		return "", err
	}
	return <-answer, nil
}
