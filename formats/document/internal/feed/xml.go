package feed

import (
	"cmp"
	"io"
	"strings"

	"github.com/winnow-go/winnow/formats/document/internal/flow"
	"github.com/winnow-go/winnow/formats/document/internal/xmltree"
)

// readXML streams an RSS or Atom feed, so that only one item is in memory at a time.
func (w *writer) readXML(body []byte) error {
	r := xmltree.New(w.ctx, body)
	for {
		n, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		switch n.Name {
		case "rss", "rdf:RDF", "channel", "atom:feed":
			w.lang(n)
			continue
		}
		if !isKnown(n.Name) {
			err = r.Skip()
		} else if err = r.Tree(n); !w.element(n) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (w *writer) lang(n *xmltree.Node) {
	w.doc.Meta.Language = cmp.Or(w.doc.Meta.Language, n.Attr("xml:lang"))
}

func isKnown(name string) bool {
	switch name {
	case "item", "atom:entry", "title", "atom:title", "link", "atom:link", "description", "atom:subtitle", "atom:tagline", "language",
		"pubDate", "lastBuildDate", "atom:updated", "atom:modified", "managingEditor", "atom:author", "itunes:author", "dc:creator", "generator", "atom:generator":
		return true
	}
	return false
}

// element uses one element of the feed. more is false when no other should come.
func (w *writer) element(n *xmltree.Node) (more bool) {
	c, m := &w.about, &w.doc.Meta
	switch n.Name {
	case "item", "atom:entry":
		return w.item(readItem(n))
	case "title", "atom:title":
		c.title = cmp.Or(c.title, textOf(n))
	case "link":
		c.link = cmp.Or(c.link, strings.TrimSpace(n.Content()))
	case "atom:link":
		if rel := n.Attr("rel"); rel == "" || rel == "alternate" {
			c.link = cmp.Or(c.link, n.Attr("href"))
		}
	case "description", "atom:subtitle", "atom:tagline":
		c.description = cmp.Or(c.description, textOf(n))
	case "language":
		m.Language = cmp.Or(strings.TrimSpace(n.Content()), m.Language)
	case "pubDate", "lastBuildDate", "atom:updated", "atom:modified":
		if t := flow.ParseTime(n.Content()); t.After(m.Modified) {
			m.Modified = t
		}
	case "managingEditor", "itunes:author", "dc:creator":
		m.Author = cmp.Or(m.Author, plain(n.Content()))
	case "atom:author":
		m.Author = cmp.Or(m.Author, plain(n.Find("atom:name").Content()))
	case "generator", "atom:generator":
		m.Producer = plain(n.Content())
	}
	return true
}

// readItem reads an item of RSS or an entry of Atom; either may hold elements of the other.
func readItem(n *xmltree.Node) item {
	var it item
	summary, summaryIsMarkup := "", false
	for _, k := range n.Kids {
		text := strings.TrimSpace(textOf(k))
		switch k.Name {
		case "title", "atom:title", "media:title":
			it.title = cmp.Or(it.title, text)
		case "link":
			it.link = cmp.Or(it.link, text)
		case "atom:link":
			it.atomLink(k)
		case "guid":
			if strings.HasPrefix(text, "http") && k.Attr("isPermaLink") != "false" {
				it.link = cmp.Or(it.link, text)
			}
		case "pubDate", "dc:date", "atom:published", "atom:issued":
			it.date = cmp.Or(text, it.date)
		case "atom:updated", "atom:modified":
			it.date = cmp.Or(it.date, text)
		case "author", "dc:creator", "itunes:author":
			it.author = cmp.Or(it.author, text)
		case "atom:author":
			it.author = cmp.Or(it.author, k.Find("atom:name").Content())
		case "content:encoded", "atom:content":
			it.content, it.markup = text, isMarkup(k)
		case "description", "atom:summary", "itunes:summary", "media:description":
			if summary == "" {
				summary, summaryIsMarkup = text, isMarkup(k)
			}
		case "enclosure":
			it.enclosures = append(it.enclosures, enclosure{k.Attr("url"), k.Attr("type")})
		}
	}
	if it.content == "" {
		it.content, it.markup = summary, summaryIsMarkup
	}
	return it
}

func (it *item) atomLink(k *xmltree.Node) {
	switch k.Attr("rel") {
	case "", "alternate":
		it.link = cmp.Or(it.link, k.Attr("href"))
	case "enclosure":
		it.enclosures = append(it.enclosures, enclosure{k.Attr("href"), k.Attr("type")})
	}
}

// isMarkup reports a text that says it is HTML.
func isMarkup(n *xmltree.Node) bool {
	kind := n.Attr("type")
	return kind == "html" || kind == "xhtml" || kind == "text/html" || n.Name == "content:encoded"
}

// textOf is the text of an element; XHTML inside is written as markup again.
func textOf(n *xmltree.Node) string {
	if n.Attr("type") != "xhtml" {
		return n.Content()
	}
	var b strings.Builder
	writeXHTML(&b, n)
	return b.String()
}

func writeXHTML(b *strings.Builder, n *xmltree.Node) {
	for _, k := range n.Kids {
		name, isHTML := strings.CutPrefix(k.Name, "html:")
		if !isHTML {
			b.WriteString(escaper.Replace(k.Text))
			writeXHTML(b, k)
			continue
		}
		b.WriteString("<" + name)
		for _, a := range k.Attrs {
			b.WriteString(" " + a.Name + `="` + escaper.Replace(a.Value) + `"`)
		}
		b.WriteString(">")
		writeXHTML(b, k)
		b.WriteString("</" + name + ">")
	}
}

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;")
