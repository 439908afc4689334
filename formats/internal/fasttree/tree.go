package fasttree

import (
	"bytes"
	"context"

	"golang.org/x/net/html"

	"github.com/winnow-go/winnow/formats/internal/nodes"
)

// Tree makes the tree of a page in UTF-8, as [html.Parse] does, whose nodes lie in a room; false where it is left to that, and once the
// context is done.
func Tree(ctx context.Context, page []byte, room *nodes.Room) (*html.Node, bool) {
	doc, refused := build(ctx, page, room)
	return doc, refused == ""
}

// build says why a page is left to the other parser; "": it isn't.
func build(ctx context.Context, page []byte, room *nodes.Room) (doc *html.Node, refused string) {
	if bytes.IndexByte(page, 0) >= 0 {
		return nil, "NUL"
	}
	b := &builder{mode: initial}
	b.room = room
	b.doc, b.body = &html.Node{Type: html.DocumentNode}, withNewlines(page)
	for due := 0; b.refused == ""; {
		if b.at >= due {
			if ctx.Err() != nil {
				return nil, "out of time"
			}
			due = b.at + bytesAtOnce
		}
		if b.next(); b.refused != "" {
			break
		}
		b.take()
		if b.tok.kind == html.ErrorToken {
			return b.doc, b.refused
		}
	}
	return nil, b.refused
}

// withNewlines has line ends of one byte.
func withNewlines(page []byte) []byte {
	if bytes.IndexByte(page, '\r') < 0 {
		return page
	}
	page = bytes.ReplaceAll(page, []byte("\r\n"), []byte("\n"))
	return bytes.ReplaceAll(page, []byte("\r"), []byte("\n"))
}

const (
	bytesAtOnce = 4 << 10 // between two looks at the context, but for the token that is scanned
	maxOpen     = 512     // elements, as the other parser has it
)

// builder makes a tree of tokens.
type builder struct {
	inline
	mode      mode
	back      mode       // where the text of an element ends
	head      *html.Node // nil before it
	form      *html.Node // that is open
	templates []mode     // of what is in each open template
}
