package enrich

import (
	"context"
	"errors"
	"strings"

	"github.com/winnow-go/winnow/engine/internal/page"
	"github.com/winnow-go/winnow/formats"
	"github.com/winnow-go/winnow/formats/document"
	"github.com/winnow-go/winnow/llm"
	"github.com/winnow-go/winnow/llm/read"
)

func (s *Asker) askSummary(ctx context.Context, p read.Page) (w []string, err error) {
	s.Answers.Summary, w, err = read.Summary(ctx, s.Meter, p)
	return w, err
}

func (s *Asker) askAnswer(ctx context.Context, p read.Page, question string) (w []string, err error) {
	s.Answers.Answer, w, err = read.Answer(ctx, s.Meter, p, question)
	return w, err
}

func (s *Asker) askHighlights(ctx context.Context, p read.Page, query string) (w []string, err error) {
	s.Answers.Highlights, w, err = read.Highlights(ctx, s.Meter, p, query)
	return w, err
}

// askQuery is question and highlights under their old name.
func (s *Asker) askQuery(ctx context.Context, p read.Page, f *formats.Format) (w []string, err error) {
	if f.Mode != "directQuote" {
		return s.askAnswer(ctx, p, f.Prompt)
	}
	s.Answers.Answer, w, err = read.Quote(ctx, s.Meter, p, f.Prompt)
	return w, err
}

func (s *Asker) askJSON(ctx context.Context, p read.Page, f *formats.Format) ([]string, error) {
	fields, err := FieldsOf(f)
	if err != nil {
		return nil, err
	}
	got, err := read.Extract(ctx, s.Meter, p, fields)
	s.Answers.Json, s.Answers.Evidence = got.JSON, got.Evidence
	return got.Warnings, err
}

// FieldsOf is what a format asks for. Its schema was checked when the request was.
func FieldsOf(f *formats.Format) (read.Fields, error) {
	fields := read.Fields{Prompt: f.Prompt, Evidence: f.Evidence, CheckInjection: f.CheckPromptInjection}
	if len(f.Schema) == 0 {
		return fields, nil
	}
	var err error
	fields.Schema, err = llm.CompileSchema(f.Schema)
	return fields, err
}

// cleanMarkdown drops what is left of boilerplate. What readers don't see stays, and isn't shown to the model.
func (s *Asker) cleanMarkdown(ctx context.Context) ([]string, error) {
	p, err := s.Readable(ctx)
	if err != nil {
		return nil, err
	}
	p.Text, p.Seen = s.Output.Markdown, p.Text
	if p.Seen == "" && p.Text != "" {
		return nil, errNothingSeen
	}
	text, warnings, err := read.Clean(ctx, s.Meter, p)
	if err == nil {
		s.Answers.Markdown = new(strings.TrimSpace(text))
	}
	return warnings, err
}

var errNothingSeen = errors.New("readers see no text on the page")

// compareFields is the json mode of changeTracking.
func (s *Asker) compareFields(ctx context.Context) ([]string, error) {
	fields, err := FieldsOf(s.Compare)
	if err != nil {
		return nil, err
	}
	after, err := s.Readable(ctx)
	if err != nil {
		return nil, err
	}
	before := after
	if before.Text, err = seenText(ctx, s.Before, s.Options); err != nil {
		return nil, err
	}
	var warnings []string
	s.Answers.Fields, warnings, err = read.Differences(ctx, s.Meter, before, after, fields)
	return warnings, err
}

// Readable is the page as a model gets it: the text that its readers see, without pictures' bytes.
func (s *Asker) Readable(ctx context.Context) (read.Page, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.page == nil {
		if err := s.Reload(ctx); err != nil {
			return read.Page{}, err
		}
		text, err := seenText(ctx, s.Page, s.Options)
		if err != nil {
			return read.Page{}, err
		}
		s.page = &read.Page{URL: s.URL, Title: s.Output.Metadata.Title, Text: text}
	}
	return *s.page, nil
}

// seenText is a page's markdown by these options, without what is hidden.
func seenText(ctx context.Context, src *page.Page, how formats.Options) (string, error) {
	if formats.IsMedia(src.MediaType) && !src.IsFile() || !src.IsFile() && src.FileKind() != document.Unknown {
		return "", nil
	}
	dom, err := src.Parse(ctx)
	if err != nil {
		return "", err
	}
	how.Formats, how.OnlyVisible, how.RemoveBase64Images = []formats.Type{formats.Markdown}, true, true
	how.LeftOut = false
	out, err := dom.Render(ctx, how)
	if err != nil {
		return "", err
	}
	return out.Markdown, nil
}
