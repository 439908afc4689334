package engine

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/engine/search"
	"github.com/winnow-go/winnow/formats"
	"github.com/winnow-go/winnow/formats/document"
)

// indexFolder is where an index is kept in [Options.Dir].
const indexFolder = "index"

// indexOf is the index among the providers; nil for none.
func indexOf(providers []search.Provider) search.Index {
	for _, p := range providers {
		if x, ok := p.(search.Index); ok {
			return x
		}
	}
	return nil
}

// changedIn tells the index what changes in the cache; nil where nobody wants to know.
func changedIn(x search.Index) func([]string) {
	if x == nil {
		return nil
	}
	return x.Changed
}

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
func (e *Engine) attachIndex() error {
	x := indexOf(e.options.Search)
	if x == nil {
		return nil
	}
	err := x.Attach(&indexed{e}, search.Setup{Folder: e.folder(indexFolder), Now: e.now, Logger: e.log})
	if err != nil {
		return &OptionError{Field: "Search", Value: x.Name(), Want: "an index of this engine alone", Err: err}
	}
	e.index = x
	return nil
}

// closeIndex ends the index before the cache, which it reads.
func (e *Engine) closeIndex() error {
	if e.index == nil {
		return nil
	}
	return e.index.Close()
}

// flushIndex makes durable what the index knows.
func (e *Engine) flushIndex(ctx context.Context) error {
	if e.index == nil {
		return nil
	}
	return e.index.Flush(ctx)
}

// purgeIndex takes out of the index what the cache has no more. Without an index, one that another
// program has left in the folder is removed: it is made anew when it is next used.
func (e *Engine) purgeIndex(ctx context.Context) error {
	switch folder := e.folder(indexFolder); {
	case e.index != nil:
		return e.index.Purge(ctx)
	case folder != "":
		return os.RemoveAll(folder)
	}
	return nil
}

// compactIndex gives back what pages that are gone have taken in the index.
func (e *Engine) compactIndex(ctx context.Context) error {
	if e.index == nil {
		return e.purgeIndex(ctx)
	}
	return e.index.Compact(ctx)
}

// indexed are the pages of the cache as an index reads them: of each way of fetching a page the
// newest version, where that is a page and no error, wall, sitemap or feed.
type indexed struct{ *Engine }

var _ search.Pages = (*indexed)(nil)

// Keys implements search.Pages.
func (e *indexed) Keys(ctx context.Context, after string, limit int) ([]string, error) {
	return e.stores.pages.Keys(ctx, "", after, limit)
}

// Settle implements search.Pages. What the cache couldn't write is the cache's to tell.
func (e *indexed) Settle(ctx context.Context) error {
	if err := e.stores.pages.Flush(ctx); err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	return nil
}

// Version implements search.Pages.
func (e *indexed) Version(ctx context.Context, key string) (string, error) {
	v, _, err := e.newest(ctx, key)
	return versionName(v), err
}

func versionName(v *cache.Version) string {
	if v == nil {
		return ""
	}
	return fmt.Sprintf("%d.%d", v.ID, v.Stored.UnixMilli())
}

// newest gives the newest version of a key, nil where that is not to be found.
func (e *indexed) newest(ctx context.Context, key string) (*cache.Version, *stored, error) {
	versions, err := e.stores.pages.Versions(ctx, key)
	if err != nil || len(versions) == 0 {
		return nil, nil, err
	}
	m, err := decodeStored(versions[0].Meta)
	if err != nil || !m.good() || !m.listable() {
		return nil, nil, nil
	}
	return &versions[0], m, nil
}

// indexTime bounds the reading of one page for the index.
const indexTime = 20 * time.Second

// Page implements search.Pages. Of a page whose text can't be read there are address and title.
func (e *indexed) Page(ctx context.Context, key string) (*search.Page, error) {
	v, m, err := e.newest(ctx, key)
	if err != nil || v == nil {
		return nil, err
	}
	p := &search.Page{
		Version: versionName(v), URL: m.URL, Title: m.Title, Description: m.Description,
		Language: m.Language, MediaType: m.MediaType, Stored: v.Stored,
	}
	src := m.restore()
	data, err := e.stores.pages.Get(ctx, *v)
	if err != nil || decodeBody(data, src) != nil {
		return p, ctx.Err()
	}
	reading, cancel := context.WithTimeout(ctx, indexTime)
	defer cancel()
	if err := describePage(reading, src, p); err != nil {
		e.log.Debug("a page is found by its title only", "error", err)
	}
	return p, ctx.Err()
}

// describePage reads what of a page can be searched: what its readers see, for models are told what
// is found. Scans aren't recognised for that.
func describePage(ctx context.Context, src *source, p *search.Page) error {
	src.files = fileOptions{PDF: true, Mode: document.ModeFast}
	if formats.IsMedia(src.mediaType) || !src.isFile() && src.fileKind() != document.Unknown {
		return nil
	}
	dom, err := src.parse(ctx)
	if err != nil {
		return err
	}
	out, err := dom.Render(ctx, formats.Options{Formats: []formats.Type{formats.Markdown}, OnlyMainContent: true, OnlyVisible: true, RemoveBase64Images: true})
	if err != nil {
		return err
	}
	meta := out.Metadata
	p.Title = orDefault(orDefault(meta.Title, meta.OGTitle), p.Title)
	p.Description = orDefault(orDefault(meta.Description, meta.OGDescription), p.Description)
	p.Language = orDefault(meta.Language, p.Language)
	p.Headings = headingsOf(out.Markdown)
	p.Published = published(meta)
	if strings.HasPrefix(meta.OGImage, "http") {
		p.Image = meta.OGImage
	}
	p.Text, err = dom.VisibleText(ctx)
	return err
}

// headingsOf are those of a page's markdown.
func headingsOf(markdown string) (list []string) {
	fenced := false
	for line := range strings.Lines(markdown) {
		if strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") {
			fenced = !fenced
		}
		text := strings.TrimLeft(line, "#")
		if level := len(line) - len(text); !fenced && level > 0 && level <= 6 && strings.HasPrefix(text, " ") {
			list = append(list, strings.TrimSpace(text))
		}
	}
	return list
}

// published is the time that a page gives, where it can be read.
func published(m formats.Metadata) time.Time {
	for _, text := range []string{m.PublishedTime, m.ModifiedTime} {
		for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04", time.DateOnly, "2006-01", "2006"} {
			if t, err := time.Parse(layout, text); err == nil {
				return t
			}
		}
	}
	return time.Time{}
}
