package judge

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/winnow-go/winnow/engine/internal/clip"
	"github.com/winnow-go/winnow/formats"
	"github.com/winnow-go/winnow/formats/script"
)

// Evidence is what is known of a page that plain HTTP gave.
type Evidence struct {
	Status  int
	Signals formats.Signals
	// MainWords are the words of the main content, which is found only where they count: beside scripts that were not read, and the marks
	// of a wall. 0 elsewhere.
	MainWords int
	Holes     []formats.Hole
	Scripts   []script.Facts // of the scripts that were read
	Unread    int            // scripts of the site's own that were not
	Foreign   int            // scripts of other sites that are no known widget
	Places    []Place        // that the scripts fill
	Added     []Place        // that hold content, which the scripts add to
	Frames    []Frame        // whose documents are content

	dom      *formats.DOM
	handlers string // code in attributes that runs by itself
}

// maxHandlers is how much code in attributes is looked at.
const maxHandlers = 16 << 10

// Place is a part of a page that a script fills.
type Place struct {
	Name string // "#price", "tbody.stock"
	Sure bool   // a script is seen to write to it, rather than only to name it
	// After is the time that timers take before.
	After time.Duration
}

// Late reports a place that scripts write to only after a timer of seconds.
func (p Place) Late() bool { return p.After >= lateTimer }

// Inert reports a page that a browser shows no more of.
func (e Evidence) Inert() bool {
	return len(e.Scripts)+e.Unread+e.Foreign+len(e.Frames) == 0 && e.Signals.MetaRefresh == "" && e.Signals.Wall == ""
}

// Doubtful reports whether the scripts that were not read could change the verdict: there are places to fill, or few words.
func (e Evidence) Doubtful() bool {
	if e.Unread == 0 || Judge(e).Choice == Dynamic {
		return false
	}
	return len(e.Holes) > 0 || e.Signals.EmptyMount != "" || e.MainWords < manyWords
}

// countMain counts the words of the main content where they count.
func (e *Evidence) countMain(ctx context.Context) (err error) {
	if e.Unread > 0 || e.Signals.Wall != "" {
		e.MainWords, err = e.dom.MainWords(ctx)
	}
	return err
}

// match finds the places that the scripts fill.
func (e *Evidence) match(ctx context.Context) error {
	scripts := joined(e.Scripts)
	fillings, err := e.dom.Filled(ctx, e.Holes, scripts)
	if err != nil {
		return err
	}
	e.Places = e.loaders()
	for _, f := range fillings {
		if f.Hole.Loader == "" {
			e.Places = append(e.Places, Place{Name: f.Hole.Name, Sure: f.Write.Place != "", After: f.Write.After})
		}
	}
	return e.matchAdded(ctx, scripts)
}

// matchAdded finds the places that the scripts add to.
func (e *Evidence) matchAdded(ctx context.Context, scripts []script.Facts) error {
	extended, err := e.dom.Extended(ctx, scripts)
	if err != nil {
		return err
	}
	e.Added = nil
	for _, f := range extended {
		e.Added = append(e.Added, Place{Name: f.Hole.Name, Sure: true, After: f.Write.After})
	}
	if after := lateAnywhere(scripts); after > 0 {
		e.Added = append(e.Added, Place{Name: "the page", After: after})
	}
	return nil
}

// joined lets a module that imports others do what any of them does: one requests the data, and another has the place.
func joined(scripts []script.Facts) []script.Facts {
	if !slices.ContainsFunc(scripts, couldRequest) {
		return scripts
	}
	list := slices.Clone(scripts)
	for i := range list {
		list[i].Requests = list[i].Requests || len(list[i].Imports) > 0
	}
	return list
}

// lateAnywhere is the longest timer after which the scripts put content into the body, or into an unknown place; 0 for none of seconds.
func lateAnywhere(scripts []script.Facts) (after time.Duration) {
	for _, f := range scripts {
		for _, w := range f.Writes {
			if w.Source == script.Value && (w.Place == "" || w.Place == "body") && w.After >= lateTimer {
				after = max(after, w.After)
			}
		}
	}
	return after
}

// loaders are the places that a library fills by itself, which may be any script of the page.
func (e *Evidence) loaders() (places []Place) {
	if len(e.Scripts) == 0 && e.Unread+e.Foreign == 0 {
		return nil
	}
	for _, h := range e.Holes {
		if h.Loader != "" {
			places = append(places, Place{Name: h.Name, Sure: true})
		}
	}
	return places
}

// add adds a script, with those of its functions that attributes of the page call.
func (e *Evidence) add(f script.Facts) {
	e.Scripts = append(e.Scripts, f)
	for name, does := range f.Functions {
		if strings.Contains(e.handlers, name+"(") {
			e.Scripts = append(e.Scripts, does)
		}
	}
}

// maxDoes bounds Does.
const maxDoes = 100

// Does lists what the scripts that were read do, at most a hundred things.
func (e Evidence) Does() (list []string) {
	for _, f := range e.Scripts {
		if f.Requests {
			list = append(list, "requests")
		}
		for _, w := range f.Writes {
			list = append(list, string(w.Source)+" "+w.Place)
		}
		list = append(list, f.Elements...)
	}
	return list[:min(len(list), maxDoes)]
}

// any reports whether something holds of a script that was read.
func (e Evidence) any(holds func(script.Facts) bool) bool {
	return slices.ContainsFunc(e.Scripts, holds)
}

func requests(f script.Facts) bool { return f.Requests }

// leaves reports a script that leads to another address.
func leaves(f script.Facts) bool { return f.Leaves }

// couldRequest reports a script that requests data, or has a function for others that does.
func couldRequest(f script.Facts) bool {
	return f.Requests || slices.ContainsFunc(slices.Collect(maps.Values(f.Functions)), requests)
}

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

// Look gathers what a page says by itself. Its scripts are read by a Library. Of an inert page nothing else is gathered: nothing of it
// could change the verdict.
func Look(ctx context.Context, d *formats.DOM, url string, status int) (e Evidence, from Sources, err error) {
	e.Status, e.dom, from.Page = status, d, url
	if inert, err := d.IsInert(ctx); inert || err != nil {
		return e, from, err
	}
	var failed [6]error
	e.Signals, failed[0] = d.Signals(ctx)
	e.Holes, failed[1] = d.Holes(ctx)
	from.Scripts, failed[2] = d.Scripts(ctx)
	from.Hosts, failed[3] = d.StyleHosts(ctx)
	frames, err := d.Frames(ctx)
	e.Frames, failed[5] = from.content(frames, e.Signals.TextWords), err
	handlers, err := d.Handlers(ctx)
	e.handlers, failed[4] = clip.Bytes(strings.Join(handlers, "\n"), maxHandlers), err
	return e, from, errors.Join(failed[:]...)
}
