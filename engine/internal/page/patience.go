package page

import (
	"slices"
	"time"

	"github.com/winnow-go/winnow/engine/internal/deadline"
	"github.com/winnow-go/winnow/fetch"
)

// unfinished is the warning of an answer that does not end.
const unfinished = "The page did not finish loading; this is what had arrived"

// bodyTime returns how long plain HTTP waits for a body of a media type, "" for an unknown one: of the time that is left, half where a
// browser may come after it or came before, else four fifths. Of what is no text a part is of no use, so it may take all the time.
func (r *Request) bodyTime(clock *deadline.Clock) func(mediaType string) time.Duration {
	return func(mediaType string) time.Duration {
		mayRender := mediaType == "" || IsHTML(mediaType)
		switch {
		case clock == nil, !mayRender && !fetch.IsText(mediaType):
			return 0
		case r.Mode == ModeHTTP, r.Mode == ModeAuto && !mayRender:
			return clock.Remaining() * 4 / 5
		}
		return clock.Remaining() / 2
	}
}

// shownTime is how long the browser may have no document before plain HTTP gets the page instead: three quarters of the time that is left,
// so that the rest does for what has come of an answer that does not end. 0 is no limit.
func (v *Visit) shownTime() time.Duration {
	if v.Clock == nil || !v.mayFetch() {
		return 0
	}
	return v.Clock.Remaining() * 3 / 4
}

// takeBack removes the warning that plain HTTP's answer is unfinished, once a browser has given the whole page.
func (r *Result) takeBack(rendered *Page) {
	if i := slices.Index(r.Warnings, unfinished+"."); !rendered.Partial && i >= 0 {
		r.Warnings = slices.Delete(r.Warnings, i, i+1)
	}
}
