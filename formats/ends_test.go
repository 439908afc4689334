package formats

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/formats/internal/walk"
)

// counting counts how often it is asked whether it has ended, and ends after so many times; never when that is negative.
type counting struct {
	context.Context
	asked, end int
}

func (c *counting) Err() error {
	c.asked++
	if c.end >= 0 && c.asked > c.end {
		return context.Canceled
	}
	return nil
}

func endingPage() string {
	return "<style>.a b{display:none}</style><div class=a>" + strings.Repeat("<table><tr><td>1<td><a href=/x>some <b>words</b></a></table><p>Some more words of a text. <i itemprop=name>x</i></p><ul><li>a<li>b</ul>", 200)
}

// Each question about a page ends within a few looks at a context that has ended, wherever it is, and can be asked again.
func TestDOM_endsWithTheContext(t *testing.T) {
	body := endingPage()
	for _, q := range questions() {
		all := &counting{context.Background(), 0, -1}
		if err := q.ask(all, mustParse(t, body, "text/html")); err != nil {
			t.Fatal(err)
		}
		if all.asked < 5 {
			t.Errorf("%s: looked %d times at its context", q.name, all.asked)
		}
		for _, end := range []int{0, 1, all.asked / 2, all.asked - 2} {
			d := mustParse(t, body, "text/html")
			ctx := &counting{context.Background(), 0, end}
			if err := q.ask(ctx, d); !errors.Is(err, context.Canceled) {
				t.Errorf("%s, ended after %d of %d looks: got %v", q.name, end, all.asked, err)
			}
			if ctx.asked > end+3 {
				t.Errorf("%s: looked %d times more after its context had ended", q.name, ctx.asked-end)
			}
			again := walk.New(context.Background())
			if err := q.ask(again, d); err != nil || again.Visited() == 0 {
				t.Errorf("%s, asked again: %v after %d nodes", q.name, err, again.Visited())
			}
		}
	}
}

// What was left in the middle leaves nothing behind by which the next answer differs.
func TestDOM_answersTheSameAfterAnEnd(t *testing.T) {
	body := endingPage()
	want := render(t, mustParse(t, body, "text/html"), Options{OnlyMainContent: true}, Markdown, Links, HTML)
	for end := 0; end < 60; end += 7 {
		d := mustParse(t, body, "text/html")
		for _, q := range questions() {
			_ = q.ask(&counting{context.Background(), 0, end}, d)
		}
		got := render(t, d, Options{OnlyMainContent: true}, Markdown, Links, HTML)
		if got.Markdown != want.Markdown || got.HTML != want.HTML || strings.Join(got.Links, " ") != strings.Join(want.Links, " ") {
			t.Fatalf("ended after %d looks: another answer", end)
		}
	}
}

func TestParse_endsWithTheContext(t *testing.T) {
	for name, body := range map[string]string{
		"page":      endingPage(),
		"too deep":  strings.Repeat("<div>x", 20_000),
		"reopening": "<p>" + strings.Repeat("<b><i><u><s><em><code><tt>", 3) + strings.Repeat("<p>x", 20_000),
		"noscript":  "<noscript>" + strings.Repeat("<div>some words ", 10_000) + "</noscript>",
		"one tag":   "<div class='" + strings.Repeat("a ", 50_000) + "'>",
		"shadows":   strings.Repeat("<div><template shadowrootmode=open><slot></slot></template><i>x</i></div>", 2000),
	} {
		all := &counting{context.Background(), 0, -1}
		if _, err := Parse(all, Source{URL: goldenURL, MediaType: "text/html", Body: []byte(body)}); err != nil {
			t.Fatal(err)
		}
		oneToken := name == "noscript" || name == "one tag" // which is scanned at once, in less time than other bytes
		if least := len(body) / (2 * walk.Chunk); all.asked < least && !oneToken {
			t.Errorf("%s: looked %d times at its context, want %d", name, all.asked, least)
		}
		for end := range all.asked - 1 {
			ctx := &counting{context.Background(), 0, end}
			if _, err := Parse(ctx, Source{URL: goldenURL, MediaType: "text/html", Body: []byte(body)}); !errors.Is(err, context.Canceled) {
				t.Errorf("%s, ended after %d of %d looks: got %v", name, end, all.asked, err)
				break
			}
			if end > 20 {
				break
			}
		}
	}
}
