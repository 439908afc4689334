package recipe

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/winnow-go/winnow/formats/internal/walk"
)

// Bounds of what is read of one page.
const (
	maxElements = 2000      // of one list
	maxValues   = 20_000    // of all fields
	maxText     = 20_000    // bytes of one value
	maxVisits   = 5_000_000 // of nodes, by all rules together
)

// Page is the page to which a recipe is applied.
type Page struct {
	// Root of the tree, which isn't changed.
	Root *html.Node
	// Absolute resolves a reference; "" when it is none. Date reads a date as ISO 8601; "" when
	// it can't. Nil leaves texts as they are.
	Absolute, Date func(string) string
	// Language of the page, BCP 47; may be empty.
	Language string
}

// Apply reads a page by a recipe. The data has the schema's types where a schema is given (it
// may be empty), and no value that isn't on the page: a missing field is left out, or null
// where the schema requires it or there is no schema; missing lists are empty. The data is null
// when nothing was found. The error is the context's, or that of a recipe that Decode would have
// refused or whose paths contradict each other.
func Apply(ctx context.Context, p Page, r Recipe, schema json.RawMessage) (_ json.RawMessage, _ Report, err error) {
	steps := walk.New(ctx)
	defer steps.Catch(&err)
	return apply(steps, p, r, schema, maxVisits)
}

func apply(ctx context.Context, p Page, r Recipe, schema json.RawMessage, visits int) (json.RawMessage, Report, error) {
	top, err := build(r, readShape(schema))
	if err != nil {
		return nil, Report{}, fmt.Errorf("recipe: %w", err)
	}
	same := func(s string) string { return s }
	if p.Absolute == nil {
		p.Absolute = same
	}
	if p.Date == nil {
		p.Date = same
	}
	a := &applier{ctx: ctx, page: p, counts: map[*field]*PathReport{}, strict: len(schema) > 0, left: visits}
	steps := walk.New(ctx)
	top.each(func(f *field) {
		if f.selector != nil {
			f.match = f.selector(steps)
		}
		if f.rule != nil {
			a.counts[f] = &PathReport{Path: f.path, Required: f.required}
		}
	})
	v := a.value(top, p.Root)
	if err := ctx.Err(); err != nil {
		return nil, Report{}, err
	}
	report := a.report(top)
	if report.Found == 0 {
		v = nil
	}
	data, err := json.Marshal(v)
	return data, report, err
}

type applier struct {
	ctx    context.Context
	page   Page
	strict bool // there is a schema
	counts map[*field]*PathReport
	values int
	left   int  // visits of nodes
	over   bool // a bound was met, or ctx has ended
}

func (a *applier) report(top *field) Report {
	r := Report{Drained: a.over}
	top.each(func(f *field) {
		if c := a.counts[f]; c != nil {
			r.Paths = append(r.Paths, *c)
			if len(f.children) == 0 {
				r.Found += c.Found
			}
		}
	})
	return r
}

// value of a field within a scope; nil for none.
func (a *applier) value(f *field, scope *html.Node) any {
	switch {
	case f.isList():
		return a.list(f.children[list], scope)
	case f.isObject():
		return a.object(f, scope)
	case f.rule == nil:
		return nil
	}
	return a.leaf(f, scope)
}

// list returns what each element holds; elements that hold nothing are left out.
func (a *applier) list(f *field, scope *html.Node) any {
	values := []any{}
	if f.rule == nil {
		return values
	}
	c := a.counts[f]
	a.find(f.match, scope, func(el *html.Node) bool {
		var v any
		if len(f.children) > 0 {
			v = a.value(f, el)
		} else {
			v = a.read(f, el)
		}
		if v != nil {
			c.Found++
			values = append(values, v)
		}
		return len(values) < maxElements
	})
	if c.Found == 0 {
		c.Empty++
	}
	return values
}

