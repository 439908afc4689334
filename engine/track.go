package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/engine/internal/page"
	"github.com/winnow-go/winnow/engine/internal/pagestore"
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

	visible = "visible"
	hidden  = "hidden" // see visibility

	gitDiff  = "git-diff"
	jsonMode = "json"
)

// checkTracking refuses the options of the json mode without it.
func (p *plan) checkTracking(ScrapeOptions) error {
	i := slices.IndexFunc(p.Formats, func(f formats.Format) bool { return f.Type == formats.ChangeTracking })
	if i < 0 || p.comparesFields() {
		return nil
	}
	f, field := p.Formats[i], fmt.Sprintf("formats[%d].", i)
	switch {
	case len(f.Schema) > 0:
		return &OptionError{Field: field + "schema", Value: string(f.Schema), Want: "unset without the mode json"}
	case f.Prompt != "":
		return &OptionError{Field: field + "prompt", Value: f.Prompt, Want: "unset without the mode json"}
	}
	return nil
}

// comparesFields reports whether changes are told field by field.
func (p *plan) comparesFields() bool {
	f := p.Format(formats.ChangeTracking)
	return f != nil && slices.Contains(f.Modes, jsonMode)
}

// track compares the page with the last version that the same owner has tracked
// under the same tag, both rendered by today's code and options.
func (s *scrape) track(ctx context.Context) error {
	f := s.plan.Format(formats.ChangeTracking)
	if f == nil {
		return nil
	}
	if why := s.untrackable(); why != "" {
		s.warn("Change tracking was left out: %s", why)
		return nil
	}
	return s.step("track", func() (string, error) {
		key := s.historyKey(f)
		previous, err := s.previous(ctx, key)
		if err != nil {
			return "", err
		}
		if s.changes, err = s.compare(ctx, previous, f); err != nil {
			return "", err
		}
		return s.changes.ChangeStatus, s.remember(ctx, key)
	})
}

// untrackable tells why a page is no version of its URL; "" when it is one.
func (s *scrape) untrackable() string {
	switch src := s.source; {
	case s.plan.private():
		return "nothing is kept under zero data retention"
	case src.Late || src.Partial:
		return "the page is not whole"
	case s.removed():
		return ""
	case src.BlockedBy() != "":
		return "the page is a wall (" + src.BlockedBy() + ")"
	case src.Status >= http.StatusBadRequest:
		return fmt.Sprintf("the site answered with status %d", src.Status)
	}
	return ""
}

func (s *scrape) removed() bool {
	return s.source.Status == http.StatusNotFound || s.source.Status == http.StatusGone
}

func (s *scrape) historyKey(f *formats.Format) string {
	tag := ""
	if f.Tag != nil {
		tag = "tag:" + *f.Tag // an empty tag isn't the default one
	}
	return s.plan.caching.Name + weburl.KeyEnd + fmt.Sprintf("%q%q", s.plan.Owner, tag)
}

// tracked is a version in the history.
type tracked struct {
	stored time.Time
	source *page.Page
}

// previous gives the last tracked version, nil when there is none. One that can't be
// read is logged and as good as none.
func (s *scrape) previous(ctx context.Context, key string) (*tracked, error) {
	versions, err := s.engine.stores.history.Versions(ctx, key)
	if err != nil || len(versions) == 0 {
		return nil, err
	}
	src, err := pagestore.Read(ctx, s.engine.stores.history, versions[0])
	if err == nil {
		return &tracked{versions[0].Stored, src}, nil
	}
	if ctx.Err() != nil {
		return nil, err
	}
	if !errors.Is(err, cache.ErrNotFound) {
		s.engine.log.Warn("a version in the history can't be read", "version", versions[0].ID, "error", err)
	}
	return nil, nil
}

func (s *scrape) compare(ctx context.Context, previous *tracked, f *formats.Format) (*ChangeTracking, error) {
	seen, err := s.engine.visibility(s.plan.URL)
	if err != nil {
		return nil, err
	}
	c := &ChangeTracking{ChangeStatus: changeNew, Visibility: seen}
	if previous != nil {
		c.PreviousScrapeAt = new(previous.stored.UTC())
	}
	switch {
	case s.removed():
		c.ChangeStatus = changeRemoved
		return c, nil
	case previous == nil:
		return c, nil
	}
	before, err := s.engine.rendered.Make(ctx, previous.source, &s.plan.rendering)
	if err != nil {
		return nil, err
	}
	if tracking.Same(before.Markdown, s.output.Markdown) {
		c.ChangeStatus = changeSame
		return c, nil
	}
	c.ChangeStatus, s.before = changeChanged, previous.source
	if slices.Contains(f.Modes, gitDiff) {
		err = c.addDiff(ctx, before.Markdown, s.output.Markdown)
	}
	return c, err
}

func (c *ChangeTracking) addDiff(ctx context.Context, before, after string) (err error) {
	if c.Diff, err = tracking.Diff(ctx, before, after); err != nil {
		return err
	}
	parsed, err := tracking.Parse(c.Diff)
	if err != nil {
		return err
	}
	c.JSON, err = json.Marshal(parsed)
	return err
}

// remember makes the page the last version of its history.
func (s *scrape) remember(ctx context.Context, key string) error {
	src := *s.source
	src.Screenshot = page.Image{}
	return pagestore.Put(ctx, s.engine.stores.history, cache.Entry{Key: key, Stored: s.engine.now()}, s.describe(), &src)
}
