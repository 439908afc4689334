package markdown

import (
	"context"
	"fmt"
	"strings"
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
	text, err := w.newWriter(o).ConvertNode(root)
	if err != nil {
		return "", fmt.Errorf("write markdown: %w", err)
	}
	return valid(string(text)), nil
}

// valid replaces what is no UTF-8, of which there seldom is any.
func valid(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}
