package engine

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/formats"
	"github.com/winnow-go/winnow/formats/document"
)

// acquire gets the page and, where a wall stood before it and the request's proxy
// tier allows, once more through the enhanced proxy.
func (s *scrape) acquire(ctx context.Context) error {
	if err := s.acquireOnce(ctx); err != nil {
		return err
	}
	if s.plan.proxies.fallback != "" && s.walled(ctx) {
		s.retryEnhanced(ctx)
	}
	return s.checkType()
}

// walled tells whether the site turned the scrape away.
func (s *scrape) walled(ctx context.Context) bool {
	switch s.source.status {
	case http.StatusTooManyRequests:
		return s.attempt == nil || s.attempt.last // else the job asks again
	case http.StatusUnauthorized, http.StatusForbidden:
		return true
	}
	if !s.source.isHTML() {
		return false
	}
	if _, err := s.source.parse(ctx); err != nil {
		return false
	}
	signals, err := s.source.look(ctx)
	return err == nil && signals.Wall != ""
}

// retryEnhanced keeps the first answer when the second is no better.
func (s *scrape) retryEnhanced(ctx context.Context) {
	first, proxy, tier := s.source, s.proxy, s.tier
	s.proxy, s.tier = s.plan.proxies.fallback, ProxyStealth
	err := s.acquireOnce(ctx)
	if err == nil && !s.walled(ctx) {
		return
	}
	s.source, s.proxy, s.tier = first, proxy, tier
	switch {
	case err == nil:
		s.warn("The enhanced proxy was turned away too")
	case s.lateOr(ctx, first, err) != nil:
		s.warn("The enhanced proxy gave no page (%v)", err)
	}
}

// acquireOnce gets the page: by HTTP, or in a browser, or both.
func (s *scrape) acquireOnce(ctx context.Context) (err error) {
	switch {
	case s.plan.render == RenderNever:
		s.source, err = s.fetch(ctx)
		s.say("asked for")
	case s.plan.render == RenderAlways:
		s.source, err = s.browse(ctx)
		s.say("asked for")
	case s.plan.browserFor != "":
		s.source, err = s.browse(ctx)
		s.say(s.plan.browserFor + " needs a browser")
	default:
		err = s.acquireAuto(ctx)
	}
	return err
}

func (s *scrape) say(reason string) {
	if s.source != nil && s.source.reason == "" {
		s.source.reason = reason
	}
}

// checkType refuses what this version can't make a document of.
func (s *scrape) checkType() error {
	src := s.source
	if sort := sortOfMedium(src.mediaType); sort != "" && s.plan.wants(sort) {
		return nil // its address is what was asked for
	}
	if src.isHTML() || s.plan.wants(formats.RawBase64) || src.fileKind().Converts() {
		return nil
	}
	if kind := src.fileKind(); kind != document.Unknown {
		return kind.Refusal()
	}
	if fetch.IsText(src.mediaType) {
		return nil
	}
	return &Error{Code: CodeUnsupportedFile, Err: src.undocumented()}
}

// acquireAuto starts with HTTP and moves to the browser where the page asks for
// it (design: the speed of HTTP, the truth of a browser).
func (s *scrape) acquireAuto(ctx context.Context) error {
	if s.attempt != nil && s.attempt.inBrowser {
		return s.goOnInBrowser(ctx)
	}
	plain, err := s.fetch(ctx)
	if err != nil {
		return s.afterFailedFetch(ctx, err)
	}
	s.source = plain
	if !plain.isHTML() {
		s.say("static: not HTML")
		return nil
	}
	if _, err := plain.parse(ctx); err != nil {
		return err
	}
	signals, err := plain.look(ctx)
	if err != nil {
		return err
	}
	v := judge(plain.status, signals)
	plain.reason = v.String()
	if v.choice == static || busy(plain.status) && s.laterInBrowser() {
		return nil
	}
	return s.moveToBrowser(ctx, plain, v)
}

// afterFailedFetch lets a browser try where a server hung up on a plain client.
func (s *scrape) afterFailedFetch(ctx context.Context, cause error) error {
	hung, ok := errors.AsType[*fetch.ConnectError](cause)
	if !ok || ctx.Err() != nil || (hung.Net != "ERR_CONNECTION_RESET" && hung.Net != "ERR_EMPTY_RESPONSE") {
		return cause
	}
	if s.laterInBrowser() {
		return cause
	}
	src, err := s.browse(ctx)
	if err != nil {
		return cause // the plain failure is the clearer one
	}
	s.source = src
	s.say("dynamic: plain HTTP got " + hung.Net)
	return nil
}

// goOnInBrowser is the attempt of a job after one at which HTTP was not enough.
func (s *scrape) goOnInBrowser(ctx context.Context) (err error) {
	s.attempt.notEnough = true // nor is it for the attempts to come
	s.source, err = s.browse(ctx)
	s.say("dynamic: plain HTTP was not enough")
	return err
}

// moveToBrowser renders a page that HTTP alone may not have given whole. Where
// that was not sure and no browser can be had, the plain page stands, with a warning.
func (s *scrape) moveToBrowser(ctx context.Context, plain *source, v verdict) error {
	rendered, err := s.browse(ctx)
	if err != nil {
		if v.choice == dynamic {
			return err
		}
		if ctx.Err() != nil {
			return s.lateOr(ctx, plain, err)
		}
		s.warn("Rendered without a browser, so content put in by scripts may be missing (%v)", err)
		return nil
	}
	rendered.reason = v.String()
	if v.choice == unsure {
		rendered.reason += s.comparison(ctx, plain, rendered)
	}
	s.source = rendered
	return nil
}

