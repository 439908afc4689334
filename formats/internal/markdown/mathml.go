package markdown

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
)

// translateMath writes presentation MathML (MathML Core) as TeX. What it does not know becomes its parts in a row. Its
// output grows linearly with the tree.
func (w *work) translateMath(n *html.Node) string {
	t := texWriter{work: w, short: make(map[*html.Node]string)}
	t.row(n)
	return t.b.String()
}

// texWriter joins pieces of TeX, with blanks only where a command would run into a letter.
type texWriter struct {
	*work
	short   map[*html.Node]string // the beginnings of texts: see beginning
	b       strings.Builder
	command bool // the last piece ends in the name of a command
}

func (t *texWriter) put(s string) {
	if s == "" {
		return
	}
	r, _ := utf8.DecodeRuneInString(s)
	if t.command && unicode.IsLetter(r) {
		t.b.WriteByte(' ')
	}
	t.b.WriteString(s)
	cut := strings.LastIndexByte(s, '\\')
	t.command = cut >= 0 && cut+1 < len(s) && strings.IndexFunc(s[cut+1:], func(r rune) bool { return !unicode.IsLetter(r) }) < 0
}

// row writes the children one after another.
func (t *texWriter) row(n *html.Node) {
	for _, c := range t.partsOf(n) {
		t.node(c)
	}
}

// group writes n in braces.
func (t *texWriter) group(n *html.Node) {
	t.put("{")
	if n != nil {
		t.node(n)
	}
	t.put("}")
}

// base writes what scripts belong to: one sign as it is, more in braces.
func (t *texWriter) base(n *html.Node) {
	if n == nil {
		t.put("{}")
		return
	}
	switch n.Data {
	case "mi", "mn", "mo":
		t.node(n)
	default:
		t.group(n)
	}
}

// partsOf are the elements below n; a text among them counts where n is no token.
func (t *texWriter) partsOf(n *html.Node) []*html.Node {
	var list []*html.Node
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		t.steps.Visit()
		if c.Type == html.ElementNode || c.Type == html.TextNode && !isBlank(c) {
			list = append(list, c)
		}
	}
	return list
}

func at(list []*html.Node, i int) *html.Node {
	if i < len(list) {
		return list[i]
	}
	return nil
}

func (t *texWriter) node(n *html.Node) {
	if n.Type == html.TextNode {
		t.put(symbols(n.Data))
		return
	}
	kids := t.partsOf(n)
	switch n.Data {
	case "mi", "mn", "mo", "mtext", "ms", "mspace":
		t.token(n)
	case "semantics", "maction":
		if len(kids) > 0 {
			t.node(kids[0])
		}
	case "mphantom", "annotation", "annotation-xml", "none", "mprescripts":
	case "mfrac":
		t.fraction(n, kids)
	case "msqrt":
		t.put(`\sqrt{`)
		t.row(n)
		t.put("}")
	case "mroot":
		t.put(`\sqrt[`)
		if k := at(kids, 1); k != nil {
			t.node(k)
		}
		t.put("]")
		t.group(at(kids, 0))
	case "msup", "msub", "msubsup", "munder", "mover", "munderover":
		t.scripts(n.Data, kids)
	case "mmultiscripts":
		t.multiscripts(kids)
	case "mtable":
		t.matrix(kids)
	case "mfenced":
		t.fenced(n, kids)
	default:
		t.row(n)
	}
}

func (t *texWriter) token(n *html.Node) {
	s := strings.Join(strings.Fields(t.textOf(n)), " ")
	switch n.Data {
	case "mspace":
		t.put(" ")
	case "mtext", "ms":
		if s == "" {
			t.put(" ")
			return
		}
		t.put(`\text{` + escapeTeX(s) + "}")
	case "mi":
		t.put(identifier(s, attr(n, "mathvariant")))
	case "mo":
		t.operator(s)
	default:
		t.put(symbols(s))
	}
}

