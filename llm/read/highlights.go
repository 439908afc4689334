package read

import (
	"context"
	"fmt"
	"strings"

	"github.com/winnow-go/winnow/llm"
)

// Highlights returns what the page says about a query, in its own words: pieces of Text exactly as
// they stand there, in their order, with blank lines between them. The model only names
// sentences, list items and blocks by number; of a table or code block any part stands for the
// whole. A page that is longer than the model supports is read in parts. When nothing fits the query
// the text is empty, with a warning.
func Highlights(ctx context.Context, m llm.Model, p Page, query string) (string, []string, error) {
	pieces := quotable(p.Text)
	if len(pieces) == 0 {
		return "", []string{noText}, nil
	}
	chosen, err := chooseFor(ctx, m, p, pieces, query)
	if err != nil {
		return "", nil, fmt.Errorf("highlights: %w", err)
	}
	spans := picked(p.Text, pieces, chosen)
	if len(spans) == 0 {
		return "", []string{"nothing on the page fits the query"}, nil
	}
	texts := make([]string, len(spans))
	for i, s := range spans {
		texts[i] = p.Text[s.start:s.end]
	}
	return strings.Join(texts, "\n\n"), nil, nil
}

// Quote answers a prompt in the page's own words only, as [Highlights] does.
func Quote(ctx context.Context, m llm.Model, p Page, prompt string) (string, []string, error) {
	return Highlights(ctx, m, p, prompt)
}

func chooseFor(ctx context.Context, m llm.Model, p Page, pieces []piece, query string) (map[int]bool, error) {
	s, err := numbers()
	if err != nil {
		return nil, err
	}
	j := job{m: m, p: p, task: highlightsTask + "\n\nQuery: " + query, schema: s, label: "numbered page"}
	input, _ := j.room()
	if input < minPackTokens {
		return nil, fmt.Errorf("no page fits beside the query: %w", llm.ErrTooLong)
	}
	texts := packs(pieces, input)
	if len(texts) > maxParts {
		return nil, fmt.Errorf("the page has %d parts, at most %d are read: %w", len(texts), maxParts, llm.ErrTooLong)
	}
	chosen, err := j.choose(ctx, texts, len(pieces))
	if tooLong(err) && input >= 2*minPackTokens { // the estimate was too low
		return j.choose(ctx, packs(pieces, input/2), len(pieces))
	}
	return chosen, err
}

// quotable cuts a page into what can be quoted: sentences of prose, list items, and everything
// else as a whole.
func quotable(text string) []piece {
	var all []piece
	for _, b := range blocks(text) {
		switch b.kind {
		case rule:
		case table, code:
			s := trimmed(text, b)
			all = append(all, asPieces(text[s.start:s.end], s.start, &s)...)
		case list:
			for _, s := range items(text, b) {
				all = append(all, asPieces(text[s.start:s.end], s.start, nil)...)
			}
		case heading:
			s := trimmed(text, b)
			all = append(all, piece{text[s.start:s.end], s})
		default:
			for _, s := range sentences(text, b.start, b.body) {
				all = append(all, asPieces(text[s.start:s.end], s.start, nil)...)
			}
		}
	}
	return all
}

// trimmed is a block without the blank lines round it. The indent of its first line stays.
func trimmed(text string, b block) span {
	start := b.start
	for start < b.body {
		end := strings.IndexByte(text[start:b.body], '\n')
		if end < 0 || strings.TrimSpace(text[start:start+end]) != "" {
			break
		}
		start += end + 1
	}
	return span{start, b.body}
}

// items are the items of a list with what is nested in them.
func items(text string, b block) []span {
	s := trimmed(text, b)
	var all []span
	fence := ""
	for _, l := range lines(text[s.start:s.end]) {
		if m := fenceLine.FindStringSubmatch(l.text); m != nil && fence == "" {
			fence = m[1]
		} else if fence != "" && strings.HasPrefix(strings.TrimSpace(l.text), fence) {
			fence = ""
		}
		if len(all) == 0 || fence == "" && itemLine.MatchString(l.text) {
			all = append(all, span{s.start + l.start, s.start + l.end})
		} else if !l.blank() {
			all[len(all)-1].end = s.start + l.end
		}
	}
	return all
}

// picked are the spans of the chosen pieces; what only white space without a blank line lies
// between is one span.
func picked(text string, pieces []piece, chosen map[int]bool) []span {
	var all []span
	for i, p := range pieces {
		if !chosen[i] {
			continue
		}
		if len(all) > 0 {
			last := &all[len(all)-1]
			if p.start <= last.end || joins(text[last.end:p.start]) {
				last.end = max(last.end, p.end)
				continue
			}
		}
		all = append(all, p.span)
	}
	for i := range all {
		all[i] = tight(text, all[i])
	}
	return all
}

// joins reports whether a gap is within a block: white space without a blank line.
func joins(gap string) bool {
	return strings.TrimSpace(gap) == "" && strings.Count(gap, "\n") < 2
}

// tight leaves out white space at the end, and line breaks at the beginning.
func tight(text string, s span) span {
	part := strings.TrimRight(text[s.start:s.end], " \t\r\n")
	s.end = s.start + len(part)
	s.start += len(part) - len(strings.TrimLeft(part, "\r\n"))
	return s
}
