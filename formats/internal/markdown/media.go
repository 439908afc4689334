package markdown

import (
	"net/url"
	"path"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// replaceMedia writes what Markdown cannot hold as links: frames, players, embedded files. An inline picture (svg)
// becomes its title where it stands for a text.
func (w *work) replaceMedia(n *html.Node) {
	switch n.DataAtom {
	case atom.Iframe, atom.Frame:
		if isHidden(n) {
			remove(n)
			return
		}
		becomeLink(n, source(n), hostOf)
	case atom.Embed:
		becomeLink(n, source(n), fileOf)
	case atom.Object:
		if !w.isVoid(n) {
			rename(n, atom.Span) // what stands in for the object
			return
		}
		becomeLink(n, attr(n, "data"), fileOf)
	case atom.Video, atom.Audio:
		player(n)
	case atom.Svg:
		w.replaceSVG(n)
	}
}

// source is the address in src, in the attributes that stand in for it until a script has run, or of the first source element.
func source(n *html.Node) string {
	for _, key := range []string{"src", "data-src", "data-lazy-src"} {
		if v := strings.TrimSpace(attr(n, key)); v != "" && !strings.HasPrefix(v, "about:") {
			return v
		}
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.DataAtom == atom.Source && attr(c, "src") != "" {
			return strings.TrimSpace(attr(c, "src"))
		}
	}
	return ""
}

// isHidden reports a frame that is not meant to be seen, as those for counting are.
func isHidden(n *html.Node) bool {
	for _, a := range n.Attr {
		switch a.Key {
		case "hidden":
			return true
		case "aria-hidden":
			if a.Val == "true" {
				return true
			}
		case "width", "height":
			if v := strings.TrimSuffix(strings.TrimSpace(a.Val), "px"); v == "0" || v == "1" {
				return true
			}
		case "style":
			style := strings.ReplaceAll(strings.ToLower(a.Val), " ", "")
			if strings.Contains(style, "display:none") || strings.Contains(style, "visibility:hidden") {
				return true
			}
		}
	}
	return false
}

// becomeLink makes n a link to href, with its title or else what name makes of the address as text. Without an
// address that leads somewhere n goes.
func becomeLink(n *html.Node, href string, name func(string) string) {
	label := labelOf(n)
	if label == "" {
		label = name(href)
	}
	clearChildren(n)
	if href == "" || label == "" || !leadsOut(href) {
		remove(n)
		return
	}
	n.DataAtom, n.Data, n.Namespace = atom.A, "a", ""
	n.Attr = []html.Attribute{{Key: "href", Val: href}}
	n.AppendChild(text(label))
	if p := n.Parent; p.DataAtom == atom.Body || isBlock(p) && p.DataAtom != atom.P && !isHeading(p) {
		box := element(atom.Div)
		n.Parent.InsertBefore(box, n)
		remove(n)
		box.AppendChild(n)
	}
}

// leadsOut reports an address of something that can be fetched.
func leadsOut(href string) bool {
	scheme, _, found := strings.Cut(href, ":")
	if !found || strings.ContainsAny(scheme, "/?#.") {
		return true
	}
	scheme = strings.ToLower(scheme)
	return scheme == "http" || scheme == "https"
}

func labelOf(n *html.Node) string {
	for _, key := range []string{"title", "aria-label"} {
		if s := strings.Join(strings.Fields(attr(n, key)), " "); s != "" {
			return s
		}
	}
	return ""
}

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	if u.Host == "" {
		return fileOf(address)
	}
	return strings.TrimPrefix(u.Hostname(), "www.")
}

// fileOf is the last part of an address's path, else its host.
func fileOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	if name := path.Base(u.Path); name != "." && name != "/" {
		return name
	}
	return u.Hostname()
}

// player makes a link of a video or audio element, with the video's still picture when it has one.
func player(n *html.Node) {
	poster, src := strings.TrimSpace(attr(n, "poster")), source(n)
	if poster == "" {
		becomeLink(n, src, fileOf)
		return
	}
	img := element(atom.Img)
	setAttr(img, "src", poster)
	setAttr(img, "alt", labelOf(n))
	clearChildren(n)
	n.AppendChild(img)
	if src == "" || !leadsOut(src) {
		rename(n, atom.Span)
		return
	}
	rename(n, atom.A)
	setAttr(n, "href", src)
}

// replaceSVG leaves the title of a drawing: in a link or figure that holds nothing else, and where the page calls it an image.
func (w *work) replaceSVG(n *html.Node) {
	title := w.svgTitle(n)
	if title != "" {
		if place := w.placeOf(n); place != nil && (place.DataAtom == atom.A || place.DataAtom == atom.Figure || attr(n, "role") == "img") {
			n.Parent.InsertBefore(text(title), n)
		}
	}
	remove(n)
}

func (w *work) svgTitle(n *html.Node) string {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode && c.Data == "title" {
			return strings.Join(strings.Fields(w.textOf(c)), " ")
		}
	}
	return labelOf(n)
}

// placeOf is the link, figure or block that n is alone in, else nil. A button is no such place: its drawing only repeats what it does.
func (w *work) placeOf(n *html.Node) *html.Node {
	for p := n; p.Parent != nil; p = p.Parent {
		if !w.isAlone(p) {
			return nil
		}
		switch {
		case p.Parent.DataAtom == atom.Button:
			return nil
		case p.Parent.DataAtom == atom.A, isBlock(p.Parent):
			return p.Parent
		}
	}
	return nil
}

// isAlone reports a node whose siblings are blank. It looks ahead first: what is behind is no longer as long as the page has it, since
// the passes take elements out and leave the blanks between them.
func (w *work) isAlone(n *html.Node) bool {
	for s := n.NextSibling; s != nil; s = s.NextSibling {
		w.steps.Visit()
		if s.Type == html.ElementNode && s.DataAtom != atom.Figcaption || s.Type == html.TextNode && !isBlank(s) {
			return false
		}
	}
	for s := n.PrevSibling; s != nil; s = s.PrevSibling {
		w.steps.Visit()
		if s.Type == html.ElementNode || s.Type == html.TextNode && !isBlank(s) {
			return false
		}
	}
	return true
}