// identifier is a name: a letter, a function or a word.
func identifier(s, variant string) string {
	out := symbols(s)
	if font := fonts[variant]; font != "" && s != "" {
		return font + "{" + out + "}"
	}
	if utf8.RuneCountInString(s) < 2 || strings.HasPrefix(out, `\`) {
		return out
	}
	if functions[s] {
		return `\` + s
	}
	return `\mathrm{` + out + "}"
}

var fonts = map[string]string{"bold": `\mathbf`, "double-struck": `\mathbb`, "script": `\mathcal`, "fraktur": `\mathfrak`, "sans-serif": `\mathsf`,
	"monospace": `\mathtt`, "bold-italic": `\boldsymbol`}

// functions are the names that TeX has a command for.
var functions = set("sin", "cos", "tan", "cot", "sec", "csc", "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh", "log", "ln", "lg", "exp", "lim",
	"max", "min", "sup", "inf", "det", "dim", "ker", "gcd", "arg", "deg", "hom", "Pr", "limsup", "liminf")

// operator writes an operator, those between two sides with a blank before and after.
func (t *texWriter) operator(s string) {
	switch {
	case functions[s]:
		t.put(`\` + s)
	case between[s] && t.b.Len() > 0 && !strings.ContainsRune("{[( ", rune(t.b.String()[t.b.Len()-1])):
		t.put(" " + symbols(s) + " ")
	default:
		t.put(symbols(s))
	}
}

// between are operators with two sides.
var between = set("=", "+", "−", "-", "<", ">", "≤", "≥", "≠", "≈", "≡", "∼", "→", "⇒", "⇔", "↦", "∈", "∉", "⊂", "⊆", "∪", "∩", "∧", "∨", "×", "⋅", "·", "±", "∝", ":=")

func (t *texWriter) fraction(n *html.Node, kids []*html.Node) {
	if attr(n, "linethickness") == "0" {
		t.put("{")
		t.group(at(kids, 0))
		t.put(` \atop `)
		t.group(at(kids, 1))
		t.put("}")
		return
	}
	t.put(`\frac`)
	t.group(at(kids, 0))
	t.group(at(kids, 1))
}

// scripts writes what stands above and below a base; signs over or under a letter are accents.
func (t *texWriter) scripts(kind string, kids []*html.Node) {
	base, under, over := at(kids, 0), at(kids, 1), at(kids, 2)
	switch kind {
	case "msup", "mover":
		under, over = nil, under
	}
	if kind == "mover" || kind == "munder" {
		mark := over
		if mark == nil {
			mark = under
		}
		if t.accent(kind, base, mark) {
			return
		}
	}
	t.base(base)
	t.script("_", under)
	t.script("^", over)
}

// maxSign is the bytes of a text that are looked at to distinguish a sign from a name.
const maxSign = 64

// beginning is the text below n, or what is over maxSign bytes of it with all blanks in a row as one. It is remembered: the base of
// a base is looked at for both.
func (t *texWriter) beginning(n *html.Node) string {
	if n.Type == html.TextNode {
		return foldBlanks(n.Data[:min(len(n.Data), 4*maxSign)])
	}
	s, known := t.short[n]
	if known {
		return s
	}
	for c := n.FirstChild; c != nil && len(s) <= maxSign; c = c.NextSibling {
		t.steps.Visit()
		s = foldBlanks(s + t.beginning(c))
	}
	t.short[n] = s
	return s
}

var blanks = strings.NewReplacer("\n", " ", "\t", " ", "\r", " ")

// foldBlanks writes each run of blanks as one.
func foldBlanks(s string) string {
	s = blanks.Replace(s)
	for strings.Contains(s, "  ") {
		s = strings.ReplaceAll(s, "  ", " ")
	}
	return s
}

func (t *texWriter) script(sign string, n *html.Node) {
	if n == nil || n.Data == "none" {
		return
	}
	if s := strings.TrimSpace(t.beginning(n)); sign == "^" && s != "" && len(s) <= maxSign && strings.Trim(s, "′'") == "" {
		t.put(strings.Repeat("'", utf8.RuneCountInString(s)))
		return
	}
	t.put(sign)
	t.group(n)
}

// accent writes an accent, or a text over or under something that takes no limits.
func (t *texWriter) accent(kind string, base, mark *html.Node) bool {
	if base == nil || mark == nil {
		return false
	}
	if command := accents[kind+strings.TrimSpace(t.beginning(mark))]; command != "" {
		t.put(command)
		t.group(base)
		return true
	}
	if s := strings.TrimSpace(t.beginning(base)); takesLimits[s] || functions[s] {
		return false
	}
	t.put(map[string]string{"mover": `\overset`, "munder": `\underset`}[kind])
	t.group(mark)
	t.group(base)
	return true
}

// accents are the commands for signs, by the element they stand in.
var accents = map[string]string{"mover^": `\hat`, "moverˆ": `\hat`, "mover~": `\tilde`, "mover˜": `\tilde`, "mover¯": `\overline`, "mover‾": `\overline`,
	"mover―": `\overline`, "mover_": `\overline`, "mover→": `\vec`, "mover⃗": `\vec`, "mover˙": `\dot`, "mover.": `\dot`, "mover¨": `\ddot`,
	"mover⏞": `\overbrace`, "mover︷": `\overbrace`, "munder_": `\underline`, "munder¯": `\underline`, "munder‾": `\underline`, "munder⏟": `\underbrace`,
	"munder︸": `\underbrace`, "moverˇ": `\check`, "mover˘": `\breve`}

// takesLimits are operators with limits above and below.
var takesLimits = set("∑", "∏", "∐", "∫", "∮", "∬", "∭", "⋃", "⋂", "⨁", "⨂", "⋁", "⋀")

// multiscripts writes pairs of scripts after the base and, behind mprescripts, before it.
func (t *texWriter) multiscripts(kids []*html.Node) {
	split := len(kids)
	for i, k := range kids {
		if k.Data == "mprescripts" {
			split = i
		}
	}
	if split < len(kids) {
		t.put("{}")
		t.pairs(kids[split+1:])
	}
	if len(kids) > 0 && split > 0 {
		t.base(kids[0])
		t.pairs(kids[1:split])
	}
}

func (t *texWriter) pairs(kids []*html.Node) {
	for i := 0; i < len(kids); i += 2 {
		t.script("_", kids[i])
		t.script("^", at(kids, i+1))
	}
}

func (t *texWriter) matrix(rows []*html.Node) {
	t.put(`\begin{matrix} `)
	for i, row := range rows {
		if i > 0 {
			t.put(` \\ `)
		}
		for j, cell := range t.partsOf(row) {
			if j > 0 {
				t.put(" & ")
			}
			t.node(cell)
		}
	}
	t.put(` \end{matrix}`)
}

func (t *texWriter) fenced(n *html.Node, kids []*html.Node) {
	open, close, separator := "(", ")", ","
	for _, a := range n.Attr {
		switch a.Key {
		case "open":
			open = a.Val
		case "close":
			close = a.Val
		case "separators":
			separator = strings.TrimSpace(a.Val)
		}
	}
	if r, size := utf8.DecodeRuneInString(separator); r != utf8.RuneError {
		separator = separator[:size]
	}
	t.put(symbols(open))
	for i, k := range kids {
		if i > 0 {
			t.put(symbols(separator))
		}
		t.node(k)
	}
	t.put(symbols(close))
}
