package local

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/document"
	"github.com/blevesearch/bleve/v2/index/scorch"
	"github.com/blevesearch/bleve/v2/mapping"
	api "github.com/blevesearch/bleve_index_api"

	"github.com/winnow-go/winnow/engine/search"
)

// schema is the version of the index: raised when fields, terms or the library's files change, so that
// older indexes are rebuilt.
const schema = "winnow index 3\n"

// The names in an index's folder.
const (
	filesName  = "pages"
	schemaName = "schema"
	sealName   = "seal.json"
)

// store is the library's index. It allows one writer at a time; searches may run concurrently.
type store struct {
	index   bleve.Index
	folder  string // "": in memory
	plain   analysis.Analyzer
	folded  analysis.Analyzer
	stops   stops
	lengths lengths
	dead    int // documents that were replaced or removed since a store in memory was made
}

// openStore opens the index in the folder or creates an empty one; fresh reports which. damage says
// why an existing index was discarded.
func openStore(folder string) (s *store, fresh bool, damage error, err error) {
	if folder == "" {
		s, err = newStore("")
		return s, true, nil, err
	}
	if s, damage = oldStore(folder); s != nil {
		return s, false, nil, nil
	}
	if errors.Is(damage, os.ErrNotExist) {
		damage = nil
	}
	if err := discard(folder); err != nil {
		return nil, false, damage, err
	}
	s, err = newStore(folder)
	return s, true, damage, err
}

// oldStore opens an existing index that is undamaged.
func oldStore(folder string) (s *store, err error) {
	defer func() {
		if p := recover(); p != nil {
			s, err = nil, fmt.Errorf("panic: %v", p)
		}
	}()
	if err := checkSchema(folder); err != nil {
		return nil, err
	}
	if err := unseal(folder); err != nil {
		return nil, err
	}
	index, err := bleve.OpenUsing(filepath.Join(folder, filesName), map[string]any{"bolt_timeout": "2s"})
	if err != nil {
		return nil, err
	}
	return wrap(index, folder), nil
}

func checkSchema(folder string) error {
	have, err := os.ReadFile(filepath.Join(folder, schemaName))
	if err == nil && string(have) != schema {
		err = errors.New("it is of another version")
	}
	return err
}

// newStore creates an empty index. The schema is written last: without it the index is not valid.
func newStore(folder string) (*store, error) {
	m := mapping.NewIndexMapping()
	m.ScoringModel = api.BM25Scoring
	files := ""
	if folder != "" {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return nil, err
		}
		files = filepath.Join(folder, filesName)
	}
	index, err := bleve.NewUsing(files, m, scorch.Name, bleve.Config.DefaultMemKVStore, nil)
	if err != nil {
		return nil, err
	}
	s := wrap(index, folder)
	if folder != "" {
		if err := writeWhole(filepath.Join(folder, schemaName), []byte(schema)); err != nil {
			return nil, errors.Join(err, index.Close())
		}
	}
	return s, nil
}

func wrap(index bleve.Index, folder string) *store {
	folded := words()
	return &store{index: index, folder: folder, plain: plainTerms(), folded: folded, stops: newStops(folded)}
}

// discard removes an index's files from its folder, and nothing else.
func discard(folder string) error {
	for _, name := range []string{schemaName, sealName, filesName} { // the schema first: see newStore
		if err := os.RemoveAll(filepath.Join(folder, name)); err != nil {
			return err
		}
	}
	return nil
}

// change is the change of one key.
type change struct {
	key  string
	page *search.Page // nil: removed
}

// apply makes the changes durable, all or none. A page's images and passages change with it.
func (s *store) apply(changes []change) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	b := s.index.NewBatch()
	for _, c := range latest(changes) {
		if err := s.removeParts(b, c.key); err != nil {
			return err
		}
		if err := s.add(b, c); err != nil {
			return err
		}
	}
	s.dead += b.Size()
	return s.index.Batch(b)
}

// latest returns the last change of each key.
func latest(changes []change) []change {
	last := map[string]int{}
	for i, c := range changes {
		last[c.key] = i
	}
	kept := make([]change, 0, len(last))
	for i, c := range changes {
		if last[c.key] == i {
			kept = append(kept, c)
		}
	}
	return kept
}

