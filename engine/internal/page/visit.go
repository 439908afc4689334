package page

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/browser/profile"
	"github.com/winnow-go/winnow/engine/internal/deadline"
	"github.com/winnow-go/winnow/engine/internal/locale"
	"github.com/winnow-go/winnow/engine/internal/warm"
	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/fetch/guard"
	"github.com/winnow-go/winnow/fetch/weburl"
	"github.com/winnow-go/winnow/formats"
)

// browseOnce opens a page behind its own guard, a fresh one or a tab that its job keeps
// warm, goes to the URL and takes from it what the plan asks for.
func (a *Acquisition) browseOnce(ctx context.Context) (src *Page, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	b := &Visit{Acquisition: a, Cancel: cancel}
	if b.Request.BlockAds {
		if b.Blocking, err = b.Blocker.ForPage(b.Request.URL); err != nil {
			return nil, err
		}
	}
	if b.hold, err = b.HoldProfile(ctx); err != nil {
		return nil, err
	}
	if b.hold != nil {
		defer func() { err = errors.Join(err, b.hold.Release()) }()
	}
	src, err = b.take(ctx)
	if _, size := errors.AsType[*fetch.SizeError](context.Cause(ctx)); err != nil && (size || led(context.Cause(ctx))) {
		err = context.Cause(ctx)
	}
	return src, err
}

// browsing is one visit of one page.
type Visit struct {
	*Acquisition
	Cancel    context.CancelCauseFunc // of the visit
	hold      *profile.Hold           // nil without a profile
	Blocking  Blocking
	Tab       *browser.Page
	warm      *warm.Tab   // that the page is on; nil for a fresh page
	counted   bool        // among the busy pages
	performed bool        // all actions
	intact    bool        // nothing has failed
	arrived   atomic.Bool // it has a document
	refusals  refusals
	Lease     *guard.Lease // the page's way out; it ends with the page or its tab
}

// take is the order of a visit.
func (v *Visit) take(ctx context.Context) (*Page, error) {
	defer v.leave(ctx)
	if err := v.open(ctx); err != nil {
		return nil, err
	}
	defer v.report(ctx)
	nav, err := v.Navigate(ctx)
	if err != nil {
		return nil, err
	}
	src := FromNavigation(nav)
	if nav.Partial {
		v.warn(unfinished)
	}
	if err := TakeAll(ctx, src, v.ready, v.Content, v.reread, v.awaitLate); err != nil {
		return nil, err
	}
	err = cmp.Or(v.linger(ctx, src), v.nameFrames(ctx, src))
	v.intact = err == nil
	return src, err
}

// VisitPart is one part of a visit, which adds to what the page gave.
type VisitPart func(context.Context, *Page) error

