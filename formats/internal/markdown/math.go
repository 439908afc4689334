package markdown

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// replaceMath writes a formula as TeX between dollar signs: one dollar in a line, two for a formula that stands
// alone. The source that renderers leave beside what they draw is taken as it is (KaTeX, MathJax, MediaWiki, LaTeX images);
// MathML without one is translated. It reports whether n was a formula; what is drawn twice is written once. bare remembers what
// was drawn from no source: there is none in it either.
func (w *work) replaceMath(n *html.Node, bare map[*html.Node]bool) bool {
	switch n.DataAtom {
	case atom.Math:
		return becomeMath(n, w.texOf(n), attr(n, "display") == "block")
	case atom.Script:
		return strings.HasPrefix(attr(n, "type"), "math/tex") && becomeMath(n, w.textOf(n), strings.Contains(attr(n, "type"), "mode=display"))
	}
	if n.Data == "mjx-container" {
		return w.replaceRendered(n, bare)
	}
	if class := attr(n, "class"); class == "" || !mayBeMath(class) {
		return false
	}
	switch {
	case n.DataAtom == atom.Img:
		return hasToken(n, formulaImages) && becomeMath(n, attr(n, "alt"), hasToken(n, displayMath))
	case hasToken(n, rendered):
		return w.replaceRendered(n, bare)
	case hasToken(n, quoted):
		return replaceQuoted(n)
	}
	return false
}

// mayBeMath is a quick look at class names before they are split: most elements end here.
func mayBeMath(class string) bool {
	for _, part := range []string{"ath", "tex", "mjx", "formula", "equation"} {
		if strings.Contains(class, part) {
			return true
		}
	}
	return false
}

// Class names of formulas.
var (
	rendered = set("katex", "katex-display", "mathjax", "mathjax_display", "mathjax_preview", "mathjax_svg", "mathjax_svg_display", "mathjax_chtml",
		"mjx-chtml", "mjx-full-width", "mwe-math-element")
	displayMath = set("katex-display", "mathjax_display", "mathjax_svg_display", "mjxc-display", "mwe-math-element-block", "mwe-math-fallback-image-display",
		"ql-img-displayed-equation")
	formulaImages = set("latex", "tex", "mwe-math-fallback-image-inline", "mwe-math-fallback-image-display", "ql-img-inline-formula", "ql-img-displayed-equation")
	quoted        = set("math-container", "math", "math-inline", "math-display", "math-tex", "tex2jax_process", "arithmatex")
)

// replaceRendered takes the source out of what a renderer has drawn. Without one it stays, but for a drawing whose source stands beside it.
func (w *work) replaceRendered(n *html.Node, bare map[*html.Node]bool) bool {
	if sourceFollows(n) {
		remove(n)
		return true
	}
	if bare[n] {
		return false
	}
	math, img := w.sourceIn(n, bare)
	if math == nil {
		return img != nil && becomeMath(n, attr(img, "alt"), hasToken(img, displayMath))
	}
	display := attr(math, "display") == "block" || attr(n, "display") == "true" || hasToken(n, displayMath)
	return becomeMath(n, w.texOf(math), display)
}

// sourceIn is the first formula below n, and the first image of one. Where there is neither, all that is rendered in n is noted as bare.
func (w *work) sourceIn(n *html.Node, bare map[*html.Node]bool) (math, img *html.Node) {
	var drawn []*html.Node
	math = w.first(n, func(c *html.Node) bool {
		if img == nil && c.DataAtom == atom.Img && hasToken(c, formulaImages) {
			img = c
		}
		if c.Data == "mjx-container" || mayBeMath(attr(c, "class")) {
			drawn = append(drawn, c)
		}
		return c.DataAtom == atom.Math
	})
	if math == nil && img == nil {
		for _, c := range drawn {
			bare[c] = true
		}
	}
	return math, img
}

// sourceFollows reports whether the source of a formula comes next, after at most a few other drawings of it.
func sourceFollows(n *html.Node) bool {
	s := n
	for range 6 {
		if s = s.NextSibling; s == nil {
			return false
		}
		switch {
		case isBlank(s), s.Type == html.ElementNode && s.DataAtom != atom.Math && hasToken(s, rendered):
		case s.DataAtom == atom.Script:
			return strings.HasPrefix(attr(s, "type"), "math/tex")
		default:
			return s.DataAtom == atom.Math && attr(s, "data-source") == "script"
		}
	}
	return false
}

// replaceQuoted takes over a formula that a script of the page would render later: an element that says so by its class and holds
// nothing but TeX between delimiters.
func replaceQuoted(n *html.Node) bool {
	only := n.FirstChild
	if only == nil || only.NextSibling != nil || only.Type != html.TextNode {
		return false
	}
	s := strings.TrimSpace(only.Data)
	for _, d := range delimiters {
		if tex, ok := strings.CutPrefix(s, d.open); ok && strings.HasSuffix(tex, d.close) && len(tex) > len(d.close) {
			return becomeMath(n, strings.TrimSuffix(tex, d.close), d.display)
		}
	}
	return false
}

// delimiters are those of MathJax and KaTeX, longer ones first.
var delimiters = []struct {
	open, close string
	display     bool
}{{"$$", "$$", true}, {`\[`, `\]`, true}, {`\(`, `\)`, false}, {"$", "$", false}}

// texOf is the source of a MathML element as its annotation or alternative text gives it, else its translation.
func (w *work) texOf(math *html.Node) string {
	note := w.first(math, func(c *html.Node) bool {
		return c.Data == "annotation" && strings.HasSuffix(strings.ToLower(attr(c, "encoding")), "tex")
	})
	if note != nil {
		return w.textOf(note)
	}
	if alt := attr(math, "alttext"); alt != "" {
		return alt
	}
	return w.translateMath(math)
}

// becomeMath puts the formula in the place of n; an empty one leaves nothing.
func becomeMath(n *html.Node, tex string, display bool) bool {
	if tex = tidyTeX(tex); tex != "" {
		n.Parent.InsertBefore(formula(n.Parent, tex, display), n)
	}
	remove(n)
	return true
}

// formula is an element that is written as TeX between dollar signs, in parent.
func formula(parent *html.Node, tex string, display bool) *html.Node {
	switch {
	case display && (parent.DataAtom == atom.Body || isBlock(parent) && !isHeading(parent)):
		return verbatim(verbatimBlock, "$$"+tex+"$$")
	case display:
		return verbatim(verbatimInline, "$$"+tex+"$$")
	}
	return verbatim(verbatimInline, "$"+tex+"$")
}

// tidyTeX brings a formula onto one line, without comments, dollars around it and the wrapper that MediaWiki adds.
func tidyTeX(tex string) string {
	if strings.Contains(tex, "%") {
		var b strings.Builder
		for line := range strings.Lines(tex) {
			b.WriteString(withoutComment(line))
		}
		tex = b.String()
	}
	tex = strings.Join(strings.Fields(clean(tex)), " ")
	for _, wrap := range []string{`{\displaystyle `, `{\textstyle `} {
		if inner, ok := strings.CutPrefix(tex, wrap); ok && strings.HasSuffix(inner, "}") {
			tex = strings.TrimSpace(strings.TrimSuffix(inner, "}"))
		}
	}
	return strings.TrimSpace(strings.Trim(tex, "$"))
}

// withoutComment cuts a line of TeX at a percent sign without a backslash before it.
func withoutComment(line string) string {
	for i := range len(line) {
		if line[i] == '%' && (i == 0 || line[i-1] != '\\') {
			return line[:i] + " "
		}
	}
	return line
}
