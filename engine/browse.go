package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/browser/profile"
	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/fetch/guard"
	"github.com/winnow-go/winnow/formats"
)

// browseOnce opens a page behind its own guard, a fresh one or a tab that its job keeps
// warm, goes to the URL and takes from it what the plan asks for.
func (s *scrape) browseOnce(ctx context.Context) (src *source, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	b := &browsing{scrape: s, cancel: cancel}
	if b.plan.blockAds {
		if b.blocking, err = b.engine.blocker.forPage(hostname(b.plan.url)); err != nil {
			return nil, err
		}
	}
	if b.hold, err = b.holdProfile(ctx); err != nil {
		return nil, err
	}
	if b.hold != nil {
		defer func() { err = errors.Join(err, b.hold.Release()) }()
	}
	src, err = b.take(ctx)
	if size, ok := errors.AsType[*fetch.SizeError](context.Cause(ctx)); ok && err != nil {
		err = size
	}
	return src, err
}

// browsing is one visit of one page.
type browsing struct {
	*scrape
	cancel    context.CancelCauseFunc // of the visit
	hold      *profile.Hold           // nil without a profile
	blocking  blocking
	page      *browser.Page
	warm      *warmTab     // that the page is on; nil for a fresh page
	counted   bool         // among the pages at work
	performed bool         // all actions
	intact    bool         // nothing has failed
	lease     *guard.Lease // the page's way out; it ends with the page or its tab
}

// take is the order of a visit.
func (b *browsing) take(ctx context.Context) (*source, error) {
	defer b.leave(ctx)
	if err := b.open(ctx); err != nil {
		return nil, err
	}
	defer b.report(ctx)
	nav, err := b.navigate(ctx)
	if err != nil {
		return nil, err
	}
	src := sourceOfNavigation(nav)
	if nav.Partial {
		b.warn("The page did not finish loading; this is what had arrived")
	}
	if err := takeAll(ctx, src, b.ready, b.content); err != nil {
		return nil, err
	}
	err = b.linger(ctx, src)
	b.intact = err == nil
	return src, err
}

// visitPart is one part of a visit, which adds to what the page gave.
type visitPart func(context.Context, *source) error

// takeAll carries out parts in order, up to the first that fails.
func takeAll(ctx context.Context, src *source, parts ...visitPart) error {
	for _, part := range parts {
		if err := part(ctx, src); err != nil {
			return err
		}
	}
	return nil
}

// linger does what the request asks for once the page has content. When the time
// runs out meanwhile, the content that was there stands, with a warning; but actions
// are done to their end, or the scrape has failed.
func (b *browsing) linger(ctx context.Context, src *source) error {
	parts := []visitPart{b.look, b.saveProfile}
	if b.plan.waitFor > 0 || len(b.plan.actions) > 0 {
		parts = append([]visitPart{b.waitFor, b.performOnce, b.content}, parts...)
	}
	if b.live != nil {
		parts = append([]visitPart{b.work, b.settle, b.content}, parts...)
	}
	ctx, cancel := b.clock.reserve(ctx)
	defer cancel()
	err := takeAll(ctx, src, parts...)
	switch {
	case err == nil:
	case len(b.plan.actions) > 0 && !b.performed:
		return b.notBegun(ctx, err)
	default:
		return b.lateOr(ctx, src, err)
	}
	src.handled = b.page.Handled()
	return nil
}

// lateOr forgives an error that only says that the scrape's own time is over.
func (s *scrape) lateOr(ctx context.Context, src *source, err error) error {
	if _, ok := errors.AsType[*timeoutError](context.Cause(ctx)); !ok {
		return err
	}
	src.late = true
	s.warn("The time ran out (%v); this is the content as it was before", err)
	return nil
}

func (b *browsing) open(ctx context.Context) error {
	state, err := profileState(b.hold)
	if err != nil {
		return err
	}
	return b.step("open", func() (detail string, err error) {
		detail, err = b.openPage(ctx, browser.PageOptions{
			UserAgent:     b.engine.options.UserAgent,
			Locale:        b.plan.location.tag,
			Timezone:      b.plan.location.timezone,
			Languages:     b.plan.location.languages,
			Geolocation:   b.plan.location.geolocation(),
			Mobile:        b.plan.mobile,
			SkipTLSVerify: b.plan.skipTLS,
			Viewport:      b.viewport(),
			Headers:       b.plan.headers,
			HeaderOrigin:  b.plan.url,
			MaxBody:       b.engine.pageBytes(),
			State:         state,
			Block:         b.blocking.patterns,
			Hide:          b.blocking.hide,
			Consent:       b.plan.blockAds,
			Skip:          b.unneeded(),
		})
		if err != nil {
			return "", err
		}
		return detail, b.guardPage()
	})
}

