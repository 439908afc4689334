package read

import (
	"strings"
	"testing"
)

func TestSupports_comparesWhatIsSaid(t *testing.T) {
	cases := []struct {
		quote, value string // value as JSON
		want         bool
	}{
		{"The Blue  Chair is here", `"blue chair"`, true},
		{"The blue chair", `"red chair"`, false},
		{"We had a party", `"art"`, false},
		{"東京都にあります", `"東京"`, true},
		{"12 Main St.\nSpringfield", `"12 Main St, Springfield"`, true},
		{"weighs 10 kg", `"10kg"`, true},
		{"ﬁne print", `"fine print"`, true},
		{"rated ★★★★", `"★★★★"`, true},
		{"rated ★★", `"★★★★"`, false},
		{"anything", `true`, true},

		{"costs 1.234,50 €", `1234.5`, true},
		{"costs $1,234.50", `1234.5`, true},
		{"costs 1,234", `1234`, true},
		{"costs 1,234", `1.234`, true},
		{"costs 1 234 567 kr", `1234567`, true},
		{"costs 1'234.50", `1234.5`, true},
		{"costs 12.5", `125`, false},
		{"pages 3 200", `200`, true},
		{"15 % off", `0.15`, true},
		{"15 % off", `15`, true},
		{"1.2 million people", `1200000`, true},
		{"3k stars", `3000`, true},
		{"49€ each", `49`, true},
		{"490 pieces", `49`, false},
		{"-5 °C", `-5`, true},
		{"5 °C", `-5`, false},
		{"two bedrooms", `2`, true},
		{"nobody", `0`, false},

		{"5 March 2024", `"2024-03-05"`, true},
		{"03/05/2024", `"2024-03-05"`, true},
		{"5. März 2024", `"2024-03-05T10:00:00Z"`, true},
		{"3 May 2024", `"2024-03-03"`, false},
		{"3 March 2024", `"2024-03-03"`, true},
		{"March 2024", `"2024-03"`, true},
		{"5 March 2023", `"2024-03-05"`, false},
		{"5 April 2024", `"2024-03-05"`, false},
		{"5 March", `"2024-03-05"`, false},
		{"2024年3月5日", `"2024-03-05"`, true},

		{"49,00 €", `"€49.00"`, true},
		{"49,00 $", `"€49.00"`, true}, // signs aren't compared
		{"59,00 €", `"€49.00"`, false},
		{"5 kg", `"5.0 kg"`, true},
		{"5 lb", `"5.0 kg"`, false},
	}
	for _, c := range cases {
		n, err := parse([]byte(c.value))
		if err != nil {
			t.Fatal(err)
		}
		if got := supports(c.quote, n); got != c.want {
			t.Errorf("%q supports %s: got %v", c.quote, c.value, got)
		}
	}
}

func TestGrounds_findQuotesAsTheyStandInTheText(t *testing.T) {
	text := "The  **blue**\nchair costs\u00a049\u00ad €. It\\_s `new`.\n"
	g := newGrounds(text, "A title")
	cases := []struct {
		quote, want string
	}{
		{"blue chair costs 49 €", "**blue**\nchair costs\u00a049\u00ad €"},
		{" The blue chair ", "The  **blue**\nchair"},
		{"**blue** chair", "**blue**\nchair"},
		{"Its new", "It\\_s `new`"},
		{"A title", "A title"},
		{"The Blue chair", ""},
		{"green", ""},
		{"", ""},
		{"  ", ""},
		{"**", ""},
		{strings.Repeat("x", maxQuote+1), ""},
	}
	for _, c := range cases {
		got := newFinder(g).find(c.quote)
		if got != c.want {
			t.Errorf("%q: got %q, want %q", c.quote, got, c.want)
		}
		if !strings.Contains(text, got) && got != "A title" {
			t.Errorf("%q isn't in the text", got)
		}
	}
}

func TestGrounds_aroundIsTheLineOfALongValue(t *testing.T) {
	g := newGrounds("first line\n- name: Blue Mountain Chair, sold out\nthird", strings.Repeat("word ", 100)+"distinctive"+strings.Repeat(" word", 100))
	if got := g.around("Blue Mountain Chair"); got != "- name: Blue Mountain Chair, sold out" {
		t.Errorf("got %q", got)
	}
	if got := g.around("distinctive"); len(got) > 2*ownQuote+20 || !strings.HasPrefix(got, "word") || !strings.HasSuffix(got, "word") {
		t.Errorf("got %q", got)
	}
	for _, short := range []string{"name", "ue Mountain Chai", "Green Mountain Chair", ""} {
		if got := g.around(short); got != "" {
			t.Errorf("%q: got %q", short, got)
		}
	}
}

// What a model answers can't make looking for its quotes take for ever.
func TestFinder_endsAfterItsWork(t *testing.T) {
	f := newFinder(newGrounds("the text"))
	if got := f.find("text"); got != "text" || f.work == 0 {
		t.Errorf("got %q after %d", got, f.work)
	}
	f.work = maxWork + 1
	if f.find("text") != "text" || f.find("the") != "" {
		t.Error("what was found isn't known, or more is looked for")
	}
	root := newObject("a", newText("text"))
	var list []quoted
	for range 2 * maxPlace {
		list = append(list, quoted{Path: "/a", Quote: "other"})
	}
	if got := newEvidence(list, root)["/a"]; len(got) != maxPlace {
		t.Errorf("%d quotes for one place", len(got))
	}
}

func FuzzGrounds(f *testing.F) {
	f.Add("The **blue** chair\ncosts 49 €", "blue chair")
	f.Add("a\xff b\u200d c", "\xff b")
	f.Add("1.234,5 and 2024-03-05", "2024-03-05")
	f.Fuzz(func(t *testing.T, text, quote string) {
		if len(text) > 20_000 || len(quote) > 3000 {
			t.Skip("fuzzed input: over 20,000 bytes")
		}
		g := newGrounds(text)
		if got := g.find(quote); !strings.Contains(text, got) {
			t.Fatalf("%q isn't in %q", got, text)
		}
		if got := g.around(quote); !strings.Contains(text, got) {
			t.Fatalf("%q isn't in %q", got, text)
		}
		supports(text, newText(quote))
		saysNumber(text, 1234.5)
		screen(text)
	})
}
