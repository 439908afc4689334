package markdown

import (
	"net/url"
	"path"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// pictures removes pictures that show nothing, and alternative texts that only repeat what stands beside the picture. One alone in
// a link says what the link is called, where it says nothing itself.
func (w *work) pictures(root *html.Node) {
	w.walk(root, func(n *html.Node) bool {
		if n.DataAtom != atom.Img {
			return true
		}
		if src := strings.TrimSpace(attr(n, "src")); src == "" || isCounter(n, src) {
			remove(n)
			return false
		}
		w.nameByLink(n)
		w.dropRepeatedAlt(n)
		if oneLine(attr(n, "alt")) == "" && isBlankData(attr(n, "src")) {
			remove(n)
		}
		return false
	})
}

// nameByLink gives a picture without a text the name that the link around it has for readers who don't see the picture.
func (w *work) nameByLink(img *html.Node) {
	if oneLine(attr(img, "alt")) != "" {
		return
	}
	if place := w.placeOf(img); place != nil && place.DataAtom == atom.A {
		if name := oneLine(attr(place, "aria-label")); name != "" {
			setAttr(img, "alt", name)
		}
	}
}

// isCounter reports a picture that is not meant to be seen: one that counts readers or keeps a distance. The signs are its size,
// that it is hidden, or its name.
func isCounter(n *html.Node, src string) bool {
	file := strings.ToLower(fileName(src))
	named, photograph := oneLine(attr(n, "alt")) != "", photographs[path.Ext(file)]
	b := readBox(n)
	switch {
	case !named && (spacers[file] || b.hidden && !photograph):
		return true
	case loadsLater(n) || path.Ext(file) == ".svg": // one has its size later, the other none of its own
		return false
	case b.thin == 2:
		return !photograph || !named && b.zero == 0 // where there is no room for it, a style sheet makes some
	}
	return b.thin == 1 && !named && !photograph
}

// photographs are the endings of what is shown later where it is hidden at first, as the next picture of a gallery is.
var photographs = set(".jpg", ".jpeg", ".png", ".webp", ".avif", ".svg")

// spacers are the usual names of pictures that show nothing.
var spacers = set("pixel.gif", "pixel.png", "1x1.gif", "1x1.png", "1px.gif", "1px.png", "spacer.gif", "spacer.png", "blank.gif", "blank.png",
	"clear.gif", "clear.png", "transparent.gif", "transparent.png", "trans.gif", "shim.gif")

// fileName is the last part of an address's path.
func fileName(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Opaque != "" {
		return ""
	}
	return path.Base(u.Path)
}

func loadsLater(n *html.Node) bool {
	for _, key := range []string{"srcset", "data-src", "data-srcset", "data-original", "data-lazy-src", "data-lazy-srcset"} {
		if attr(n, key) != "" {
			return true
		}
	}
	return false
}

// box is what an element says about its place on the page.
type box struct {
	thin   int // sides of at most a pixel
	zero   int // those of them without any
	hidden bool
}

// readBox reads attributes and inline style.
func readBox(n *html.Node) box {
	var b box
	width, height := attr(n, "width"), attr(n, "height")
	for declaration := range strings.SplitSeq(strings.ToLower(attr(n, "style")), ";") {
		name, value, _ := strings.Cut(declaration, ":")
		value, _, _ = strings.Cut(value, "!")
		value = strings.TrimSpace(value)
		switch strings.TrimSpace(name) {
		case "display":
			b.hidden = b.hidden || value == "none"
		case "visibility":
			b.hidden = b.hidden || value == "hidden"
		case "width":
			width = value
		case "height":
			height = value
		case "min-width", "min-height":
			return box{} // it fills what is around it
		}
	}
	b.hidden = b.hidden || hasAttr(n, "hidden")
	b.side(width)
	b.side(height)
	return b
}

func (b *box) side(length string) {
	switch strings.TrimSuffix(strings.TrimSpace(length), "px") {
	case "0":
		b.zero++
		b.thin++
	case "1":
		b.thin++
	}
}
