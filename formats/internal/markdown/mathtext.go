package markdown

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// mathInText takes formulas that a script of the page would render out of the texts, where their signs would be escaped: what
// stands between \( \), \[ \], dollars, or \begin and \end.
func (w *work) mathInText(root *html.Node) {
	for c := root.FirstChild; c != nil; {
		w.steps.Visit()
		next := c.NextSibling
		switch {
		case c.Type == html.TextNode && mayHoldMath(c.Data):
			splitMath(c)
		case c.Type == html.ElementNode && !isVerbatim(c):
			w.mathInText(c)
		}
		c = next
	}
}

// mayHoldMath reports a text with a backslash or a dollar sign; to look for one after the other is fastest.
func mayHoldMath(s string) bool {
	return strings.IndexByte(s, '$') >= 0 || strings.IndexByte(s, '\\') >= 0
}

// isVerbatim reports elements whose text is not read as Markdown.
func isVerbatim(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Pre, atom.Code, atom.Kbd, atom.Samp, atom.Tt, atom.Var:
		return true
	}
	return n.Data == verbatimInline || n.Data == verbatimBlock
}

// splitMath puts formulas for the parts of a text that are.
func splitMath(n *html.Node) {
	var before strings.Builder
	rest := n.Data
	for {
		i := strings.IndexAny(rest, `\$`)
		if i < 0 {
			break
		}
		before.WriteString(rest[:i])
		tex, display, size := mathAt(rest[i:])
		if size == 0 {
			before.WriteByte(rest[i])
			rest = rest[i+1:]
			continue
		}
		n.Parent.InsertBefore(text(before.String()), n)
		before.Reset()
		n.Parent.InsertBefore(formula(n.Parent, tex, display), n)
		rest = rest[i+size:]
	}
	n.Data = before.String() + rest
}

// maxFormula is how many bytes of a text are searched for the end of a formula.
const maxFormula = 4000

// mathAt is the formula that s begins with, with the bytes it takes; none when size is 0.
func mathAt(s string) (tex string, display bool, size int) {
	for _, d := range delimiters[:3] {
		if !strings.HasPrefix(s, d.open) {
			continue
		}
		window := s[len(d.open):min(len(s), maxFormula)]
		end := strings.Index(window, d.close)
		if end < 0 || !looksLikeMath(window[:end], d.open != "$$") {
			return "", false, 0
		}
		return tidyTeX(window[:end]), d.display, len(d.open) + end + len(d.close)
	}
	if tex, size = dollarsAt(s); size > 0 {
		return tex, false, size
	}
	return environmentAt(s)
}

// dollarsAt is a formula between single dollars. These are mostly prices, so that it has to begin and end with a sign of its own
// and may not be followed by a digit.
func dollarsAt(s string) (tex string, size int) {
	if len(s) < 3 || s[0] != '$' || s[1] == ' ' || s[1] == '$' {
		return "", 0
	}
	end := strings.IndexByte(s[1:min(len(s), maxFormula)], '$')
	if end < 1 || s[end] == ' ' || s[end] == '\\' || !looksLikeMath(s[1:1+end], false) {
		return "", 0
	}
	if after := s[end+2:]; after != "" && (after[0] >= '0' && after[0] <= '9' || after[0] == '$') {
		return "", 0
	}
	return tidyTeX(s[1 : 1+end]), end + 2
}

// environmentAt is the formula between \begin{name} and \end{name}.
func environmentAt(s string) (tex string, display bool, size int) {
	rest, ok := strings.CutPrefix(s, `\begin{`)
	if !ok {
		return "", false, 0
	}
	name, _, ok := strings.Cut(rest[:min(len(rest), 20)], "}")
	if !ok || !environments[strings.TrimSuffix(name, "*")] {
		return "", false, 0
	}
	closing := `\end{` + name + "}"
	end := strings.Index(s[:min(len(s), maxFormula)], closing)
	if end < 0 {
		return "", false, 0
	}
	size = end + len(closing)
	return tidyTeX(s[:size]), true, size
}

var environments = set("equation", "align", "aligned", "gather", "multline", "eqnarray", "alignat", "split", "array", "cases", "matrix", "pmatrix", "bmatrix", "vmatrix")

// looksLikeMath distinguishes TeX from other texts between such delimiters, patterns of old regular expressions for one: it has signs of
// its own, or is one letter or number where short is true.
func looksLikeMath(s string, short bool) bool {
	s = strings.TrimSpace(s)
	return s != "" && (strings.ContainsAny(s, `\^_={}<>`) || short && utf8.RuneCountInString(s) <= 2)
}
