package engine

import (
	"context"
	"errors"

	"github.com/winnow-go/winnow/engine/internal/page"
	"github.com/winnow-go/winnow/engine/internal/pagestore"
)

// lookup serves the page from the cache where a version fits the request.
func (s *scrape) lookup(ctx context.Context) error {
	if !s.plan.caching.Read {
		return nil
	}
	return s.step("lookup", func() (string, error) {
		if err := s.find(ctx); err != nil || s.source != nil {
			return "hit", err
		}
		return "miss", nil
	})
}

// find takes a stored version as the scrape's page, where one serves.
func (s *scrape) find(ctx context.Context) error {
	got, err := s.engine.pageStore.Find(ctx, &s.plan.caching, s.rendered)
	if err != nil {
		return err
	}
	if s.stale = got.Stale; got.Page != nil {
		s.source, s.tier, s.served = got.Page, ProxyTier(got.Version.Tier), got.Version
		s.cached = got.Version.Stored
	}
	return nil
}

// rendered reports that the output of a stored page is at hand.
func (s *scrape) rendered(src *page.Page) (ok bool) {
	if s.plan.shot() == pagestore.NoShot && !s.plan.rendering.Once {
		s.output, ok = s.engine.rendered.Get(src, &s.plan.rendering)
	}
	return ok
}

// missing is the error of a page that may only come from the cache and isn't there.
func (s *scrape) missing() error {
	if s.plan.caching.Lockdown {
		return &Error{Code: CodeLockdownMiss, Err: errors.New("no stored page fits the request, and lockdown fetches none")}
	}
	return &Error{Code: CodeNoCachedData, Err: errors.New("no stored page fits the request, and minAge fetches none")}
}

// revalidated takes the stored page that the site has just vouched for.
func (s *scrape) revalidated(ctx context.Context, at string) (*page.Page, bool) {
	src, ok := s.engine.pageStore.Revalidated(ctx, *s.stale, at)
	if ok {
		s.renew = s.stale
	}
	return src, ok
}

// store keeps the page for later scrapes.
func (s *scrape) store(ctx context.Context) error {
	if !s.plan.caching.Write || s.source.Partial || s.source.Late {
		return nil
	}
	return s.step("store", func() (string, error) {
		if err := s.put(ctx); err != nil {
			if ctx.Err() != nil {
				return "", err
			}
			s.engine.log.Warn("a page can't be stored", "error", err)
			return "failed", nil
		}
		return "queued", nil
	})
}

func (s *scrape) put(ctx context.Context) error {
	if s.renew != nil {
		s.cached = s.engine.now()
		return s.engine.pageStore.Renew(ctx, s.renew, s.cached)
	}
	return s.engine.pageStore.Put(ctx, s.plan.caching.Key, s.describe(), s.source)
}

// describe is what is kept of the scrape's page.
func (s *scrape) describe() *pagestore.Facts {
	src := s.source
	title, description := src.Headline()
	return &pagestore.Facts{
		Title: title, Description: description, File: s.plan.rendering.AsIs,
		Source: s.plan.URL, URL: src.URL, Status: src.Status, ContentType: src.ContentType, MediaType: src.MediaType, Language: src.Language,
		By: src.By, FromTree: src.FromTree, Reason: src.Reason, Ready: src.Ready, Handled: src.Handled, Wall: src.BlockedBy(), Static: src.Static(),
		Tier: string(s.tier), Timezone: s.plan.timezone, Verified: !s.plan.SkipTLS, WaitFor: s.plan.WaitFor, Shot: s.taken(),
		ETag: src.ETag, LastModified: src.LastModified, Digest: src.Digest(),
	}
}

// taken is the kind of screenshot that the page has.
func (s *scrape) taken() pagestore.Shot {
	if len(s.source.Screenshot.Bytes) == 0 {
		return pagestore.NoShot
	}
	return s.plan.shot()
}
