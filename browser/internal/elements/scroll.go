package elements

import (
	"context"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/browser/internal/tab"
)

// scrollJS moves the window, or the first match of a selector, by its own height, and waits until the page has noticed.
const scrollJS = `([path, sign]) => new Promise((done) => {
	const selector = path.at(-1), e = selector && matches(path)[0];
	if (e) {
		e.scrollIntoView({block: "nearest", inline: "nearest", behavior: "instant"});
		e.scrollBy({top: sign * e.clientHeight, behavior: "instant"});
	} else if (!selector) {
		window.scrollBy({top: sign * window.innerHeight, behavior: "instant"});
	}
	requestAnimationFrame(() => setTimeout(() => done(!selector || !!e)));
	setTimeout(() => done(!selector || !!e), 500);
})`

// Scroll moves the window, or the first match of a selector.
func (e In) Scroll(ctx context.Context, o actions.ScrollOptions) error {
	at := e.main("")
	if o.Selector != "" {
		var err error
		if at, err = e.await(ctx, o.Selector, o.Timeout, askFind); err != nil {
			return err
		}
	}
	sign := 1
	if o.Up {
		sign = -1
	}
	moved, err := tab.Do(ctx, e.Tab, "scroll", func() (any, error) { return at.frame.Evaluate(inPage(scrollJS), []any{at.path(), sign}) })
	switch {
	case err != nil && tab.Replaced(err):
		return nil
	case err == nil && moved == false:
		return &actions.Failure{Reason: actions.Detached}
	}
	return err
}
