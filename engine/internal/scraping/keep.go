package scraping

import (
	"context"
	"errors"
	"time"

	"github.com/winnow-go/winnow/engine/internal/page"
	"github.com/winnow-go/winnow/engine/internal/pagestore"
	"github.com/winnow-go/winnow/engine/internal/render"
	"github.com/winnow-go/winnow/formats/document"
)

// lookup serves the page from the cache where a version fits the request; see find.
func (s *Scrape) lookup(ctx context.Context) (got Acquired, stale *pagestore.Version, err error) {
	if !s.Request.Caching.Read {
		return got, nil, nil
	}
	err = s.step("lookup", func() (string, error) {
		if got, stale, err = s.find(ctx); err != nil || got.Page != nil {
			return "hit", err
		}
		return "miss", nil
	})
	return got, stale, err
}

// find returns the stored version that serves, or the one that its site may vouch for.
func (s *Scrape) find(ctx context.Context) (got Acquired, stale *pagestore.Version, err error) {
	var output *render.Output
	found, err := s.Store.Find(ctx, &s.Request.Caching, func(src *page.Page) (ok bool) {
		output, ok = s.kept(src)
		return ok
	})
	if err != nil || found.Page == nil {
		return got, found.Stale, err
	}
	found.Page.Files = s.Request.Rendering.Files
	v := found.Version
	got = s.own(Acquired{Page: found.Page, Tier: v.Tier, Country: v.Country, Cached: v.Stored, served: v, output: output})
	got.Warnings = append(s.Request.From.Warnings(v.Country), found.Page.Lacks...)
	return got, nil, nil
}

// kept returns the output of a stored page, where that is kept.
func (s *Scrape) kept(src *page.Page) (*render.Output, bool) {
	if s.Request.Caching.Shot != pagestore.NoShot || s.Request.Rendering.Once {
		return nil, false
	}
	return s.Rendered.Get(src, &s.Request.Rendering)
}

// load reads the body of a page that was served by its kept output.
func (s *Scrape) load(ctx context.Context, got Acquired) error {
	if got.served != nil && got.Page.Body == nil && !s.Store.Load(ctx, *got.served, got.Page) {
		return errors.New("the stored page can't be read any more")
	}
	return nil
}

// Links of the whole page. What an archive holds leads a crawl nowhere.
func (s *Scrape) Links(ctx context.Context, r *Result) ([]string, error) {
	got := r.Acquired
	if got.Page.FileKind() == document.ZIP {
		return nil, nil
	}
	if r.Output.PageLinks != nil {
		return *r.Output.PageLinks, nil
	}
	if err := s.load(ctx, got); err != nil {
		return nil, err
	}
	dom, err := got.Page.Parse(ctx)
	if err != nil {
		return nil, err
	}
	return dom.Links(ctx)
}

// keep keeps the page for later scrapes; stale is the version that it may be still, nil for none. It returns the time of the stored version
// that the page now is, zero for a fresh page.
func (s *Scrape) keep(ctx context.Context, got Acquired, stale *pagestore.Version, again vouched) (cached time.Time, err error) {
	if !s.Request.Caching.Write || got.Page.Partial || got.Page.Late {
		return got.Cached, nil
	}
	if again.renewed {
		cached = s.Now()
	}
	err = s.step("store", func() (string, error) {
		err := s.put(ctx, got, stale, again)
		if err != nil && ctx.Err() != nil {
			return "", err
		}
		if err != nil {
			s.Log.Warn("a page can't be stored", "error", err)
			return "failed", nil
		}
		return "queued", nil
	})
	return cached, err
}

func (s *Scrape) put(ctx context.Context, got Acquired, stale *pagestore.Version, again vouched) error {
	switch {
	case again.renewed:
		return s.Store.Renew(ctx, stale, s.Now())
	case again.same:
		return s.Store.RenewBy(ctx, stale, got.Page)
	}
	return s.Store.Put(ctx, s.Request.Caching.Key, s.Request.describe(got), got.Page)
}

// describe is what is kept of a page beside its bytes.
func (r *Request) describe(got Acquired) *pagestore.Facts {
	src := got.Page
	title, description := src.Headline()
	return &pagestore.Facts{
		Title: title, Description: description, File: r.Rendering.AsIs,
		Source: r.URL, URL: src.URL, Status: src.Status, ContentType: src.ContentType, MediaType: src.MediaType, Language: src.Language,
		By: src.By, FromTree: src.FromTree, Reason: src.Reason, Confidence: src.Confidence,
		Ready: src.Ready, Handled: src.Handled, Wall: src.BlockedBy(),
		Static: src.Static(), Lacks: src.Lacks, Tier: got.Tier, Country: got.Country, Timezone: r.Timezone,
		Verified: !r.SkipTLS, WaitFor: r.WaitFor, Shot: r.taken(src), ETag: src.ETag, LastModified: src.LastModified, Digest: src.Digest(),
	}
}

// taken is the kind of screenshot that the page has.
func (r *Request) taken(src *page.Page) pagestore.Shot {
	if len(src.Screenshot.Bytes) == 0 {
		return pagestore.NoShot
	}
	return r.Caching.Shot
}
