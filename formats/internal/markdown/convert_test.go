package markdown

import (
	"context"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/net/html"
)

func convert(t testing.TB, in string, o Options) string {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(in))
	if err != nil {
		t.Fatal(err)
	}
	out, err := Convert(context.Background(), doc, o)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestConvert_rules(t *testing.T) {
	cases := []struct{ name, in, want string }{
		{"addresses are written as they are", `<a href="https://e.x/?q=a+b&amp;s=x/y=="> x </a>`, `[x](https://e.x/?q=a+b&s=x/y==)`},
		{"balanced parentheses stay", `<a href="/a(b)">x</a>`, `[x](/a(b))`},
		{"others are escaped", `<a href="/a(b">x</a>`, `[x](/a\(b)`},
		{"brackets in link text", `<a href="/x">[a] b]</a>`, `[\[a\] b\]](/x)`},
		{"a link that is its text", `<a href="https://e.x/y">https://e.x/y</a>`, `<https://e.x/y>`},
		{"a link without text", `a<a href="/x"> </a>b`, `ab`},
		{"a link to nowhere", `<a href="javascript:x">a</a> <a href="#">b</a>`, `a b`},
		{"a link with a line break", `<a href="/x">a<br>b</a>`, `[a b](/x)`},
		{"image in a link", `<a href="/x"><img src="y.png" alt="z"></a>`, `[![z](y.png)](/x)`},
		{"image with title and brackets", `<img src="a b.png" alt="[x]" title='say "hi"'>`, `![\[x\]](a%20b.png "say \"hi\"")`},
		{"image without address", `a<img alt="x">b`, `ab`},
		{"heading anchors", `<h2>T<a href="#t">¶</a></h2>`, `## T`},
		{"a linked heading stays linked", `<h2><a href="#t">T</a></h2>`, `## [T](#t)`},
		{"footnotes in headings stay", `<h2>T<a href="#f1">1</a></h2>`, `## T[1](#f1)`},
		{"skip links", `<a href="#c">Skip to main content</a><p>x</p>`, `x`},
		{"tight nested lists", `<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>`, "- a\n  - b\n- c"},
		{"loose lists stay loose", `<ul><li><p>a</p><p>b</p></li></ul>`, "- a\n\n  b"},
		{"code in a list", "<ul><li>a<pre>x\n\ny</pre></li></ul>", "- a\n  ```\n  x\n\n  y\n  ```"},
		{"code in a quotation", "<blockquote><pre>x\ny</pre></blockquote>", "> ```\n> x\n> y\n> ```"},
		{"quotation in a list in a quotation", "<blockquote><ul><li>a<blockquote>b</blockquote></li></ul></blockquote>", "> - a\n>   > b"},
		{"task lists", `<ul><li><input type=checkbox checked>a</li><li><input type=checkbox>b</li></ul>`, "- [x] a\n- [ ] b"},
		{"check boxes elsewhere", `<p><input type=checkbox>a</p>`, "a"},
		{"language of a highlighter", `<pre class="hljs javascript">x</pre>`, "```javascript\nx\n```"},
		{"language around the block", `<div class="highlight-source-go"><pre>x</pre></div>`, "```go\nx\n```"},
		{"no language from plain names", `<pre class="code wide">x</pre>`, "```\nx\n```"},
		{"line numbers in a table", `<table><tr><td class="gutter"><pre>1</pre></td><td><pre>x</pre></td></tr></table>`, "```\nx\n```"},
		{"pipes in code in cells", `<table><tr><th>a</th><th>b</th></tr><tr><td><code>x|y</code></td><td>z</td></tr></table>`, "| a | b |\n|---|---|\n| `x\\|y` | z |"},
		{"a table in a table lays out", `<table><tr><td>a<table><tr><td>b</td><td>c</td></tr></table></td><td>d</td></tr></table>`, "a\n\nb\n\nc\n\nd"},
		{"a huge colspan", `<table><tr><td colspan="1000000000">a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>`, "| a | b |\n|---|---|\n| c | d |"},
		{"entities in text", `<p>&amp;lt; &amp; &amp;x</p>`, "&amp;lt; & &x"},
		{"definition lists", `<dl><dt>a</dt><dd>b</dd></dl>`, "**a**\n\nb"},
		{"details", `<details><summary>a</summary>b</details>`, "**a**\n\nb"},
		{"scripts and frames", `<script>a</script><iframe>b</iframe><svg><title>c</title></svg><style>d</style>e`, "e"},
		{"names of our own elements", `<verbatim>*a*</verbatim> <footnote label="1">b</footnote> <task-box checked=x>c</task-box>`, `\*a\* b c`},
		{"adjacent lists", `<ul><li>a</li></ul><p>x</p><ul><li>b</li></ul>`, "- a\n\nx\n\n- b"},
		{"no-break spaces around a break at the end", "<p>a&nbsp;<br>&nbsp;</p>", "a"},
		{"a break at the end of emphasis", "<p><b>a<br> &nbsp;</b>b</p>", "**a**  \nb"},
		{"nothing", ``, ""},
	}
	for _, c := range cases {
		if got := convert(t, c.in, Options{}); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestConvert_removesBase64ImagesOnly(t *testing.T) {
	in := `<img src="data:image/png;base64,AAAA" alt="a"><img src="x.png" alt="b"><img src="data:text/plain,c" alt="c">`
	want := `![a](<Base64-Image-Removed>)![b](x.png)![c](data:text/plain,c)`
	if got := convert(t, in, Options{RemoveBase64Images: true}); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestConvert_longPagesAreWrittenInParts(t *testing.T) {
	in := strings.Repeat("<p>"+strings.Repeat("word ", 200)+"</p><ul><li>a</li></ul>", 500)
	got := convert(t, in, Options{})
	if n := strings.Count(got, "\n\n- a"); n != 500 || strings.Contains(got, "\n\n\n") {
		t.Errorf("got %d lists, want 500, and no more than one blank line", n)
	}
}

func TestConvert_deepNestingIsFlattened(t *testing.T) {
	for _, tag := range []string{"ul><li", "blockquote", "b", "span", "div", "ol><li"} {
		in := strings.Repeat("<"+tag+">", 200) + "deep"
		if got := convert(t, in, Options{}); !strings.Contains(got, "deep") || len(got) > 500 {
			t.Errorf("%s: got %q, want the text with few marks", tag, got)
		}
	}
}

func TestConvert_manyOpenBrackets(t *testing.T) {
	// A "[" without "]" must not make the writer look through the rest for each.
	if got := convert(t, "<p>"+strings.Repeat("[", 20_000), Options{}); strings.Trim(got, `\[`) != "" || strings.Count(got, "[") != 20_000 {
		t.Errorf("got %d bytes, want the brackets", len(got))
	}
}

func TestConvert_contextDone(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	doc, err := html.Parse(strings.NewReader("<p>x"))
	if err != nil {
		t.Fatal(err)
	}
	if out, err := Convert(ctx, doc, Options{}); !errors.Is(err, context.Canceled) || out != "" {
		t.Errorf("got %q, %v, want context.Canceled", out, err)
	}
	if out, err := Convert(ctx, nil, Options{}); out != "" || err != nil {
		t.Errorf("nil tree: got %q, %v, want nothing", out, err)
	}
}

func FuzzConvert(f *testing.F) {
	for _, s := range []string{"<ul><li>a<ol><li>b", "<table><tr><td rowspan=3>a<td>b<tr>", "<pre><code class=language-x>`", "<a href='('>[</a>", "<blockquote><pre>\n\n", "<b><a><h1><table><td>",
		"<dl><dt><dl><dd>", "<table><tr><td><pre>a</pre><td><ul><li>x</table>", "\uF002\a&#7;"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in string) {
		doc, err := html.Parse(strings.NewReader(in))
		if err != nil {
			return
		}
		out, err := Convert(context.Background(), doc, Options{RemoveBase64Images: true})
		if err != nil {
			t.Fatal(err)
		}
		if !utf8.ValidString(out) || strings.ContainsAny(out, "\a\uF002") {
			t.Errorf("invalid text or marks of the writer in %q", out)
		}
	})
}

// A table of rows whose cells need blocks becomes a list that repeats the headings for each row: in tables in headings that was twice as
// long at each level.
func TestConvert_headingsInHeadingsStayShort(t *testing.T) {
	const levels = 25
	page := strings.Repeat("<table><tr><th>", levels) + "head" +
		strings.Repeat("</th><th>b</th></tr><tr><td>p</td><td>q</td></tr><tr><td>r</td><td>s<p>t<h2>h</h2><p>u</td></tr></table>", levels)
	for name, body := range map[string]string{
		"nested": page,
		"long":   "<table><tr><th>" + strings.Repeat("word ", 4000) + "<th>b</tr>" + strings.Repeat("<tr><td>a<td>s<p>t<h2>h</h2><p>u</td>", 500) + "</table>",
	} {
		doc, err := html.Parse(strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		out, err := Convert(context.Background(), doc, Options{})
		if most := 16*len(body) + 32<<10; err != nil || len(out) > most {
			t.Errorf("%s: got %d bytes of %d, want at most %d: %v", name, len(out), len(body), most, err)
		}
	}
}
