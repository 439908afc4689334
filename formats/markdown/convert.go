package markdown

import (
	"context"
	"fmt"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
)

// Options of one conversion. The zero value keeps everything.
type Options struct {
	// RemoveBase64Images writes images whose address is a base64 data URI with their alternative text and
	// the address <Base64-Image-Removed>.
	RemoveBase64Images bool
}

// Convert writes the elements under root as Markdown. It changes the tree beyond use, so give it
// one of its own. It returns soon after ctx is done, with the context's error. Cost grows
// linearly with the size of the tree: nesting that the writer is slow on is flattened before.
// It is safe for concurrent use on different trees.
func Convert(ctx context.Context, root *html.Node, o Options) (string, error) {
	if root == nil {
		return "", nil
	}
	for _, pass := range passes() {
		if err := ctx.Err(); err != nil {
			return "", err
		}
		pass(root)
	}
	var b strings.Builder
	writer := newWriter(o)
	for part := range parts(root) {
		text, err := writer.ConvertNode(part, converter.WithContext(ctx))
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		if err != nil {
			return "", fmt.Errorf("write markdown: %w", err)
		}
		if len(text) > 0 && b.Len() > 0 {
			b.WriteString("\n\n")
		}
		b.Write(text)
	}
	return strings.ToValidUTF8(b.String(), "\uFFFD"), nil
}

// partSize is about how many bytes of text and elements are written in one go. The writer's first and
// last steps go over all it is given without a look at the context.
const partSize = 128 << 10

// parts cuts the page between blocks into trees that can be written one after another.
func parts(root *html.Node) func(yield func(*html.Node) bool) {
	top := root
	for top.FirstChild != nil && top.FirstChild == top.LastChild && (top.Type == html.DocumentNode || top.FirstChild.DataAtom == atom.Body) {
		top = top.FirstChild
	}
	return func(yield func(*html.Node) bool) {
		for top.FirstChild != nil {
			part, size := element(atom.Div), 0
			for c := top.FirstChild; c != nil; c = top.FirstChild {
				if size > partSize && isBlock(c) {
					break
				}
				top.RemoveChild(c)
				part.AppendChild(c)
				size += sizeOf(c)
			}
			if !yield(part) {
				return
			}
		}
	}
}

func sizeOf(n *html.Node) int {
	const perNode = 32
	size := perNode + len(n.Data)
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		size += sizeOf(c)
	}
	return size
}
