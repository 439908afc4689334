package searchindex

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/winnow-go/winnow/engine/search"
	"github.com/winnow-go/winnow/formats"
	"github.com/winnow-go/winnow/formats/passages"
)

// describe reads the part of a page that can be searched: what its readers see, for that is what models are shown.
func describe(ctx context.Context, tree func(context.Context) (*formats.DOM, error), p *search.Page) error {
	dom, err := tree(ctx)
	if err != nil || dom == nil {
		return err
	}
	out, err := dom.Render(ctx, formats.Options{
		Formats: []formats.Type{formats.Markdown}, OnlyMainContent: true, OnlyVisible: true, RemoveBase64Images: true,
	})
	if err != nil {
		return err
	}
	meta := out.Metadata
	p.Title = cmp.Or(meta.Title, meta.OGTitle, p.Title)
	p.Description = cmp.Or(meta.Description, meta.OGDescription, p.Description)
	p.Language = cmp.Or(meta.Language, p.Language)
	p.Headings, p.Passages = headingsOf(out.Markdown), passagesOf(out.Markdown, p.Language)
	p.Published = published(meta)
	if strings.HasPrefix(meta.OGImage, "http") {
		p.Image = meta.OGImage
	}
	if p.Text, err = dom.VisibleText(ctx); err != nil {
		return err
	}
	if p.Article, err = isNews(ctx, dom, p); err != nil {
		return err
	}
	p.Images, err = imagesOf(ctx, dom, p, meta)
	return err
}

// isNews reports an article on the web that says when it is from. A file with a date, such as a letter, is none.
func isNews(ctx context.Context, dom *formats.DOM, p *search.Page) (bool, error) {
	if p.Published.IsZero() || p.MediaType != "text/html" && p.MediaType != "application/xhtml+xml" {
		return false, nil
	}
	return dom.IsArticle(ctx)
}

// passagesOf are those of a page's markdown.
func passagesOf(markdown, language string) []search.Passage {
	parts := passages.Split(markdown, passages.Options{Language: language})
	list := make([]search.Passage, 0, len(parts))
	for _, p := range parts {
		list = append(list, search.Passage{
			ID: p.ID, Headings: p.Headings, Kind: string(p.Kind), Language: p.Language, From: p.From, To: p.To, Tokens: p.Tokens,
			Text: p.Text, Head: p.Head, Foot: p.Foot,
		})
	}
	return list
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
