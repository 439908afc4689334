// Package searchindex gives the search index among an engine's providers the stored pages, and keeps it for the engine.
//
// Start from Attach.
//
//	searchindex.go  Index: attaching, flushing, purging, closing
//	pages.go        Store and Version, the stored pages; NewPages, those as an index reads them
//	stored.go       the cache as a Store; which providers may be given
//	page.go         the part of a page that can be searched
//	images.go       the images of a page that can be searched
package searchindex

import (
	"context"
	"os"

	"github.com/winnow-go/winnow/engine/internal/option"
	"github.com/winnow-go/winnow/engine/search"
)

// Of is the index among the providers; nil for none.
func Of(providers []search.Provider) search.Index {
	for _, p := range providers {
		if x, ok := p.(search.Index); ok {
			return x
		}
	}
	return nil
}

// Changed is what reports changes of the cache to the index among the providers; nil where there is none.
func Changed(providers []search.Provider) func(keys []string) {
	if x := Of(providers); x != nil {
		return x.Changed
	}
	return nil
}

// Index is an attached index, or none. Its methods are safe for concurrent use; Close is called before the store is closed.
type Index struct {
	index  search.Index // nil for none
	folder string
}

// Attach gives the index among the providers the pages of a store. s.Logger is not nil. The error is an [*option.Error].
func Attach(providers []search.Provider, store Store, s search.Setup) (*Index, error) {
	x := Of(providers)
	if x == nil {
		return &Index{folder: s.Folder}, nil
	}
	if err := x.Attach(NewPages(store, s.Logger), s); err != nil {
		return nil, &option.Error{Field: "Search", Value: x.Name(), Want: "an index of this engine alone", Err: err}
	}
	return &Index{index: x, folder: s.Folder}, nil
}

// Close ends the index.
func (i *Index) Close() error {
	if i.index == nil {
		return nil
	}
	return i.index.Close()
}

// Flush makes durable what the index knows.
func (i *Index) Flush(ctx context.Context) error {
	if i.index == nil {
		return nil
	}
	return i.index.Flush(ctx)
}

// Purge takes out of the index what the store has no more. Without an index, one that another
// program has left in the folder is removed: it is rebuilt when it is next used.
func (i *Index) Purge(ctx context.Context) error {
	switch {
	case i.index != nil:
		return i.index.Purge(ctx)
	case i.folder != "":
		return os.RemoveAll(i.folder)
	}
	return nil
}

// Compact is Purge that also gives back what pages that are gone have taken in the index.
func (i *Index) Compact(ctx context.Context) error {
	if i.index == nil {
		return i.Purge(ctx)
	}
	return i.index.Compact(ctx)
}
