package page

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/engine/internal/judge"
	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/fetch/auth"
	"github.com/winnow-go/winnow/formats"
)

// Acquire gets the page. Beside an error the result says what was done, and may have the page so far. It is called once.
func (a *Acquisition) Acquire(ctx context.Context) (Result, error) {
	err := a.acquire(ctx)
	return a.Result, err
}

// acquire gets the page and, where a wall stood before it and the request's proxy
// tier allows, once more through the enhanced proxy.
func (a *Acquisition) acquire(ctx context.Context) error {
	if err := a.acquireOnce(ctx); err != nil {
		return err
	}
	if a.Request.Fallback.URL != "" && a.walled(ctx) {
		a.retryEnhanced(ctx)
	}
	warnOfAccess(a)
	if err := a.warnOfFrames(ctx); err != nil {
		return err
	}
	return a.Request.Accept(a.Page)
}

// warnOfAccess says what became of the credentials for the page's site, and of a wish to skip its verification.
func warnOfAccess(a *Acquisition) {
	access := a.Client.Access()
	if a.Page.Status == http.StatusUnauthorized && access.Begins(a.Request.URL) && access.Named(auth.OriginOf(a.Page.URL)) {
		a.warn("The site refused the credentials that the engine has for it")
	}
	if a.Request.SkipsTLS && access.Knows(auth.OriginOf(a.Request.URL)) {
		a.warn("The certificate was verified all the same: the engine has credentials or authorities for the site")
	}
}

// walled reports whether the site turned the scrape away.
func (a *Acquisition) walled(ctx context.Context) bool {
	switch a.Page.Status {
	case http.StatusTooManyRequests:
		return a.Attempt == nil || a.Attempt.Last // else the job asks again
	case http.StatusUnauthorized, http.StatusForbidden:
		return true
	}
	if !a.Page.IsHTML() {
		return false
	}
	if _, err := a.Page.Parse(ctx); err != nil {
		return false
	}
	signals, err := a.Page.Signals(ctx)
	return err == nil && signals.Wall != ""
}

// retryEnhanced keeps the first answer when the second is no better.
func (a *Acquisition) retryEnhanced(ctx context.Context) {
	first, proxy := a.Page, a.Proxy
	a.Proxy, a.FellBack = a.Request.Fallback, true
	err := a.acquireOnce(ctx)
	if err == nil && !a.walled(ctx) {
		return
	}
	a.Page, a.Proxy, a.FellBack = first, proxy, false
	switch {
	case err == nil:
		a.warn("The enhanced proxy was turned away too")
	case a.lateOr(ctx, first, err) != nil:
		a.warn("The enhanced proxy gave no page (%v)", err)
	}
}

// acquireOnce gets the page: by HTTP, or in a browser, or both.
func (s *Acquisition) acquireOnce(ctx context.Context) (err error) {
	switch {
	case s.Request.Mode == ModeHTTP:
		if s.Page, err = s.fetch(ctx); err == nil && !s.known {
			err = s.warnOfPlaces(ctx, s.Page)
		}
		s.say(cmp.Or(s.Request.Because, "asked for"))
	case s.Request.Mode == ModeBrowser:
		s.Page, err = s.browse(ctx)
		s.say(cmp.Or(s.Request.Because, "asked for"))
	case s.Request.BrowserFor != "":
		s.Page, err = s.browse(ctx)
		s.say(s.Request.BrowserFor + " needs a browser")
	default:
		err = s.acquireAuto(ctx)
	}
	return err
}

func (a *Acquisition) say(reason string) {
	if a.Page != nil && a.Page.Reason == "" {
		a.Page.Reason = reason
	}
}

// acquireAuto starts with HTTP and moves to the browser where the page asks for
// it (design: the speed of HTTP, the truth of a browser).
func (a *Acquisition) acquireAuto(ctx context.Context) error {
	if a.Attempt != nil && a.Attempt.InBrowser {
		return a.goOnInBrowser(ctx)
	}
	plain, err := a.fetch(ctx)
	if err != nil {
		return a.afterFailedFetch(ctx, err)
	}
	a.Page = plain
	switch {
	case a.known:
		return nil
	case !plain.IsHTML():
		a.say("static: not HTML")
		return nil
	}
	if _, err := plain.Parse(ctx); err != nil {
		return err
	}
	v, err := a.weigh(ctx, plain)
	if err != nil {
		return err
	}
	switch {
	case a.Route != nil && a.Route.Both:
		return a.audit(ctx, plain, v)
	case v.Choice == judge.Static && v.Confidence >= a.Request.MinConfidence, Busy(plain.Status) && a.laterInBrowser():
		return nil
	}
	return a.moveToBrowser(ctx, plain, v)
}

