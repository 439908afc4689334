package searchindex

import (
	"context"
	"fmt"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/engine/internal/option"
	"github.com/winnow-go/winnow/engine/internal/page"
	"github.com/winnow-go/winnow/engine/internal/pagestore"
	"github.com/winnow-go/winnow/engine/search"
	"github.com/winnow-go/winnow/formats"
	"github.com/winnow-go/winnow/formats/document"
)

// Check refuses providers that aren't there, and more than one index, by an [*option.Error].
func Check(providers []search.Provider) error {
	indexes := 0
	for i, p := range providers {
		if p == nil {
			return &option.Error{Field: fmt.Sprintf("Search[%d]", i), Value: nil, Want: "a provider"}
		}
		if _, ok := p.(search.Index); ok {
			indexes++
		}
	}
	if indexes > 1 {
		return &option.Error{Field: "Search", Value: fmt.Sprintf("%d indexes", indexes), Want: "at most one"}
	}
	return nil
}

// StoredIn is the cache as an index reads it.
func StoredIn(pages *pagestore.Store) Store { return stored{pages.Pages, pages} }

type stored struct {
	cache.Store
	pages *pagestore.Store
}

// Newest implements [Store].
func (s stored) Newest(ctx context.Context, key string) (*Version, error) {
	m, err := s.pages.Newest(ctx, key)
	if err != nil || m == nil {
		return nil, err
	}
	known := search.Page{
		Version: fmt.Sprintf("%d.%d", m.ID, m.Version.Stored.UnixMilli()), URL: m.URL, Title: m.Title, Description: m.Description,
		Language: m.Language, MediaType: m.MediaType, Stored: m.Version.Stored,
	}
	return &Version{Page: known, Tree: func(ctx context.Context) (*formats.DOM, error) { return s.tree(ctx, m.Version) }}, nil
}

// tree is the page as a tree of HTML; nil: there is nothing to read in it.
func (s stored) tree(ctx context.Context, v cache.Version) (*formats.DOM, error) {
	src, err := pagestore.Read(ctx, s.Store, v)
	if err != nil {
		return nil, err
	}
	src.Files = page.FileOptions{PDF: true, Mode: document.ModeFast}
	if formats.IsMedia(src.MediaType) || !src.IsFile() && src.FileKind() != document.Unknown {
		return nil, nil
	}
	return src.Parse(ctx)
}
