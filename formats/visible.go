package formats

import (
	"context"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/winnow-go/winnow/formats/internal/hidden"
	"github.com/winnow-go/winnow/formats/internal/nodes"
	"github.com/winnow-go/winnow/formats/internal/walk"
)

// VisibleText is the text of the main content, or where that has none of the whole page, as
// [Options.OnlyVisible] defines it, white space folded to single spaces. For a page that is not HTML it is all text.
func (d *DOM) VisibleText(ctx context.Context) (_ string, err error) {
	defer d.under(ctx).Catch(&err)
	if d.kind != kindHTML {
		return d.wholeText(), nil
	}
	t, unseen := d.list()
	if text := t.Text(hidden.Mask(d.steps, t, d.mainMask())); text != "" {
		return text, nil
	}
	return t.Text(hidden.Mask(d.steps, t, unseen)), nil
}

// Blank reports a page or text with nothing to see in it: no words, pictures, frames, media or controls. Scripts and
// what stands in the head don't count. The error is the context's.
func (d *DOM) Blank(ctx context.Context) (_ bool, err error) {
	if d.kind != kindHTML {
		return strings.TrimSpace(d.text) == "", nil
	}
	defer d.under(ctx).Catch(&err)
	return !showsSomething(d.steps, d.doc), nil
}

// showsSomething looks for the first node below n that a reader sees something of.
func showsSomething(steps *walk.Steps, n *html.Node) bool {
	for c := range n.ChildNodes() {
		steps.Visit()
		if !nodes.IsUnseen(c) && (shows(c) || showsSomething(steps, c)) {
			return true
		}
	}
	return false
}

// shows reports a node that a reader sees something of.
func shows(n *html.Node) bool {
	if n.Type == html.TextNode {
		return strings.TrimSpace(n.Data) != ""
	}
	switch n.DataAtom {
	case atom.Img, atom.Svg, atom.Canvas, atom.Video, atom.Audio, atom.Iframe, atom.Object, atom.Embed,
		atom.Button, atom.Textarea, atom.Select, atom.Math, atom.Meter, atom.Progress:
		return true
	case atom.Input:
		return nodes.Attr(n, "type") != "hidden"
	case atom.A:
		return nodes.Attr(n, "href") != ""
	}
	return nodes.Attr(n, "data-original-tag") == "iframe" // the browser's place of a frame
}
