package markdown

import (
	"context"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

func TestTables_form(t *testing.T) {
	cases := []struct{ name, in, want string }{
		{"headings over data", `<table><tr><th>a<th>b<tr><td>1<td>2</table>`, "table"},
		{"two rows of two", `<table><tr><td>a<td>b<tr><td>1<td>2</table>`, "table"},
		{"one row", `<table><tr><td>a<td>b</table>`, "blocks"},
		{"one column", `<table><tr><td>a<tr><td>b</table>`, "blocks"},
		{"one column with a heading", `<table><tr><th>a<tr><td>b</table>`, "table"},
		{"one column that is left after empty ones", `<table><tr><td>a<td> <tr><td>b<td></table>`, "blocks"},
		{"told to lay out", `<table role=presentation><tr><th>a<th>b<tr><td>1<td>2</table>`, "blocks"},
		{"code of one line", `<table><tr><th>a<th>b<tr><td><pre>x</pre><td>2</table>`, "table"},
		{"code of two lines", "<table><tr><th>a<th>b<tr><td><pre>x\ny</pre><td>2</table>", "list"},
		{"code of two lines without headings", "<table><tr><td>a<td>b<tr><td><pre>x\ny</pre><td>2</table>", "blocks"},
		{"a heading in a cell", `<table><tr><th><h4>a</h4><th>b<tr><td>1<td>2</table>`, "table"},
		{"a heading over text in a cell", `<table><tr><td><h4>a</h4><p>b</p><td>b<tr><td>1<td>2</table>`, "blocks"},
		{"a long text", `<table><tr><td>` + strings.Repeat("word ", 500) + `<td>b<tr><td>1<td>2</table>`, "blocks"},
		{"a table with a table", `<table><tr><td><table><tr><td>a<td>b<tr><td>1<td>2</table><td>b<tr><td>1<td>2</table>`, "blocks, table"},
		{"codes and numbers", `<table><tr><td class=code>US<td>331<tr><td class=code>FR<td>68</table>`, "table"},
		{"a row far longer than the others", `<table><tr>` + strings.Repeat("<td>a", 1000) + strings.Repeat("<tr><td>b", 1000) + `</table>`, "blocks"},
	}
	for _, c := range cases {
		if got := strings.Join(formsIn(parse(t, c.in)), ", "); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

// formsIn are the forms that the tables of a page take, the outer first.
func formsIn(root *html.Node) (forms []string) {
	var tables []*html.Node
	for n := range root.Descendants() {
		if n.DataAtom == atom.Table {
			tables = append(tables, n)
		}
	}
	new(work).flattenCode(root)
	new(work).normalizeTables(root)
	for _, n := range tables {
		switch {
		case n.DataAtom == atom.Table:
			forms = append(forms, "table")
		case n.FirstChild != nil && n.FirstChild.DataAtom == atom.Ul:
			forms = append(forms, "list")
		default:
			forms = append(forms, "blocks")
		}
	}
	return forms
}

func TestGrid_spans(t *testing.T) {
	cases := []struct{ name, in, want string }{
		{"none", `<tr><td>a<td>b<tr><td>c`, "a b / c ."},
		{"across", `<tr><td colspan=2>a<td>b<tr><td>c<td>d<td>e`, "a . b / c d e"},
		{"down", `<tr><td rowspan=2>a<td>b<tr><td>c<tr><td>d<td>e`, "a b / . c / d e"},
		{"across and down", `<tr><td colspan=2 rowspan=2>a<td>b<tr><td>c<tr><td>d<td>e<td>f`, "a . b / . . c / d e f"},
		{"down beyond the end", `<tr><td rowspan=50>a<td>b<tr><td>c`, "a b / . c"},
		{"over nothing", `<tr><td colspan=9>a<tr><td>b<td>c`, "a . / b c"},
		{"no numbers", `<tr><td colspan=x rowspan=-1>a<td>b<tr><td>c<td>d`, "a b / c d"},
		{"far too many", `<tr>` + strings.Repeat("<td colspan=1000 rowspan=1000>a", 4), "a a a a"},
		{"head, foot, body", `<tfoot><tr><td>z<td>z<tbody><tr><td>b<td>b<thead><tr><th>a<th>a`, "a a / b b / z z"},
		{"empty rows and columns", `<tr><td>a<td><td>b<tr><td><td><td><tr><td>c<td> <td>d`, "a b / c d"},
		{"a picture is no emptiness", `<tr><td>a<td><img src=x><tr><td>c<td>`, "a [] / c []"},
	}
	for _, c := range cases {
		table := new(work).first(parse(t, "<table>"+c.in+"</table>"), func(n *html.Node) bool { return n.DataAtom == atom.Table })
		if got := drawGrid(new(work).readGrid(table)); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

// drawGrid shows cells by their text, [] for one without, "." where none begins.
func drawGrid(g *grid) string {
	var rows []string
	for _, row := range g.rows {
		var cells []string
		for _, cell := range row.cells {
			switch {
			case cell == nil:
				cells = append(cells, ".")
			case strings.TrimSpace(new(work).textOf(cell)) == "":
				cells = append(cells, "[]")
			default:
				cells = append(cells, strings.TrimSpace(new(work).textOf(cell)))
			}
		}
		rows = append(rows, strings.Join(cells, " "))
	}
	return strings.Join(rows, " / ")
}

func TestLanguage(t *testing.T) {
	cases := []struct{ in, want string }{
		{`<pre class="language-go">`, "go"},
		{`<pre data-lang="C++">`, "c++"},
		{`<pre class="brush: php;">`, "php"},
		{`<pre class="brush:js;">`, "js"},
		{`<pre class="highlight-source-shell">`, "shell"},
		{`<pre class="hljs">`, ""},
		{`<pre class="hljs nohighlight">`, ""},
		{`<pre class="wide go">`, "go"},
		{`<pre class="wide gopher">`, ""},
		{`<pre class="highlight-me">`, ""},
		{`<pre lang="rust">`, "rust"},
		{`<pre lang="de">`, ""},
		{`<pre class="language-text">`, ""},
		{`<pre class="language-` + strings.Repeat("x", 30) + `">`, ""},
		{"<pre class='language-a`b'>", ""},
	}
	for _, c := range cases {
		n := new(work).first(parse(t, c.in+"x"), func(n *html.Node) bool { return n.DataAtom == atom.Pre })
		if got := language(n); got != c.want {
			t.Errorf("%s: got %q, want %q", c.in, got, c.want)
		}
	}
}

func TestTranslateMath(t *testing.T) {
	cases := []struct{ in, want string }{
		{`<mi>x</mi><mi>y</mi>`, "xy"},
		{`<mi>α</mi><mi>x</mi>`, `\alpha x`},
		{`<mi>α</mi><mn>2</mn>`, `\alpha2`},
		{`<msup><mrow><mi>a</mi><mi>b</mi></mrow><mn>2</mn></msup>`, `{ab}^{2}`},
		{`<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>`, `x_{i}^{2}`},
		{`<munder><mi>lim</mi><mrow><mi>n</mi><mo>→</mo><mi>∞</mi></mrow></munder>`, `\lim_{n \to \infty}`},
		{`<mover><mi>x</mi><mo>¯</mo></mover>`, `\overline{x}`},
		{`<mover><mi>x</mi><mi>n</mi></mover>`, `\overset{n}{x}`},
		{`<munder><mi>x</mi><mo>⏟</mo></munder>`, `\underbrace{x}`},
		{`<mfrac linethickness="0"><mi>n</mi><mi>k</mi></mfrac>`, `{{n} \atop {k}}`},
		{`<mmultiscripts><mi>X</mi><mi>a</mi><mi>b</mi><mprescripts></mprescripts><mi>c</mi><none></none></mmultiscripts>`, `{}_{c}X_{a}^{b}`},
		{`<mfenced separators=";"><mi>a</mi><mi>b</mi></mfenced>`, `(a;b)`},
		{`<mo>−</mo><mi>x</mi><mo>+</mo><mn>1</mn>`, `-x + 1`},
		{`<mtext>if 50% {x}</mtext>`, `\text{if 50\% \{x\}}`},
		{`<mi mathvariant="bold">v</mi><mi>rank</mi><mi>sin</mi>`, `\mathbf{v}\mathrm{rank}\sin`},
		{`<mphantom><mi>x</mi></mphantom><msqrt></msqrt><msup></msup>`, `\sqrt{}{}`},
		{`loose text`, "loose text"},
	}
	for _, c := range cases {
		n := new(work).first(parse(t, "<math>"+c.in+"</math>"), func(n *html.Node) bool { return n.DataAtom == atom.Math })
		if got := new(work).translateMath(n); got != c.want {
			t.Errorf("%s: got %s, want %s", c.in, got, c.want)
		}
	}
}

func TestMathInText(t *testing.T) {
	cases := []struct{ in, want string }{
		{`a \(x\) b`, `a $x$ b`},
		{`\[ x^2 \]`, `$$x^2$$`},
		{`$a_1$, $b$`, `$a_1$, $b$`},
		{`from $5 to $7_5`, `from $5 to $7_5`},
		{`\(no end x^2`, `\\(no end x^2`},
		{`s/\(word\)/x/`, `s/\\(word\\)/x/`},
		{`\begin{cases} a_1 \\ b \end{cases}`, `$$\begin{cases} a_1 \\ b \end{cases}$$`},
		{`\begin{itemize} a \end{itemize}`, `\begin{itemize} a \end{itemize}`},
		{`<code>\(x^2\)</code>`, "`\\(x^2\\)`"},
	}
	for _, c := range cases {
		if got := convert(t, "<p>"+c.in+"</p>", Options{}); got != c.want {
			t.Errorf("%s: got %s, want %s", c.in, got, c.want)
		}
	}
}

func parse(t testing.TB, in string) *html.Node {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(in))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// FuzzPasses: each pass leaves a sound tree of bounded size, whatever it is given.
func FuzzPasses(f *testing.F) {
	for _, s := range []string{"<table><tr><td colspan=9 rowspan=9>a<td><pre>x\ny<tr><th>b", "<a href=x><div><h1>t</h1><ul><li>x</ul></div></a>", "<math><msup><mi>x", `<p>\(x^2\) $y_1$ $$z`,
		"<a href=#fn1 id=r>1</a><ol><li id=fn1>x<a href=#r>b</a></ol>", "<pre><a href=x>some words</a>\n", "<table><tr><td class=gutter>1<td class=code>x", "<span><b><div>x</div></b></span>",
		"<iframe src=//x title=t></iframe><svg><title>t</title></svg><video poster=p><source src=s>", "<span class=katex><math><semantics><annotation encoding=application/x-tex>x", "<dl><dt><table><tr><td>"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in string) {
		doc, err := html.Parse(strings.NewReader(in))
		if err != nil {
			return
		}
		for i, pass := range new(work).passes() {
			pass(doc)
			if count := checkTree(t, doc); count > 20*len(in)+1000 {
				t.Fatalf("pass %d: %d nodes from %d bytes", i, count, len(in))
			}
		}
		out, err := Convert(context.Background(), doc, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if len(out) > 40*len(in)+1000 {
			t.Errorf("%d bytes from %d", len(out), len(in))
		}
	})
}

// checkTree counts the nodes below n, whose links to each other must agree.
func checkTree(t *testing.T, n *html.Node) int {
	t.Helper()
	count := 1
	var last *html.Node
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Parent != n || c.PrevSibling != last || c.Namespace == leaving {
			t.Fatalf("%s in %s: a broken tree", c.Data, n.Data)
		}
		last = c
		count += checkTree(t, c)
	}
	if n.LastChild != last {
		t.Fatalf("%s: the last child is another", n.Data)
	}
	return count
}
