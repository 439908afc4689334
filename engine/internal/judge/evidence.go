package judge

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/winnow-go/winnow/formats"
	"github.com/winnow-go/winnow/formats/script"
)

// Evidence is what is known of a page that plain HTTP gave.
type Evidence struct {
	Status  int
	Signals formats.Signals
	Holes   []formats.Hole
	Scripts []script.Facts // of the scripts that were read
	Unread  int            // scripts of the site's own that were not
	Foreign int            // scripts of other sites that are no known widget
}

// Place is a part of a page that a script fills.
type Place struct {
	Name string // "#price", "tbody.stock"
	Sure bool   // a script is seen to write to it, rather than only to name it
	Late bool   // only after a timer of seconds
}

// Doubtful reports whether the scripts that were not read could change the verdict: there are places to fill, or few words.
func (e Evidence) Doubtful() bool {
	if e.Unread == 0 || Judge(e).Choice == Dynamic {
		return false
	}
	return len(e.Holes) > 0 || e.Signals.EmptyMount != "" || e.Signals.TextWords < someWords || e.Signals.MainWords == 0
}

// Filled returns the holes of the page that its scripts fill.
func (e Evidence) Filled() []Place {
	var places []Place
	for _, h := range e.Holes {
		if p, ok := e.filled(h); ok {
			places = append(places, p)
		}
	}
	return places
}

// filled looks for the script that fills a hole. A loader is filled by a library, which may be any script of the page.
func (e Evidence) filled(h formats.Hole) (Place, bool) {
	p := Place{Name: h.Name}
	if h.Loader != "" && (len(e.Scripts) > 0 || e.Unread+e.Foreign > 0) {
		p.Sure = true
		return p, true
	}
	for _, f := range e.Scripts {
		if w, ok := h.FilledBy(f); ok && (f.Requests || carries(w.Source)) {
			p.Sure, p.Late = true, w.After >= lateTimer
			return p, true
		}
	}
	for _, f := range e.Scripts {
		if f.Requests && h.MentionedBy(f) {
			return p, true
		}
	}
	return p, false
}

// carries reports whether a write of a script without requests has content: what is computed, or given to a framework.
func carries(from script.Source) bool {
	return from == script.Value || from == script.Mount
}

// any reports whether something holds of a script that was read.
func (e Evidence) any(holds func(script.Facts) bool) bool {
	return slices.ContainsFunc(e.Scripts, holds)
}

func requests(f script.Facts) bool { return f.Requests }

// leaves reports a script that leads to another address.
func leaves(f script.Facts) bool { return f.Leaves }

// writesAtOnce reports a script that writes content into the page while that loads.
func writesAtOnce(f script.Facts) bool { return f.Document }

// writesAnywhere reports a script that puts what it requests or computes into the body, or into an unknown place.
func writesAnywhere(f script.Facts) bool {
	return f.Document || slices.ContainsFunc(f.Writes, func(w script.Write) bool {
		anywhere := w.Place == "" && f.Requests || w.Place == "body"
		return anywhere && (w.Source == script.Value || w.Source == script.Mount)
	})
}

// guardedStatus are the answers that walls give to clients they take for robots.
func guardedStatus(status int) bool {
	switch status {
	case http.StatusForbidden, http.StatusTooManyRequests, http.StatusServiceUnavailable:
		return true
	}
	return false
}

func count(n int, what string) string {
	if n == 1 {
		return fmt.Sprintf("1 %s", what)
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// Look gathers what a page says by itself. Its scripts are read by a Library.
func Look(ctx context.Context, d *formats.DOM, url string, status int) (e Evidence, from Sources, err error) {
	e.Status, from.Page = status, url
	var failed [4]error
	e.Signals, failed[0] = d.Signals(ctx)
	e.Holes, failed[1] = d.Holes(ctx)
	from.Scripts, failed[2] = d.Scripts(ctx)
	from.Hosts, failed[3] = d.StyleHosts(ctx)
	return e, from, errors.Join(failed[:]...)
}
