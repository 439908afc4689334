package markdown

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// flattenCode makes every code block one pre of plain text with its language as class, without line numbers. Tables that
// highlighters use to put the numbers aside become their code, and so does inline code that is a block by its line breaks.
func (w *work) flattenCode(root *html.Node) {
	w.codeTables = make(map[*html.Node]codeTable)
	w.languages = make(map[*html.Node]string)
	w.numeric = make(map[*html.Node]bool)
	w.readCodeTables(root)
	w.walk(root, func(n *html.Node) bool {
		switch n.DataAtom {
		case atom.Table:
			if code := w.codeOfTable(n); code != nil {
				remove(code)
				n.Parent.InsertBefore(code, n)
				w.flattenPre(code, language(n))
				remove(n)
				return false
			}
		case atom.Pre:
			if !w.keepLinkedText(n) {
				w.flattenPre(n, "")
			}
			return false
		case atom.Code:
			if w.isCodeBlock(n) {
				pre := element(atom.Pre)
				n.Parent.InsertBefore(pre, n)
				remove(n)
				pre.AppendChild(n)
				w.flattenPre(pre, "")
			}
			return false
		}
		return true
	})
}

// isCodeBlock reports a code element with line breaks that is alone in its block.
func (w *work) isCodeBlock(n *html.Node) bool {
	p := n.Parent
	if p == nil || !isBlock(p) && p.DataAtom != atom.Body || !w.isAlone(n) {
		return false
	}
	if w.has(n, func(c *html.Node) bool { return c.DataAtom == atom.Br }) {
		return true
	}
	style := strings.ReplaceAll(attr(n, "style"), " ", "")
	return strings.Contains(style, "white-space:pre") && strings.Contains(w.textOf(n), "\n")
}

func (w *work) flattenPre(pre *html.Node, lang string) {
	for _, find := range []func(*html.Node) string{language, w.languageBelow, w.languageAbove} {
		if lang == "" {
			lang = find(pre)
		}
	}
	var b strings.Builder
	w.codeText(pre, &b)
	isCode := w.has(pre, func(n *html.Node) bool { return n.DataAtom == atom.Code }) // an empty one may be meant
	clearChildren(pre)
	if strings.TrimSpace(b.String()) == "" && !isCode {
		remove(pre)
		return
	}
	rename(pre, atom.Pre)
	code := element(atom.Code)
	if lang != "" {
		setAttr(code, "class", "language-"+lang)
	}
	code.AppendChild(text(clean(strings.TrimRight(b.String(), "\n"))))
	pre.AppendChild(code)
}

// codeText collects the text of a code block: lines that are elements of their own end in a line break.
func (w *work) codeText(n *html.Node, b *strings.Builder) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		w.steps.Visit()
		switch {
		case c.Type == html.TextNode:
			b.WriteString(c.Data)
		case c.Type != html.ElementNode, w.isNumbers(c), isControl(c):
		case c.DataAtom == atom.Br:
			b.WriteByte('\n')
		case c.DataAtom == atom.Thead, c.DataAtom == atom.Tbody, c.DataAtom == atom.Table, c.DataAtom == atom.Tr:
			w.rowText(c, b)
		default:
			before := b.Len()
			if isLine(c) && before > 0 {
				w.beginLine(c, b)
			}
			w.codeText(c, b)
			if isLine(c) && !strings.HasSuffix(b.String(), "\n") && !endsLine(c.NextSibling) && (b.Len() > before || !isBeforeCode(c)) {
				b.WriteByte('\n')
			}
		}
	}
}

// rowText is codeText for a table inside a block: what stands between its cells only lays out the page's source.
func (w *work) rowText(n *html.Node, b *strings.Builder) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		w.steps.Visit()
		switch {
		case c.Type != html.ElementNode, w.isNumbers(c):
		case c.DataAtom == atom.Tr, c.DataAtom == atom.Tbody, c.DataAtom == atom.Thead:
			w.rowText(c, b)
			if c.DataAtom == atom.Tr && !strings.HasSuffix(b.String(), "\n") {
				b.WriteByte('\n')
			}
		case c.NextSibling != nil && w.isNumberText(c):
		default:
			w.codeText(c, b)
		}
	}
}

// endsLine reports what comes after a line when it is a line break already, or nothing.
func endsLine(n *html.Node) bool {
	return n == nil || n.DataAtom == atom.Br || n.Type == html.TextNode && strings.HasPrefix(strings.TrimLeft(n.Data, " \t\r"), "\n")
}

// beginLine keeps a line that is an element apart from what stands before it: a number stays beside it, as it may be one that counts
// the lines without saying so, all else ends its own line.
func (w *work) beginLine(n *html.Node, b *strings.Builder) {
	s := b.String()
	switch last := s[len(s)-1]; {
	case last == '\n' || last == ' ' || n.DataAtom == atom.Span || n.DataAtom == atom.Code:
	case n.PrevSibling != nil && n.PrevSibling.Type == html.ElementNode && w.isNumberText(n.PrevSibling):
		b.WriteByte(' ')
	case n.PrevSibling != nil:
		b.WriteByte('\n')
	}
}

// isBeforeCode reports a box above the code, which held buttons.
func isBeforeCode(n *html.Node) bool { return n.NextSibling.DataAtom == atom.Code }

func isControl(n *html.Node) bool {
	return n.DataAtom == atom.Button || n.DataAtom == atom.Textarea || hasToken(n, copyControls)
}

// copyControls are the class names of what copies a block's code.
var copyControls = set("copy-button", "copybtn", "btn-copy", "copy-btn", "btn-clipboard", "clipboard-copy", "copy-code-button", "code-copy")

func isLine(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Div, atom.P, atom.Li:
		return true
	case atom.Span, atom.Code:
		return hasToken(n, lines)
	}
	return false
}

// lines are the class names of one line of code.
var lines = set("line", "code-line", "token-line", "highlight-line", "view-line", "crayon-line", "codemirror-line")
