package page

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/winnow-go/winnow/engine/internal/judge"
	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/fetch/weburl"
	"github.com/winnow-go/winnow/formats"
)

// maxOwnFacts is how many bytes what is learnt of the scripts of one private page may take.
const maxOwnFacts = 4 << 20

// scriptTime is how long one script of a site may take to come.
const scriptTime = 3 * time.Second

// weigh judges a page that plain HTTP gave: by itself, and where that leaves a doubt by the scripts of its site.
func (a *Acquisition) weigh(ctx context.Context, plain *Page) (judge.Verdict, error) {
	e, from, err := a.look(ctx, plain)
	if err != nil {
		return judge.Verdict{}, err
	}
	if e.Doubtful() {
		err = a.step("scripts", func() (string, error) {
			read := len(e.Scripts)
			err := a.library().Fetch(ctx, from, &e, a.script)
			return fmt.Sprintf("%d read", len(e.Scripts)-read), err
		})
	}
	v := judge.Judge(e)
	plain.verdict(v)
	return v, err
}

// look gathers what the page says by itself.
func (a *Acquisition) look(ctx context.Context, plain *Page) (e judge.Evidence, from judge.Sources, err error) {
	dom, err := plain.Parse(ctx)
	if err != nil {
		return e, from, err
	}
	if e, from, err = judge.Look(ctx, dom, plain.URL, plain.Status); err != nil {
		return e, from, err
	}
	return e, from, a.library().Inline(ctx, from, &e)
}

// library is the one of all pages; of a page that nothing may be kept of, it is its own.
func (a *Acquisition) library() *judge.Library {
	if a.Request.Private && a.scripts == nil {
		a.scripts = judge.NewLibrary(maxOwnFacts, a.Now)
	}
	return cmp.Or(a.scripts, a.Scripts)
}

// verdict notes what was decided.
func (p *Page) verdict(v judge.Verdict) {
	p.Reason, p.Confidence, p.static = v.String(), v.Confidence, v.Choice == judge.Static
}

// script fetches one script of the page's site. It is sent the request's own headers only where the page was.
func (a *Acquisition) script(ctx context.Context, url string, limit int64) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, scriptTime)
	defer cancel()
	if err := a.allowScript(ctx, url); err != nil {
		return nil, err
	}
	r := fetch.Request{
		URL: url, UserAgent: a.Agent(), AcceptLanguage: a.Request.Location.AcceptLanguage(), Accept: "*/*",
		SkipTLSVerify: a.Request.SkipTLS, Proxy: a.Proxy, MaxBytes: min(limit, a.MaxBytes), Retries: -1,
	}
	if weburl.SameOrigin(url, a.Page.URL) {
		r.Header = a.ownHeaders()
	}
	res, err := a.Client.Do(ctx, r)
	if err != nil {
		return nil, err
	}
	if res.Status != http.StatusOK || IsHTML(res.MediaType) {
		return nil, fmt.Errorf("no script: status %d, %s", res.Status, res.MediaType)
	}
	return res.Body, nil
}

// allowScript refuses what robots.txt forbids, and virtual hosts to pages of the web: they are behind the program.
func (a *Acquisition) allowScript(ctx context.Context, url string) error {
	if virtual := a.Client.Virtual(); virtual.Has(weburl.Hostname(url)) && !virtual.Has(weburl.Hostname(a.Page.URL)) {
		return &fetch.BlockedError{Host: weburl.Hostname(url), Reason: "virtual host"}
	}
	if a.Allowed == nil {
		return nil
	}
	return a.Allowed(ctx, url)
}

// warnOfPlaces names what scripts would have put into a page that no browser rendered.
func (a *Acquisition) warnOfPlaces(ctx context.Context, plain *Page) error {
	if !plain.IsHTML() || a.Request.Wants(formats.RawBase64) { // which nothing else parses
		return nil
	}
	e, _, err := a.look(ctx, plain)
	if err != nil {
		return err
	}
	if places := judge.Names(e.Places); places != "" {
		a.warn("%s filled by scripts, which plain HTTP does not run", places)
	}
	return nil
}

// warnOfLatePlaces names the places of a rendered page that are still empty since a timer of seconds stands before them.
func (a *Acquisition) warnOfLatePlaces(ctx context.Context, rendered *Page, places []judge.Place) error {
	late := slices.DeleteFunc(slices.Clone(places), func(p judge.Place) bool { return !p.Late })
	if len(late) == 0 || !rendered.IsHTML() {
		return nil
	}
	dom, err := rendered.Parse(ctx)
	if err != nil {
		return err
	}
	holes, err := dom.Holes(ctx)
	if err != nil {
		return err
	}
	empty := slices.DeleteFunc(late, func(p judge.Place) bool {
		return !slices.ContainsFunc(holes, func(h formats.Hole) bool { return h.Name == p.Name })
	})
	if places := judge.Names(empty); places != "" {
		a.warn("%s filled by scripts only after seconds; waitFor waits longer", places)
	}
	return nil
}
