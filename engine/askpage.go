package engine

import (
	"context"
	"errors"
	"strings"

	"github.com/winnow-go/winnow/formats"
	"github.com/winnow-go/winnow/formats/document"
	"github.com/winnow-go/winnow/llm"
	"github.com/winnow-go/winnow/llm/read"
)

func (s *scrape) askSummary(ctx context.Context, p read.Page) (w []string, err error) {
	s.told.summary, w, err = read.Summary(ctx, s.meter, p)
	return w, err
}

func (s *scrape) askAnswer(ctx context.Context, p read.Page, question string) (w []string, err error) {
	s.told.answer, w, err = read.Answer(ctx, s.meter, p, question)
	return w, err
}

func (s *scrape) askHighlights(ctx context.Context, p read.Page, query string) (w []string, err error) {
	s.told.highlights, w, err = read.Highlights(ctx, s.meter, p, query)
	return w, err
}

// askQuery is question and highlights under their old name.
func (s *scrape) askQuery(ctx context.Context, p read.Page, f *formats.Format) (w []string, err error) {
	if f.Mode != "directQuote" {
		return s.askAnswer(ctx, p, f.Prompt)
	}
	s.told.answer, w, err = read.Quote(ctx, s.meter, p, f.Prompt)
	return w, err
}

func (s *scrape) askJSON(ctx context.Context, p read.Page, f *formats.Format) ([]string, error) {
	fields, err := fieldsOf(f)
	if err != nil {
		return nil, err
	}
	got, err := read.Extract(ctx, s.meter, p, fields)
	s.told.json, s.told.evidence = got.JSON, got.Evidence
	return got.Warnings, err
}

// fieldsOf is what a format asks for. Its schema was checked when the request was.
func fieldsOf(f *formats.Format) (read.Fields, error) {
	fields := read.Fields{Prompt: f.Prompt, Evidence: f.Evidence, CheckInjection: f.CheckPromptInjection}
	if len(f.Schema) == 0 {
		return fields, nil
	}
	var err error
	fields.Schema, err = llm.CompileSchema(f.Schema)
	return fields, err
}

// cleanMarkdown drops what is left of boilerplate. What readers don't see stays, and isn't told to the model.
func (s *scrape) cleanMarkdown(ctx context.Context) ([]string, error) {
	p, err := s.readable(ctx)
	if err != nil {
		return nil, err
	}
	p.Text, p.Seen = s.output.Markdown, p.Text
	if p.Seen == "" && p.Text != "" {
		return nil, errNothingSeen
	}
	text, warnings, err := read.Clean(ctx, s.meter, p)
	if err == nil {
		s.told.markdown = new(strings.TrimSpace(text))
	}
	return warnings, err
}

var errNothingSeen = errors.New("readers see no text on the page")

// compareFields is the json mode of changeTracking.
func (s *scrape) compareFields(ctx context.Context) ([]string, error) {
	fields, err := fieldsOf(s.plan.format(formats.ChangeTracking))
	if err != nil {
		return nil, err
	}
	after, err := s.readable(ctx)
	if err != nil {
		return nil, err
	}
	before := after
	if before.Text, err = seenText(ctx, s.before, s.plan); err != nil {
		return nil, err
	}
	var warnings []string
	s.told.fields, warnings, err = read.Differences(ctx, s.meter, before, after, fields)
	return warnings, err
}

// readable is the page as a model gets it: the text that its readers see, without pictures' bytes.
func (s *scrape) readable(ctx context.Context) (read.Page, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.page == nil {
		if err := s.reload(ctx); err != nil {
			return read.Page{}, err
		}
		text, err := seenText(ctx, s.source, s.plan)
		if err != nil {
			return read.Page{}, err
		}
		s.page = &read.Page{URL: s.address(), Title: s.output.Metadata.Title, Text: text}
	}
	return *s.page, nil
}

// reload reads a page again that was served by its kept output.
func (s *scrape) reload(ctx context.Context) error {
	if s.served != nil && s.source.body == nil && !s.load(ctx, *s.served, s.source) {
		return errors.New("the stored page can't be read any more")
	}
	return nil
}

// seenText is a page's markdown by a plan, without what is hidden.
func seenText(ctx context.Context, src *source, p *plan) (string, error) {
	if formats.IsMedia(src.mediaType) && !src.isFile() || !src.isFile() && src.fileKind() != document.Unknown {
		return "", nil
	}
	dom, err := src.parse(ctx)
	if err != nil {
		return "", err
	}
	how := p.rendering
	how.Formats, how.OnlyVisible, how.RemoveBase64Images = []formats.Type{formats.Markdown}, true, true
	how.LeftOut = false
	out, err := dom.Render(ctx, how)
	if err != nil {
		return "", err
	}
	return out.Markdown, nil
}