// comparison tells how much of the rendered text plain HTTP had.
func (s *scrape) comparison(ctx context.Context, plain, rendered *source) string {
	a, errA := plain.parse(ctx)
	b, errB := rendered.parse(ctx)
	if errA != nil || errB != nil {
		return ""
	}
	text, errA := recall(ctx, a.MainText, b.MainText, tokenRecall)
	links, errB := recall(ctx, a.Links, b.Links, setRecall)
	if errA != nil || errB != nil {
		return ""
	}
	return fmt.Sprintf("; HTTP had %.2f of the text and %.2f of the links", text, links)
}

// recall measures how much of what the second gives the first gives too.
func recall[T any](ctx context.Context, first, second func(context.Context) (T, error), measure func(first, second T) float64) (float64, error) {
	a, errA := first(ctx)
	b, errB := second(ctx)
	if err := errors.Join(errA, errB); err != nil {
		return 0, err
	}
	return measure(a, b), nil
}

// fetch gets the page by plain HTTP, or has its site vouch for the stored one.
func (s *scrape) fetch(ctx context.Context) (*source, error) {
	var src *source
	err := s.step("fetch", func() (string, error) {
		res, err := s.engine.client.Do(ctx, s.request())
		if err != nil {
			return "", err
		}
		src = s.received(res)
		src.url = keepFragment(s.plan.url, src.url)
		return fmt.Sprintf("status %d, %d bytes", res.Status, len(res.Body)), nil
	})
	if err != nil || s.stale == nil {
		return src, err
	}
	if src.status == http.StatusNotModified {
		if kept, ok := s.revalidated(ctx, src.url); ok {
			return kept, nil
		}
		s.stale = nil
		return s.fetch(ctx)
	}
	s.stale = nil
	return src, nil
}

// received makes a source of an answer, with a warning where that is damaged.
func (s *scrape) received(res *fetch.Response) *source {
	src := sourceOf(res)
	if src.damage = res.Damage; src.damage != nil {
		src.partial = true
		s.warn("The site's answer is damaged (%v); this is what could be read of it", src.damage)
	}
	return src
}

func (s *scrape) request() fetch.Request {
	header := http.Header{}
	for name, value := range s.plan.headers {
		header.Set(name, value)
	}
	s.conditional(header)
	return fetch.Request{
		URL:            s.plan.url,
		Header:         header,
		UserAgent:      s.engine.userAgent(),
		AcceptLanguage: s.plan.acceptLanguage(),
		Accept:         "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
		SkipTLSVerify:  s.plan.skipTLS,
		Proxy:          s.proxy,
		Retries:        s.retries(),
		AcceptDamaged:  true,
	}
}

// keepFragment: where a redirect names none, the request's stays (RFC 9110 §10.2.2).
func keepFragment(asked, url string) string {
	if _, fragment, ok := strings.Cut(asked, "#"); ok && fragment != "" && !strings.Contains(url, "#") {
		return url + "#" + fragment
	}
	return url
}

func sourceOf(res *fetch.Response) *source {
	return &source{
		by:          byHTTP,
		url:         res.URL,
		status:      res.Status,
		contentType: res.Header.Get("Content-Type"),
		language:    res.Header.Get("Content-Language"),
		mediaType:   res.MediaType,
		body:        res.Body,

		etag:         res.Header.Get("ETag"),
		lastModified: res.Header.Get("Last-Modified"),
		retryAfter:   res.Header.Get("Retry-After"),
	}
}

// browse gets the page in a browser. A browser that dies meanwhile is replaced
// and the page tried once more, in the same time, unless actions may have sent
// something; a navigation that turns into a download is fetched by HTTP.
func (s *scrape) browse(ctx context.Context) (*source, error) {
	if err := s.install(ctx); err != nil {
		return nil, s.brandless(err)
	}
	src, err := s.browseOnce(ctx)
	if s.tabs != nil && (errors.Is(err, browser.ErrCrashed) || errors.Is(err, browser.ErrSite)) && ctx.Err() == nil {
		s.tabs = nil // the browser of an idle tab may have died long before
		src, err = s.browseOnce(ctx)
	}
	if errors.Is(err, browser.ErrCrashed) && ctx.Err() == nil && !s.acted {
		src, err = s.browseOnce(ctx)
	}
	if errors.Is(err, browser.ErrDownload) && ctx.Err() == nil {
		return s.download(ctx)
	}
	return src, err
}

// download fetches by HTTP what the browser would only have saved. Of what was asked
// of the page, actions and branding can't be left out; a picture can, with a warning.
func (s *scrape) download(ctx context.Context) (*source, error) {
	if len(s.plan.actions) > 0 {
		return nil, &Error{Code: CodeActionsNotSupported, Err: fmt.Errorf("actions on a download: %w", ErrNotSupported)}
	}
	if s.plan.wants(formats.Branding) {
		return nil, noBranding(fmt.Errorf("branding of a download: %w", ErrNotSupported))
	}
	src, err := s.fetch(ctx)
	if err != nil {
		return nil, err
	}
	src.reason = "the browser took it for a download"
	if s.plan.wants(formats.Screenshot) {
		s.warn("There is no screenshot of a download")
	}
	return src, nil
}

// install makes the browser ready. The first time that takes minutes at worst and is
// not the page's fault, so the clock stands still.
func (s *scrape) install(ctx context.Context) error {
	if s.engine.pool.Installation() == nil {
		s.clock.pause()
		defer s.clock.resume()
	}
	return s.step("install", func() (string, error) {
		err := s.engine.pool.Prepare(ctx)
		return s.engine.pool.Version(), err
	})
}
