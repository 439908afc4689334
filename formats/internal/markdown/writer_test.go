package markdown

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

type rule struct{ name, in, want string }

func checkRules(t *testing.T, rules []rule) {
	t.Helper()
	for _, r := range rules {
		if got := convert(t, r.in, Options{}); got != r.want {
			t.Errorf("%s: got %q, want %q", r.name, got, r.want)
		}
	}
}

func TestEscapes_onlyWhereNeeded(t *testing.T) {
	checkRules(t, []rule{
		{"words with underscores", "snake_case_name", "snake_case_name"},
		{"underscores around a word", "__init__", `\_\_init\_\_`},
		{"one star", "Price*", "Price*"},
		{"stars between blanks", "2 * 3 * 4", "2 * 3 * 4"},
		{"stars between words", "2*3*4", `2\*3\*4`},
		{"a star before emphasis", "*<em>a</em>", `\**a*`},
		{"a lone backtick", "it`s", "it`s"},
		{"two backticks", "`a`", "\\`a\\`"},
		{"brackets", "[a] [b]", "[a] [b]"},
		{"what looks like a link", "[a](b)", `\[a](b)`},
		{"what looks like a footnote", "[^1]", `\[^1]`},
		{"an exclamation mark before a link", `!<a href="/x">a</a>`, `\![a](/x)`},
		{"less than", "1 &lt; 2 &lt;b", `1 < 2 \<b`},
		{"ampersands", "a & b &amp;amp; &amp;nothing;", "a & b &amp;amp; &nothing;"},
		{"backslashes", `C:\dir\*`, `C:\dir\\*`},
		{"tildes", "~5 and 6", "~5 and 6"},
		{"tildes around words", "~~a~~", `\~\~a\~\~`},
		{"pipes outside of tables", "a | b", "a | b"},
		{"a heading's end", "<h2>C#</h2>", `## C\#`},
	})
}

func TestEscapes_atTheBeginOfLines(t *testing.T) {
	checkRules(t, []rule{
		{"heading", "# a", `\# a`},
		{"a tag is no heading", "#a", "#a"},
		{"list", "- a", `\- a`},
		{"number", "1. a", `1\. a`},
		{"a year is no number", "1984 was", "1984 was"},
		{"after a break", "a<br>+ b", "a  \n\\+ b"},
		{"a number after a break", "a<br>2. b", "a  \n2. b"},
		{"quotation", "> a", `\> a`},
		{"rule", "***", `\*\*\*`},
		{"underline after a break", "a<br>===", "a  \n\\==="},
		{"fence", "~~~", `\~\~\~`},
		{"definition of a link", "[a]: b", `\[a]: b`},
		{"box of a task", "<ul><li>[x] a</li></ul>", `- \[x] a`},
		{"a link that looks like a box", `<ul><li><a href="/x">X</a></li></ul>`, "- [X ](/x)"},
	})
}

func TestEmphasis_isReadAsSuch(t *testing.T) {
	checkRules(t, []rule{
		{"blanks go out", "a<b> b </b>c", "a **b** c"},
		{"no-break spaces go out", "a<b>\u00a0b\u00a0</b>c", "a\u00a0**b**\u00a0c"},
		{"punctuation goes out", "<b>Note:</b>text", "**Note**:text"},
		{"foreign punctuation as well", "他<b>“说”</b>了", "他“**说**”了"},
		{"HTML where nothing else is read", "a<b>!</b>b", "a<strong>!</strong>b"},
		{"side by side", "<b>a</b><b>b</b>", "**ab**"},
		{"different ones side by side", "<b>a</b><i>b</i>", "**a***b*"},
		{"strong in emphasis", "<em><strong>a</strong></em>", "***a***"},
		{"emphasis in strong", "<strong><em>a</em></strong>", "**_a_**"},
		{"its like inside", "<b>a <strong>b</strong></b>", "**a b**"},
		{"the same element inside", "<em>a <em>b</em></em>", "*a _b_*"},
		{"around blocks", "<b><p>a</p><p>b</p></b>", "**a**\n\n**b**"},
		{"around nothing", "a<b> </b>b", "a b"},
		{"raised and lowered", "x<sup>2</sup> H<sub>2</sub>O", "x<sup>2</sup> H<sub>2</sub>O"},
		{"a raised link", `x<sup><a href="/n">1</a></sup>`, "x[1](/n)"},
		{"struck", "<s>a</s> <del>b</del>", "~~a~~ ~~b~~"},
	})
}

