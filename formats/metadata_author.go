package formats

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/winnow-go/winnow/formats/internal/nodes"
)

// Values is a list that in JSON is a string when it has one entry.
type Values []string

// MarshalJSON writes one entry as a string, any other number as an array.
func (v Values) MarshalJSON() ([]byte, error) {
	if len(v) == 1 {
		return json.Marshal(v[0])
	}
	return json.Marshal([]string(v))
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (v *Values) UnmarshalJSON(data []byte) error {
	var one string
	if json.Unmarshal(data, &one) == nil {
		*v = Values{one}
		return nil
	}
	return json.Unmarshal(data, (*[]string)(v))
}

const (
	maxAuthors = 20
	longAuthor = 120 // characters: a longer text is no name
)

// authors are those of the meta elements.
func (r *metaReader) authors() Values {
	var list Values
	for _, name := range r.found.best(useAuthor, authorName) {
		list = addAuthor(list, name)
	}
	return list
}

func addAuthor(list Values, name string) Values {
	if name = authorName(name); name == "" || len(list) >= maxAuthors || slices.Contains(list, name) {
		return list
	}
	return append(list, name)
}

// authorName is a name without what pages put before it; "" for an address or a text.
func authorName(s string) string {
	s = nodes.Fold(s)
	if nodes.HasPrefixFold(s, "by ") {
		s = s[len("by "):]
	}
	if len(s) > longAuthor || nodes.LooksAddressed(s) || strings.ContainsAny(s, "<>{}") {
		return ""
	}
	return s
}

// readMarks reads authors and dates that the visible page marks as such: by microdata, by the rel of a link, by class.
func (r *metaReader) readMarks(n *html.Node) {
	for i := range n.Attr {
		switch a := &n.Attr[i]; a.Key {
		case "itemprop":
			r.readItem(n, a.Val)
		case "rel":
			if n.DataAtom == atom.A && r.byline == "" && hasToken(a.Val, "author") && r.mayRead(n) {
				r.byline = personName(r.dom.textOf(n, longAuthor))
			}
		case "class":
			if r.credit == "" && isCredit(a.Val) && r.mayRead(n) {
				r.credit = personName(r.dom.textOf(n, longAuthor))
			}
		default:
			r.dom.data.NoteState(a.Key, a.Val)
		}
	}
}

// readItem reads one property of microdata. Those of meta elements are read with their names.
func (r *metaReader) readItem(n *html.Node, itemprop string) {
	switch {
	case n.DataAtom == atom.Meta || n.DataAtom == atom.Time:
	case hasToken(itemprop, "author") && r.byline == "" && r.mayRead(n):
		r.byline = r.nameIn(n)
	case strings.HasPrefix(itemprop, "date"):
		r.readDate(n, itemprop)
	}
}

// creditNames are class names of elements that hold the author's name and nothing else.
var creditNames = nodes.Names("p-author", "author-name", "author_name", "author__name", "authorname", "byline-name", "byline__name", "byline-author", "byline__author",
	"post-author-name", "entry-author-name", "article-author", "article-author-name", "article__author", "article__author-name", "post-author", "entry-author")

func isCredit(class string) bool {
	if !strings.Contains(class, "author") && !strings.Contains(class, "byline") {
		return false
	}
	for token := range strings.FieldsSeq(class) {
		if creditNames[strings.ToLower(token)] {
			return true
		}
	}
	return false
}

// maxTries bounds how many elements are looked at for an author: the first one is that of the page.
const maxTries = 8

// mayRead reports whether an element may name the author of the page: not in a comment on it, and not after many others.
func (r *metaReader) mayRead(n *html.Node) bool {
	if r.tries++; r.tries > maxTries {
		return false
	}
	for p := n.Parent; p != nil; p = p.Parent {
		r.dom.steps.Visit()
		if p.DataAtom == atom.Aside || p.DataAtom == atom.Footer || hasToken(nodes.Attr(p, "itemprop"), "comment") {
			return false
		}
	}
	return true
}

// personName is authorName for a text of the visible page: it may be a sentence instead.
func personName(s string) string {
	const limit = 5 // words
	if len(strings.Fields(s)) > limit || strings.ContainsAny(s, "0123456789?!:…") {
		return ""
	}
	return authorName(s)
}

// nameIn is the name of a person in microdata: the part that is called so, else the whole text.
func (r *metaReader) nameIn(n *html.Node) string {
	for c := range nodes.All(r.dom.steps, n) {
		if c.Type == html.ElementNode && hasToken(nodes.Attr(c, "itemprop"), "name") {
			return authorName(cmp.Or(strings.TrimSpace(nodes.Attr(c, "content")), r.dom.textOf(c, longAuthor)))
		}
	}
	return authorName(r.dom.textOf(n, longAuthor))
}

// maxNamed is how many nodes are looked at for a name or date.
const maxNamed = 200

// textOf is the text below n, as soon as it is over limit bytes cut off there.
func (d *DOM) textOf(n *html.Node, limit int) string {
	var b strings.Builder
	looked := 0
	for c := range nodes.All(d.steps, n) {
		if looked++; looked > maxNamed {
			break
		}
		if c.Type == html.TextNode && !nodes.IsUnseen(c.Parent) {
			b.WriteString(c.Data)
			b.WriteByte(' ')
			if b.Len() > 4*limit {
				break
			}
		}
	}
	return nodes.Fold(b.String())
}
