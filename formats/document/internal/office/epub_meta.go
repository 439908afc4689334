package office

import (
	"strings"
	"time"

	"golang.org/x/net/html"

	"github.com/winnow-go/winnow/formats/document/internal/flow"
	"github.com/winnow-go/winnow/formats/document/internal/xmltree"
)

// bookRecord is the metadata of a book, with what refines its elements.
type bookRecord struct {
	elements []*xmltree.Node
	refined  map[string]string // id and property → value
}

// bookMeta reads the metadata: titles in full, all authors, the date of publication, the description as text.
func bookMeta(n *xmltree.Node) flow.Meta {
	r := bookRecord{orEmpty(n).Kids, map[string]string{}}
	r.elements = append(r.elements[:len(r.elements):len(r.elements)], orEmpty(n.Find("opf:dc-metadata")).Kids...) // of the first books
	for _, k := range r.elements {
		if id, ok := strings.CutPrefix(k.Attr("refines"), "#"); ok {
			r.refined[id+" "+k.Attr("property")] = clean(k.Content())
		}
	}
	m := dublinCore(&xmltree.Node{Kids: r.elements})
	m.Title, m.Subject, m.Keywords = r.title(), r.description(), r.texts("dc:subject")
	m.Authors = r.authors()
	m.Author = strings.Join(m.Authors, ", ")
	r.dates(&m)
	return m
}

// texts are those of the elements of a name.
func (r bookRecord) texts(name string) (list []string) {
	for _, k := range r.elements {
		if text := clean(k.Content()); k.Name == name && text != "" {
			list = append(list, text)
		}
	}
	return list
}

// description is what the book says of itself, as text; its subjects are keywords.
func (r bookRecord) description() string {
	for _, k := range r.elements {
		if k.Name == "dc:description" {
			return textOf(k.Content())
		}
	}
	return ""
}

// property is what refines an element, by an element of its own or by an attribute of the second version.
func (r bookRecord) property(n *xmltree.Node, name string) string {
	if v := n.Attr("opf:" + name); v != "" {
		return v
	}
	return r.refined[n.Attr("id")+" "+name]
}

// title is the main title and its subtitle; the first of those that don't say what they are.
func (r bookRecord) title() string {
	var first, main, sub string
	for _, k := range r.elements {
		text := clean(k.Content())
		if k.Name != "dc:title" || text == "" {
			continue
		}
		kind := r.property(k, "title-type")
		switch {
		case kind == "main" && main == "":
			main = text
		case kind == "subtitle" && sub == "":
			sub = text
		case first == "" && kind == "":
			first = text
		}
	}
	if main == "" {
		main = first
	}
	if main != "" && sub != "" {
		return main + ": " + sub
	}
	return main + sub
}

// authors are the creators that wrote; where none says so, all.
func (r bookRecord) authors() []string {
	var authors, others []string
	for _, k := range r.elements {
		text := clean(k.Content())
		if k.Name != "dc:creator" || text == "" {
			continue
		}
		if role := r.property(k, "role"); role == "aut" || role == "" {
			authors = append(authors, text)
		} else {
			others = append(others, text)
		}
	}
	if len(authors) == 0 {
		return others
	}
	return authors
}

// dates sets when the book was published and last changed.
func (r bookRecord) dates(m *flow.Meta) {
	m.Created, m.Modified = time.Time{}, time.Time{}
	for _, k := range r.elements {
		at := flow.ParseTime(clean(k.Content()))
		switch event := k.Attr("opf:event"); {
		case at.IsZero():
		case k.Attr("property") == "dcterms:modified", k.Name == "dc:date" && event == "modification":
			m.Modified = at
		case k.Name == "dc:date" && (m.Created.IsZero() || event == "publication"):
			m.Created = at
		}
	}
}

// textOf is the text of what may be markup, on one line.
func textOf(s string) string {
	z := html.NewTokenizer(strings.NewReader(s))
	var b strings.Builder
	for {
		switch z.Next() {
		case html.ErrorToken:
			return clean(html.UnescapeString(b.String()))
		case html.TextToken:
			b.Write(z.Text())
		case html.StartTagToken, html.EndTagToken, html.SelfClosingTagToken:
			if name, _ := z.TagName(); !isInlineTag(string(name)) {
				b.WriteByte(' ')
			}
		}
	}
}

func isInlineTag(name string) bool {
	switch name {
	case "b", "strong", "i", "em", "span", "a", "sup", "sub", "u":
		return true
	}
	return false
}
