package engine

import (
	"errors"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/engine/internal/page"
	"github.com/winnow-go/winnow/engine/internal/robotstxt"
	"github.com/winnow-go/winnow/engine/internal/work"
	"github.com/winnow-go/winnow/fetch"
)

// A scrape by itself leaves trying again to fetch: up to three requests within moments. Of a page of a job each attempt
// requests the page once, by HTTP or, where HTTP wasn't enough at an attempt before, in the browser; see [work.Attempts].

// tried is the outcome of an attempt of a job.
func (s *scrape) tried() work.Tried {
	t := work.Tried{Credits: s.cost, Temporary: s.temporary, NotEnough: s.Attempt.NotEnough}
	if src := s.result.Page; src != nil && (page.Busy(src.Status) || fetch.Temporary(src.Damage)) {
		t.Refused = src.Refusal()
	}
	return t
}

// temporary reports whether the same page may be got a little later. What its site, the policy or the request has
// decided, such as a redirect loop, a broken content-encoding or a certificate, stays as it is; robots.txt has tries
// of its own, and actions aren't done twice.
func temporary(err *Error) bool {
	switch err.Code {
	case CodeSite, CodeDNS, CodeProxy, CodeAllEnginesFailed:
	default:
		return false
	}
	if _, ok := errors.AsType[*robotstxt.UnreachableError](err); ok {
		return false
	}
	if _, ok := errors.AsType[*actions.Error](err); ok {
		return false
	}
	if nav, ok := errors.AsType[*browser.NavigationError](err); ok {
		return page.TemporaryNet(nav.Net)
	}
	return err.Code == CodeAllEnginesFailed || fetch.Temporary(err)
}
