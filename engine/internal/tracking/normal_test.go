package tracking

import (
	"strings"
	"testing"
)

func lines(all ...string) string { return strings.Join(all, "\n") }

func TestNormal_rules(t *testing.T) {
	for _, row := range []struct{ name, text, want string }{
		{"empty", "", ""},
		{"white space only", " \n\t\n\u00a0\n\u200b\n\r\n", ""},
		{"no line break at the end", "a", "a"},
		{"line breaks at both ends", "\n\na\n\n\n", "a"},
		{"blank lines part paragraphs", "a\n \t\nb\n\n\n\nc", lines("a", "", "b", "", "c")},
		{"runs of white space", "\ta  b\u00a0\u2003c\t", "a b c"},
		{"carriage returns", "a\r\nb\r\n\r\nc\r\n", lines("a b", "", "c")},
		{"zero-width characters", "\ufefffoo\u200bbar \u200d b\u00adaz", "foobar baz"},
		{"a flag is not zero-width", "\U0001F3F4\U000E0067\U000E0062\U000E007F", "\U0001F3F4\U000E0067\U000E0062\U000E007F"},
		{"not UTF-8", "a\xffb", "a\uFFFDb"},

		{"a soft break", "a\nb", "a b"},
		{"a hard break of spaces", "a  \nb", "a b"},
		{"a hard break of a backslash", "a\\\nb", "a b"},
		{"a backslash of its own", "a\\\\\nb", `a\\ b`},
		{"a backslash at the end of a block", "a\\\n\nb", lines(`a\`, "", "b")},
		{"a backslash behind what could begin a block", "*\\\na\n\n##\\\nb\n\n12.\\\nc\n\n- +\\\n  d", lines(`*\ a`, "", `##\ b`, "", `12.\ c`, "", `- +\ d`)},
		{"nothing but a backslash", "\\\nb", `\ b`},

		{"headings", "# A\n## B \ntext\n####### no", lines("# A", "", "## B", "", "text ####### no")},
		{"underlined headings", "A\nb\n===\nC\n---\nd", lines("# A b", "", "## C", "", "d")},
		{"no heading without a paragraph", "# A\n---\n\n===", lines("# A", "", "***", "", "===")},
		{"rules", "---\n* * *\n___\n- - -\n--", lines("***", "", "***", "", "***", "", "***", "", "--")},

		{"a rule over two lines", "**\n*\n\n- __\n  _", lines("***", "", "- ***")},

		{"unordered markers", "* a\n+ b\n- c", lines("- a", "- b", "- c")},
		{"a loose list", "- a\n\n- b\n\n\n- c", lines("- a", "- b", "- c")},
		{"an item of two lines", "- a\n  b\n- c", lines("- a b", "- c")},
		{"a list right below a paragraph", "a\n- b", lines("a", "", "- b")},
		{"numbers stay", "1. a\n2. b\n3) c", lines("1. a", "2. b", "3) c")},
		{"a number in a paragraph", "in\n1986. A great year", "in 1986. A great year"},
		{"the first number in a paragraph", "in\n1. A great year", lines("in", "", "1. A great year")},
		{"no empty item in a paragraph", "a\n*\nb", "a * b"},
		{"a number too long", "1234567890. a\nb", "1234567890. a b"},
		{"emphasis is no marker", "*a*\n**b**", "*a* **b**"},
		{"an empty item", "-\n- b\n-", lines("-", "- b", "-")},
		{"text below an empty item", "-\n  a", "- a"},
		{"empty items in each other", "- * +", "***"},
		{"dashes below an empty item", "-\n--\n  - a", lines(`- \--`, "  - a")},
		{"dashes below an empty item in a numbered one", "1. -\n   --", `1. - \--`},
		{"a rule of several marks in an item", "1. * + --", "1. ***"},
		{"tasks", "* [ ] a\n* [x] b", lines("- [ ] a", "- [x] b")},
		{"nesting", "- a\n  - b\n    - c\n  - d\n- e", lines("- a", "  - b", "    - c", "  - d", "- e")},
		{"wide nesting", "*   a\n    *   b\n        *   c\n*   d", lines("- a", "  - b", "    - c", "- d")},
		{"nesting by tabs", "- a\n\t- b\n\t\t- c", lines("- a", "  - b", "    - c")},
		{"one space doesn't nest", " - a\n- b\n - c", lines("- a", "- b", "- c")},
		{"nesting in a numbered list", "1. a\n   - b\n10. c\n    - d", lines("1. a", "   - b", "10. c", "    - d")},
		{"an item in an item", "* * a\n  * b", lines("- - a", "  - b")},
		{"a rule in an item", "* - - -", "- ***"},
		{"a paragraph in an item", "2. a\n\n   b\n3. c", lines("2. a", "", "b", "", "3. c")},

		{"quotes", "> a\n>b\n>\n> c\n\nd", lines("> a b", "", "> c", "", "d")},
		{"quotes in quotes", "> a\n> > b\n>>c", lines("> a", "", "> > b c")},
		{"a list in a quote", "> * a\n>   * b", lines("> - a", ">   - b")},

		{"a table", "|  a | b  |\n| :-- | ----: |\n|c|d|", lines("| a | b |", "|:---|---:|", "|c|d|")},
		{"a rule of a table in pieces", "|- -|\n|-|", lines("|---|", "|---|")},
		{"two tables", "|a|\n|---|\n\n|b|\n|---|", lines("|a|", "|---|", "", "|b|", "|---|")},
		{"dashes in a row", "| a-b | -- |", "| a-b | -- |"},

		{"code", "```go\n  a  b \t\n\n\n\tc\n```\nd", lines("```go", "  a  b", "", "", "\tc", "```", "", "d")},
		{"code with tildes", "~~~\n```\n~~~~", lines("~~~", "```", "~~~")},
		{"the name of a language", "``` go  x\na\n```\n~~~ ~a\n~~~", lines("```go x", "a", "```", "", "~~~ ~a", "~~~")},
		{"code nobody closes", "```\na\n\n\n", lines("```", "a")},
		{"code that looks like a fence", "````\n```\n````", lines("````", "```", "````")},
		{"a fence with more behind it doesn't close", "```\na\n``` b\n```", lines("```", "a", "``` b", "```")},
		{"a span of three backticks", "```a``` b\nc", "```a``` b c"},
		{"code in an item", "- a\n  ```\n  b\n    c\n  ```\n- d", lines("- a", "", "```", "b", "  c", "```", "", "- d")},
		{"an item that is code", "- ```\n  b\n  ```\n- d", lines("-", "", "```", "b", "```", "", "- d")},
		{"code in a quote", "> ```\n> a  b\n>\n>   c\n> ```", lines("> ```", "> a  b", ">", ">   c", "> ```")},
		{"code that ends with its quote", "> ```\n> a\n\nb  c", lines("> ```", "> a", "", "b c")},
		{"code is not touched", "```\nhttps://a.example/?utm_source=x [iframe](y) - \u200b*\n```", lines("```", "https://a.example/?utm_source=x [iframe](y) - \u200b*", "```")},

		{"a frame between paragraphs", "a\n\n[iframe](https://f.example/?x=1)\n\nb", lines("a", "", "b")},
		{"a frame in a paragraph", "a [iframe](x) b\n[iframe](y)\nc[iframe](z)d", "a b c d"},
		{"a frame before a block", "[iframe](x)> a\n\n[iframe](y)- b", lines("> a", "", "- b")},
		{"a frame that is none", "[iframe](x\ny) [iframe] (z)\n\n[iframe](a b) [iframe](c)", lines("[iframe](x y) [iframe] (z)", "", "[iframe](a b)")},
		{"a frame with invisible characters", "[if\u200brame](x\u00ad)\u00a0a", "a"},
	} {
		t.Run(row.name, func(t *testing.T) {
			want := row.want
			if want != "" {
				want += "\n"
			}
			if got := normal(row.text); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
			if again := normal(want); again != want {
				t.Errorf("normalised again\n%s\nwant\n%s", again, want)
			}
		})
	}
}

func TestNormal_trackingParameters(t *testing.T) {
	for _, row := range []struct{ name, text, want string }{
		{"alone", "[a](https://a.example/p?utm_source=x)", "[a](https://a.example/p)"},
		{"before a fragment", "[a](https://a.example/?gclid=1#part)", "[a](https://a.example/#part)"},
		{"among others", "[a](http://a.example/?b=1&utm_source=x&c=2&fbclid=y)", "[a](http://a.example/?b=1&c=2)"},
		{"others keep their order", "[a](https://a.example/?z=1&a=2)", "[a](https://a.example/?z=1&a=2)"},
		{"others stay as they are", "[a](https://a.example/?&&=x&utm&ref=1)", "[a](https://a.example/?&&=x&utm&ref=1)"},
		{"upper case", "[a](HTTPS://a.example/?UTM_Source=x)", "[a](HTTPS://a.example/)"},
		{"without a value", "[a](https://a.example/?gclid&b)", "[a](https://a.example/?b)"},
		{"an image in a link", "[![i](https://i.example/?spm=1)](https://a.example/?scm=1)", "[![i](https://i.example/)](https://a.example/)"},
		{"with a title", `[a](https://a.example/?mc_cid=1 "b")`, `[a](https://a.example/ "b")`},
		{"in angle brackets", "[a](<https://a.example/?_ga=1>) <https://b.example/?_hsenc=2>", "[a](<https://a.example/>) <https://b.example/>"},
		{"a reference", "[a]: https://a.example/?utm_term=x", "[a]: https://a.example/"},
		{"bare in a sentence", "See https://a.example/?utm_source=x.", "See https://a.example/."},
		{"bare in brackets", "(see https://a.example/?utm_source=x)", "(see https://a.example/)"},
		{"bare in bold", "**https://a.example/?utm_source=x**", "**https://a.example/**"},
		{"bare before text without spaces", "https://a.example/?utm_source=x。続く", "https://a.example/。続く"},
		{"linked beyond ASCII", "[a](https://a.example/?q=日本&utm_source=x)", "[a](https://a.example/?q=日本)"},
		{"as its own text", "[https://a.example/?utm_source=x](https://a.example/?utm_source=x)", "[https://a.example/](https://a.example/)"},
		{"escaped", `https://a.example/?utm\_source=x&b=1`, "https://a.example/?b=1"},
		{"brackets of its own", "[a](https://a.example/?x[]=1&y=(2)&utm_source=(z))", "[a](https://a.example/?x[]=1&y=(2))"},
		{"in a table", "|https://a.example/?utm_source=x|b|", "|https://a.example/|b|"},
		{"in code", "`https://a.example/?utm_source=x` https://b.example/?utm_source=y", "`https://a.example/?utm_source=x` https://b.example/"},
		{"in code over two lines", "`a\nhttps://a.example/?utm_source=x`", "`a https://a.example/?utm_source=x`"},
		{"between backticks of another kind", "`` https://a.example/?utm_source=x `", "`` https://a.example/ `"},
		{"an escaped backtick", "\\` https://a.example/?utm_source=x `", "\\` https://a.example/ `"},
		{"not in the query", "[a](https://a.example/utm_source=x#?utm_source=y)", "[a](https://a.example/utm_source=x#?utm_source=y)"},
		{"another scheme", "[a](ftp://a.example/?utm_source=x) [b](/b?utm_source=y)", "[a](ftp://a.example/?utm_source=x) [b](/b?utm_source=y)"},
		{"a URL in a parameter", "[a](https://a.example/?u=https://b.example/?utm_source=x)", "[a](https://a.example/?u=https://b.example/?utm_source=x)"},
		{"only in text", "utm_source=x & ?utm_source=x :// ?", "utm_source=x & ?utm_source=x :// ?"},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got, want := normal(row.text), row.want+"\n"; got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
			if again := normal(row.want); again != row.want+"\n" {
				t.Errorf("normalised again %s", again)
			}
		})
	}
}