// afterFailedFetch lets a browser try where a server hung up on a plain client.
func (a *Acquisition) afterFailedFetch(ctx context.Context, cause error) error {
	hung, ok := errors.AsType[*fetch.ConnectError](cause)
	if !ok || ctx.Err() != nil || (hung.Net != "ERR_CONNECTION_RESET" && hung.Net != "ERR_EMPTY_RESPONSE") {
		return cause
	}
	if a.laterInBrowser() {
		return cause
	}
	src, err := a.browse(ctx)
	if err != nil {
		return cause // the plain failure is the clearer one
	}
	a.Page = src
	a.say("dynamic: plain HTTP got " + hung.Net)
	return nil
}

// goOnInBrowser is the attempt of a job after one at which HTTP was not enough.
func (a *Acquisition) goOnInBrowser(ctx context.Context) (err error) {
	a.Attempt.NotEnough = true // nor is it for the attempts to come
	a.Page, err = a.browse(ctx)
	a.say("dynamic: plain HTTP was not enough")
	return err
}

// moveToBrowser renders a page that HTTP alone may not have given whole. Where
// that was not sure and no browser can be had, the plain page stands, with a warning.
func (s *Acquisition) moveToBrowser(ctx context.Context, plain *Page, v judge.Verdict) error {
	s.guessed, s.late = guessOf(plain), new(v.Late())
	rendered, err := s.browse(ctx)
	if err != nil {
		if v.Choice == judge.Dynamic && !plain.Partial || led(err) {
			return err
		}
		if ctx.Err() != nil {
			return s.lateOr(ctx, plain, err)
		}
		s.warn("Rendered without a browser, so content put in by scripts may be missing%s (%v)", judge.In(v.Places), err)
		return nil
	}
	rendered.verdict(v)
	s.takeBack(rendered)
	s.learn(ctx, plain, rendered, v.Places)
	if r := s.Route; r != nil && r.Compared != nil {
		rendered.Reason += "; " + r.Compared.String()
	}
	s.Page = rendered
	return s.warnOfLatePlaces(ctx, rendered, v)
}

// fetch gets the page by plain HTTP, or has its site vouch for the stored one.
func (a *Acquisition) fetch(ctx context.Context) (*Page, error) {
	var src *Page
	a.known = false
	err := a.step("fetch", func() (string, error) {
		began, asked := a.Now(), time.Duration(0)
		req := a.request()
		req.OnRedirect = judged(a, &asked)
		res, err := a.Client.Do(ctx, req)
		a.Answered = a.Now().Sub(began) - asked
		if err != nil {
			return "", err
		}
		src = a.received(res)
		src.URL = keepFragment(a.Request.URL, src.URL)
		return fmt.Sprintf("status %d, %d bytes", res.Status, len(res.Body)), nil
	})
	if err != nil || a.Stale == nil {
		return src, err
	}
	if src.Status == http.StatusNotModified {
		if kept, ok := a.Stale.Take(ctx, src.URL); ok {
			a.known = true
			return kept, nil
		}
		a.Stale = nil
		return a.fetch(ctx)
	}
	a.known = a.Stale.Same(src)
	a.Stale = nil
	return src, nil
}

// received makes a source of an answer, with a warning where that is damaged.
func (a *Acquisition) received(res *fetch.Response) *Page {
	src := sourceOf(res)
	src.Place = a.Place
	if _, slow := errors.AsType[*fetch.TimeoutError](res.Damage); slow {
		src.Partial = true
		a.warn(unfinished)
		return src
	}
	if src.Damage = res.Damage; src.Damage != nil {
		src.Partial = true
		a.warn("The site's answer is damaged (%v); this is what could be read of it", src.Damage)
	}
	return src
}