// add adds a page with its images and passages to a batch, or removes a page.
func (s *store) add(b *bleve.Batch, c change) error {
	if c.page == nil {
		b.Delete(c.key)
		return nil
	}
	d, err := newDocument(c.key, c.page, s.plain, s.folded)
	if err != nil {
		return err
	}
	images, err := newImages(c.key, c.page, s.plain, s.folded)
	if err != nil {
		return err
	}
	parts, err := newPassages(c.key, c.page, s.plain, s.folded)
	if err != nil {
		return err
	}
	for _, d := range slices.Concat(parts, images, []*document.Document{d}) {
		if err := b.IndexAdvanced(d); err != nil {
			return err
		}
	}
	return nil
}

// removeParts removes the images and passages of a page that the index has.
func (s *store) removeParts(b *bleve.Batch, key string) error {
	return s.read(func(r api.IndexReader) error {
		return eachWith(r, byPage, key, func(id string, _ api.IndexInternalID) error {
			b.Delete(id)
			return nil
		})
	})
}

// eachWith visits the documents that have a term in a field.
func eachWith(r api.IndexReader, field, term string, visit func(id string, internal api.IndexInternalID) error) error {
	found, err := r.TermFieldReader(context.Background(), []byte(term), field, false, false, false)
	if err != nil {
		return err
	}
	defer found.Close()
	for {
		next, err := found.Next(nil)
		if err != nil || next == nil {
			return err
		}
		id, err := r.ExternalID(next.ID)
		if err != nil {
			return err
		}
		if err := visit(id, next.ID); err != nil {
			return err
		}
	}
}

// read calls use with the index as it is now.
func (s *store) read(use func(api.IndexReader) error) error {
	advanced, err := s.index.Advanced()
	if err != nil {
		return err
	}
	r, err := advanced.Reader()
	if err != nil {
		return err
	}
	return errors.Join(use(r), r.Close())
}

// each visits the keys and versions of all pages in the index, in no particular order.
func (s *store) each(visit func(key, version string) error) error {
	return s.read(func(r api.IndexReader) error {
		values, err := r.DocValueReader([]string{byVersion, bySource})
		if err != nil {
			return err
		}
		return eachDocument(r, func(id api.IndexInternalID) error { return visitPage(r, values, id, visit) })
	})
}

// eachDocument visits all that is in the index, in no particular order, until visit fails.
func eachDocument(r api.IndexReader, visit func(api.IndexInternalID) error) error {
	ids, err := r.DocIDReaderAll()
	if err != nil {
		return err
	}
	defer ids.Close()
	for {
		id, err := ids.Next()
		if err != nil || id == nil {
			return err
		}
		if err := visit(id); err != nil {
			return err
		}
	}
}

// visitPage visits a document that is not an image or a passage: those have no version, and go with their page.
func visitPage(r api.IndexReader, values api.DocValueReader, id api.IndexInternalID, visit func(key, version string) error) error {
	key, err := r.ExternalID(id)
	if err != nil {
		return err
	}
	version, part := "", false
	err = values.VisitDocValues(id, func(field string, term []byte) {
		switch {
		case field == byVersion:
			version = string(term)
		case string(term) == string(search.Images), string(term) == string(inPages):
			part = true
		}
	})
	if err != nil || part {
		return err
	}
	return visit(key, version)
}

// count of documents.
func (s *store) count() int {
	n, err := s.index.DocCount()
	if err != nil {
		return 0
	}
	return int(n)
}

// merge rewrites all documents into one segment, so that nothing of removed ones is left.
func (s *store) merge(ctx context.Context) error {
	advanced, err := s.index.Advanced()
	if err != nil {
		return err
	}
	files, ok := advanced.(*scorch.Scorch)
	if !ok || s.folder == "" {
		return nil
	}
	// A single segment is not merged, so another one is added.
	if err := s.apply([]change{{key: companion, page: &search.Page{}}}); err != nil {
		return err
	}
	if err := files.ForceMerge(ctx, nil); err != nil {
		return err
	}
	return errors.Join(s.apply([]change{{key: companion}}), s.awaitRemoval(ctx))
}

// companion is the key of a document that is not a page.
const companion = "\x00"

// awaitRemoval waits until the library has removed the segments that were merged, which it does some
// time after a later write.
func (s *store) awaitRemoval(ctx context.Context) error {
	const tries, pause = 200, 10 * time.Millisecond
	for range tries {
		list, err := filepath.Glob(filepath.Join(s.folder, filesName, "store", "*"+segmentSuffix))
		if err != nil || len(list) <= 1 {
			return err
		}
		if err := s.index.SetInternal([]byte("merged"), nil); err != nil {
			return err
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return errors.New("search index: merged segments have not been removed")
}

// close closes the index, then writes the seal.
func (s *store) close() error {
	err := s.index.Close()
	if err == nil && s.folder != "" {
		err = seal(s.folder)
	}
	return err
}
