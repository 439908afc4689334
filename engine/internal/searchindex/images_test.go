package searchindex

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/engine/search"
	"github.com/winnow-go/winnow/formats"
)

// described is a page of a media type, as an index reads it.
func described(t *testing.T, mediaType, body string) *search.Page {
	t.Helper()
	p := &search.Page{URL: "https://mill.example/a", MediaType: mediaType}
	err := describe(t.Context(), func(ctx context.Context) (*formats.DOM, error) {
		return formats.Parse(ctx, formats.Source{URL: p.URL, MediaType: "text/html", Body: []byte(body), Raw: []byte(body)})
	}, p)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// text is long enough to be an article.
var text = strings.Repeat("<p>Four sacks of barley stand in the dry barn, and beside them lies the oldest of the three sieves.</p>", 6)

func TestDescribe_articlesAreThoseWithADate(t *testing.T) {
	const published = `<meta property="article:published_time" content="2026-11-21T08:00:00Z">`
	for name, c := range map[string]struct {
		mediaType, body string
		want            bool
	}{
		"dated":       {"text/html", published + `<main><h1>Sacks</h1>` + text + `</main>`, true},
		"xhtml":       {"application/xhtml+xml", published + `<main><h1>Sacks</h1>` + text + `</main>`, true},
		"by JSON-LD":  {"text/html", `<script type="application/ld+json">{"@type":"NewsArticle","headline":"Sacks","datePublished":"2026-11-21"}</script><title>Sacks</title><h1>Sacks</h1><p>Four.</p>`, true},
		"by its time": {"text/html", `<article><h1>Sacks</h1><time datetime=2026-11-21>yesterday</time>` + text + `</article>`, true},
		"undated":     {"text/html", `<main><h1>Sacks</h1>` + text + `</main>`, false},
		"no article":  {"text/html", published + `<main><h1>Sacks</h1><p>Four.</p></main>`, false},
		"a file":      {"application/pdf", published + `<main><h1>Sacks</h1>` + text + `</main>`, false},
	} {
		if got := described(t, c.mediaType, c.body); got.Article != c.want {
			t.Errorf("%s: %v, published %s", name, got.Article, got.Published)
		}
	}
}

func TestDescribe_imagesOfThePageAndItsOwn(t *testing.T) {
	const og = `<title>The mill</title><meta property="og:image" content="https://mill.example/own.png">`
	const shown = `<main><h1>Sacks</h1><img src=/a.png alt=Sacks width=30 height=20></main>`
	for name, c := range map[string]struct{ body, want string }{
		"none named": {`<title>The mill</title>` + shown, "a.png Sacks/Sacks 30x20|"},
		"own first":  {og + shown, "own.png The mill/ 0x0|a.png Sacks/Sacks 30x20|"},
		"described": {og + `<meta property="og:image:alt" content="Wind"><meta property="og:image:width" content="1200"><meta property="og:image:height" content="630">`,
			"own.png Wind/ 1200x630|"},
		"shown, too": {og + `<meta property="og:image:width" content=1200><meta property="og:image:height" content=630>` +
			shown + `<figure><img src=/own.png><figcaption>Wind</figcaption></figure>`, "a.png Sacks/Sacks 30x20|own.png The mill/ 1200x630|"},
		"a pixel": {og + `<meta property="og:image:width" content=1>`, ""},
		"absurd":  {og + `<meta property="og:image:width" content=-5><meta property="og:image:height" content=99999999999>`, "own.png The mill/ 0x0|"},
		"no text": {strings.TrimPrefix(og, "<title>The mill</title>"), ""},
		"data":    {`<title>T</title><meta property="og:image" content="data:image/png;base64,AAAA">`, ""},
	} {
		got := ""
		for _, i := range described(t, "text/html", c.body).Images {
			got += fmt.Sprintf("%s %s/%s %dx%d|", strings.TrimPrefix(i.URL, "https://mill.example/"), i.Alt+i.Title, i.Heading, i.Width, i.Height)
		}
		if got != c.want {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
	}
}

// What cannot be read of a page in time is missing, not the page.
func TestPages_endWithTheirContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p := NewPages(shelf{"a": "<title>T</title>" + text}, slog.New(slog.DiscardHandler))
	if got, err := p.Page(ctx, "a"); got == nil || !errors.Is(err, context.Canceled) {
		t.Errorf("got %+v, %v", got, err)
	}
}
