package formats

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"slices"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/winnow-go/winnow/formats/internal/content"
	"github.com/winnow-go/winnow/formats/internal/hidden"
	"github.com/winnow-go/winnow/formats/internal/markdown"
	"github.com/winnow-go/winnow/formats/internal/nodes"
	"github.com/winnow-go/winnow/formats/internal/walk"
	"github.com/winnow-go/winnow/formats/menu"
	"github.com/winnow-go/winnow/formats/product"
)

// Output holds the requested formats; the others are empty. Metadata is always set.
type Output struct {
	Markdown   string
	HTML       string // cleaned, in one html element without a head
	RawHTML    string // the body untouched, as text
	RawBase64  string // Source.Raw in standard base64
	Links      []string
	Images     []string
	Attributes []Attribute
	Audio      []Medium // the best sources first
	Video      []Medium
	Product    *product.Product // nil also where the page has none of its own
	Menu       *menu.Menu       // nil also where the page describes none
	LeftOut    []LeftOut        // as [Options.LeftOut] requests: empty, not nil, when nothing was left out
	Metadata   Metadata
	Warnings   []string // why something requested is missing or incomplete
}

// Attribute is the answer to one Selector: the values in document order.
type Attribute struct {
	Selector  string   `json:"selector"`
	Attribute string   `json:"attribute"`
	Values    []string `json:"values"`
}

// Render makes the requested formats from the one tree, which stays as it is: it can be rendered again with
// other options, to the same bytes for the same ones. The error is an *OptionError or the context's.
func (d *DOM) Render(ctx context.Context, o Options) (_ *Output, err error) {
	defer d.under(ctx).Catch(&err)
	out := &Output{}
	if o.LeftOut {
		out.LeftOut = []LeftOut{}
	}
	if o.wants(RawHTML) {
		out.RawHTML = validText(d.src.Body)
	}
	if o.wants(RawBase64) {
		out.RawBase64 = base64.StdEncoding.EncodeToString(d.src.Raw)
	}
	if d.kind != kindHTML {
		return out, d.renderText(o, out)
	}
	out.Metadata = d.metadata()
	if o.wants(Audio) || o.wants(Video) {
		out.Audio, out.Video = d.media()
	}
	if o.wants(Product) {
		out.Product = d.product()
	}
	if o.wants(Menu) {
		out.Menu = d.menu()
	}
	if !o.needsTree() {
		return out, o.Validate()
	}
	if o.onlyLinks() {
		out.Links, _ = d.allLinks()
		return out, o.Validate()
	}
	return out, d.renderTree(d.steps, o, out)
}

// onlyLinks reports whether the tree is wanted for nothing but the links of the whole page, for which no list has to be made.
func (o Options) onlyLinks() bool {
	others := func(t Type) bool { return isOfTree(t) && t != Links }
	return !o.OnlyMainContent && len(o.IncludeTags) == 0 && len(o.ExcludeTags) == 0 && !o.OnlyVisible &&
		!slices.ContainsFunc(o.Formats, others)
}

// needsTree reports whether the page has to be cleaned, if only to identify its main content.
func (o Options) needsTree() bool {
	return slices.ContainsFunc(o.Formats, isOfTree) || o.OnlyMainContent && (o.LeftOut || slices.ContainsFunc(o.Formats, isOfMain))
}

func isOfTree(t Type) bool {
	switch t {
	case Markdown, HTML, Links, Images, Attributes:
		return true
	}
	return false
}

// isOfMain reports a format that models make of the main content.
func isOfMain(t Type) bool {
	switch t {
	case Summary, JSON, Question, Highlights, Query:
		return true
	}
	return false
}

// renderTree goes through cleaning and the formats in their order.
func (d *DOM) renderTree(ctx context.Context, o Options, out *Output) error {
	p, err := d.clean(ctx, o)
	if err != nil {
		return err
	}
	out.Metadata.ContentConfidence = p.confidence
	if p.unmatched {
		out.Warnings = append(out.Warnings, fmt.Sprintf("No element matches includeTags %q: nothing is kept of the page.", o.IncludeTags))
	}
	if o.LeftOut {
		out.LeftOut = append(out.LeftOut, p.leftOut()...)
	}
	if o.wants(Links) {
		out.Links = d.links(p.tree, p.mask())
	}
	if o.wants(Images) {
		out.Images = d.images(p.tree, p.mask())
	}
	c := copied{mask: p.mask()}
	if o.wants(HTML) || o.wants(Attributes) {
		c = d.copyOf(p.tree, c.mask)
	}
	if o.wants(Attributes) {
		out.Attributes = d.attributes(c.doc, o.Selectors)
	}
	if o.wants(HTML) {
		out.HTML = d.renderHTML(c.doc)
	}
	if !o.wants(Markdown) {
		return nil
	}
	out.Markdown, err = d.renderMarkdown(ctx, o, p, c, out)
	return err
}

// copied is a copy of what a mask keeps; doc is nil where none was made, or it is used up.
type copied struct {
	mask content.Mask
	doc  *html.Node
	room *nodes.Room
}