func (a *Acquisition) request() fetch.Request {
	header := a.ownHeaders()
	a.conditional(header)
	return fetch.Request{
		URL:            a.Request.URL,
		Header:         header,
		UserAgent:      a.Agent(),
		AcceptLanguage: a.Request.Location.AcceptLanguage(),
		Accept:         "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
		SkipTLSVerify:  a.Request.SkipTLS,
		Proxy:          a.Proxy,
		Retries:        a.retries(),
		AcceptDamaged:  true,
		BodyTime:       a.Request.bodyTime(a.Clock),
	}
}

// ownHeaders are those that the request names.
func (a *Acquisition) ownHeaders() http.Header {
	header := http.Header{}
	for name, value := range a.Request.Headers {
		header.Set(name, value)
	}
	return header
}

// keepFragment: where a redirect names none, the request's stays (RFC 9110 §10.2.2).
func keepFragment(asked, url string) string {
	if _, fragment, ok := strings.Cut(asked, "#"); ok && fragment != "" && !strings.Contains(url, "#") {
		return url + "#" + fragment
	}
	return url
}

func sourceOf(res *fetch.Response) *Page {
	return &Page{
		By:          ByHTTP,
		URL:         res.URL,
		Status:      res.Status,
		ContentType: res.Header.Get("Content-Type"),
		Language:    res.Header.Get("Content-Language"),
		MediaType:   res.MediaType,
		Body:        res.Body,

		ETag:         res.Header.Get("ETag"),
		LastModified: res.Header.Get("Last-Modified"),
		RetryAfter:   res.Header.Get("Retry-After"),
	}
}

// browse gets the page in a browser. A browser that dies meanwhile is replaced
// and the page tried once more, in the same time, unless actions may have sent
// something; a navigation that turns into a download is fetched by HTTP.
func (a *Acquisition) browse(ctx context.Context) (*Page, error) {
	a.Place.Leave()
	if err := a.install(ctx); err != nil {
		return nil, a.brandless(err)
	}
	src, err := a.browseOnce(ctx)
	if a.onWarm && (errors.Is(err, browser.ErrCrashed) || errors.Is(err, browser.ErrSite)) && ctx.Err() == nil {
		a.fresh = true // the browser of an idle tab may have died long before
		src, err = a.browseOnce(ctx)
	}
	if errors.Is(err, browser.ErrCrashed) && ctx.Err() == nil && !a.Acted {
		src, err = a.browseOnce(ctx)
	}
	switch {
	case ctx.Err() != nil:
	case errors.Is(err, browser.ErrDownload):
		return a.download(ctx, "the browser took it for a download")
	case errors.Is(err, browser.ErrUnshown):
		src, err = a.download(ctx, "the browser showed nothing of it in time")
		warnUnrun(a, src)
	}
	return src, err
}

// download fetches by HTTP what the browser would only have saved. Of what was asked
// of the page, actions and branding can't be left out; a picture can, with a warning.
func (s *Acquisition) download(ctx context.Context, reason string) (*Page, error) {
	if len(s.Request.Actions) > 0 {
		return nil, &UnsupportedError{UnsupportedActions, fmt.Errorf("actions on a download: %w", ErrNotSupported)}
	}
	if s.Request.Wants(formats.Branding) {
		return nil, NoBranding(fmt.Errorf("branding of a download: %w", ErrNotSupported))
	}
	src, err := s.fetch(ctx)
	if err != nil {
		return nil, err
	}
	src.Reason = reason
	if s.Request.Wants(formats.Screenshot) {
		s.warn("There is no screenshot of a download")
	}
	return src, nil
}

// install makes the browser ready. The first time that takes minutes at worst and is
// not the page's fault, so the clock stands still.
func (a *Acquisition) install(ctx context.Context) error {
	if a.Pool.Installation() == nil {
		a.Clock.Pause()
		defer a.Clock.Resume()
	}
	return a.step("install", func() (string, error) {
		err := a.Pool.Prepare(ctx)
		return a.Pool.Version(), err
	})
}

// conditional asks the site whether a stored page still holds (RFC 9110 §13.1).
func (a *Acquisition) conditional(header http.Header) {
	if a.Stale == nil {
		return
	}
	if a.Stale.ETag != "" {
		header.Set("If-None-Match", a.Stale.ETag)
	}
	if a.Stale.LastModified != "" {
		header.Set("If-Modified-Since", a.Stale.LastModified)
	}
}
