package page

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/engine/internal/judge"
	"github.com/winnow-go/winnow/engine/internal/learnt"
	"github.com/winnow-go/winnow/formats"
)

// Route is how the way to a page was decided.
type Route struct {
	Template learnt.Template
	// Risk is the probability that the page needs a browser by evidence alone: its own, or that of pages of its template that were compared,
	// of which more scripts were read.
	Risk float64
	// Both: it was got both ways, though HTTP seemed enough.
	Both bool
	// NoBrowser: it was to be, but no browser can be had.
	NoBrowser bool
	// Compared is what that showed, or a browser that was used for another reason; nil: there was nothing to compare.
	Compared *Comparison
}

// More reports whether a comparison showed more in the browser.
func (r *Route) More() bool { return r != nil && r.Compared != nil && r.Compared.More() }

// Replaces refuses a page that must not take the place of one that was got before, with that status and from that URL: an error, a wall, a
// part, and where a redirect led elsewhere. at is where the page is.
func (p *Page) Replaces(at string, status int, url string) error {
	switch {
	case p.Status != status:
		return fmt.Errorf("status %d", p.Status)
	case at != url:
		return errors.New("it redirects elsewhere")
	case p.BlockedBy() != "":
		return fmt.Errorf("blocked by %s", p.BlockedBy())
	case p.Late || p.Partial:
		return errors.New("it did not come whole")
	}
	return nil
}

// Ask says whether a page is to be got both ways though HTTP seems enough: for the first of an unproven template, and for audits.
type Ask func(t learnt.Template, known learnt.Counts) bool

// recall returns what is known of a page's template: of none where nothing can be learnt of the page.
func (a *Acquisition) recall(ctx context.Context, plain *Page, e judge.Evidence, from judge.Sources) (known learnt.Counts, err error) {
	if a.Memory == nil || e.Inert() || !learns(a.Request) || !teaches(plain) {
		return known, nil
	}
	t, err := templateOf(ctx, plain, e, from)
	if err != nil || t == (learnt.Template{}) {
		return known, err
	}
	a.Route = &Route{Template: t}
	return a.Memory.Counts(ctx, t)
}

// decide weighs a page's verdict with what is known of its template, and finds out whether it is got both ways.
func (a *Acquisition) decide(v judge.Verdict, known learnt.Counts) judge.Verdict {
	if a.Route == nil {
		return v
	}
	a.Route.Risk = max(v.Dynamic(), known.Risk)
	v = known.Revise(v, a.Route.Template)
	a.Route.Both = v.Choice == judge.Static && a.Both != nil && a.Both(a.Route.Template, known)
	return v
}

// learns reports requests whose pages are the public ones.
func learns(r *Request) bool {
	return len(r.Actions) == 0 && len(r.Headers) == 0 && r.Profile == nil && !r.Wants(formats.ChangeTracking)
}

// teaches reports pages that something can be learnt from: no errors and no walls, and all that was sent.
func teaches(p *Page) bool {
	return p.Status == http.StatusOK && p.IsHTML() && p.Damage == nil && !p.Partial && !p.Late && p.BlockedBy() == ""
}

func templateOf(ctx context.Context, plain *Page, e judge.Evidence, from judge.Sources) (learnt.Template, error) {
	shape, err := plain.DOM.Shape(ctx)
	signs := learnt.Signs{URL: plain.URL, Shape: shape}
	for _, s := range from.Scripts {
		if s.Src != "" {
			signs.Scripts = append(signs.Scripts, s.Src)
		}
	}
	for _, p := range e.Places {
		signs.Places = append(signs.Places, p.Name)
	}
	signs.Does = e.Does()
	return learnt.TemplateOf(signs), err
}

// learn compares both versions of a page, and keeps what that shows. What can't be compared teaches nothing.
func (a *Acquisition) learn(ctx context.Context, plain, rendered *Page, places []judge.Place) {
	if a.Route == nil || rendered.URL != plain.URL {
		return
	}
	if _, err := rendered.Parse(ctx); err != nil || !teaches(rendered) {
		return
	}
	c, err := Compare(ctx, plain, rendered, places)
	if err != nil {
		return
	}
	a.Route.Compared = &c
	a.Memory.Note(ctx, a.Route.Template, c.More(), a.Route.Risk)
}

// auditShare is how much of the time that a scrape has left may be spent on an audit: the page is there.
const auditShare = 2

// audit gets a page in a browser too. Where that shows no more, or fails, HTTP's version stands.
func (a *Acquisition) audit(ctx context.Context, plain *Page, v judge.Verdict) error {
	all := ctx
	if at, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Until(at)/auditShare)
		defer cancel()
	}
	warnings := a.Warnings
	rendered, err := a.browse(ctx)
	switch {
	case err == nil:
		a.learn(ctx, plain, rendered, v.Places)
	case led(err):
		return err
	}
	_, a.Route.NoBrowser = errors.AsType[*browser.InstallError](err)
	if err != nil || !a.Route.More() {
		a.Warnings = warnings
		plain.noteAudit(a.Route, err)
		return context.Cause(all)
	}
	rendered.verdict(v)
	rendered.Reason += "; an audit found more: " + a.Route.Compared.String()
	a.Page = rendered
	return nil
}

// noteAudit says in the reason what became of an audit that changed nothing.
func (p *Page) noteAudit(r *Route, failed error) {
	switch {
	case failed != nil:
		p.Reason += "; an audit failed"
	case r.Compared != nil:
		p.Reason += "; an audit found no more"
	}
}