// guardPage tells the guard what the page that it stands before is for. The page
// may have been made ahead, so that nobody knew when the guard was lent; a warm tab's
// guard has stood before other pages, of which this one is told nothing.
func (b *browsing) guardPage() error {
	b.lease = b.page.Proxy().(*guard.Lease) // the engine's lend gives no others
	return b.lease.Renew(guard.LeaseOptions{
		Upstream:    b.proxy,
		Virtual:     b.engine.client.Virtual().Has(hostname(b.plan.url)),
		Block:       b.blocking.host,
		MaxResource: b.engine.pageBytes(),
		OnLimit:     func() { b.cancel(&fetch.SizeError{URL: b.plan.url, Limit: b.engine.trafficBytes()}) },
	})
}

// unneeded are the kinds of resources that none of the asked formats shows. Branding goes by
// the sizes of pictures; which fonts are asked for shows without them.
func (b *browsing) unneeded() []string {
	switch {
	case b.live != nil:
		return []string{"media"}
	case b.plan.wants(formats.Screenshot) || showsPage(b.plan.actions) || b.engine.options.OnPage != nil:
		return nil
	case b.plan.wants(formats.Branding):
		return []string{"font", "media"}
	}
	return []string{"image", "font", "media"}
}

// viewport is the screenshot's, where one is given, so that the page is laid out
// for it from the start.
func (b *browsing) viewport() browser.Viewport {
	shot := b.plan.format(formats.Screenshot)
	if shot == nil || shot.Viewport == nil {
		return browser.Viewport{}
	}
	return browser.Viewport{Width: shot.Viewport.Width, Height: shot.Viewport.Height}
}

// ready waits until the page has settled.
func (b *browsing) ready(ctx context.Context, src *source) error {
	if src.body != nil { // not HTML: nothing renders
		return nil
	}
	return b.settle(ctx, src)
}

func (b *browsing) settle(ctx context.Context, src *source) error {
	return b.step("ready", func() (reason string, err error) {
		src.ready, err = b.page.WaitReady(ctx)
		return src.ready, err
	})
}

// work lets others work on the page, whose body is then what it shows.
func (b *browsing) work(ctx context.Context, src *source) error {
	b.acted = true
	if !src.live() {
		return &Error{Code: CodeActionsNotSupported, Err: fmt.Errorf("work on content of type %q: %w", src.mediaType, ErrNotSupported)}
	}
	return b.step("work", func() (string, error) { return "", b.live(ctx, b.page) })
}

// waitFor waits as long as the request says.
func (b *browsing) waitFor(ctx context.Context, _ *source) error {
	if b.plan.waitFor == 0 {
		return nil
	}
	return b.step("waitFor", func() (string, error) { return "", b.page.Wait(ctx, b.plan.waitFor) })
}

func (b *browsing) shoot(ctx context.Context, src *source) error {
	f := b.plan.format(formats.Screenshot)
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

// documentTries is how often what is taken of a document is taken again because the
// page has gone on to another one.
const documentTries = 10

// content reads the document that the page shows: its tree, or of one that isn't HTML
// the body of its answer. What the page gave is then of that document alone.
func (b *browsing) content(ctx context.Context, src *source) error {
	if src.body != nil && !src.fromTree && src.document == b.page.Document() {
		return nil
	}
	return b.step("content", func() (string, error) {
		for range documentTries {
			whole, err := b.read(ctx, src)
			if err != nil || whole {
				return fmt.Sprintf("%d bytes", len(src.body)), err
			}
			if src.ready, err = b.page.WaitReady(ctx); err != nil {
				return "", err
			}
		}
		b.warn("The page loads other documents again and again; this is one of them")
		return fmt.Sprintf("%d bytes", len(src.body)), nil
	})
}

// read reads the document once. It isn't whole when the page has gone on meanwhile.
func (b *browsing) read(ctx context.Context, src *source) (whole bool, err error) {
	nav, err := b.shown(ctx)
	if err != nil {
		return false, err
	}
	found := *src // src stays as it is where this comes to nothing
	found.describe(nav)
	if found.body != nil {
		*src = found
		return true, nil
	}
	html, err := b.page.Content(ctx)
	switch {
	case err != nil:
		return false, b.explain(err)
	case int64(len(html)) > b.engine.pageBytes():
		return false, &fetch.SizeError{URL: b.plan.url, Limit: b.engine.pageBytes()}
	}
	found.body, found.fromTree = []byte(html), true
	if err := b.sniff(ctx, &found, html); err != nil {
		return false, err
	}
	*src = found
	return b.page.Document() == nav.Document, nil
}

// look takes what shows how the page looks, of the document that content has read.
func (b *browsing) look(ctx context.Context, src *source) error {
	for range documentTries {
		if err := takeAll(ctx, src, b.shoot, b.judgeBrand); err != nil || b.page.Document() == src.document {
			return err
		}
		if err := takeAll(ctx, src, b.settle, b.content); err != nil {
			return err
		}
	}
	return nil
}
