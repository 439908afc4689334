package formats

import (
	"context"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/winnow-go/winnow/formats/internal/content"
	"github.com/winnow-go/winnow/formats/internal/nodes"
)

// Frame is a document inside of a page that is not in the page's own text.
type Frame struct {
	// Name is what it is known by: its absolute address, else "#id", else its element.
	Name   string
	Src    string // absolute; "" for a srcdoc
	Words  int    // of a srcdoc
	InMain bool   // it stands in an article or the main content
	Set    bool   // it is one of a frameset, whose page has no text but that of its frames
}

// maxFrames is how many frames of a page are looked at: the first.
const maxFrames = 100

// Frames returns the frames of the page whose content is not in it: iframes, frames, and objects of HTML; in a browser's tree, those that
// the browser left empty. Hidden and tiny ones, pictures, files and what is known to hold no content by its name are left out. A body
// without HTML has none.
func (d *DOM) Frames(ctx context.Context) (_ []Frame, err error) {
	defer d.under(ctx).Catch(&err)
	if d.kind != kindHTML {
		return nil, nil
	}
	var list []Frame
	apart := apartness{}
	for n := range d.nodes() {
		if len(list) == maxFrames {
			break
		}
		if f, ok := d.frame(n, apart); ok {
			list = append(list, f)
		}
	}
	return list, nil
}

func (d *DOM) frame(n *html.Node, apart apartness) (f Frame, ok bool) {
	kind, src := frameOf(n)
	if kind == "" || isTiny(n) || apart.standsApart(n) {
		return f, false
	}
	f = Frame{InMain: isWithinContent(n), Set: kind == "frame"}
	srcdoc := nodes.Attr(n, "srcdoc")
	switch {
	case srcdoc != "":
		f.Words = content.Words(withoutTags(srcdoc))
	case src == "":
		return f, false
	default:
		f.Src = d.absolute(src)
	}
	f.Name = f.Src
	if id := nodes.Attr(n, "id"); f.Name == "" && id != "" {
		f.Name = "#" + id
	} else if f.Name == "" {
		f.Name = kind
	}
	return f, srcdoc != "" || strings.HasPrefix(f.Src, "http") && !isFile(f.Src)
}

// frameOf is the element that a frame is, with the address of its document; "" for what is no frame, or one whose content is there.
func frameOf(n *html.Node) (kind, src string) {
	switch n.DataAtom {
	case atom.Iframe, atom.Frame:
		return n.Data, nodes.Attr(n, "src")
	case atom.Object:
		if kind := nodes.Attr(n, "type"); kind == "" || strings.EqualFold(kind, "text/html") {
			return n.Data, nodes.Attr(n, "data")
		}
	case atom.Div:
		if kind := nodes.Attr(n, "data-original-tag"); kind != "" && textBelow(n) == "" && !hasElement(n) {
			return kind, nodes.Attr(n, "data-src")
		}
	}
	return "", ""
}

func hasElement(n *html.Node) bool {
	for c := range n.ChildNodes() {
		if c.Type == html.ElementNode {
			return true
		}
	}
	return false
}

// isTiny reports a frame that shows nothing, by its attributes or its style.
func isTiny(n *html.Node) bool {
	for _, key := range []string{"width", "height"} {
		if isFewPixels(nodes.Attr(n, key)) || isFewPixels(declared(nodes.Attr(n, "style"), key)) {
			return true
		}
	}
	return false
}

// isFewPixels reports a length that holds no text: "1", "0px". Shares of the page are none.
func isFewPixels(length string) bool {
	const few = 40
	px, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(length), "px"), 64)
	return err == nil && px < few
}

// declared is the value of a property in an inline style.
func declared(style, property string) string {
	for part := range strings.SplitSeq(style, ";") {
		if key, value, ok := strings.Cut(part, ":"); ok && strings.EqualFold(strings.TrimSpace(key), property) {
			return strings.TrimSuffix(strings.TrimSpace(value), "!important")
		}
	}
	return ""
}

// isFile reports an address of a picture, a medium or a document that frames show in viewers.
func isFile(src string) bool {
	path, _, _ := strings.Cut(src, "?")
	for _, ending := range []string{".pdf", ".svg", ".png", ".jpg", ".jpeg", ".gif", ".webp", ".mp4", ".webm", ".mp3", ".swf"} {
		if strings.HasSuffix(strings.ToLower(path), ending) {
			return true
		}
	}
	return false
}

// withoutTags is the text of a piece of markup, roughly.
func withoutTags(markup string) string {
	var b strings.Builder
	raw := false // in a script or a style
	for z := html.NewTokenizer(strings.NewReader(markup)); ; {
		switch z.Next() {
		case html.ErrorToken:
			return b.String()
		case html.StartTagToken:
			name, _ := z.TagName()
			raw = string(name) == "script" || string(name) == "style"
		case html.EndTagToken:
			raw = false
		case html.TextToken:
			if !raw {
				b.Write(z.Text())
				b.WriteByte(' ')
			}
		}
	}
}
