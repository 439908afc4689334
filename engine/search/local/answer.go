package local

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/blevesearch/bleve/v2"
	scoring "github.com/blevesearch/bleve/v2/search"
	"github.com/blevesearch/bleve/v2/search/query"
	api "github.com/blevesearch/bleve_index_api"

	"github.com/winnow-go/winnow/engine/search"
)

// Search implements search.Provider. It finds every page that was stored before the call. The text is
// parsed as words that must all be found (in any form, if the page's language is known), "phrases in
// quotes", -without, site:, filetype:pdf and OR. If no page has all words, pages with some of them are
// returned, with a warning. The date of a result is that of publication or, if unknown, of storing.
//
// The news are the pages that are articles and say when they were published, the newest first among equally
// good ones: those whose scores are in the same tenth of the best score. Images are found by their own texts; words,
// site: and dates are those of one image and its page. An image that is on several pages is one result, with the
// best of them.
func (x *Index) Search(ctx context.Context, q search.Query) (search.Results, error) {
	q = q.WithDefaults()
	if err := x.Can().Check(x.Name(), q); err != nil {
		return search.Results{}, err
	}
	var found search.Results
	err := x.use(ctx, func(late string) (err error) {
		found, err = lookup{x}.find(ctx, q)
		found.Warning = strings.TrimSpace(late + found.Warning)
		return err
	})
	return found, err
}

// use calls search with the store open and as up to date as it gets within the index's patience; late warns of the rest.
func (x *Index) use(ctx context.Context, search func(late string) error) error {
	late, err := x.wait(ctx)
	if err != nil {
		return err
	}
	x.using.RLock()
	defer x.using.RUnlock()
	if x.store == nil {
		return x.gone()
	}
	if late {
		return search("The index is still being brought up to date: some pages may be missing. ")
	}
	return search("")
}

// wait catches up, at most for the index's patience. late reports that it did not finish.
func (x *Index) wait(ctx context.Context) (late bool, err error) {
	patient, cancel := context.WithTimeout(ctx, x.patience)
	defer cancel()
	err = x.catchUp(patient)
	if err != nil && ctx.Err() == nil && patient.Err() != nil && errors.Is(err, context.DeadlineExceeded) {
		return true, nil
	}
	return false, err
}

// gone returns the reason why there is no store.
func (x *Index) gone() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.closed || x.failed == nil {
		return search.ErrClosed
	}
	return x.failed
}

// lookup answers queries, with the store open.
type lookup struct{ *Index }

// find searches by words and, with an embedder, by meaning, and joins both.
func (x lookup) find(ctx context.Context, q search.Query) (search.Results, error) {
	c := compile(q, x.store.folded, x.setup.Now())
	s, warning := x.sense(ctx, q, c)
	list, some, err := x.byWords(ctx, q, c, s.depth(q.Limit))
	if err != nil {
		return search.Results{}, err
	}
	if some {
		warning = strings.TrimSpace("No " + nouns[q.Source] + " has all words of the query; these have some" + s.or() + ". " + warning)
	}
	if s.query != nil {
		near, err := x.nearPages(ctx, q, s)
		if err != nil {
			return search.Results{}, err
		}
		list = fused(picked.page, list, near)
	}
	results, err := x.results(ctx, q, c, s, list[:min(len(list), q.Limit)])
	return search.Results{List: results, Warning: warning}, err
}

// byWords searches for all words and then, if no page has them, for some.
func (x lookup) byWords(ctx context.Context, q search.Query, c compiled, limit int) (list []picked, some bool, err error) {
	list, err = x.hits(ctx, q, c.all, limit)
	if err != nil || len(list) > 0 || c.any == nil {
		return list, false, err
	}
	list, err = x.hits(ctx, q, c.any, limit)
	return list, len(list) > 0, err
}

// nouns are what one result is called.
var nouns = map[search.Source]string{search.Web: "page", search.News: "article", search.Images: "image"}

// maxHits is the maximum number of hits of the library that are read: several may be the same page,
// fetched in different ways, or the same image on several pages.
const maxHits = 10_000

func (x lookup) hits(ctx context.Context, q search.Query, full query.Query, limit int) ([]picked, error) {
	r, err := x.request(ctx, q, full, 3*limit+30)
	if err != nil {
		return nil, err
	}
	p := picking{index: x, source: q.Source, limit: limit, seen: map[string]bool{}}
	for {
		found, err := x.search(ctx, r)
		if err != nil {
			return nil, err
		}
		if q.Source == search.News && !q.Span.ByDate {
			newestFirst(found)
		}
		if err := p.take(ctx, found); err != nil {
			return nil, err
		}
		if len(p.list) == limit || len(found) < r.Size || r.From+r.Size >= maxHits {
			return p.list, nil
		}
		r.From, r.Size = r.From+r.Size, min(4*r.Size, maxHits-r.From-r.Size)
	}
}

