package structured

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/winnow-go/winnow/formats/internal/nodes"
)

func read(t testing.TB, body string, scripts ...string) *Graph {
	t.Helper()
	root, err := html.Parse(strings.NewReader(body))
	if err != nil {
		t.Skip("the parser refuses this page")
	}
	p := Page{Root: root}
	for _, s := range scripts {
		p.Scripts = append(p.Scripts, []byte(s))
	}
	return Read(p)
}

// show writes an item with what it holds, to a depth.
func show(it *Item, depth int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s{", strings.Join(it.Types, "+"))
	for i, name := range it.Names() {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(name + "=")
		for k, v := range it.All(name) {
			if k > 0 {
				b.WriteByte('|')
			}
			switch {
			case v.Item == nil:
				b.WriteString(nodes.Fold(v.Text))
			case depth == 0:
				b.WriteString("…")
			default:
				b.WriteString(show(v.Item, depth-1))
			}
		}
	}
	return b.String() + "}"
}

func TestRead_jsonld(t *testing.T) {
	for _, c := range []struct{ script, want string }{
		{`{"@type":"A","n":1.50,"b":true,"s":"x &amp;amp; y","nil":null}`, "A{b=true n=1.50 s=x & y}"},
		{`{"@type":["https://schema.org/A","schema:B"],"schema:name":{"@value":"N"},"l":{"@list":[1,2]}}`, "A+B{l=1|2 name=N}"},
		{`{"@context":"x","@graph":[{"@type":"A","of":{"@id":"#b"}},{"@type":"B","@id":"#b","name":"it"}]}`, "A{of=B{name=it}}"},
		{`[{"@type":"A","to":{"@id":"https://other.example/"}}]`, "A{to=https://other.example/}"},
		{`{"@type":"A","x":`, ""},
		{`"text"`, ""},
	} {
		g, got := read(t, "", c.script), ""
		if len(g.Items) > 0 {
			got = show(g.Items[0], 3)
		}
		if got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.script, got, c.want)
		}
	}
}

func TestRead_markup(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{`<p itemscope itemtype="https://schema.org/A"><b itemprop="x y"> one <i>two</i></b>`, "A{x=one two y=one two}"},
		{`<p itemscope itemtype="a/A"><meta itemprop="m" content="c"><a itemprop="u" href="/u">U</a><time itemprop="t" datetime="2020">x</time><data itemprop="d" value="5">five</data><img itemprop="i" src="s.png">`,
			"A{m=c u=/u t=2020 d=5 i=s.png}"},
		{`<p itemscope itemtype="a/A"><span itemprop="in" itemscope itemtype="a/B"><b itemprop="name">n</b></span>`, "A{in=B{name=n}}"},
		{`<p itemscope itemtype="a/A" itemref="r q"></p><b id="r" itemprop="far">away</b>`, "A{far=away}"},
		{`<div vocab="v" typeof="A"><b property="schema:name">n</b><i property="in" typeof="B"><u property="x" content="y">z</u></i></div>`, "A{name=n in=B{x=y}}"},
		{`<b itemprop="lost">x</b>`, ""},
	} {
		g, got := read(t, c.body), ""
		if len(g.Items) > 0 {
			got = show(g.Items[0], 3)
		}
		if got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.body, got, c.want)
		}
	}
}

func TestRead_circlesEnd(t *testing.T) {
	g := read(t, `<div id="a" itemscope itemtype="x/A" itemref="b"></div><div id="b" itemprop="in" itemscope itemtype="x/B" itemref="a b"></div>`,
		`{"@graph":[{"@id":"#1","@type":"P","next":{"@id":"#2"}},{"@id":"#2","@type":"Q","next":{"@id":"#1"},"self":{"@id":"#2"}}]}`)
	p := g.Of("P")
	if len(p) != 1 || p[0].Items("next")[0].Items("next")[0] != p[0] {
		t.Errorf("the circle of ids isn't there: %v", p)
	}
	for _, it := range g.Items {
		steps := 0
		for up := it; up != nil; up = up.Parent {
			if steps++; steps > 1000 {
				t.Fatal("parents go in a circle")
			}
		}
	}
}

func TestRead_boundsWhatItTakes(t *testing.T) {
	wide := "[" + strings.Repeat(`{"@type":"A","x":"y"},`, 20_000) + `{"@type":"A"}]`
	if n := len(read(t, "", wide).Items); n != maxItems {
		t.Errorf("%d items of a wide script, want %d", n, maxItems)
	}
	deep := strings.Repeat(`{"@type":"A","x":`, 5000) + "1" + strings.Repeat("}", 5000)
	if n := len(read(t, "", deep).Items); n == 0 || n > maxDepth+1 {
		t.Errorf("%d items of a deep script", n)
	}
	refs := strings.Repeat(`<p itemscope itemtype="x/A" itemref="big"></p>`, 3000) + `<div id="big">` + strings.Repeat(`<b itemprop="x">y</b>`, 3000) + `</div>`
	g := read(t, refs)
	values := 0
	for _, it := range g.Items {
		values += len(it.All("x"))
	}
	if values > maxValues {
		t.Errorf("%d values of elements that are referred to, want at most %d", values, maxValues)
	}
}

func TestText_asShown(t *testing.T) {
	root, _ := html.Parse(strings.NewReader(`<p>€<span>19</span>.<sup>99</sup></p><p>next<script>x</script></p>`))
	if got := Text(nil, root, 1000); got != "€19.99 next" {
		t.Errorf("got %q", got)
	}
	if got := Text(nil, root, 7); len(got) > 7 {
		t.Errorf("got %q, longer than asked", got)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(`<p itemscope itemtype="a/A" itemref="x"><b id="x" itemprop="p" itemscope>t</b>`, `{"@type":"A","@id":"#a","x":[{"@id":"#a"},{"@value":1}]}`)
	f.Add(`<div typeof="A" resource="r"><p property="x:y" content="z">`, `[[[{"@graph":[{"@graph":{}}]}]]]`)
	f.Fuzz(func(t *testing.T, body, script string) {
		for _, it := range read(t, body, script).Items {
			if it.reference() {
				t.Fatal("a mere reference is listed")
			}
			for _, name := range it.Names() {
				for _, v := range it.All(name) {
					if len(v.Text) > maxText || v.Item != nil && v.Item.reference() && v.Item != it {
						t.Fatalf("%s: %+v", name, v)
					}
				}
				it.Texts(name)
			}
		}
	})
}
