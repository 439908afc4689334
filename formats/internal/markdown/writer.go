package markdown

import (
	"strconv"
	"strings"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// newWriter sets up html-to-markdown: it walks the tree, our renderer says what each element becomes. The
// renderers that come with it decide on the text around an element only after it is written, escape more
// than is needed, and cost more with each level of nesting.
func (s *sheet) newWriter() *converter.Converter {
	conv := converter.NewConverter(converter.WithEscapeMode(converter.EscapeModeDisabled))
	conv.Register.Renderer(s.render, converter.PriorityEarly)
	return conv
}

// render is the one renderer: html-to-markdown sorts its list of them again for each element. All is written on the
// sheet, and nothing on what the walker hands on at first.
func (s *sheet) render(ctx converter.Context, to converter.Writer, n *html.Node) converter.RenderStatus {
	s.steps.Visit()
	s.element(ctx, n)
	if to != converter.Writer(s) {
		s.endParagraph() // the root
	}
	return converter.RenderSuccess
}

// below writes what is below n: texts at once, as the walker would, which looks for transformers of each; elements by the walker.
func (s *sheet) below(ctx converter.Context, n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.TextNode {
			_, _ = s.WriteString(c.Data) // it fails never
			continue
		}
		top := len(s.batch)
		s.batch = append(s.batch, c)
		ctx.RenderNodes(ctx, s, s.batch[top:]...)
		s.batch = s.batch[:top]
	}
}

// element writes n and what is below it.
func (s *sheet) element(ctx converter.Context, n *html.Node) {
	children := func() { s.below(ctx, n) }
	switch n.DataAtom {
	case atom.P:
		s.paragraph(children)
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		s.heading(int(n.Data[1]-'0'), children)
	case atom.Ul, atom.Menu, atom.Dir:
		s.list(ctx, n, false)
	case atom.Ol:
		s.list(ctx, n, true)
	case atom.Blockquote:
		s.quote(children)
	case atom.Pre:
		s.codeBlock(n)
	case atom.Hr:
		s.divider()
	case atom.Table:
		s.table(ctx, n)
	default:
		s.inline(n, children)
	}
}

// inline writes the elements of a line; one that it does not know is what it holds.
func (s *sheet) inline(n *html.Node, children func()) {
	switch n.DataAtom {
	case atom.Em, atom.I:
		s.wrapped(emphasis, n, children)
	case atom.Strong, atom.B:
		s.wrapped(strong, n, children)
	case atom.Del, atom.S, atom.Strike:
		s.wrapped(struck, n, children)
	case atom.Sub:
		s.wrapped(lowered, n, children)
	case atom.Sup:
		s.wrapped(raised, n, children)
	case atom.A:
		s.link(n, children)
	case atom.Code, atom.Kbd, atom.Samp, atom.Tt, atom.Var:
		s.codeSpan(s.lineOf(n))
	case atom.Img:
		s.image(n)
	case atom.Br:
		s.lineBreak()
	case 0:
		s.ownElement(n, children)
	default:
		if isBlock(n) {
			s.paragraph(children)
			return
		}
		children()
	}
}

// ownElement writes the elements that the passes make for the writer.
func (s *sheet) ownElement(n *html.Node, children func()) {
	switch n.Data {
	case taskBox:
		s.markup("[" + boxSign(n) + "]")
		s.space = true
	case cellBreak:
		if s.space = false; len(s.flat) > 0 {
			s.markup(cellEnd)
			s.lineStart = true
		}
	case verbatimInline:
		s.markup(s.textOf(n))
	case verbatimBlock:
		s.verbatimBlock(s.textOf(n))
	case footnote:
		s.container("[^"+attr(n, "label")+"]: ", "    ", blockOther, true, children)
	default:
		if tag := typedTag(n); tag != "" {
			s.markup(clean(tag))
		}
		children()
	}
}

// cellEnd ends a line in a cell.
const cellEnd = "<br>"

func boxSign(n *html.Node) string {
	if attr(n, "checked") != "" {
		return "x"
	}
	return " "
}

// list writes a list. Items that hold nothing are left out.
func (s *sheet) list(ctx converter.Context, n *html.Node, ordered bool) {
	if s.oneLine > 0 {
		s.below(ctx, n)
		return
	}
	s.endParagraph()
	l := openList{kind: s.listKind(ordered), number: 1, loose: s.isLoose(n), tightOutside: s.tight}
	if ordered {
		l.number = startNumber(n)
	}
	last := s.lastFilled(n)
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		s.steps.Visit()
		if c.Type == html.ElementNode {
			s.item(&l, last != nil && attr(c, keptEmpty) != "", func() { s.below(ctx, c) })
		}
		if c == last {
			last = nil
		}
	}
}

// startNumber is the number of an ordered list's first item; Markdown has none below 0 and none of ten digits.
func startNumber(n *html.Node) int {
	const highest = 999_999_999
	v, err := strconv.Atoi(strings.TrimSpace(attr(n, "start")))
	if err != nil || v < 0 || v > highest {
		return 1
	}
	return v
}