func TestCode_keepsWhatIsInIt(t *testing.T) {
	checkRules(t, []rule{
		{"backticks", "<code>a`b</code>", "``a`b``"},
		{"backticks at the edges", "<code>`a`</code>", "`` `a` ``"},
		{"blanks at the edges", "<code> a </code>", "`  a  `"},
		{"side by side", "<code>a</code><code>b</code>", "`a` `b`"},
		{"links", `<code>f(<a href="/T">T</a>)</code>`, "`f(`[`T`](/T)`)`"},
		{"a fence in a block", "<pre><code>```\n</code></pre>", "````\n```\n````"},
	})
}

func TestAddresses_inTexts(t *testing.T) {
	checkRules(t, []rule{
		{"web", "see http://e.x/a_b_c.", "see <http://e.x/a_b_c>."},
		{"in parentheses", "(https://e.x/(a))", "(<https://e.x/(a)>)"},
		{"mail", "to a_b@e.example, please", "to <a_b@e.example>, please"},
		{"no scheme", "e.x/a", "e.x/a"},
		{"no host", "http://localhost", "http://localhost"},
		{"in a link", `<a href="/y">http://e.x</a>`, "[http://e.x](/y)"},
		{"mail links", `<a href="mailto:a@e.example">a@e.example</a>`, "<a@e.example>"},
		{"www", `<a href="http://www.e.example/">www.e.example</a>`, "www.e.example"},
	})
}

func TestLists_keepTheirShape(t *testing.T) {
	checkRules(t, []rule{
		{"side by side", "<ul><li>a</li></ul><ul><li>b</li></ul>", "- a\n\n+ b"},
		{"start", `<ol start="7"><li>a</li><li>b</li></ol>`, "7. a\n8. b"},
		{"a list that is no item", "<ul><li>a</li><ul><li>b</li></ul></ul>", "- a\n  - b"},
		{"an item in no list", "<div><li>a</li><li>b</li></div>", "- a\n- b"},
		{"a paragraph in one item", "<ul><li>a</li><li><p>b</p></li></ul>", "- a\n\n- b"},
		{"text behind a list", "<ul><li>a<ul><li>b</li></ul>c</li></ul>", "- a\n\n  - b\n\n  c"},
		{"an empty item among others", "<ol><li>a</li><li></li><li>c</li></ol>", "1. a\n2.\n3. c"},
		{"empty items alone", "<ul><li></li><li></li></ul>", ""},
		{"a rule", "<ul><li><hr></li></ul>", "- * * *"},
	})
}

func TestOthers_nothingIsMadeUp(t *testing.T) {
	checkRules(t, []rule{
		{"two breaks are a paragraph", "a<br><br>b", "a\n\nb"},
		{"breaks at the end", "<p>a<br></p>b", "a\n\nb"},
		{"an empty heading", "<h2> </h2>a", "a"},
		{"an empty quotation", "<blockquote><p></p></blockquote>a", "a"},
		{"a no-break space alone", "<p>a</p><p>&nbsp;</p><p>b</p>", "a\n\nb"},
		{"a word to fill in", "<p>git clone <url></p>", "git clone <url>"},
		{"elements of a framework", "<p>a <x-y>b</x-y></p>", "a b"},
	})
}

func TestConvert_deepTreesGiveTheirText(t *testing.T) {
	for _, a := range []atom.Atom{atom.Div, atom.A, atom.B, atom.Ul, atom.Li, atom.Table, atom.Code, atom.Blockquote, atom.Sub} {
		root := element(atom.Body)
		n := root
		for range soak(1_000_000) {
			c := element(a)
			n.AppendChild(c)
			n = c
		}
		n.AppendChild(text("deep"))
		got, err := Convert(t.Context(), root, Options{})
		if err != nil || !strings.Contains(got, "deep") || len(got) > 100 {
			t.Errorf("%s: got %q, %v, want the text with few marks", a, got, err)
		}
	}
}

func ExampleConvert() {
	doc, err := html.Parse(strings.NewReader(`<h1>Bees</h1><p>They <em>do not</em> sleep: see <a href="https://example.com/a+b">why</a>.</p><ul><li>shiver<li>eat</ul>`))
	if err != nil {
		fmt.Println(err)
		return
	}
	text, err := Convert(context.Background(), doc, Options{})
	fmt.Println(text, err)
	// Output:
	// # Bees
	//
	// They *do not* sleep: see [why](https://example.com/a+b).
	//
	// - shiver
	// - eat <nil>
}
