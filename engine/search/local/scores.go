package local

import (
	"context"
	"fmt"

	scoring "github.com/blevesearch/bleve/v2/search"
	api "github.com/blevesearch/bleve_index_api"

	"github.com/winnow-go/winnow/engine/search"
)

// queried are all fields that queries look into.
var queried = []string{
	inTitle, inHeadings, inText, inURL, inStems, inImage, inCaption, inNear, inImageURL, inImageStems,
	inPassage, inTerms,
	bySource, byHost, byLanguage, byKind, byDate, byPage,
}

// stats are what BM25 scores depend on beside the document: counted among pages only, or images, or passages, since how many
// images the pages have says nothing of how rare a word is on pages.
func (s *store) stats(ctx context.Context, source search.Source) (*scoring.BM25Stats, error) {
	if source == search.News {
		source = search.Web // a story is as good as it is among all pages
	}
	stats := &scoring.BM25Stats{FieldCardinality: map[string]int{}}
	err := s.read(func(r api.IndexReader) error {
		documents, err := r.TermFieldReader(ctx, []byte(source), bySource, false, false, false)
		if err != nil {
			return err
		}
		defer documents.Close()
		stats.DocCount = float64(documents.Count())
		fields, ok := r.(api.BM25Reader)
		if !ok {
			return fmt.Errorf("search index: a reader of %T has no statistics", r)
		}
		for _, name := range queried {
			if stats.FieldCardinality[name], err = fields.FieldCardinality(name); err != nil {
				return err
			}
		}
		return nil
	})
	return stats, err
}
