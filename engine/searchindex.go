package engine

import (
	"context"
	"fmt"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/engine/internal/page"
	"github.com/winnow-go/winnow/engine/internal/pagestore"
	"github.com/winnow-go/winnow/engine/internal/searchindex"
	"github.com/winnow-go/winnow/engine/search"
	"github.com/winnow-go/winnow/formats"
	"github.com/winnow-go/winnow/formats/document"
)

// indexFolder is where an index is kept in [Options.Dir].
const indexFolder = "index"

func checkSearch(o Options) error {
	indexes := 0
	for i, p := range o.Search {
		if p == nil {
			return &OptionError{Field: fmt.Sprintf("Search[%d]", i), Value: nil, Want: "a provider"}
		}
		if _, ok := p.(search.Index); ok {
			indexes++
		}
	}
	if indexes > 1 {
		return &OptionError{Field: "Search", Value: fmt.Sprintf("%d indexes", indexes), Want: "at most one"}
	}
	return nil
}

// attachIndex gives the index the pages of the cache.
func (e *Engine) attachIndex() (err error) {
	setup := search.Setup{Folder: e.folder(indexFolder), Now: e.now, Logger: e.log}
	e.index, err = searchindex.Attach(e.options.Search, indexStore{e.stores.Pages, e}, setup)
	return err
}

// indexStore is the cache as an index reads it.
type indexStore struct {
	cache.Store
	engine *Engine
}

var _ searchindex.Store = indexStore{}

// Newest implements [searchindex.Store].
func (s indexStore) Newest(ctx context.Context, key string) (*searchindex.Version, error) {
	m, err := s.engine.pageStore.Newest(ctx, key)
	if err != nil || m == nil {
		return nil, err
	}
	known := search.Page{
		Version: fmt.Sprintf("%d.%d", m.ID, m.Version.Stored.UnixMilli()), URL: m.URL, Title: m.Title, Description: m.Description,
		Language: m.Language, MediaType: m.MediaType, Stored: m.Version.Stored,
	}
	return &searchindex.Version{Page: known, Tree: func(ctx context.Context) (*formats.DOM, error) { return s.tree(ctx, m.Version) }}, nil
}

// tree reads a stored page; nil where that gives no document. Scans are not recognised.
func (s indexStore) tree(ctx context.Context, v cache.Version) (*formats.DOM, error) {
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
