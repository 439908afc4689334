package page

import (
	"context"
	"time"
)

// maxLate is the longest timer of a page's scripts that is waited for.
const maxLate = 5 * time.Second

// lateSlack is how much longer than such a timer is waited.
const lateSlack = 300 * time.Millisecond

// awaitLate waits for content that scripts are seen to write only after a timer of seconds, and reads the page once more. Timers that write
// none, as those of trackers, cost nothing. Where nothing was judged, the inline scripts of the document that the browser has say it.
func (v *Visit) awaitLate(ctx context.Context, src *Page) error {
	if !src.FromTree || !src.IsHTML() || src.Partial || v.Live != nil {
		return nil
	}
	late, err := v.lateness(ctx, src)
	if err != nil || late == 0 || late <= v.Request.WaitFor {
		return err
	}
	if wait := late + lateSlack; late <= maxLate && (v.Clock == nil || wait < v.Clock.Remaining()/2) {
		return v.step("late", func() (string, error) {
			err := v.Tab.Wait(ctx, wait)
			if err == nil {
				err = TakeAll(ctx, src, v.Settle, v.Content)
			}
			return late.String(), err
		})
	}
	if v.late == nil || late <= maxLate { // of later ones a judged page has its own warning
		v.warn("Scripts write into the page after %s; waitFor waits longer", late)
	}
	return nil
}

// lateness is the longest timer of seconds before what the page's scripts write; 0 for none.
func (v *Visit) lateness(ctx context.Context, src *Page) (time.Duration, error) {
	if v.late != nil {
		return *v.late, nil
	}
	dom, err := src.Parse(ctx)
	if err != nil {
		return 0, err
	}
	return v.library().Late(ctx, dom)
}
