package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/fetch/guard"
	"github.com/winnow-go/winnow/formats/weburl"
)

// navigate goes to the plan's URL and explains why that failed in the words of
// the one that knows best.
func (b *browsing) navigate(ctx context.Context) (nav *browser.Navigation, err error) {
	err = b.step("goto", func() (string, error) {
		nav, err = b.page.Goto(ctx, b.plan.url)
		if err = b.reached(nav, err); err != nil {
			return "", err
		}
		if size := b.oversize(nav.URL); size != nil && nav.Partial {
			return "", size
		}
		return fmt.Sprintf("status %d", nav.Status), nil
	})
	return nav, err
}

// shown is the document that the page shows now. It may be another than the one that
// was loaded: scripts, forms and meta elements send a browser on.
func (b *browsing) shown(ctx context.Context) (*browser.Navigation, error) {
	nav, err := b.page.Shown(ctx)
	return nav, b.reached(nav, err)
}

// reached is the error of a navigation: why there is no document, or only an answer
// of the guard's own.
func (b *browsing) reached(nav *browser.Navigation, err error) error {
	if err != nil {
		return b.explain(err)
	}
	return b.refused(nav)
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

// refused is the error of an answer that the guard gave instead of the site, as a
// failed plain http request gets it.
func (b *browsing) refused(nav *browser.Navigation) error {
	word := nav.Header.Get(guard.Header)
	if word == "" {
		return nil
	}
	if cause := b.lease.Failure(hostport(nav.URL)); cause != nil {
		return cause
	}
	code := CodeSite // the guard remembers a bounded number of failures
	if word == guard.Blocked {
		code = CodeBlocked
	}
	return &Error{Code: code, Err: fmt.Errorf("load %s: %s", nav.URL, word)}
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
	src := &source{by: byBrowser}
	src.describe(nav)
	return src
}

// describe makes the page the one that a document came from. A document whose answer
// isn't known, such as a blank one, counts as one that came.
func (s *source) describe(nav *browser.Navigation) {
	if nav.Document != s.document {
		s.partial = nav.Partial
	}
	s.document, s.url, s.status, s.mediaType = nav.Document, nav.URL, cmp.Or(nav.Status, http.StatusOK), nav.MediaType
	s.contentType, s.language = nav.Header.Get("Content-Type"), nav.Header.Get("Content-Language")
	s.retryAfter = nav.Header.Get("Retry-After")
	s.body, s.fromTree = nav.Body, false
	if nav.Body != nil { // not HTML, the site says
		s.mediaType = fetch.MediaType(s.contentType, nav.Body)
	}
	if nav.Empty {
		s.body = []byte{}
	}
}
