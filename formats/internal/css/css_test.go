package css

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"

	"github.com/winnow-go/winnow/formats/internal/walk"
)

var samples = []string{
	"p", "*", ".a", "#b", "div p", "div > p", "div + p", "div ~ p", "div p > b.a", "a, b , p", "div div p b", "div/* x */p", "div > p ~ b + i", "[class]", `[title="a > b, c"] b`, "p:not(.a)",
	"div:has(p b)", "div:has(> p)", "div:not(:has(b))", "div:has(p:has(b))", "div:haschild(p)", ":has(b)", "*:not(div):not(p)", "p:first-child", "p:last-child",
	"b:first-of-type", "b:last-of-type", "p:nth-child(2)", "p:nth-child(2n+1)", "p:nth-child( odd )", "p:NTH-child(even)", "b:nth-last-child(-n+2)", "b:nth-of-type(2n)",
	"b:nth-last-of-type(n + 2)", "p:only-child", "b:only-of-type", "p:contains(One)", `p:contains("two x")`, "div:containsOwn(one)", "b:empty", ":root p", "p:matches(on.)",
	"div:not(p, b) > p:first-child.a", `.\31 a p`, `.md\:a b`, "a:link", "p:not(:first-child) ~ b", "div:has(p + b) p", "p.a.c[title]:not([title='x(']) b", "b:contains(é)",
}

// tree makes a page by chance, with comments and texts between the elements.
func tree(r *rand.Rand) *html.Node {
	var b strings.Builder
	var add func(depth int)
	add = func(depth int) {
		for range r.IntN(5) {
			switch r.IntN(8) {
			case 0:
				b.WriteString("<!-- c -->")
			case 1, 2:
				b.WriteString([]string{"one ", "TWO", " x ", "É", " "}[r.IntN(5)])
			default:
				name := []string{"div", "p", "b", "i", "section"}[r.IntN(5)]
				attributes := []string{"", " class=a", " class='a c' title=x", " id=b", " class='1a'", " class='md:a' title='a > b, c'"}[r.IntN(6)]
				b.WriteString("<" + name + attributes + ">")
				if depth < 6 {
					add(depth + 1)
				}
				b.WriteString("</" + name + ">")
			}
		}
	}
	add(0)
	doc, _ := html.Parse(strings.NewReader(b.String()))
	return doc
}

func TestMatch_agreesWithCascadia(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	matched := make(map[string]int)
	for range 150 {
		doc := tree(r)
		for _, text := range samples {
			theirs, err := cascadia.ParseGroup(text)
			ours, errOurs := Compile(text)
			if (err == nil) != (errOurs == nil) {
				t.Fatalf("%s: got error %v, Cascadia %v", text, errOurs, err)
			}
			if err != nil {
				continue
			}
			m := ours.Over(nil)
			for n := range doc.Descendants() {
				want := n.Type == html.ElementNode && theirs.Match(n)
				if got := m.Match(n); got != want {
					t.Fatalf("%s: got %v, want %v for <%s>", text, got, want, n.Data)
				}
				if want {
					matched[text]++
				}
			}
		}
	}
	for _, text := range samples {
		if _, err := cascadia.ParseGroup(text); err == nil && matched[text] == 0 && text != "a:link" {
			t.Errorf("%s matched nothing: the test says nothing of it", text)
		}
	}
}

// Each of these takes Cascadia a time that grows with a power of the depth or the width.
func TestMatch_visitsEachNodeAFewTimes(t *testing.T) {
	pages := map[string]string{
		"deep": strings.Repeat("<div>", 400) + strings.Repeat("<p class=a>x</p>", 400),
		"wide": strings.Repeat("<p class=a>x</p> <b></b>", 2000),
	}
	for name, page := range pages {
		doc, err := html.Parse(strings.NewReader(page))
		if err != nil {
			t.Fatal(err)
		}
		nodes := 0
		for range doc.Descendants() {
			nodes++
		}
		for _, text := range []string{"x div div div div div div p", "x ~ p ~ p ~ p ~ b", "div:has(div:has(div:has(x)))", ":not(:has(:not(:has(x))))", "p:nth-of-type(2n+1)", "b:nth-last-child(3)",
			"div:contains(y)", "p:only-of-type", "x p ~ b"} {
			s, err := Compile(text)
			if err != nil {
				t.Fatal(err)
			}
			steps := walk.New(context.Background())
			m := s.Over(steps)
			for n := range doc.Descendants() {
				m.Match(n)
			}
			if most := int64(30 * nodes); steps.Visited() > most {
				t.Errorf("%s of a %s page of %d nodes: visited %d", text, name, nodes, steps.Visited())
			}
		}
	}
}

func TestMatch_endsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	s, err := Compile("div:has(p)")
	if err != nil {
		t.Fatal(err)
	}
	doc, _ := html.Parse(strings.NewReader(strings.Repeat("<div>", 300)))
	cancel()
	match := func() (err error) {
		steps := walk.New(ctx)
		defer steps.Catch(&err)
		m := s.Over(steps)
		for n := range doc.Descendants() {
			m.Match(n)
		}
		return nil
	}
	if err := match(); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
