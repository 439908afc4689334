package page

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/winnow-go/winnow/engine/internal/judge"
	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/fetch/weburl"
	"github.com/winnow-go/winnow/formats"
)

// maxOwnFacts is how many bytes what is learnt of the scripts of one private page may take.
const maxOwnFacts = 4 << 20

// Times for one script of a site.
const (
	scriptTime = 3 * time.Second  // to come
	scriptWait = 10 * time.Second // until the pace of its host lets it begin
)

// weigh judges a page that plain HTTP gave: by itself, by its template, and where neither says enough by the scripts of its
// site.
func (a *Acquisition) weigh(ctx context.Context, plain *Page) (judge.Verdict, error) {
	e, from, err := a.look(ctx, plain)
	if err == nil {
		err = a.library().Inline(ctx, from, &e)
	}
	if err != nil {
		return judge.Verdict{}, err
	}
	known, err := a.recall(ctx, plain, e, from)
	if err != nil {
		return judge.Verdict{}, err
	}
	if e.Doubtful() && !known.Settles(judge.Judge(e)) {
		err = a.step("scripts", func() (string, error) {
			read := len(e.Scripts)
			err := a.library().Fetch(ctx, from, &e, a.script)
			return fmt.Sprintf("%d read", len(e.Scripts)-read), err
		})
	}
	if err != nil {
		return judge.Verdict{}, err
	}
	v := a.decide(judge.Judge(e), known)
	plain.verdict(v)
	return v, nil
}

// look gathers what the page says by itself, but for its scripts.
func (a *Acquisition) look(ctx context.Context, plain *Page) (e judge.Evidence, from judge.Sources, err error) {
	dom, err := plain.Parse(ctx)
	if err != nil {
		return e, from, err
	}
	e, from, err = judge.Look(ctx, dom, plain.URL, plain.Status)
	from.Blocked = a.Blocker.Blocks(weburl.Hostname(plain.URL))
	return e, from, err
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
func (a *Acquisition) script(ctx context.Context, url string, limit int64) (body []byte, err error) {
	a.Place.Leave()
	if err := a.allowPart(ctx, a.Page.URL, url); err != nil {
		return nil, err
	}
	if a.Paced == nil {
		return a.fetchScript(ctx, url, limit)
	}
	waiting, cancel := context.WithTimeout(ctx, scriptWait)
	defer cancel()
	err = a.Paced(waiting, strings.ToLower(weburl.Host(url)), func() (err error) {
		body, err = a.fetchScript(ctx, url, limit)
		return err
	})
	return body, err
}

func (a *Acquisition) fetchScript(ctx context.Context, url string, limit int64) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, scriptTime)
	defer cancel()
	r := fetch.Request{
		URL: url, Page: a.Request.URL, UserAgent: a.Agent(), AcceptLanguage: a.Request.Location.AcceptLanguage(), Accept: "*/*",
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

// allowPart refuses a page the scripts and frames that robots.txt forbids, and to pages of the web virtual hosts and what gets credentials:
// those are behind the program.
func (a *Acquisition) allowPart(ctx context.Context, page, url string) error {
	if a.Client.Strange(page, url) {
		return &fetch.BlockedError{Host: weburl.Hostname(url), Reason: "virtual host or intranet"}
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
	e, from, err := a.look(ctx, plain)
	if err == nil {
		err = a.library().Places(ctx, from, &e)
	}
	if err != nil {
		return err
	}
	lack := func(what, format string) {
		if what != "" {
			plain.Lacks = append(plain.Lacks, fmt.Sprintf(format, what))
		}
	}
	lack(judge.Names(e.Places), "%s filled by scripts, which plain HTTP does not run.")
	lack(judge.LateNames(e.Added, -1), "%s added to by scripts, which plain HTTP does not run.")
	lack(judge.Verbed(e.OwnFrames()), "%s left out, which plain HTTP does not load.")
	return nil
}

// warnOfFrames names the frames whose content a browser's tree does not have: those that it did not load, as it loads lazy ones only once a
// reader comes near, and those that it could not read.
func (a *Acquisition) warnOfFrames(ctx context.Context) error {
	if a.Page.By != ByBrowser || !a.Page.IsHTML() || a.Page.Late || a.Request.Wants(formats.RawBase64) {
		return nil
	}
	dom, err := a.Page.Parse(ctx)
	if err != nil {
		return err
	}
	names, err := judge.Frames(ctx, dom, a.Page.URL)
	if frames := judge.Verbed(names); frames != "" {
		a.warn("%s left out, whose document the browser did not give", frames)
	}
	return err
}

// warnOfLatePlaces names the places of a rendered page that are still empty since a timer of seconds stands before them.
func (a *Acquisition) warnOfLatePlaces(ctx context.Context, rendered *Page, v judge.Verdict) error {
	if added := judge.LateNames(v.Added, max(maxLate, a.Request.WaitFor)); added != "" {
		a.warn("%s added to by scripts only after seconds; waitFor waits longer", added)
	}
	late := slices.DeleteFunc(slices.Clone(v.Places), func(p judge.Place) bool { return !p.Late() })
	if len(late) == 0 || !rendered.IsHTML() || rendered.Late {
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