// request is for the first hits of the library.
func (x lookup) request(ctx context.Context, q search.Query, full query.Query, size int) (*bleve.SearchRequest, error) {
	stats, err := x.store.stats(ctx, q.Source)
	if err != nil {
		return nil, err
	}
	r := bleve.NewSearchRequestOptions(full, size, 0, false)
	r.PreSearchData = map[string]any{scoring.BM25PreSearchDataKey: stats}
	order := []string{"-_score", "-" + byDate, "_id"}
	if q.Span.ByDate {
		order = []string{"-" + byDate, "-_score", "_id"}
	}
	if q.Source == search.Images { // pages that are as good and as old: the one that shows it largest
		order = append(order[:2:2], "-"+byImageArea, "_id", byImageAddress)
	}
	r.SortBy(order)
	return r, nil
}

// Places in the keys that hits are sorted by.
const (
	dateAt    = 1 // unless dates come first
	addressAt = 4 // of images
)

// newestFirst sorts hits whose scores are in the same tenth of the best one by their dates.
func newestFirst(found scoring.DocumentMatchCollection) {
	const steps = 10
	if len(found) == 0 || found[0].Score <= 0 {
		return
	}
	best := found[0].Score
	slices.SortStableFunc(found, func(a, b *scoring.DocumentMatch) int {
		return cmp.Or(cmp.Compare(int(steps*b.Score/best), int(steps*a.Score/best)), strings.Compare(b.Sort[dateAt], a.Sort[dateAt]))
	})
}

// picking picks the results from hits.
type picking struct {
	index  lookup
	source search.Source
	limit  int
	seen   map[string]bool // pages, or addresses of images
	list   []picked
}

// picked is a document of the index that is a result.
type picked struct {
	id string
	shown
}

// page is the same for all ways in which a page was fetched.
func (p picked) page() string { return addressOf(p.id) }

// take adds hits up to the limit, each page or image once.
func (p *picking) take(ctx context.Context, found scoring.DocumentMatchCollection) error {
	for _, hit := range found {
		same := addressOf(hit.ID)
		if p.source == search.Images {
			same = hit.Sort[addressAt]
		}
		if p.seen[same] || len(p.list) == p.limit {
			continue
		}
		s, ok, err := p.index.shown(ctx, hit.ID, p.source)
		if err != nil {
			return err
		}
		if ok {
			p.seen[same] = true
			p.list = append(p.list, picked{hit.ID, s})
		}
	}
	return nil
}

// search returns the hits; a panic of the library is an error.
func (x lookup) search(ctx context.Context, r *bleve.SearchRequest) (hits scoring.DocumentMatchCollection, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("search index: panic: %v", p)
		}
	}()
	found, err := x.store.index.SearchInContext(ctx, r)
	if err != nil {
		return nil, err
	}
	return found.Hits, nil
}

// shown reads what results show of a document; ok is false if the cache no longer has its page.
func (x lookup) shown(ctx context.Context, id string, source search.Source) (s shown, ok bool, err error) {
	now, err := x.pages.Version(ctx, pageOf(id, source))
	if err != nil || now == "" {
		return s, false, err
	}
	ok, err = x.stored(id, &s)
	return s, ok, err
}

// stored reads what is stored of a document; ok is false if there is none.
func (x lookup) stored(id string, into any) (ok bool, err error) {
	d, err := x.store.index.Document(id)
	if err != nil || d == nil {
		return false, err
	}
	d.VisitFields(func(f api.Field) {
		if f.Name() == shownField {
			ok = json.Unmarshal(f.Value(), into) == nil
		}
	})
	return ok, nil
}

// results shows what was picked, with the passages of pages.
func (x lookup) results(ctx context.Context, q search.Query, c compiled, s sense, list []picked) ([]search.Result, error) {
	results := make([]search.Result, 0, len(list))
	for _, p := range list {
		results = append(results, x.result(p.shown, q, c))
	}
	return results, x.addParts(ctx, q, c, s, list, results)
}

func (x lookup) result(s shown, q search.Query, c compiled) search.Result {
	r := search.Result{
		URL: s.URL, Title: s.Title, Date: s.Date.UTC().Truncate(time.Millisecond),
		ImageURL: s.Image, ImageWidth: s.Width, ImageHeight: s.Height,
	}
	r.Description, r.Matches = passage(s, x.store.folded, c)
	if r.Category = search.FirstOf(q.Categories, s.URL); r.Category == "" && len(q.Categories) == 1 {
		r.Category = q.Categories[0]
	}
	return r
}
