package mcp

import (
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/winnow-go/winnow/engine/internal/clip"
	"github.com/winnow-go/winnow/engine/internal/portion"
	"github.com/winnow-go/winnow/formats"
	"github.com/winnow-go/winnow/formats/window"
	"github.com/winnow-go/winnow/llm"
)

// result is what a call gives: lines of the server's own words, and foreign texts in fences.
type result struct {
	c      *call
	text   strings.Builder
	more   []sdk.Content // pictures
	failed bool
}

func (c *call) result() *result { return &result{c: c} }

// line adds words of the server's own; what comes from elsewhere must be quoted.
func (r *result) line(format string, args ...any) { fmt.Fprintf(&r.text, format+"\n", args...) }

// foreign adds a text from elsewhere.
func (r *result) foreign(label, text string) {
	r.text.WriteString(llm.Fence(label, text) + "\n")
}

func (r *result) content() *sdk.CallToolResult {
	list := append([]sdk.Content{&sdk.TextContent{Text: strings.TrimSpace(r.text.String())}}, r.more...)
	return &sdk.CallToolResult{Content: list, IsError: r.failed}
}

// want is how much of a text a call wants, and of what.
type want struct {
	tokens, from int
	query        string
}

// budget is the number of tokens that a call has for foreign texts.
func (c *call) budget(w want) int {
	if w.tokens == 0 {
		return c.o.Budget
	}
	return w.tokens
}

func (c *call) count(text string) int {
	if c.o.CountTokens != nil {
		return c.o.CountTokens(text)
	}
	return bound(text)
}

// part is the part of a text that a call wants. Parts joined are the whole.
func (c *call) part(text, language string, w want) (string, *window.Window, error) {
	plan, err := portion.Plan(markdown, window.Budget{Tokens: max(c.budget(w), window.MinTokens), Query: w.query, From: w.from})
	if err != nil {
		return "", nil, err
	}
	got := plan.Of(text, language, c.o.CountTokens)
	return got.Markdown, got.Window, nil
}

// maxHeadings bounds the headings that a part is under, in bytes.
const maxHeadings = 500

// minOutline is how many tokens an outline has at least.
const minOutline = 400

var markdown = []formats.Format{{Type: formats.Markdown}}

// reading adds the part of a text that a call wants, and where to go on. again is the call that does, without its closing brace.
func (r *result) reading(label, text, language, again string, w want) error {
	part, at, err := r.c.part(text, language, w)
	if err != nil {
		return err
	}
	if len(at.Headings) > 0 && w.from > 0 {
		part = "(under: " + cut(strings.Join(at.Headings, " > "), maxHeadings) + ")\n" + at.Head + part
	} else {
		part = at.Head + part
	}
	r.foreign(label, part+at.Foot)
	switch {
	case w.from >= len(text) && len(text) > 0:
		r.line("Nothing is left from %d on: the whole has %d bytes.", w.from, len(text))
	case at.Next > 0:
		r.line("These are %d of %d tokens. Go on: %s, \"from\": %d}", at.Tokens, at.TotalTokens, again, at.Next)
	case at.Spans != nil:
		r.line("These are the %d of %d tokens that fit the query best. Read elsewhere: %s, \"from\": N}", at.Tokens, at.TotalTokens, again)
	}
	r.outline(at.Outline, max(r.c.budget(w)/4, minOutline))
	return nil
}

// outline lists what isn't in a part, in so many tokens.
func (r *result) outline(list []window.Section, tokens int) {
	var lines []string
	for _, s := range list {
		line := fmt.Sprintf("from %d: %d tokens", s.From, s.Tokens)
		if s.Title != "" {
			line += " " + strings.Repeat("#", s.Level) + " " + s.Title
		}
		if tokens -= r.c.count(line); tokens < 0 {
			break
		}
		lines = append(lines, line)
	}
	if left := len(list) - len(lines); left > 0 && len(lines) > 0 {
		lines = append(lines, fmt.Sprintf("and %d sections more", left))
	}
	if len(lines) > 0 {
		r.line("The rest:")
		r.foreign("outline", strings.Join(lines, "\n"))
	}
}

// cut shortens a text to so many bytes, which are no fewer tokens by any table.
func cut(text string, size int) string {
	if len(text) <= size {
		return text
	}
	return clip.Bytes(text, size) + " … (cut)"
}

// list adds the items that fit, of those after the first from, and returns how many of all were passed by then.
func (r *result) list(label string, items []string, w want) (next int) {
	var lines []string
	left := r.c.budget(w)
	next = min(w.from, len(items))
	for _, item := range items[next:] {
		n := r.c.count(item)
		if n > left && len(lines) > 0 {
			break
		}
		if n > left {
			item = cut(item, left)
		}
		left -= min(n, left)
		lines = append(lines, item)
		next++
	}
	if len(lines) > 0 {
		r.foreign(label, strings.Join(lines, "\n"))
	}
	return next
}

// listed is list, and says where the list goes on.
func (r *result) listed(label string, items []string, w want, again string) {
	if next := r.list(label, items, w); next < len(items) {
		r.line("These are %d to %d of %d. Go on: %s, \"from\": %d}", w.from+1, next, len(items), again, next)
	}
}

// listedAt is listed for a resource.
func (r *result) listedAt(name string, items []string, w want) {
	if next := r.list(name, items, w); next < len(items) {
		r.line("Go on: %s%s?from=%d", scheme, name, next)
	}
}
