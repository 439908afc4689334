package formats

import (
	"context"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/winnow-go/winnow/formats/content"
)

// A page whose visible content is next to nothing may hold its text as data for its scripts: as JSON-LD, or as the state that a framework
// starts from. Where that is much more than what is seen, it is the content.
const (
	shellWords  = 150 // words outside menus and controls from which a page is never filled
	fillWords   = 50  // least words of what fills a page
	fillFactor  = 5   // least times as many words as are seen
	maxFillText = 2 << 20
)

// filled is the page with what its data holds as content, under main: alone, or after what is seen. It is nil for a page that needs none.
func (d *DOM) filled(ctx context.Context, alone bool) *html.Node {
	if len(d.data) == 0 {
		return nil
	}
	t, unseen := d.list()
	seen := shownWords(t, unseen)
	if seen >= shellWords {
		return nil
	}
	parts := d.hidden()
	if words := countWords(parts); words < fillWords || words < fillFactor*seen {
		return nil
	}
	page := newPage()
	if !alone {
		page = t.Copy(unseen, func(*html.Node) {})
	}
	body := find(page, atom.Body)
	if body == nil {
		return nil
	}
	body.AppendChild(d.fillMain(ctx, parts, alone || find(page, atom.H1) == nil))
	d.steps.Look() // appendMarkup ends without an error
	return page
}

// shownWords counts words that are seen outside menus and controls, up to shellWords.
func shownWords(t *content.Tree, m content.Mask) int {
	words := 0
	for i := 0; i < t.Len() && words < shellWords; {
		n := t.Node(i)
		if m[i] || isChrome(n) {
			i = t.End(i)
			continue
		}
		if n.Type == html.TextNode {
			words += content.Words(n.Data)
		}
		i++
	}
	return words
}

func isChrome(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Nav, atom.Footer, atom.Button, atom.Select, atom.Label, atom.Svg, atom.Iframe, atom.Dialog:
		return true
	}
	return false
}

// hidden are the texts that the page's data holds as its content: its JSON-LD's, else those of the state when they are more, else the
// description of what it is about.
func (d *DOM) hidden() []string {
	var linked, about []string
	if it := d.subject(d.said.Title); it != nil {
		linked = longest(jsonText(it.ArticleBody), jsonText(it.Text))
		about = longest(jsonText(it.Description))
		if it.is(isThreadType) {
			linked = append(linked, it.answers()...)
		}
	}
	const surer = 2 // JSON-LD says what it is; a state must be guessed at
	state := d.stateTexts()
	if words := countWords(linked); words >= fillWords && surer*words >= countWords(state) {
		return linked
	}
	if countWords(state) >= fillWords {
		return state
	}
	return append(linked, about...)
}

func longest(list ...string) []string {
	best := ""
	for _, s := range list {
		if len(s) > len(best) {
			best = s
		}
	}
	if best == "" {
		return nil
	}
	return []string{best[:min(len(best), maxFillText)]}
}

func countWords(parts []string) int {
	words := 0
	for _, p := range parts {
		if isMarkup(p) {
			p = withoutTags(p)
		}
		words += content.Words(p)
	}
	return words
}

// isMarkup distinguishes HTML from text that happens to have a less-than sign.
func isMarkup(s string) bool {
	for _, tag := range []string{"</p>", "</div>", "</li>", "</h2>", "</h3>", "</a>", "<br", "<p>", "</strong>", "</span>"} {
		if strings.Contains(s, tag) {
			return true
		}
	}
	return false
}

// withoutTags is what stands between the tags, roughly: it is for counting.
func withoutTags(s string) string {
	var b strings.Builder
	for s != "" {
		text, rest, _ := strings.Cut(s, "<")
		b.WriteString(text)
		b.WriteByte(' ')
		_, s, _ = strings.Cut(rest, ">")
	}
	return b.String()
}

// fillMain makes elements of the texts.
func (d *DOM) fillMain(ctx context.Context, parts []string, heading bool) *html.Node {
	main := newElement(atom.Main)
	if title := d.fillTitle(); heading && title != "" {
		main.AppendChild(newElement(atom.H1, title))
	}
	for _, p := range parts {
		appendText(ctx, main, p)
	}
	return main
}

// appendText makes elements of a text: what it holds of HTML, else a paragraph a line.
func appendText(ctx context.Context, to *html.Node, s string) {
	if isMarkup(s) {
		appendMarkup(ctx, to, s)
		return
	}
	for line := range strings.Lines(s) {
		if line = fold(line); line != "" {
			to.AppendChild(newElement(atom.P, line))
		}
	}
}

func (d *DOM) fillTitle() string {
	if it := d.subject(d.said.Title); it != nil {
		if title := first(fold(jsonText(it.Headline)), fold(jsonText(it.Name))); title != "" {
			return title
		}
	}
	return first(fold(d.said.OGTitle), d.said.Title)
}

// appendMarkup parses a piece of HTML as a page of its own, within the same bounds.
func appendMarkup(ctx context.Context, to *html.Node, markup string) {
	doc, err := parseHTML(ctx, []byte(strings.ToValidUTF8(markup, "\uFFFD")))
	if err != nil {
		return // the caller looks at ctx
	}
	body := find(doc, atom.Body)
	for body != nil && body.FirstChild != nil {
		c := body.FirstChild
		body.RemoveChild(c)
		to.AppendChild(c)
	}
}

func newPage() *html.Node {
	root := &html.Node{Type: html.DocumentNode}
	page := newElement(atom.Html)
	page.AppendChild(newElement(atom.Body))
	root.AppendChild(page)
	return root
}

func newElement(a atom.Atom, text ...string) *html.Node {
	n := &html.Node{Type: html.ElementNode, DataAtom: a, Data: a.String()}
	for _, s := range text {
		n.AppendChild(&html.Node{Type: html.TextNode, Data: s})
	}
	return n
}
