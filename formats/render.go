package formats

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"slices"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/winnow-go/winnow/formats/content"
	"github.com/winnow-go/winnow/formats/markdown"
	"github.com/winnow-go/winnow/formats/menu"
	"github.com/winnow-go/winnow/formats/product"
	"github.com/winnow-go/winnow/formats/walk"
)

// Output holds the asked formats; what was not asked for is empty. Metadata is always there.
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
	Metadata   Metadata
	Warnings   []string // why something asked for is missing or less than it could be
}

// Attribute is the answer to one Selector: the values in document order.
type Attribute struct {
	Selector  string   `json:"selector"`
	Attribute string   `json:"attribute"`
	Values    []string `json:"values"`
}

// Render makes the asked formats from the one tree, which stays as it is: it can be rendered again with
// other options, to the same bytes for the same ones. The error is an *OptionError or the context's.
func (d *DOM) Render(ctx context.Context, o Options) (_ *Output, err error) {
	defer d.under(ctx).Catch(&err)
	out := &Output{}
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
	d.said = out.Metadata
	if o.wants(Audio) || o.wants(Video) {
		out.Audio, out.Video = d.media()
	}
	if o.wants(Product) {
		out.Product = d.product()
	}
	if o.wants(Menu) {
		out.Menu = d.menu()
	}
	if !slices.ContainsFunc(o.Formats, needsTree) {
		return out, o.Validate()
	}
	if o.onlyLinks() {
		found := newOnce()
		eachSeen(d.steps, d.doc, func(n *html.Node) { d.addLink(found, n, false) })
		out.Links = found.list
		return out, o.Validate()
	}
	return out, d.renderTree(d.steps, o, out)
}

// onlyLinks tells whether the tree is wanted for nothing but the links of the whole page, for which no list has to be made.
func (o Options) onlyLinks() bool {
	others := func(t Type) bool { return needsTree(t) && t != Links }
	return !o.OnlyMainContent && len(o.IncludeTags) == 0 && len(o.ExcludeTags) == 0 && !o.OnlyVisible && !slices.ContainsFunc(o.Formats, others)
}

func needsTree(t Type) bool {
	switch t {
	case Markdown, HTML, Links, Images, Attributes:
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
	if o.wants(Links) {
		out.Links = d.links(p.tree, p.mask())
	}
	if o.wants(Images) {
		out.Images = d.images(p.tree, p.mask())
	}
	c := copied{mask: p.mask()}
	if o.wants(HTML) || o.wants(Attributes) {
		c.doc = d.copyOf(p.tree, c.mask)
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
	out.Markdown, err = d.renderMarkdown(ctx, o, p, c)
	return err
}

// copied is a copy of what a mask keeps; doc is nil where none was made, or it is used up.
type copied struct {
	mask content.Mask
	doc  *html.Node
}

// renderMarkdown converts the main content, and the whole page when that was not asked for or comes out empty. What lies over the
// whole page is left out, but not for those who want what a reader sees first, or what selectors match.
func (d *DOM) renderMarkdown(ctx context.Context, o Options, p page, c copied) (string, error) {
	if p.main != nil {
		if text, err := d.convert(ctx, o, p.tree, p.main, &c); text != "" || err != nil {
			return text, err
		}
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
	doc := c.doc
	if c.doc = nil; doc == nil || &c.mask[0] != &m[0] {
		doc = d.copyOf(t, m)
	}
	text, err := markdown.Convert(ctx, doc, markdown.Options{RemoveBase64Images: o.RemoveBase64Images, KeepEmptyLinks: d.base == nil})
	if err != nil {
		return "", fmt.Errorf("markdown: %w", err)
	}
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

func validText(b []byte) string { return string(bytes.ToValidUTF8(b, []byte("\uFFFD"))) }

// page is what cleaning leaves of a DOM.
type page struct {
	tree *content.Tree
	all  content.Mask // without onlyMainContent
	main content.Mask // with it; nil when not asked for, or when nothing would be left
}

func (p page) mask() content.Mask {
	if p.main != nil {
		return p.main
	}
	return p.all
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
	var p page
	p.tree, p.all = d.list()
	filled := d.filled(ctx, o.OnlyMainContent)
	if filled != nil {
		p.tree = content.NewTree(d.steps, filled)
		p.all = unseenMask(p.tree)
	}
	if o.OnlyVisible {
		p.all = d.visibleMask(p.tree, p.all)
	}
	if len(include) > 0 {
		p.tree = content.NewTree(d.steps, d.gather(p.tree, p.all, d.over(include)))
		p.all = unseenMask(p.tree)
	}
	if len(exclude) > 0 {
		p.all = slices.Clone(p.all)
		leaveOut(p.tree, p.all, d.over(exclude))
	}
	if o.OnlyMainContent && filled == nil {
		p.main = d.mainOf(p)
	}
	return p, nil
}

// over begins to match the elements of one tree.
func (d *DOM) over(selectors []selector) []matcher {
	var list []matcher
	for _, s := range selectors {
		list = append(list, s(d.steps))
	}
	return list
}

// mainOf is the mask of the main content, nil when it has neither words nor images.
func (d *DOM) mainOf(p page) content.Mask {
	var m content.Mask
	if p.tree == d.tree && &p.all[0] == &d.unseen[0] {
		m = d.mainMask()
	} else {
		m = p.tree.Main(p.all)
	}
	if p.tree.Words(m) > 0 {
		return m
	}
	images := false
	p.tree.Each(m, func(_ int, n *html.Node) { images = images || n.DataAtom == atom.Img })
	if images {
		return m
	}
	return nil
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
// what an earlier selector took is missing from the match of a later one.
func (d *DOM) gather(t *content.Tree, seen content.Mask, include []matcher) *html.Node {
	taken := slices.Clone(seen)
	root := &html.Node{Type: html.DocumentNode}
	body := &html.Node{Type: html.ElementNode, DataAtom: atom.Body, Data: "body"}
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
			body.AppendChild(t.CopyFrom(i, taken, func(*html.Node) {}))
			taken[i] = true
		}
	}
	return root
}
