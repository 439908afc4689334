package engine_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/formats"
)

// A page becomes markdown; what surrounds its content is left out.
func ExampleEngine_Scrape() {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, `<!DOCTYPE html><html lang="en"><title>Bread</title><nav><a href="/">Home</a></nav>
			<main><h1>Bread</h1><p>Flour, water, salt and <a href="/time">time</a>.</p></main><footer>© The baker</footer>`)
	}))
	defer site.Close()

	e, err := engine.New(engine.Options{Policy: fetch.Policy{AllowPrivate: true}}) // only since the site is on this machine
	if err != nil {
		fmt.Println(err)
		return
	}
	defer e.Close()
	doc, err := e.Scrape(context.Background(), site.URL, engine.ScrapeOptions{
		Formats: []formats.Format{{Type: formats.Markdown}, {Type: formats.Links}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	text := strings.ReplaceAll(doc.Markdown, site.URL, "https://bakery.example")
	fmt.Println(strings.TrimSpace(text))
	fmt.Println(doc.Metadata.Title, doc.Metadata.StatusCode, doc.Metadata.RenderedBy, len(doc.Links))
	// Output:
	// # Bread
	//
	// Flour, water, salt and [time](https://bakery.example/time).
	// Bread 200 http 1
}

// Errors carry a code that programs may act on.
func ExampleCodeOf() {
	e, err := engine.New(engine.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer e.Close()
	_, err = e.Scrape(context.Background(), "http://127.0.0.1/admin", engine.ScrapeOptions{})
	fmt.Println(engine.CodeOf(err))
	// Output: unsafe_domain_blocked
}
