package markdown

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/net/html"

	"github.com/winnow-go/winnow/formats/internal/walk"
)

// Options of one conversion. The zero value suits most callers.
type Options struct {
	// RemoveBase64Images writes images whose address is a data URI, base64 or not, with their alternative text and
	// the address <Base64-Image-Removed>. A link around such images only, without any text, goes with them.
	RemoveBase64Images bool
	// KeepEmptyLinks writes links with an empty address, which lead to the page itself, as links too. They are
	// useful only where the page's address is not known.
	KeepEmptyLinks bool
}

// Convert writes the elements under root as Markdown. It changes the tree beyond use, so give it
// one of its own. It returns soon after ctx is done, with the context's error. Cost grows
// linearly with the size of the tree: nesting that the writer is slow on is flattened before.
// It is safe for concurrent use on different trees.
func Convert(ctx context.Context, root *html.Node, o Options) (markdown string, err error) {
	if root == nil {
		return "", nil
	}
	w := &work{steps: walk.New(ctx), options: o}
	defer w.steps.Catch(&err)
	for _, pass := range w.passes() {
		pass(root)
	}
	return w.write(root)
}

// write writes a tree that is in shape.
func (w *work) write(root *html.Node) (string, error) {
	s := &sheet{work: w, options: w.options, fresh: true, room: rooms.Get().(*room)}
	s.out, s.flat, s.notes = s.room.out[:0], s.room.flat[:0], s.room.notes[:0]
	if _, err := s.newWriter().ConvertNode(root); err != nil {
		return "", fmt.Errorf("write markdown: %w", err)
	}
	text := valid(string(s.out))
	s.giveBack()
	return text, nil
}

// room is what a sheet is written in. It would be a third of all that a conversion allocates, so it is passed on to the next one.
type room struct {
	out, flat []byte
	notes     []remark
}

var rooms = sync.Pool{New: func() any { return new(room) }}

// largestRoom is the number of bytes up to which room is passed on.
const largestRoom = 1 << 20

func (s *sheet) giveBack() {
	if cap(s.out) <= largestRoom && cap(s.flat) <= largestRoom && cap(s.notes) <= largestRoom/64 {
		*s.room = room{s.out, s.flat, s.notes}
		rooms.Put(s.room)
	}
}

// valid replaces what is no UTF-8, of which there seldom is any.
func valid(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}
