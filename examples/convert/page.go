package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/winnow-go/winnow/formats"
)

// page is a line of the input.
type page struct {
	ID   string `json:"id"`
	URL  string `json:"url"`
	HTML string `json:"html"`
}

// answer is a line of the output.
type answer struct {
	ID       string  `json:"id"`
	Markdown *string `json:"markdown,omitempty"`
	HTML     *string `json:"html,omitempty"`
	Error    string  `json:"error,omitempty"`
}

func convert(ctx context.Context, line []byte, s settings) answer {
	var p page
	if err := json.Unmarshal(line, &p); err != nil {
		return answer{ID: p.ID, Error: fmt.Sprintf("not a page: %v", err)}
	}
	out, err := render(ctx, p, s)
	if err != nil {
		return answer{ID: p.ID, Error: err.Error()}
	}
	if s.format == formats.HTML {
		return answer{ID: p.ID, HTML: &out.HTML}
	}
	return answer{ID: p.ID, Markdown: &out.Markdown}
}

func render(ctx context.Context, p page, s settings) (*formats.Output, error) {
	dom, err := formats.Parse(ctx, formats.Source{URL: p.URL, MediaType: "text/html", Body: []byte(p.HTML)})
	if err != nil {
		return nil, err
	}
	return dom.Render(ctx, formats.Options{Formats: []formats.Type{s.format}, OnlyMainContent: s.main, RemoveBase64Images: true})
}
