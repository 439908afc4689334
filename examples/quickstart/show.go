package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/engine"
)

// progress reports on stderr what is going on, so that a wait is never silent.
type progress struct {
	to   io.Writer
	url  string
	done []engine.Step
	last browser.Progress
	tick int64
}

// install prints a line for each new step and each tenth of a download.
func (p *progress) install(b browser.Progress) {
	tenth := int64(-1)
	if b.Total > 0 {
		tenth = b.Done * 10 / b.Total
	}
	if b.Step == p.last.Step && b.Detail == p.last.Detail && tenth == p.tick {
		return
	}
	p.last, p.tick = b, tenth
	line := "install: " + b.Step
	if b.Detail != "" {
		line += ": " + b.Detail
	}
	if tenth >= 0 {
		line += fmt.Sprintf(" (%d %% of %.1f MB)", tenth*10, float64(b.Total)/1e6)
	}
	fmt.Fprintln(p.to, line)
}

func (p *progress) step(s engine.Step) {
	p.done = append(p.done, s)
	line := fmt.Sprintf("%s: %s %s", p.url, s.Name, round(s.Duration))
	if s.Detail != "" {
		line += " (" + s.Detail + ")"
	}
	fmt.Fprintln(p.to, line)
}

func round(d time.Duration) time.Duration {
	if d > 10*time.Millisecond {
		return d.Round(time.Millisecond)
	}
	return d.Round(time.Microsecond)
}

// show prints a document: as JSON in one line, or as text for people.
func show(w io.Writer, doc *engine.Document, steps []engine.Step, asJSON bool) error {
	if asJSON {
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		return enc.Encode(doc)
	}
	_, err := io.WriteString(w, text(doc, steps))
	return err
}

func text(doc *engine.Document, steps []engine.Step) string {
	var b strings.Builder
	m := doc.Metadata
	fmt.Fprintf(&b, "=== %s\n", m.SourceURL)
	for _, row := range [][2]string{
		{"title", m.Title}, {"description", m.Description}, {"language", m.Language},
		{"url", m.URL}, {"status", fmt.Sprint(m.StatusCode)}, {"type", m.ContentType},
		{"rendered by", m.RenderedBy + ": " + m.RenderReason}, {"ready", m.ReadyReason},
		{"steps", durations(steps)}, {"screenshot", doc.Screenshot}, {"warning", doc.Warning},
	} {
		if row[1] != "" {
			fmt.Fprintf(&b, "%-12s %s\n", row[0]+":", row[1])
		}
	}
	section(&b, "markdown", doc.Markdown)
	section(&b, "html", doc.HTML)
	section(&b, "rawHtml", doc.RawHTML)
	section(&b, "rawBase64", doc.RawBase64)
	section(&b, "links", strings.Join(doc.Links, "\n"))
	section(&b, "images", strings.Join(doc.Images, "\n"))
	b.WriteByte('\n')
	return b.String()
}

func section(b *strings.Builder, name, content string) {
	if content != "" {
		fmt.Fprintf(b, "--- %s\n%s\n", name, strings.TrimRight(content, "\n"))
	}
}

func durations(steps []engine.Step) string {
	var parts []string
	for _, s := range steps {
		parts = append(parts, fmt.Sprintf("%s %s", s.Name, round(s.Duration)))
	}
	return strings.Join(parts, ", ")
}
