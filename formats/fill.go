package formats

import (
	"cmp"
	"context"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/winnow-go/winnow/formats/internal/content"
	"github.com/winnow-go/winnow/formats/internal/nodes"
	"github.com/winnow-go/winnow/formats/internal/pagedata"
	"github.com/winnow-go/winnow/formats/internal/parse"
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
	if d.data.IsEmpty() {
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
		page = t.Copy(new(nodes.Room), unseen, func(*html.Node) {})
	}
	body := nodes.Find(page, atom.Body)
	if body == nil {
		return nil
	}
	body.AppendChild(d.fillMain(ctx, parts, alone || nodes.Find(page, atom.H1) == nil))
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
	if it := d.subject(); it != nil {
		linked = longest(pagedata.Text(it.ArticleBody), pagedata.Text(it.Text))
		about = longest(pagedata.Text(it.Description))
		if it.Is(pagedata.IsThreadType) {
			linked = append(linked, it.Answers()...)
		}
	}
	const surer = 2 // JSON-LD says what it is; a state must be guessed at
	state := d.data.StateTexts(d.said.Title, d.said.Description)
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
		if pagedata.IsMarkup(p) {
			p = pagedata.WithoutTags(p)
		}
		words += content.Words(p)
	}
	return words
}

// fillMain makes elements of the texts.
func (d *DOM) fillMain(ctx context.Context, parts []string, heading bool) *html.Node {
	main := nodes.New(atom.Main)
	if title := d.fillTitle(); heading && title != "" {
		main.AppendChild(nodes.New(atom.H1, title))
	}
	for _, p := range parts {
		appendText(ctx, main, p)
	}
	return main
}

// appendText makes elements of a text: what it holds of HTML, else a paragraph a line.
func appendText(ctx context.Context, to *html.Node, s string) {
	if pagedata.IsMarkup(s) {
		appendMarkup(ctx, to, s)
		return
	}
	for line := range strings.Lines(s) {
		if line = nodes.Fold(line); line != "" {
			to.AppendChild(nodes.New(atom.P, line))
		}
	}
}

func (d *DOM) fillTitle() string {
	if it := d.subject(); it != nil {
		if title := it.Title(); title != "" {
			return title
		}
	}
	return cmp.Or(nodes.Fold(d.said.OGTitle), d.said.Title)
}

// appendMarkup parses a piece of HTML as a page of its own, within the same bounds.
func appendMarkup(ctx context.Context, to *html.Node, markup string) {
	doc, err := parse.HTML(ctx, []byte(strings.ToValidUTF8(markup, "\uFFFD")), new(nodes.Room))
	if err != nil {
		return // the caller looks at ctx
	}
	body := nodes.Find(doc, atom.Body)
	for body != nil && body.FirstChild != nil {
		c := body.FirstChild
		body.RemoveChild(c)
		to.AppendChild(c)
	}
}

func newPage() *html.Node {
	root := &html.Node{Type: html.DocumentNode}
	page := nodes.New(atom.Html)
	page.AppendChild(nodes.New(atom.Body))
	root.AppendChild(page)
	return root
}
