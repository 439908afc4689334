package formats

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Blank reports a page or text with nothing to see in it: no words, pictures, frames, media or controls. Scripts and
// what stands in the head don't count.
func (d *DOM) Blank() bool {
	if d.kind != kindHTML {
		return strings.TrimSpace(d.text) == ""
	}
	shown := false
	eachSeen(d.doc, func(n *html.Node) { shown = shown || shows(n) })
	return !shown
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
		return attr(n, "type") != "hidden"
	case atom.A:
		return attr(n, "href") != ""
	}
	return attr(n, "data-original-tag") == "iframe" // the browser's place of a frame
}
