package content

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/winnow-go/winnow/formats/internal/nodes"
)

func tree(t testing.TB, in string) *Tree {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(in))
	if err != nil {
		t.Fatal(err)
	}
	return NewTree(nil, doc)
}

func TestWords(t *testing.T) {
	cases := map[string]int{
		"": 0, "  \n": 0, "one": 1, "one two": 2, "don't stop-gap": 2, "a_b 3.5": 3, "über Österreich": 2, "l’été": 1, "—": 0,
		"蜂は眠らない": 3, "mixed 蜂蜜 text": 3, "слово за слово": 3, "ไทย": 2,
	}
	for s, want := range cases {
		if got := Words(s); got != want {
			t.Errorf("%q: got %d, want %d", s, got, want)
		}
	}
}

func TestTree_masksWholeSubtrees(t *testing.T) {
	tr := tree(t, "<p>a <b>b</b></p><div>c <p>d</p></div><script>e</script>")
	m := tr.NewMask()
	tr.Each(m, func(i int, n *html.Node) { m[i] = n.DataAtom == atom.Div })
	if got, want := tr.Text(m), "a b"; got != want {
		t.Errorf("Text: got %q, want %q", got, want)
	}
	if got := tr.Words(m); got != 2 {
		t.Errorf("Words: got %d, want 2", got)
	}
	var b strings.Builder
	if err := html.Render(&b, tr.Copy(new(nodes.Room), m, func(*html.Node) {})); err != nil {
		t.Fatal(err)
	}
	if want := "<html><head></head><body><p>a <b>b</b></p><script>e</script></body></html>"; b.String() != want {
		t.Errorf("Copy: got %s, want %s", b.String(), want)
	}
}

const prose = "<p>Bees do not sleep in winter, although it looks as if they did, for all one can see.</p>"

func TestMain_guards(t *testing.T) {
	long := strings.Repeat(prose, 6)
	cases := []struct{ name, in, keeps, drops string }{
		{"names are whole words", `<div class="subheader-free">` + prose + `</div><div class="header">Site</div>` + long, "Bees", "Site"},
		{"a box with most words stays", `<div class="sidebar">` + long + `</div><p>x</p>`, "Bees", ""},
		{"the h1 stays", `<header><h1>Title</h1><p>Lead</p></header>` + long, "Title", ""},
		{"an h1 before main stays", `<header><h1>Title</h1></header><main>` + long + `</main><p>after</p>`, "Title", "after"},
		{"a main with few words is no root", `<main>short</main><div>` + long + `</div>`, "Bees", ""},
		{"two mains are no root", `<main>` + prose + `</main><main>second ` + prose + `</main>`, "second", ""},
		{"roles", `<div role="navigation">menu</div><div role="main">` + long + `</div>`, "Bees", "menu"},
		{"short link lists", long + `<div><a href=1>One</a> <a href=2>Two</a> <a href=3>Three</a></div>`, "Bees", "Two"},
		{"long link lists stay", long + `<ul><li><a href=1>A title that says what the story is</a></li><li><a href=2>Another title with some six words</a></li><li><a href=3>The third title is like this</a></li></ul>`, "Another", ""},
		{"buttons", long + `<button>Buy</button><select><option>red</option></select>`, "Bees", "Buy"},
		{"comments below an article", long + `<div id="comments"><p>Nice one.</p></div>`, "Bees", "Nice"},
		{"comments that are the page", `<h1>Q</h1><div class="comments">` + long + `</div>`, "Bees", ""},
		{"a page of navigation", `<nav><a href=1>One</a> <a href=2>Two</a></nav>`, "One", ""},
		{"dialogs", `<div role="dialog">We value your privacy.</div>` + long, "Bees", "privacy"},
	}
	for _, c := range cases {
		tr := tree(t, c.in)
		got := tr.Text(tr.Main(tr.NewMask()))
		if !strings.Contains(got, c.keeps) || c.drops != "" && strings.Contains(got, c.drops) {
			t.Errorf("%s: got %q, want %q kept and %q dropped", c.name, got, c.keeps, c.drops)
		}
	}
}

func TestMain_leavesTheMaskAlone(t *testing.T) {
	tr := tree(t, "<nav>menu</nav>"+strings.Repeat(prose, 5))
	m := tr.NewMask()
	tr.Main(m)
	for i, out := range m {
		if out {
			t.Fatalf("node %d was masked in the argument", i)
		}
	}
}

func TestNames_belongToOneKind(t *testing.T) {
	seen := make(map[string]kind)
	for k, list := range boilerplateNames {
		for _, name := range list {
			if other, twice := seen[name]; twice {
				t.Errorf("%q: listed as %d and as %d, so its kind is by chance", name, other, k)
			}
			seen[name] = k
		}
	}
}

func FuzzMain(f *testing.F) {
	for _, s := range []string{times(4, post), goods + times(5, card) + "<h2>Related</h2>" + times(3, teas), "<dialog><footer role=dialog>", "<dialog>0", "<ol class=comments><h2>Related<h2>関連",
		"<div class=postprofile><a><b><a>", "<form><input><video>x<p>y</video><h3><button>z", "<a href='//login/?#'>x", "<main>x</main>", "<nav><h1>a</h1></nav>", "<div class='header ad'><p>a. b", "<table><td><a>x<a>y<a>z"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in string) {
		doc, err := html.Parse(strings.NewReader(in))
		if err != nil {
			return
		}
		tr := NewTree(nil, doc)
		all := tr.NewMask()
		m := tr.Main(all)
		if tr.Words(all) > 0 && tr.Words(m) == 0 {
			t.Errorf("nothing left of %q", in)
		}
	})
}
