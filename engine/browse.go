package engine

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/fetch/guard"
	"github.com/winnow-go/winnow/formats"
)

// browseOnce opens a fresh page behind its own guard, goes to the URL and takes
// from it what the plan asks for.
func (s *scrape) browseOnce(ctx context.Context) (*source, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	lease, err := s.engine.guard.Lease(guard.LeaseOptions{
		Upstream: s.proxy,
		OnLimit:  func() { cancel(&fetch.SizeError{URL: s.plan.url, Limit: s.engine.pageBytes()}) },
	})
	if err != nil {
		return nil, fmt.Errorf("open guard: %w", err)
	}
	defer lease.Close()
	b := &browsing{scrape: s, lease: lease}
	src, err := b.take(ctx)
	if size, ok := errors.AsType[*fetch.SizeError](context.Cause(ctx)); ok && err != nil {
		err = size
	}
	return src, err
}

// browsing is one visit of one page.
type browsing struct {
	*scrape
	lease *guard.Lease
	page  *browser.Page
}

func (b *browsing) take(ctx context.Context) (src *source, err error) {
	if err := b.open(ctx); err != nil {
		return nil, err
	}
	defer b.page.Close()
	nav, err := b.navigate(ctx)
	if err != nil {
		return nil, err
	}
	src = sourceOfNavigation(nav)
	if nav.Partial {
		b.warn("The page did not finish loading; this is what had arrived")
	}
	if err := b.ready(ctx, src); err != nil {
		return nil, err
	}
	if err := b.shoot(ctx, src); err != nil {
		return nil, err
	}
	return src, b.content(ctx, src)
}

func (b *browsing) open(ctx context.Context) error {
	return b.step("open", func() (detail string, err error) {
		b.page, err = b.engine.pool.Open(ctx, browser.PageOptions{
			Proxy:         b.lease.URL(),
			UserAgent:     b.engine.options.UserAgent,
			Locale:        b.plan.location.tag,
			Timezone:      b.plan.location.timezone,
			Languages:     b.plan.location.languages,
			Mobile:        b.plan.mobile,
			SkipTLSVerify: b.plan.skipTLS,
			Viewport:      b.viewport(),
			Headers:       b.plan.headers,
			HeaderOrigin:  b.plan.url,
			MaxBody:       b.engine.pageBytes(),
		})
		return "", err
	})
}

// viewport is the screenshot's, where one is given, so that the page is laid out
// for it from the start.
func (b *browsing) viewport() browser.Viewport {
	shot := b.screenshotFormat()
	if shot == nil || shot.Viewport == nil {
		return browser.Viewport{}
	}
	return browser.Viewport{Width: shot.Viewport.Width, Height: shot.Viewport.Height}
}

func (b *browsing) screenshotFormat() *formats.Format {
	for i, f := range b.plan.formats {
		if f.Type == formats.Screenshot {
			return &b.plan.formats[i]
		}
	}
	return nil
}

func (b *browsing) navigate(ctx context.Context) (nav *browser.Navigation, err error) {
	err = b.step("goto", func() (string, error) {
		nav, err = b.page.Goto(ctx, b.plan.url)
		if err != nil {
			return "", b.explain(err)
		}
		if err := b.refused(nav); err != nil {
			return "", err
		}
		return fmt.Sprintf("status %d", nav.Status), nil
	})
	return nav, err
}

// explain prefers what the guard knows to the browser's word for it: all that a
// browser can tell of a refused or failed tunnel is that there is none.
func (b *browsing) explain(err error) error {
	nav, ok := errors.AsType[*browser.NavigationError](err)
	if !ok {
		return err
	}
	for _, u := range []string{nav.URL, b.plan.url} {
		if cause := b.lease.Failure(hostport(u)); cause != nil {
			return cause
		}
	}
	return err
}

// refused tells a page of the guard's own, which a failed plain http request
// gets, from a page of the site.
func (b *browsing) refused(nav *browser.Navigation) error {
	if nav.Header.Get("X-Winnow-Guard") == "" {
		return nil
	}
	return b.lease.Failure(hostport(nav.URL))
}

func hostport(href string) string {
	u, err := url.Parse(href)
	if err != nil {
		return ""
	}
	port := u.Port()
	switch {
	case port != "":
	case u.Scheme == "https":
		port = "443"
	default:
		port = "80"
	}
	return u.Hostname() + ":" + port
}

// ready waits until the page has settled, then as long as the request says.
func (b *browsing) ready(ctx context.Context, src *source) error {
	if src.body != nil { // not HTML: nothing renders
		return b.waitFor(ctx)
	}
	err := b.step("ready", func() (reason string, err error) {
		src.ready, err = b.page.WaitReady(ctx)
		return src.ready, err
	})
	if err != nil {
		return err
	}
	return b.waitFor(ctx)
}

func (b *browsing) waitFor(ctx context.Context) error {
	if b.plan.waitFor == 0 {
		return nil
	}
	return b.step("waitFor", func() (string, error) { return "", b.page.Wait(ctx, b.plan.waitFor) })
}

func (b *browsing) shoot(ctx context.Context, src *source) error {
	f := b.screenshotFormat()
	if f == nil {
		return nil
	}
	return b.step("screenshot", func() (string, error) {
		data, mediaType, err := b.page.Screenshot(ctx, browser.ScreenshotOptions{
			FullPage: f.FullPage,
			Quality:  f.Quality,
			Viewport: b.viewport(),
		})
		src.screenshot = image{mediaType: mediaType, bytes: data}
		return fmt.Sprintf("%d bytes", len(data)), err
	})
}

// content reads the page's tree, unless the body itself is the content.
func (b *browsing) content(ctx context.Context, src *source) error {
	if src.body != nil {
		return nil
	}
	return b.step("content", func() (string, error) {
		html, err := b.page.Content(ctx)
		if err == nil && int64(len(html)) > b.engine.pageBytes() {
			err = &fetch.SizeError{URL: b.plan.url, Limit: b.engine.pageBytes()}
		}
		src.body, src.isUTF8 = []byte(html), true
		src.url = b.page.URL()
		return fmt.Sprintf("%d bytes", len(html)), err
	})
}

func sourceOfNavigation(nav *browser.Navigation) *source {
	src := &source{
		by:          byBrowser,
		url:         nav.URL,
		status:      nav.Status,
		header:      nav.Header,
		contentType: nav.Header.Get("Content-Type"),
		mediaType:   nav.MediaType,
		body:        nav.Body,
	}
	if src.header == nil {
		src.header = http.Header{}
	}
	return src
}
