package content

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// leftOut are the entries of a page of which only the children of body with the class "kept" are main content.
func leftOut(t testing.TB, in string) []LeftOut {
	t.Helper()
	tr := tree(t, in)
	all, kept := tr.NewMask(), tr.NewMask()
	tr.Each(all, func(i int, n *html.Node) {
		kept[i] = i > 0 && tr.Node(tr.parent(i)).DataAtom == atom.Body && attr(n, "class") != "kept"
	})
	out := tr.LeftOut(all, kept)
	addsUp(t, tr, all, kept, out)
	return out
}

// addsUp fails unless entries have each word that was left out, once, each kind once, and a first line.
func addsUp(t testing.TB, tr *Tree, all, kept Mask, out []LeftOut) {
	t.Helper()
	words, seen := 0, map[BlockKind]bool{}
	for _, l := range out {
		words += l.Words
		if l.Blocks < 1 || l.Words < l.Blocks || seen[l.Kind] || !slices.Contains(BlockKinds(), l.Kind) || l.FirstLine == "" || len(l.FirstLine) > maxLine || !utf8.ValidString(l.FirstLine) {
			t.Errorf("%+v: want each known kind once, with blocks, at least as many words, and a first line of at most %d bytes", l, maxLine)
		}
		seen[l.Kind] = true
	}
	if want := tr.Words(all) - tr.Words(kept); words != want {
		t.Errorf("entries have %d words, want %d: %+v", words, want, out)
	}
}

func TestLeftOut_kinds(t *testing.T) {
	cases := []struct{ in, want string }{
		{`<nav>one two</nav>`, "navigation 1 2 one two"},
		{`<div role=navigation>one two</div>`, "navigation 1 2 one two"},
		{`<div class="breadcrumbs">one</div><ul class=pagination><li>2</ul><div class=tags>x</div>`, "navigation 3 3 one"},
		{`<header>one</header>`, "header 1 1 one"},
		{`<div id=masthead>one</div>`, "header 1 1 one"},
		{`<footer>one</footer><div class=colophon>two three</div>`, "footer 2 3 two three"},
		{`<aside>one</aside>`, "sidebar 1 1 one"},
		{`<div class=right-rail>one</div>`, "sidebar 1 1 one"},
		{`<div class=related-posts>one</div>`, "related 1 1 one"},
		{`<div><h2>You may also like</h2><p>one</p></div>`, "related 1 5 You may also like"},
		{`<div><p>Related</p><ul><li>one</ul></div>`, "related 1 2 Related"},
		{`<h2>Related</h2> <ul><li>one</ul><script>x</script><p>two</p><h2>Own</h2>`, "related 3 3 Related;text 1 1 Own"},
		{`<div><div><h3>Reader comments</h3></div><p>nice</p></div>`, "comments 1 3 Reader comments"},
		{`<div id=comments>nice</div>`, "comments 1 1 nice"},
		{`<div itemtype=https://schema.org/Comment>nice</div>`, "comments 1 1 nice"},
		{`<div class=product-reviews>nice</div>`, "reviews 1 1 nice"},
		{`<form>Name <input></form>`, "form 1 1 Name"},
		{`<div role=search>find</div>`, "form 1 1 find"},
		{`<button>Buy</button><select><option>red</select>`, "controls 2 2 Buy"},
		{`<div class=newsletter>one</div>`, "newsletter 1 1 one"},
		{`<section><h4>Subscribe</h4>one</section>`, "newsletter 1 2 Subscribe"},
		{`<div class="x share-buttons">one</div>`, "share 1 1 one"},
		{`<dialog>one</dialog><div class=cookie-banner>two three</div><div aria-modal=true>four</div><div role=alert>x</div>`, "overlay 4 5 two three"},
		{`<ins class=adsbygoogle>one</ins>`, "advert 1 1 one"},
		{`<p hidden>one</p><p style="display: none">two</p><span class=sr-only>three</span><video>four <p>five</video>`, "hidden 5 5 one"},
		{`<p class=byline>By X</p><time>now</time><p>By Y on <time>May 3</time></p>`, "byline 3 8 By Y on May 3"},
		{`<figure><figcaption>a bee</figcaption></figure>`, "text 1 2 a bee"},
		{`<p class=kept>kept</p><figcaption>a bee</figcaption>`, "caption 1 2 a bee"},
		{`<ul><li><a href=/a>one</a><li><a href=/b>two</a></ul>`, "links 1 2 one"},
		{`<p>one</p><p>two<br>three</p>`, "text 2 3 two"},
		{`<div>one<nav>two</nav>three<p>four</p></div>`, "text 3 3 one;navigation 1 1 two"},
		{`<div><article><header>one</header>two<button>x</button></article></div>`, "text 1 3 one"},
		{`<header>one<nav>two</nav></header>`, "header 1 2 one"},
		{`<noscript>one</noscript><script>two</script><img src=/a alt=three><div></div>`, ""},
	}
	for _, c := range cases {
		var got []string
		for _, l := range leftOut(t, c.in) {
			got = append(got, fmt.Sprint(l.Kind, " ", l.Blocks, " ", l.Words, " ", l.FirstLine))
		}
		if got := strings.Join(got, ";"); got != c.want {
			t.Errorf("%s: got %q, want %q", c.in, got, c.want)
		}
	}
}

