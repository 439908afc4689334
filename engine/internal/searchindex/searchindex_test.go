package searchindex

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/engine/internal/option"
	"github.com/winnow-go/winnow/engine/search"
	"github.com/winnow-go/winnow/formats"
)

// shelf is a store of pages by key, as HTML.
type shelf map[string]string

var errTree = errors.New("not readable")

func (s shelf) Keys(context.Context, string, string, int) (keys []string, _ error) {
	for key := range s {
		keys = append(keys, key)
	}
	return keys, nil
}

func (s shelf) Flush(context.Context) error { return errTree }

func (s shelf) Newest(_ context.Context, key string) (*Version, error) {
	text, ok := s[key]
	if !ok {
		return nil, nil
	}
	page := search.Page{Version: "1", URL: key, Title: "stored"}
	return &Version{Page: page, Tree: func(ctx context.Context) (*formats.DOM, error) {
		switch text {
		case "media":
			return nil, nil
		case "broken":
			return nil, errTree
		}
		return formats.Parse(ctx, formats.Source{URL: key, MediaType: "text/html", Body: []byte(text), Raw: []byte(text)})
	}}, nil
}

func TestPages_areDescribedAsFarAsTheyCanBeRead(t *testing.T) {
	p := NewPages(shelf{
		"https://a.example/": `<html lang=en><title>Barley</title><meta property="article:published_time" content="2026-11-21"><main><h1>Sacks</h1><p>Four sacks of barley lie in the dry barn.</p></main>`,
		"broken":             "broken", "media": "media",
	}, slog.New(slog.DiscardHandler))
	got, err := p.Page(t.Context(), "https://a.example/")
	if err != nil || got.Title != "Barley" || got.Version != "1" || got.Language != "en" || !strings.Contains(got.Text, "Four sacks") || strings.Join(got.Headings, "|") != "Sacks" || got.Published.Format("2006-01-02") != "2026-11-21" {
		t.Errorf("got %+v, %v", got, err)
	}
	for _, key := range []string{"broken", "media"} {
		if got, err := p.Page(t.Context(), key); err != nil || got.Title != "stored" || got.Text != "" {
			t.Errorf("%s: %+v, %v", key, got, err)
		}
	}
	if got, err := p.Page(t.Context(), "gone"); got != nil || err != nil {
		t.Errorf("gone: %+v, %v", got, err)
	}
}

func TestPages_namesOnlyWhatMayBeFound(t *testing.T) {
	p := NewPages(shelf{"a": "media"}, slog.New(slog.DiscardHandler))
	for key, want := range map[string]string{"a": "1", "gone": ""} {
		if got, err := p.Version(t.Context(), key); got != want || err != nil {
			t.Errorf("%s: %q, %v", key, got, err)
		}
	}
}

func TestPages_settlingEndsOnlyWithItsContext(t *testing.T) {
	p := NewPages(shelf{}, slog.New(slog.DiscardHandler))
	if err := p.Settle(t.Context()); err != nil {
		t.Errorf("a store that can't write: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := p.Settle(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// index notes what is called. Its other methods are not.
type index struct {
	search.Index
	calls  []string
	refuse error
}

func (x *index) Name() string { return "index" }

func (x *index) Attach(search.Pages, search.Setup) error {
	x.calls = append(x.calls, "attach")
	return x.refuse
}
func (x *index) Flush(context.Context) error   { x.calls = append(x.calls, "flush"); return nil }
func (x *index) Purge(context.Context) error   { x.calls = append(x.calls, "purge"); return nil }
func (x *index) Compact(context.Context) error { x.calls = append(x.calls, "compact"); return nil }
func (x *index) Close() error                  { x.calls = append(x.calls, "close"); return nil }
func (x *index) Changed([]string)              { x.calls = append(x.calls, "changed") }

func TestIndex_isKept(t *testing.T) {
	x := &index{}
	providers := []search.Provider{x}
	i, err := Attach(providers, shelf{}, search.Setup{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	Changed(providers)(nil)
	if err := errors.Join(i.Flush(t.Context()), i.Purge(t.Context()), i.Compact(t.Context()), i.Close()); err != nil {
		t.Error(err)
	}
	if got := strings.Join(x.calls, " "); got != "attach changed flush purge compact close" {
		t.Errorf("got %s", got)
	}
	x.refuse = search.ErrAttached
	_, err = Attach(providers, shelf{}, search.Setup{Logger: slog.New(slog.DiscardHandler)})
	if refused, ok := errors.AsType[*option.Error](err); !ok || refused.Field != "Search" || !errors.Is(err, search.ErrAttached) {
		t.Errorf("attached twice: %v", err)
	}
}

// Without an index, what another program has left in the folder is removed.
func TestIndex_withoutOneTheFolderIsRemoved(t *testing.T) {
	for name, purge := range map[string]func(*Index) error{
		"purge": func(i *Index) error { return i.Purge(t.Context()) }, "compact": func(i *Index) error { return i.Compact(t.Context()) },
	} {
		folder := filepath.Join(t.TempDir(), "index")
		if err := os.MkdirAll(filepath.Join(folder, "store"), 0o700); err != nil {
			t.Fatal(err)
		}
		i, err := Attach(nil, shelf{}, search.Setup{Folder: folder})
		if err := errors.Join(err, i.Flush(t.Context()), purge(i), i.Close()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := os.Stat(folder); !os.IsNotExist(err) {
			t.Errorf("%s: the folder is there: %v", name, err)
		}
	}
	if Changed(nil) != nil {
		t.Error("changes are reported to nobody")
	}
}

func TestHeadingsOf(t *testing.T) {
	got := strings.Join(headingsOf("# One\n\ntext # no\n```\n# no\n```\n### Two *x*\n####### no\n#no\n"), "|")
	if got != "One|Two *x*" {
		t.Errorf("got %q", got)
	}
}
