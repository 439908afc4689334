package page

import (
	"context"
	"errors"
	"fmt"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/fetch/guard"
	"github.com/winnow-go/winnow/fetch/weburl"
)

// Navigate goes to the plan's URL and explains why that failed in the words of
// the one that knows best.
func (v *Visit) Navigate(ctx context.Context) (nav *browser.Navigation, err error) {
	err = v.step("goto", func() (string, error) {
		if err := v.declare(ctx); err != nil {
			return "", err
		}
		nav, err = v.Tab.GotoWith(ctx, v.Request.URL, v.judges(ctx))
		v.arrived.Store(err == nil)
		if err = v.reached(nav, err); err != nil {
			return "", err
		}
		if size := v.oversize(nav.URL); size != nil && nav.Partial {
			return "", size
		}
		return fmt.Sprintf("status %d", nav.Status), nil
	})
	return nav, err
}

// Shown is the document that the page shows now. It may be another than the one that
// was loaded: scripts, forms and meta elements send a browser on.
func (v *Visit) Shown(ctx context.Context) (*browser.Navigation, error) {
	nav, err := v.Tab.Shown(ctx)
	return nav, v.reached(nav, err)
}

// reached is the error of a navigation: why there is no document, or only an answer
// of the guard's own.
func (v *Visit) reached(nav *browser.Navigation, err error) error {
	if err != nil {
		return v.explain(err)
	}
	return v.refused(nav)
}

// explain prefers what the guard knows to the browser's word for it: all that a
// browser can say of a refused or failed tunnel is that there is none.
func (v *Visit) explain(err error) error {
	if size := v.oversize(v.Request.URL); size != nil {
		return size
	}
	nav, ok := errors.AsType[*browser.NavigationError](err)
	if !ok {
		return err
	}
	for _, u := range []string{nav.URL, v.Request.URL} {
		if cause := v.Lease.Failure(weburl.HostPort(u)); cause != nil {
			return cause
		}
	}
	if cause := v.Lease.LastFailure(); cause != nil && nav.Net == "ERR_TUNNEL_CONNECTION_FAILED" {
		return cause
	}
	return err
}

// oversize reports whether the guard cut a response of the URL's host at the limit.
func (v *Visit) oversize(href string) error {
	if size, ok := errors.AsType[*fetch.SizeError](v.Lease.Failure(weburl.HostPort(href))); ok {
		return &fetch.SizeError{URL: href, Limit: size.Limit}
	}
	return nil
}

// refused is the error of an answer that the guard gave instead of the site, as a
// failed plain http request gets it.
func (v *Visit) refused(nav *browser.Navigation) error {
	if miss := v.Client.Missed(nav.URL, nav.Header); miss != nil {
		return miss
	}
	word := nav.Header.Get(guard.Header)
	if word == "" {
		return nil
	}
	if cause := v.Lease.Failure(weburl.HostPort(nav.URL)); cause != nil {
		return cause
	}
	return &GuardError{URL: nav.URL, Word: word, Blocked: word == guard.Blocked} // the guard remembers a bounded number of failures
}
