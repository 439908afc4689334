package scraping

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/engine/internal/option"
	"github.com/winnow-go/winnow/engine/internal/page"
	"github.com/winnow-go/winnow/engine/internal/pagestore"
	"github.com/winnow-go/winnow/engine/internal/render"
	"github.com/winnow-go/winnow/engine/internal/tracking"
	"github.com/winnow-go/winnow/fetch/weburl"
	"github.com/winnow-go/winnow/formats"
)

// The words of changeTracking.
const (
	changeNew     = "new"
	changeSame    = "same"
	changeChanged = "changed"
	changeRemoved = "removed"

	gitDiff  = "git-diff"
	jsonMode = "json"
)

// Changes are what a page's comparison with its last tracked version gives.
type Changes struct {
	Previous   *time.Time // when that version was stored; nil: there is none
	Status     string
	Visibility string
	Diff       string
	JSON       json.RawMessage // the parsed diff

	before *page.Page // that version, where it differs; nil for none
}

// ComparesFields reports whether changes are compared field by field.
func (r *Request) ComparesFields() bool {
	f := r.Format(formats.ChangeTracking)
	return f != nil && slices.Contains(f.Modes, jsonMode)
}

// CheckTracking refuses the options of the json mode without it, by an [*option.Error].
func (r *Request) CheckTracking() error {
	i := slices.IndexFunc(r.Formats, func(f formats.Format) bool { return f.Type == formats.ChangeTracking })
	if i < 0 || r.ComparesFields() {
		return nil
	}
	f, field := r.Formats[i], fmt.Sprintf("formats[%d].", i)
	switch {
	case len(f.Schema) > 0:
		return &option.Error{Field: field + "schema", Value: string(f.Schema), Want: "unset without the mode json"}
	case f.Prompt != "":
		return &option.Error{Field: field + "prompt", Value: f.Prompt, Want: "unset without the mode json"}
	}
	return nil
}

// track compares the page with the last version that the same owner has tracked under the same tag, both rendered by
// today's code and options. Nil without an error: it was not asked for, or the page is no version, of which a warning is
// given.
func (s *Scrape) track(ctx context.Context, r *Result) (c *Changes, err error) {
	f := s.Request.Format(formats.ChangeTracking)
	if f == nil {
		return nil, nil
	}
	if why := s.Request.untrackable(r.Page); why != "" {
		r.warn("Change tracking was left out: %s", why)
		return nil, nil
	}
	err = s.step("track", func() (string, error) {
		key := s.Request.historyKey(f)
		previous, err := s.previous(ctx, key, r.Page)
		if err != nil {
			return "", err
		}
		if c, err = s.compare(ctx, previous, r, f); err != nil {
			return "", err
		}
		return c.Status, s.remember(ctx, key, r.Acquired, previous)
	})
	return c, err
}

// untrackable is why a page is no version of its URL; "" when it is one.
func (r *Request) untrackable(src *page.Page) string {
	switch {
	case r.Private:
		return "nothing is kept under zero data retention"
	case src.Late || src.Partial:
		return "the page is not whole"
	case removed(src):
		return ""
	case src.BlockedBy() != "":
		return "the page is a wall (" + src.BlockedBy() + ")"
	case src.Status >= http.StatusBadRequest:
		return fmt.Sprintf("the site answered with status %d", src.Status)
	}
	return ""
}

func removed(src *page.Page) bool {
	return src.Status == http.StatusNotFound || src.Status == http.StatusGone
}

func (r *Request) historyKey(f *formats.Format) string {
	tag := ""
	if f.Tag != nil {
		tag = "tag:" + *f.Tag // an empty tag isn't the default one
	}
	return r.Caching.Name + weburl.KeyEnd + fmt.Sprintf("%q%q", r.Owner, tag)
}

// version is one in the history.
type version struct {
	*pagestore.Version
	page *page.Page // nil: not read, since it has the same bytes
}

// previous returns the last tracked version, nil when there is none. One that can't be read is logged and counts as none. That of the same
// bytes as the page isn't read.
func (s *Scrape) previous(ctx context.Context, key string, src *page.Page) (*version, error) {
	versions, err := s.History.Versions(ctx, key)
	if err != nil || len(versions) == 0 {
		return nil, err
	}
	v, err := pagestore.Describe(versions[0])
	if err == nil && v.IsOf(src) {
		return &version{Version: v}, nil
	}
	var before *page.Page
	if err == nil {
		before, err = pagestore.Read(ctx, s.History, versions[0])
	}
	if err == nil {
		return &version{v, before}, nil
	}
	if ctx.Err() != nil {
		return nil, err
	}
	if !errors.Is(err, cache.ErrNotFound) {
		s.Log.Warn("a version in the history can't be read", "version", versions[0].ID, "error", err)
	}
	return nil, nil
}

func (s *Scrape) compare(ctx context.Context, previous *version, r *Result, f *formats.Format) (*Changes, error) {
	seen, err := s.Visibility(s.Request.URL)
	if err != nil {
		return nil, err
	}
	c := &Changes{Status: changeNew, Visibility: seen}
	if previous != nil {
		c.Previous = new(previous.Stored.UTC())
	}
	switch {
	case removed(r.Page):
		c.Status = changeRemoved
		return c, nil
	case previous == nil:
		return c, nil
	case previous.page == nil:
		c.Status = changeSame
		return c, nil
	}
	before, err := s.Rendered.Make(ctx, previous.page, &s.Request.Rendering)
	if err != nil {
		return nil, err
	}
	if tracking.Same(before.Markdown, r.Output.Markdown) {
		c.Status = changeSame
		return c, nil
	}
	c.Status, c.before = changeChanged, previous.page
	if slices.Contains(f.Modes, gitDiff) {
		err = c.addDiff(ctx, before, r.Output)
	}
	return c, err
}

func (c *Changes) addDiff(ctx context.Context, before, after *render.Output) (err error) {
	if c.Diff, err = tracking.Diff(ctx, before.Markdown, after.Markdown); err != nil {
		return err
	}
	parsed, err := tracking.Parse(c.Diff)
	if err != nil {
		return err
	}
	c.JSON, err = json.Marshal(parsed)
	return err
}

// remember makes the page the last version of its history. One of the same bytes is only dated again.
func (s *Scrape) remember(ctx context.Context, key string, got Acquired, previous *version) error {
	if previous != nil && previous.page == nil {
		err := s.History.Renew(ctx, previous.Version.Version, s.Now(), previous.Meta)
		if !errors.Is(err, cache.ErrNotFound) {
			return err
		}
	}
	src := *got.Page
	src.Screenshot = page.Image{}
	return pagestore.Put(ctx, s.History, cache.Entry{Key: key, Stored: s.Now()}, s.Request.describe(got), &src)
}
