package formats

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/winnow-go/winnow/formats/internal/content"
	"github.com/winnow-go/winnow/formats/internal/hidden"
	"github.com/winnow-go/winnow/formats/internal/nodes"
	"github.com/winnow-go/winnow/formats/internal/srcset"
)

// Bounds of what is returned of a page's pictures.
const (
	maxPictures       = 200
	maxPictureText    = 500     // bytes of each text
	maxPictureAddress = 4 << 10 // bytes; longer ones are left out
	maxFigure         = 8       // elements around an image in which its caption and heading are looked for
)

// Picture is an image that a page shows, with what the page says of it. Texts have at most 500 bytes, white space folded;
// at least one of them is not empty.
type Picture struct {
	// URL is absolute, http or https.
	URL string
	// Alt is the text in the image's place; Title is what pointing at it shows; Caption is that of its figure.
	Alt, Title, Caption string
	// Heading is that of the part of the main content that the image is in: the last one before it, or the only one of a card; empty
	// for images elsewhere.
	Heading string
	// Width and Height are those of the file in pixels, as the page gives them. 0 is unknown.
	Width, Height int
}

// Pictures are the images and posters of videos that have a text: those of the main content first, each address once, at most 200;
// more is how many others there are. Left out are pixels for counting readers, images within the page's own text (data), and
// decoration: what the page marks as such, or hides, without a text of its own. A page that is not HTML has none.
func (d *DOM) Pictures(ctx context.Context) (list []Picture, more int, err error) {
	defer d.under(ctx).Catch(&err)
	if d.kind != kindHTML {
		return nil, 0, nil
	}
	t, unseen := d.list()
	main := d.mainMask()
	f := pictureFinder{dom: d, tree: t, known: map[string]bool{}, texts: map[*html.Node]string{}, visible: make([]bool, t.Len())}
	t.Each(hidden.Mask(d.steps, t, main), func(i int, _ *html.Node) { f.visible[i] = true })
	t.Each(main, func(i int, n *html.Node) {
		if isHeading(n) {
			f.headings = append(f.headings, i)
		}
	})
	f.read(main)
	f.headings = nil // they say nothing of what is beside the content
	f.read(unseen)
	return f.list, f.more, nil
}

// pictureFinder collects the pictures of a page.
type pictureFinder struct {
	dom      *DOM
	tree     *content.Tree
	visible  []bool // by index of the node
	headings []int  // indexes
	around   []int  // indexes of the elements around the one that is read, the outermost first
	known    map[string]bool
	texts    map[*html.Node]string // of headings, and of figures their captions

	list []Picture
	more int
}

func (f *pictureFinder) read(m content.Mask) {
	f.around = f.around[:0]
	f.tree.Each(m, func(i int, n *html.Node) {
		for len(f.around) > 0 && f.tree.End(f.around[len(f.around)-1]) <= i {
			f.around = f.around[:len(f.around)-1]
		}
		f.around = append(f.around, i)
		switch n.DataAtom {
		case atom.Img:
			f.add(i, n, cmp.Or(srcset.Best(n), nodes.Attr(n, "src")))
		case atom.Video:
			f.add(i, n, nodes.Attr(n, "poster"))
		}
	})
}

// add keeps an image that has a text and a new address.
func (f *pictureFinder) add(i int, n *html.Node, ref string) {
	ref = strings.TrimSpace(ref)
	if ref == "" || isPixel(n) {
		return
	}
	p := Picture{URL: f.dom.absolute(ref)}
	if !isWeb(p.URL) || len(p.URL) > maxPictureAddress || f.known[p.URL] {
		return
	}
	p.Alt = shortText(cmp.Or(nodes.Attr(n, "alt"), nodes.Attr(n, "aria-label")))
	p.Title = shortText(nodes.Attr(n, "title"))
	p.Caption = f.captionOf(n)
	if p.Alt+p.Title+p.Caption != "" || f.visible[i] && !isDecoration(n) {
		p.Heading = f.headingOf(i)
	}
	if p.Alt+p.Title+p.Caption+p.Heading == "" {
		return
	}
	f.known[p.URL] = true
	if len(f.list) == maxPictures {
		f.more++
		return
	}
	p.Width, p.Height = srcset.Pixels(n, ref, pixels(nodes.Attr(n, "width")), pixels(nodes.Attr(n, "height")))
	f.list = append(f.list, p)
}

// headingOf is the heading of what an image is part of: the only one in the smallest element around it, as in a card, else the last
// one before it, in that element or in one around that.
func (f *pictureFinder) headingOf(i int) string {
	before, _ := slices.BinarySearch(f.headings, i)
	for up := 1; up <= maxFigure && up <= len(f.around); up++ {
		at := f.around[len(f.around)-up]
		first, _ := slices.BinarySearch(f.headings, at)
		end, _ := slices.BinarySearch(f.headings, f.tree.End(at))
		switch {
		case end-first == 1:
			return f.textOf(f.tree.Node(f.headings[first]))
		case first < before:
			return f.textOf(f.tree.Node(f.headings[before-1]))
		}
	}
	if before == 0 {
		return ""
	}
	return f.textOf(f.tree.Node(f.headings[before-1]))
}

func isHeading(n *html.Node) bool {
	switch n.DataAtom {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		return true
	}
	return false
}

// captionOf is the caption of the figure around an image.
func (f *pictureFinder) captionOf(n *html.Node) string {
	for range maxFigure {
		if n = n.Parent; n == nil {
			return ""
		}
		if n.DataAtom == atom.Figure {
			return f.textOf(n)
		}
	}
	return ""
}

// textOf is the text of a heading, or the caption of a figure; it is read once.
func (f *pictureFinder) textOf(n *html.Node) string {
	text, ok := f.texts[n]
	if ok {
		return text
	}
	if from := f.worded(n); from != nil {
		text = shortText(f.dom.textOf(from, maxPictureText))
	}
	f.texts[n] = text
	return text
}

// worded is the node whose text stands for n: of a figure its first caption, where that is near.
func (f *pictureFinder) worded(n *html.Node) *html.Node {
	if n.DataAtom != atom.Figure {
		return n
	}
	looked := 0
	for c := range nodes.All(f.dom.steps, n) {
		if c.DataAtom == atom.Figcaption {
			return c
		}
		if looked++; looked > maxNamed {
			break
		}
	}
	return nil
}

// isPixel reports an image of a pixel or none: its loading is what it is for.
func isPixel(n *html.Node) bool {
	for _, key := range []string{"width", "height"} {
		for _, length := range []string{nodes.Attr(n, key), declared(nodes.Attr(n, "style"), key)} {
			px, err := strconv.ParseFloat(strings.TrimSuffix(strings.ToLower(strings.TrimSpace(length)), "px"), 64)
			if err == nil && px <= 1 {
				return true
			}
		}
	}
	return false
}

// isDecoration reports an image that the page marks as one without meaning.
func isDecoration(n *html.Node) bool {
	alt, marked := nodes.Lookup(n, "alt")
	role := strings.ToLower(nodes.Attr(n, "role"))
	return marked && strings.TrimSpace(alt) == "" || role == "presentation" || role == "none" ||
		strings.EqualFold(nodes.Attr(n, "aria-hidden"), "true")
}

// shortText folds white space and cuts a text off.
func shortText(s string) string {
	s = nodes.Fold(s[:min(len(s), 4*maxPictureText)])
	return strings.TrimSpace(strings.ToValidUTF8(s[:min(len(s), maxPictureText)], ""))
}