// object is nil when none of its fields is there.
func (a *applier) object(f *field, scope *html.Node) any {
	if f.rule != nil && f.path != "" && !strings.HasSuffix(f.path, list) { // narrows where its fields are looked for
		inner := a.first(f.match, scope)
		if inner == nil {
			a.counts[f].Empty++
			return nil
		}
		a.counts[f].Found++
		scope = inner
	}
	o, some := map[string]any{}, false
	for _, name := range f.names {
		child := f.children[name]
		v := a.value(child, scope)
		if found, isList := v.([]any); v != nil && (!isList || len(found) > 0) {
			some = some || v != false || child.rule == nil || child.rule.Transform != Exists
			o[name] = v
		} else if isList || child.required || !a.strict {
			o[name] = v
		}
	}
	if !some {
		return nil
	}
	return o
}

func (a *applier) first(match matcher, scope *html.Node) *html.Node {
	var first *html.Node
	a.find(match, scope, func(el *html.Node) bool {
		first = el
		return false
	})
	return first
}

// leaf is the first value that the rule's elements have.
func (a *applier) leaf(f *field, scope *html.Node) any {
	c := a.counts[f]
	if a.target(f) == Exists {
		if a.first(f.match, scope) != nil {
			c.Found++
			return true
		}
		return false
	}
	var v any
	a.find(f.match, scope, func(el *html.Node) bool {
		v = a.read(f, el)
		return v == nil
	})
	if v == nil {
		c.Empty++
		return nil
	}
	c.Found++
	return v
}

// read makes the value of one element; nil when it has none.
func (a *applier) read(f *field, el *html.Node) any {
	text := a.text(f.rule.Attribute, el)
	if text == "" || a.values >= maxValues {
		return nil
	}
	v, ok := a.convert(text, f)
	if !ok {
		a.counts[f].Wrong++
		return nil
	}
	a.values++
	return v
}

// find visits what a rule matches below scope, in document order, until visit says no.
func (a *applier) find(match matcher, scope *html.Node, visit func(*html.Node) bool) {
	if match == nil {
		visit(scope)
		return
	}
	for n := range scope.Descendants() {
		if !a.step() {
			return
		}
		if n.Type == html.ElementNode && match(n) && !visit(n) {
			return
		}
	}
}

// step counts a node; false ends everything.
func (a *applier) step() bool {
	const often = 256
	if a.left--; a.left < 0 || a.left%often == 0 && a.ctx.Err() != nil {
		a.over = true
	}
	return !a.over
}

// text of an element or its attribute, white space folded. A meta element's is its content.
func (a *applier) text(attribute string, el *html.Node) string {
	if attribute == "" && el.DataAtom == atom.Meta {
		attribute = "content"
	}
	var text string
	if attribute != "" {
		for _, at := range el.Attr {
			if at.Namespace == "" && strings.EqualFold(at.Key, attribute) {
				text = at.Val
			}
		}
	} else {
		var b strings.Builder
		a.addText(&b, el)
		text = b.String()
	}
	if len(text) > maxText {
		text = strings.ToValidUTF8(text[:maxText], "")
	}
	return strings.Join(strings.Fields(text), " ")
}

func (a *applier) addText(b *strings.Builder, n *html.Node) {
	for c := n.FirstChild; c != nil && b.Len() <= maxText && a.step(); c = c.NextSibling {
		switch {
		case c.Type == html.TextNode:
			b.WriteString(c.Data)
		case c.DataAtom == atom.Script, c.DataAtom == atom.Style, c.DataAtom == atom.Noscript, c.DataAtom == atom.Template:
		case c.DataAtom == atom.Br:
			b.WriteByte(' ')
		case c.Type == html.ElementNode:
			gap := !inline[c.DataAtom]
			if gap {
				b.WriteByte(' ')
			}
			a.addText(b, c)
			if gap {
				b.WriteByte(' ')
			}
		}
	}
}

// inline are the elements whose text goes on that of their neighbors.
var inline = map[atom.Atom]bool{atom.A: true, atom.Abbr: true, atom.B: true, atom.Bdi: true, atom.Cite: true,
	atom.Code: true, atom.Data: true, atom.Del: true, atom.Em: true,
	atom.I: true, atom.Ins: true, atom.Mark: true, atom.Q: true, atom.S: true, atom.Small: true, atom.Span: true,
	atom.Strong: true, atom.Sub: true, atom.Sup: true,
	atom.Time: true, atom.U: true}
