package mapping

import (
	"bufio"
	"context"
	"io"
	"strings"

	"github.com/winnow-go/winnow/fetch/weburl"
)

// Bounds of an llms.txt: what is beyond isn't read.
const (
	llmsBytes = 4 << 20
	llmsLine  = 64 << 10
)

// llms lists what the site's llms.txt links to (https://llmstxt.org): Markdown, whose lists have a link and a note each. A site without
// one answers with an error or with a page, and that is no warning.
func (m *mapping) llms(ctx context.Context) error {
	if m.request.Sitemap != Include || m.silent || m.found.full() || ctx.Err() != nil {
		return nil
	}
	base, err := weburl.NewBase(weburl.Origin(m.found.base) + "/llms.txt")
	if err != nil {
		return nil // a base that has no origin has no such file
	}
	ctx, cancel := context.WithTimeout(ctx, sitemapTime)
	defer cancel()
	file, err := m.site.Fetch(ctx, base.String())
	if err != nil {
		return nil
	}
	defer file.Close()
	for l := range llmsLinks(io.LimitReader(file, llmsBytes)) {
		if l.URL, err = base.Resolve(l.URL); err == nil {
			m.found.add(l)
		}
		if m.found.full() {
			break
		}
	}
	return nil
}

// llmsLinks are the links of an llms.txt as they are written; none of a page of HTML.
func llmsLinks(r io.Reader) func(func(Link) bool) {
	return func(yield func(Link) bool) {
		lines := bufio.NewScanner(r)
		lines.Buffer(nil, llmsLine)
		for begun := false; lines.Scan(); {
			line := strings.TrimSpace(strings.TrimPrefix(lines.Text(), "\ufeff"))
			if !begun && strings.HasPrefix(line, "<") {
				return
			}
			begun = begun || line != ""
			for line != "" {
				var l Link
				if l, line = nextLink(line); l.URL != "" && !yield(l) {
					return
				}
			}
		}
	}
}

// nextLink is the first link of a line, [title](address), with the note that follows a colon where it is the last one. No link has an
// empty URL. rest is the line behind it.
func nextLink(line string) (l Link, rest string) {
	before, after, found := strings.Cut(line, "](")
	if !found {
		return Link{}, ""
	}
	target, rest, found := strings.Cut(after, ")")
	if !found {
		return Link{}, ""
	}
	if l.URL, _, _ = strings.Cut(strings.TrimSpace(target), " "); l.URL == "" {
		return Link{}, rest
	}
	l.URL = strings.Trim(l.URL, "<>")
	l.Title = strings.TrimSpace(before[strings.LastIndexByte(before, '[')+1:])
	if note, found := strings.CutPrefix(strings.TrimSpace(rest), ":"); found && !strings.Contains(rest, "](") {
		l.Description = strings.TrimSpace(note)
	}
	return l, rest
}