func TestLeftOut_firstLine(t *testing.T) {
	long := strings.Repeat("honeycomb ", 20)
	for in, want := range map[string]string{
		"<nav>small</nav><nav>  the \n <b>larger</b> <i>of</i> both <p>and more</p></nav>": "the larger of both",
		"<nav>" + strings.Repeat(" ", 1000) + "late</nav>":                                 "late",
		"<nav>" + long + "</nav>":                                                          strings.TrimSpace(long[:70]) + "…",
		"<nav>" + strings.ReplaceAll(long, " ", "") + "</nav>":                             strings.ReplaceAll(long, " ", "")[:77] + "…",
		"<nav>" + strings.Repeat("蜂", 50) + "</nav>":                                       strings.Repeat("蜂", 25) + "…",
		"<nav>—<p><br>one <script>x</script><svg><title>y</title></svg>word<br>more</nav>": "one word",
	} {
		out := leftOut(t, in)
		if len(out) != 1 || out[0].FirstLine != want {
			t.Errorf("%.60s: got %+v, want one entry with the first line %q", in, out, want)
		}
	}
}

func TestLeftOut_mostWordsFirst(t *testing.T) {
	out := leftOut(t, "<nav>a</nav><footer>b c d</footer><aside>e</aside>")
	if len(out) != 3 || out[0].Kind != BlockFooter || out[1].Kind != BlockNavigation || out[2].Kind != BlockSidebar {
		t.Errorf("got %+v, want the footer first, then navigation and sidebar by name", out)
	}
}

// A mask of the caller's own is no part of what main content leaves out.
func TestLeftOut_countsOnlyWhatAllKeeps(t *testing.T) {
	tr := tree(t, "<nav>one <b>two</b> <i>three</i></nav><aside>four</aside>"+strings.Repeat(prose, 5))
	all := tr.NewMask()
	tr.Each(all, func(i int, n *html.Node) { all[i] = n.DataAtom == atom.B || n.DataAtom == atom.Aside })
	found := tr.Find(all)
	out := tr.LeftOut(all, found.Kept)
	addsUp(t, tr, all, found.Kept, out)
	if len(out) != 1 || out[0].Words != 2 || out[0].FirstLine != "one three" {
		t.Errorf("got %+v, want one entry with two words", out)
	}
}

func FuzzLeftOut_addsUp(f *testing.F) {
	for _, s := range []string{times(4, post), goods + times(5, card) + "<h2>Related</h2>" + times(3, teas), "<nav>a<h2>Comments</h2></nav>b<p>c", "<h2>Related<div><h3>x</h3>y</h2>z<p>q",
		"<div>a<aside>b</aside>c<video>d<p>e</video></div>" + strings.Repeat(prose, 5), "<article><header>a</header><time>b</time></article>" + strings.Repeat(prose, 5), "<h6>Related</h6><h1>Newsletter</h1>x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in string) {
		doc, err := html.Parse(strings.NewReader(in))
		if err != nil {
			return
		}
		tr := NewTree(nil, doc)
		all, none := tr.NewMask(), tr.NewMask()
		found := tr.Find(all)
		none[0] = true
		for _, kept := range []Mask{all, found.Kept, none} {
			addsUp(t, tr, all, kept, tr.LeftOut(all, kept))
		}
		if found.Confidence < 0 || found.Confidence > 1 || (found.Confidence == 0) != (tr.Words(found.Kept) == 0) {
			t.Errorf("confidence %v of %d words, want 0 to 1, and 0 for none", found.Confidence, tr.Words(found.Kept))
		}
	})
}