// TakeAll carries out parts in order, up to the first that fails.
func TakeAll(ctx context.Context, src *Page, parts ...VisitPart) error {
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
func (v *Visit) linger(ctx context.Context, src *Page) error {
	parts := []VisitPart{v.Look, v.saveProfile}
	if v.Request.WaitFor > 0 || len(v.Request.Actions) > 0 {
		parts = append([]VisitPart{v.WaitFor, v.performOnce, v.Content}, parts...)
	}
	if v.Live != nil {
		parts = append([]VisitPart{v.work, v.Settle, v.Content}, parts...)
	}
	ctx, cancel := v.Clock.Reserve(ctx)
	defer cancel()
	err := TakeAll(ctx, src, parts...)
	v.Banners(src)
	switch {
	case err == nil:
	case len(v.Request.Actions) > 0 && !v.performed:
		return v.notBegun(ctx, err)
	default:
		return v.lateOr(ctx, src, err)
	}
	return nil
}

// Banners says what was done about the cookie banners of the page, with a warning where one may be left.
func (v *Visit) Banners(src *Page) { noteBanners(v.Acquisition, src, v.Tab.Handled) }

func noteBanners(a *Acquisition, src *Page, handled func() (done []string, unseen bool)) {
	done, unseen := handled()
	if src.Handled = done; unseen {
		a.warn("A cookie banner may be part of it: the page left no time to look for one, or to hide it")
	}
}

// lateOr forgives an error that only says that the scrape's own time is over.
func (a *Acquisition) lateOr(ctx context.Context, src *Page, err error) error {
	warning, late := LateWarning(ctx, src, err)
	if !late {
		return err
	}
	a.Warnings = append(a.Warnings, warning)
	return nil
}

// LateWarning makes a warning of an error that only says that the scrape's own time is over; then the page is as it was
// before.
func LateWarning(ctx context.Context, src *Page, err error) (warning string, late bool) {
	if _, late = errors.AsType[*deadline.TimeoutError](context.Cause(ctx)); !late {
		return "", false
	}
	src.Late = true
	return fmt.Sprintf("The time ran out (%v); this is the content as it was before.", err), true
}

func (v *Visit) open(ctx context.Context) error {
	state, err := ProfileState(v.hold)
	if err != nil {
		return err
	}
	return v.step("open", func() (detail string, err error) {
		detail, err = v.openPage(ctx, browser.PageOptions{
			UserAgent:     v.UserAgent,
			Locale:        v.Request.Location.Tag,
			Timezone:      v.Request.Location.Timezone,
			Languages:     v.Request.Location.Languages,
			Geolocation:   Geolocation(v.Request.Location),
			Mobile:        v.Request.Mobile,
			SkipTLSVerify: v.Request.SkipTLS || fetch.RecorderOf(ctx) != nil, // then the guard is who verifies
			Viewport:      v.Viewport(),
			Headers:       v.Request.Headers,
			HeaderOrigin:  v.Request.URL,
			MaxBody:       v.MaxBytes,
			MaxDownload:   v.maxDownload(),
			State:         state,
			Block:         v.Blocking.Patterns,
			Judge:         v.Blocking.Judge,
			Hide:          v.Blocking.Hide,
			Consent:       v.Request.BlockAds,
			Script:        v.PageScript(v.Request.URL),
			Skip:          v.unneeded(),
		})
		if err != nil {
			return "", err
		}
		return detail, v.guardPage(ctx)
	})
}

// maxDownload is how large a file may be that the actions have the browser save; without actions none is wanted.
func (v *Visit) maxDownload() int64 {
	if len(v.Request.Actions) == 0 {
		return 0
	}
	return v.MaxBytes
}

// Geolocation is what a page that asks gets, nil without a place.
func Geolocation(l locale.Locale) *browser.Geolocation {
	if l.Timezone == "" {
		return nil
	}
	return &browser.Geolocation{Latitude: l.Latitude, Longitude: l.Longitude}
}

// guardPage sets in the guard what its page is for. The page
// may have been made ahead, so that it was unknown when the guard was leased; a warm tab's
// guard has stood before other pages, of which this one learns nothing.
func (v *Visit) guardPage(ctx context.Context) error {
	v.Lease = v.Tab.Proxy().(*guard.Lease) // the pool's lender gives no others
	return v.Lease.Renew(guard.LeaseOptions{
		Upstream:    v.Proxy,
		Virtual:     v.Client.Virtual().Has(weburl.Hostname(v.Request.URL)),
		Trusted:     v.Client.Access().Begins(v.Request.URL),
		Block:       v.Blocking.Host,
		Suspect:     v.Blocking.Suspect,
		Judge:       v.judge(),
		MaxResource: v.MaxBytes, SkipTLSVerify: v.Request.SkipTLS, Record: fetch.RecorderOf(ctx),
		OnLimit: func() { v.Cancel(&fetch.SizeError{URL: v.Request.URL, Limit: v.trafficBytes()}) },
	})
}

// judge judges requests for the guard, by the page that is shown; nil without a judge.
func (v *Visit) judge() func(guard.Request) bool {
	if v.Blocking.Proxy == nil {
		return nil
	}
	return func(r guard.Request) bool { return v.Blocking.Proxy(r, weburl.Hostname(v.Tab.URL())) }
}

// unneeded are the kinds of resources that none of the asked formats shows. Branding goes by
// the sizes of pictures; which fonts are requested shows without them.
func (v *Visit) unneeded() []string {
	switch {
	case v.Live != nil:
		return []string{"media"}
	case v.Request.Wants(formats.Screenshot) || showsPage(v.Request.Actions) || v.OnPage != nil:
		return nil
	case v.Request.Wants(formats.Branding):
		return []string{"font", "media"}
	}
	return []string{"image", "font", "media"}
}

// Viewport is the screenshot's, where one is given, so that the page is laid out
// for it from the start.
func (v *Visit) Viewport() browser.Viewport {
	shot := v.Request.Format(formats.Screenshot)
	if shot == nil || shot.Viewport == nil {
		return browser.Viewport{}
	}
	return browser.Viewport{Width: shot.Viewport.Width, Height: shot.Viewport.Height}
}

// ready waits until the page has settled.
func (v *Visit) ready(ctx context.Context, src *Page) error {
	if src.Body != nil { // not HTML: nothing renders
		return nil
	}
	return v.Settle(ctx, src)
}

// Settle waits until the page has settled.
func (v *Visit) Settle(ctx context.Context, src *Page) error {
	return v.step("ready", func() (reason string, err error) {
		src.Ready, err = v.Tab.WaitReady(ctx)
		return src.Ready, err
	})
}

// work lets others work on the page, whose body is then what it shows.
func (v *Visit) work(ctx context.Context, src *Page) error {
	v.Acted = true
	if !src.Live() {
		return &UnsupportedError{UnsupportedActions, fmt.Errorf("work on content of type %q: %w", src.MediaType, ErrNotSupported)}
	}
	return v.step("work", func() (string, error) { return "", v.Live(ctx, v.Tab) })
}

// WaitFor waits as long as the request says.
func (v *Visit) WaitFor(ctx context.Context, _ *Page) error {
	if v.Request.WaitFor == 0 {
		return nil
	}
	return v.step("waitFor", func() (string, error) { return "", v.Tab.Wait(ctx, v.Request.WaitFor) })
}

func (v *Visit) shoot(ctx context.Context, src *Page) error {
	f := v.Request.Format(formats.Screenshot)
	if f == nil {
		return nil
	}
	return v.step("screenshot", func() (string, error) {
		data, mediaType, err := v.Tab.Screenshot(ctx, browser.ScreenshotOptions{
			FullPage: f.FullPage,
			Quality:  f.Quality,
			Viewport: v.Viewport(),
		})
		src.Screenshot = Image{MediaType: mediaType, Bytes: data}
		return fmt.Sprintf("%d bytes", len(data)), err
	})
}

// documentTries is how often what is taken of a document is taken again because the
// page has gone on to another one.
const documentTries = 10

// Content reads the document that the page shows: its tree, or of one that isn't HTML
// the body of its answer. What the page gave is then of that document alone.
func (v *Visit) Content(ctx context.Context, src *Page) error {
	if src.Body != nil && !src.FromTree && src.Document == v.Tab.Document() {
		return nil
	}
	return v.step("content", func() (string, error) {
		for range documentTries {
			whole, err := v.read(ctx, src)
			if err != nil || whole {
				return fmt.Sprintf("%d bytes", len(src.Body)), err
			}
			if src.Ready, err = v.Tab.WaitReady(ctx); err != nil {
				return "", err
			}
		}
		v.warn("The page loads other documents again and again; this is one of them")
		return fmt.Sprintf("%d bytes", len(src.Body)), nil
	})
}

// read reads the document once. It isn't whole when the page has gone on meanwhile.
func (v *Visit) read(ctx context.Context, src *Page) (whole bool, err error) {
	nav, err := v.Shown(ctx)
	if err != nil {
		return false, err
	}
	found := *src // src stays as it is where this comes to nothing
	found.DOM, found.signals, found.Wall = nil, nil, nil
	found.Describe(nav)
	v.guessed.undo(&found)
	if found.Body != nil {
		*src = found
		return true, nil
	}
	html, err := v.Tab.Content(ctx)
	switch {
	case err != nil:
		return false, v.explain(err)
	case int64(len(html)) > v.MaxBytes:
		return false, &fetch.SizeError{URL: v.Request.URL, Limit: v.MaxBytes}
	}
	found.Body, found.FromTree = []byte(html), true
	if err := v.sniff(ctx, &found, html); err != nil {
		return false, err
	}
	*src = found
	return v.Tab.Document() == nav.Document, nil
}

// Look takes what shows how the page looks, of the document that content has read.
func (v *Visit) Look(ctx context.Context, src *Page) error {
	for range documentTries {
		if err := TakeAll(ctx, src, v.shoot, v.judgeBrand); err != nil || v.Tab.Document() == src.Document {
			return err
		}
		if err := TakeAll(ctx, src, v.Settle, v.Content); err != nil {
			return err
		}
	}
	return nil
}
