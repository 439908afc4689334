package page

import (
	"strings"
	"testing"

	"github.com/winnow-go/winnow/engine/internal/judge"
)

func TestCompare(t *testing.T) {
	text := "<p>" + strings.Repeat("Barley is a cereal grain that people grow. ", 20) + "</p>"
	plain := `<main><h1>Barley</h1>` + text + `<p>It is 10:15 now.</p><div id=price></div><a href=/one>One</a></main><nav><a href=/two>Two</a></nav>`
	price := []judge.Place{{Name: "#price", Sure: true}}
	for name, c := range map[string]struct {
		change [2]string
		places []judge.Place
		more   bool
	}{
		"the same":                   {},
		"a clock":                    {change: [2]string{"10:15", "10:16"}},
		"two labels":                 {change: [2]string{"</main>", "<p>Share Copy</p></main>"}},
		"a place that stays empty":   {places: price},
		"a price":                    {change: [2]string{"id=price>", "id=price>$12.50"}, places: price, more: true},
		"a paragraph":                {change: [2]string{"</main>", "<p>Malt is made of it by soaking the grains.</p></main>"}, more: true},
		"links":                      {change: [2]string{"<nav>", "<nav><a href=/3>3</a><a href=/4>4</a>"}, more: true},
		"links to others":            {change: [2]string{"<nav>", "<nav><a href=https://b.example/>3</a><a href=https://c.example/>4</a>"}},
		"a menu that is built of it": {change: [2]string{"<nav>", "<nav><div>One Two</div>"}},
	} {
		got, err := Compare(t.Context(), htmlPage(plain), htmlPage(strings.Replace(plain, c.change[0], c.change[1], 1)), c.places)
		if err != nil || got.More() != c.more {
			t.Errorf("%s: got %+v, %v", name, got, err)
		}
	}
}

func TestComparison_String(t *testing.T) {
	for want, c := range map[string]Comparison{
		"HTTP had 0.75 of the text and 0.50 of the links": {Words: 100, Missed: 25, Links: 4, NewLinks: 2},
		"HTTP had 1.00 of the text and 1.00 of the links": {},
	} {
		if got := c.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func htmlPage(body string) *Page {
	return &Page{URL: "https://a.example/page", Status: 200, MediaType: "text/html", ContentType: "text/html; charset=utf-8", Body: []byte(body)}
}