func TestNormal_everyListedParameterIsDropped(t *testing.T) {
	names := []string{"utm_source", "utm_x", "mtm_campaign", "pk_campaign"}
	for name := range trackingNames {
		names = append(names, name)
	}
	for _, name := range names {
		if got := normal("https://a.example/?a=1&" + name + "=v&b=2"); got != "https://a.example/?a=1&b=2\n" {
			t.Errorf("%s: got %s", name, got)
		}
		if other := "https://a.example/?x" + name + "=v"; normal(other) != other+"\n" {
			t.Errorf("x%s: got %s", name, normal(other))
		}
	}
}

// Texts made to be slow or to grow: none may take more than in proportion, or the
// test would run into its time limit; none may grow more than the bound says.
func TestNormal_hostileTexts(t *testing.T) {
	const size = 1 << 18
	repeat := func(s string) string { return strings.Repeat(s, size/len(s)) }
	stairs := func(s string) string {
		var out strings.Builder
		for i := 0; out.Len() < size; i++ {
			out.WriteString(strings.Repeat(s, i) + "- a\n")
		}
		return out.String()
	}
	var runs strings.Builder
	for i := 1; runs.Len() < size; i++ {
		runs.WriteString(strings.Repeat("`", i) + " https://a.example/?a=1 ")
	}
	for name, text := range map[string]string{
		"markers":           repeat("* - "),
		"quote markers":     repeat(">"),
		"quotes":            repeat(">>>> a\n"),
		"stairs of spaces":  stairs("  "),
		"stairs of tabs":    stairs("\t"),
		"stairs, then code": stairs("\t")[:size/2] + "\n" + strings.Repeat("\t", 1000) + "- ```\n" + repeat("a\n"),
		"numbers":           repeat("123456789. a\n"),
		"backslashes":       repeat("\\\n"),
		"many backslashes":  repeat("\\"),
		"short lines":       repeat("a\n"),
		"one line":          repeat("a"),
		"underlines":        repeat("a\n=\n"),
		"backticks":         repeat("`"),
		"runs of backticks": runs.String(),
		"spans":             repeat("`a`"),
		"brackets":          repeat("https://a.example/?((["),
		"parameters":        "https://a.example/?" + repeat("&utm_a"),
		"schemes":           repeat("http://"),
		"colons":            repeat("://?"),
		"frames":            repeat("[iframe]("),
		"broken frames":     repeat("[iframe]([iframe](a "),
		"frames in frames":  repeat("[iframe](") + repeat(")"),
		"dashes":            repeat("|-"),
		"fences":            repeat("```\n"),
		"white space":       repeat(" \u00a0"),
		"rules":             repeat("- "),
	} {
		t.Run(name, func(t *testing.T) {
			got := normal(text)
			if len(got) > 16*len(text) {
				t.Errorf("%d bytes grew to %d", len(text), len(got))
			}
			if normal(got) != got {
				t.Error("the normalised form of the normalised form is another")
			}
		})
	}
}
