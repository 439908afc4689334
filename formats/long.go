package formats

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"github.com/winnow-go/winnow/formats/internal/parse"
)

// longBody is from how many bytes on a body is rendered in pieces, and their size.
const (
	longBody  = 512 << 10
	pieceSize = 64 << 10
)

// RenderLong is Parse and Render for a body that package document has made and that is too long for one tree, which takes a
// hundred times the text: the body is cut between blocks and rows of tables, and the formats of the pieces are joined. ok
// is false for a body that isn't long or can't be cut, and for formats and options that need the whole tree.
func RenderLong(ctx context.Context, src Source, o Options) (out *Output, ok bool, err error) {
	if len(src.Body) < longBody || !o.byPieces() || bytes.Contains(src.Body, []byte(` href="#note-`)) {
		return nil, false, nil
	}
	pieces, ok := parse.Pieces(src.Body, pieceSize)
	if !ok || len(pieces) < 2 {
		return nil, false, nil
	}
	l := &long{links: newOnce(), images: newOnce()}
	for _, p := range pieces {
		body := src
		body.Body = append(slices.Clip(p.Head), p.Body...)
		if ok, err = l.add(ctx, body, o, len(p.Head) > 0); err != nil || !ok {
			return nil, false, err
		}
	}
	return l.output(src, o), true, nil
}

// byPieces reports whether each piece of a document gives its part of all that is requested.
func (o Options) byPieces() bool {
	joined := []Type{Markdown, Links, Images, RawHTML}
	whole := func(t Type) bool { return isOfTree(t) && !slices.Contains(joined, t) }
	return o.wants(Markdown) && !o.OnlyMainContent && !o.OnlyVisible && len(o.IncludeTags)+len(o.ExcludeTags) == 0 &&
		!slices.ContainsFunc(o.Formats, whole) && !o.wants(RawBase64) && !o.wants(Audio) && !o.wants(Video) && !o.wants(Product) && !o.wants(Menu)
}

// long is what the pieces of a document have given.
type long struct {
	first         *Output
	text          []string
	last          string // block of text
	links, images *once
}

// add renders a piece. ok is false where it begins with rows that don't fit those before.
func (l *long) add(ctx context.Context, src Source, o Options, goesOn bool) (ok bool, err error) {
	o.Formats = slices.DeleteFunc(slices.Clone(o.Formats), func(t Type) bool { return t == RawHTML })
	dom, err := Parse(ctx, src)
	if err != nil {
		return false, err
	}
	out, err := dom.Render(ctx, o)
	if err != nil {
		return false, err
	}
	if l.first == nil {
		l.first = out
	}
	for _, link := range out.Links {
		l.links.add(link)
	}
	for _, image := range out.Images {
		l.images.add(image)
	}
	return l.join(strings.TrimSpace(out.Markdown), goesOn), nil
}

// join adds a piece's Markdown. A table that goes on begins with the heading of the one before, which was put there.
func (l *long) join(text string, goesOn bool) bool {
	if text == "" {
		return !goesOn
	}
	gap, rows := "\n\n", text
	if goesOn {
		first, rest, _ := strings.Cut(text, "\n")
		line, rest, _ := strings.Cut(rest, "\n")
		heading := first + "\n" + line
		if !strings.HasPrefix(line, "|") || l.last != heading && !strings.HasPrefix(l.last, heading+"\n") {
			return false
		}
		gap, rows = "\n", rest
	}
	l.last = text[strings.LastIndex(text, "\n\n")+1:]
	l.last = strings.TrimPrefix(l.last, "\n")
	if rows == "" {
		return true
	}
	if len(l.text) > 0 {
		l.text = append(l.text, gap)
	}
	l.text = append(l.text, rows)
	return true
}

func (l *long) output(src Source, o Options) *Output {
	out := l.first
	out.Markdown = strings.Join(l.text, "")
	if o.wants(Links) {
		out.Links = l.links.list
	}
	if o.wants(Images) {
		out.Images = l.images.list
	}
	if o.wants(RawHTML) {
		out.RawHTML = validText(src.Body)
	}
	if o.LeftOut {
		out.LeftOut = []LeftOut{}
	}
	return out
}