// renderMarkdown converts the main content, or the whole page when that was not requested or comes out empty. Overlays of the
// whole page are left out, except for OnlyVisible, or where selectors match.
func (d *DOM) renderMarkdown(ctx context.Context, o Options, p page, c copied, out *Output) (string, error) {
	if p.main != nil {
		if text, err := d.convert(ctx, o, p.tree, p.main, &c); text != "" || err != nil {
			return text, err
		}
		out.Metadata.ContentConfidence = p.nothingFound()
	}
	if !o.OnlyVisible && len(o.IncludeTags) == 0 {
		if text, err := d.convert(ctx, o, p.tree, p.tree.WithoutOverlays(p.all), &c); text != "" || err != nil {
			return text, err
		}
	}
	return d.convert(ctx, o, p.tree, p.all, &c)
}

// convert writes what the mask keeps. The writer uses up the tree it is given: c when that is a copy of the same, else another one.
func (d *DOM) convert(ctx context.Context, o Options, t *content.Tree, m content.Mask, c *copied) (string, error) {
	own := *c
	if c.doc = nil; own.doc == nil || &own.mask[0] != &m[0] {
		own = d.copyOf(t, m)
	}
	text, err := markdown.Convert(ctx, own.doc, markdown.Options{RemoveBase64Images: o.RemoveBase64Images, KeepEmptyLinks: d.base == nil})
	if err != nil {
		return "", fmt.Errorf("markdown: %w", err)
	}
	own.room.GiveBack()
	return text, nil
}

func (d *DOM) renderHTML(doc *html.Node) string {
	b := stepWriter{steps: d.steps}
	if err := html.Render(&b, doc); err != nil {
		return "" // only a writer's error or a malformed tree is possible, and there is neither
	}
	return validText(b.written.Bytes())
}

// stepWriter counts what is written as steps, so that writing ends with the context: html.Render takes no notice of it.
type stepWriter struct {
	steps   *walk.Steps
	written bytes.Buffer
}

// perStep is how many bytes count as one node.
const perStep = 64

func (w *stepWriter) Write(p []byte) (int, error) {
	w.steps.Add(1 + len(p)/perStep)
	return w.written.Write(p)
}

// validText replaces what is no UTF-8, of which there seldom is any.
func validText(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	return string(bytes.ToValidUTF8(b, []byte("\uFFFD")))
}

// clean applies includeTags, excludeTags and onlyMainContent, in this order.
func (d *DOM) clean(ctx context.Context, o Options) (page, error) {
	include, err := compileTags("includeTags", o.IncludeTags)
	if err != nil {
		return page{}, err
	}
	exclude, err := compileTags("excludeTags", o.ExcludeTags)
	if err != nil {
		return page{}, err
	}
	choose := func(t *content.Tree, all content.Mask) page { return d.choose(t, all, o.OnlyVisible, include, exclude) }
	filled := d.filled(ctx, o.OnlyMainContent)
	if filled == nil {
		p := choose(d.list())
		if o.OnlyMainContent {
			d.findMain(&p)
		}
		return p, nil
	}
	t := content.NewTree(d.steps, filled)
	p := choose(t, content.UnseenMask(t))
	if o.OnlyMainContent && o.LeftOut {
		p.replaced = new(choose(d.list()))
	}
	return p, nil
}

// choose leaves of a tree what tags and visibility let through.
func (d *DOM) choose(t *content.Tree, all content.Mask, onlyVisible bool, include, exclude []selector) page {
	p := page{tree: t, all: all}
	if onlyVisible {
		p.all = hidden.Mask(d.steps, p.tree, p.all)
	}
	if len(include) > 0 {
		kept, body := d.gather(p.tree, p.all, d.over(include))
		p.unmatched = body.FirstChild == nil
		p.tree = content.NewTree(d.steps, kept)
		p.all = content.UnseenMask(p.tree)
	}
	if len(exclude) > 0 {
		p.all = slices.Clone(p.all)
		leaveOut(p.tree, p.all, d.over(exclude))
	}
	return p
}

// over begins to match the elements of one tree.
func (d *DOM) over(selectors []selector) []matcher {
	var list []matcher
	for _, s := range selectors {
		list = append(list, s(d.steps))
	}
	return list
}

// leaveOut masks what the selectors match.
func leaveOut(t *content.Tree, m content.Mask, exclude []matcher) {
	t.Each(m, func(i int, n *html.Node) {
		if n.Type != html.ElementNode || i == 0 {
			return
		}
		for _, match := range exclude {
			if match(n) {
				m[i] = true
				return
			}
		}
	})
}

// gather copies what the selectors match under a new root, selector by selector, each element once:
// what an earlier selector took is missing from the match of a later one. body has them.
func (d *DOM) gather(t *content.Tree, seen content.Mask, include []matcher) (root, body *html.Node) {
	taken := slices.Clone(seen)
	root = &html.Node{Type: html.DocumentNode}
	body = &html.Node{Type: html.ElementNode, DataAtom: atom.Body, Data: "body"}
	page := &html.Node{Type: html.ElementNode, DataAtom: atom.Html, Data: "html"}
	root.AppendChild(page)
	page.AppendChild(body)
	for _, match := range include {
		var found []int
		for i := 0; i < t.Len(); i++ {
			d.steps.Visit()
			n := t.Node(i)
			if taken[i] || n.Type == html.ElementNode && match(n) {
				if !taken[i] {
					found = append(found, i)
				}
				i = t.End(i) - 1
			}
		}
		for _, i := range found {
			body.AppendChild(t.CopyFrom(new(nodes.Room), i, taken, func(*html.Node) {}))
			taken[i] = true
		}
	}
	return root, body
}
