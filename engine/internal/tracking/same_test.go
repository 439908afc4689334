package tracking

import "testing"

func TestSame_table(t *testing.T) {
	for _, row := range []struct {
		name, a, b string
		want       bool
	}{
		{"nothing", "", "", true},
		{"nothing and blanks", "", " \n\n", true},
		{"nothing and something", "", "a", false},
		{"equal", "# A\n\nb", "# A\n\nb", true},
		{"re-ordered blocks", "a\n\nb", "b\n\na", false},
		{"re-ordered list items", "- a\n- b", "- b\n- a", false},
		{"re-ordered words", "a b", "b a", false},
		{"an anagram", "listen", "silent", false},
		{"another word", "price 10", "price 11", false},
		{"upper case", "Bee", "bee", false},
		{"white space", "a b\n\nc", "a\n  b\n\n\n\nc\n", true},
		{"no white space", "ab", "a b", false},
		{"a no-break space", "10 €", "10\u00a0€", true},
		{"a hard break", "a  \nb", "a\\\nb", true},
		{"two paragraphs or one", "a\n\nb", "a\nb", false},
		{"list markers", "* a\n* b", "- a\n- b", true},
		{"a tight and a loose list", "- a\n- b", "- a\n\n- b", true},
		{"a list and text", "- a", "a", false},
		{"an item below another or beside it", "- a\n- b", "- a\n  - b", false},
		{"a heading's level", "# a", "## a", false},
		{"a heading's form", "a\n===", "# a", true},
		{"tracking parameters", "[a](https://a.example/?utm_source=x)", "[a](https://a.example/?utm_source=y&fbclid=z)", true},
		{"other parameters", "[a](https://a.example/?page=1)", "[a](https://a.example/?page=2)", false},
		{"parameters in another order", "[a](https://a.example/?b=1&c=2)", "[a](https://a.example/?c=2&b=1)", false},
		{"another address", "[a](https://a.example/)", "[a](https://b.example/)", false},
		{"an address in code", "`https://a.example/?utm_source=x`", "`https://a.example/?utm_source=y`", false},
		{"frames", "a\n\n[iframe](https://a.example/1)", "a\n\n[iframe](https://a.example/2)", true},
		{"no frame", "a", "a\n\n[iframe](https://a.example/2)", true},
		{"indentation in code", "```\n a\n```", "```\n  a\n```", false},
		{"blank lines in code", "```\na\n\nb\n```", "```\na\nb\n```", false},
		{"line ends in code", "```\na \n```", "```\na\r\n```", true},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := Same(row.a, row.b); got != row.want {
				t.Errorf("got %v, want %v:\n%q\n%q", got, row.want, row.a, row.b)
			}
			if Same(row.b, row.a) != row.want {
				t.Errorf("the other way round it's %v", !row.want)
			}
			if (diffOf(row.a, row.b) == "") != row.want {
				t.Errorf("the diff is\n%s", diffOf(row.a, row.b))
			}
		})
	}
}
