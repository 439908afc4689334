package engine

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/fetch/guard"
	"github.com/winnow-go/winnow/formats/weburl"
)

// navigate goes to the plan's URL and tells why that failed in the words of
// whoever knows best.
func (b *browsing) navigate(ctx context.Context) (nav *browser.Navigation, err error) {
	err = b.step("goto", func() (string, error) {
		nav, err = b.page.Goto(ctx, b.plan.url)
		if err != nil {
			return "", b.explain(err)
		}
		if err := b.refused(nav); err != nil {
			return "", err
		}
		if size := b.oversize(nav.URL); size != nil && nav.Partial {
			return "", size
		}
		return fmt.Sprintf("status %d", nav.Status), nil
	})
	return nav, err
}

// explain prefers what the guard knows to the browser's word for it: all that a
// browser can tell of a refused or failed tunnel is that there is none.
func (b *browsing) explain(err error) error {
	if size := b.oversize(b.plan.url); size != nil {
		return size
	}
	nav, ok := errors.AsType[*browser.NavigationError](err)
	if !ok {
		return err
	}
	for _, u := range []string{nav.URL, b.plan.url} {
		if cause := b.lease.Failure(hostport(u)); cause != nil {
			return cause
		}
	}
	if cause := b.lease.LastFailure(); cause != nil && nav.Net == "ERR_TUNNEL_CONNECTION_FAILED" {
		return cause
	}
	return err
}

// oversize tells that the guard cut a response of the URL's host at the limit.
func (b *browsing) oversize(href string) error {
	if size, ok := errors.AsType[*fetch.SizeError](b.lease.Failure(hostport(href))); ok {
		return &fetch.SizeError{URL: href, Limit: size.Limit}
	}
	return nil
}

// refused tells a page of the guard's own, which a failed plain http request
// gets, from a page of the site.
func (b *browsing) refused(nav *browser.Navigation) error {
	if nav.Header.Get(guard.Header) == "" {
		return nil
	}
	return b.lease.Failure(hostport(nav.URL))
}

// hostname of a URL that parseTarget has accepted; net/url would refuse some of these.
func hostname(href string) string {
	name, _ := splitHost(href)
	return name
}

func hostport(href string) string {
	name, port := splitHost(href)
	switch {
	case port != "":
	case strings.HasPrefix(href, "https:"):
		port = "443"
	default:
		port = "80"
	}
	return net.JoinHostPort(name, port)
}

// splitHost gives the host without brackets, and the port, "" where the URL has none.
func splitHost(href string) (name, port string) {
	name = weburl.Host(href)
	if i := strings.LastIndexByte(name, ':'); i > strings.LastIndexByte(name, ']') {
		name, port = name[:i], name[i+1:]
	}
	return strings.Trim(name, "[]"), port
}

func sourceOfNavigation(nav *browser.Navigation) *source {
	return &source{
		by:          byBrowser,
		url:         nav.URL,
		status:      nav.Status,
		contentType: nav.Header.Get("Content-Type"),
		language:    nav.Header.Get("Content-Language"),
		mediaType:   nav.MediaType,
		body:        nav.Body,
		partial:     nav.Partial,
		retryAfter:  nav.Header.Get("Retry-After"),
	}
}
