package local_test

import (
	"context"
	"fmt"
	"log"
	"net/http"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/search"
	"github.com/winnow-go/winnow/engine/search/local"
)

// An engine searches what it has scraped. Here the pages are on a virtual host; yours are on the web.
func Example() {
	e, err := engine.New(engine.Options{
		Render: engine.RenderNever,
		Search: []search.Provider{local.New(local.Options{})},
		Hosts: map[string]http.Handler{"granary.example": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprintf(w, "<html lang=en><title>Sack %s</title><main><p>The sack holds %s.</p></main></html>", r.URL.Path, r.URL.Path[1:])
		})},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	ctx := context.Background()
	for _, grain := range []string{"barley", "oats"} {
		if _, err := e.Scrape(ctx, "https://granary.example/"+grain, engine.ScrapeOptions{}); err != nil {
			log.Fatal(err)
		}
	}
	found, err := e.Search(ctx, "which sack: barley", engine.SearchOptions{})
	if err != nil {
		log.Fatal(err)
	}
	for _, hit := range found.Data.Web {
		fmt.Println(hit.Position, hit.URL, "-", hit.Description)
	}
	// Output:
	// 1 https://granary.example/barley - The sack holds barley.
	// 2 https://granary.example/oats - The sack holds oats.
}

// News are the articles that have a date, images those that have a text.
func Example_newsAndImages() {
	e, err := engine.New(engine.Options{
		Render: engine.RenderNever,
		Search: []search.Provider{local.New(local.Options{})},
		Hosts: map[string]http.Handler{"mill.example": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, `<html lang=en><title>The east wind</title><meta property="og:type" content="article">
<main><h1>The east wind</h1><time datetime="2026-09-28">28 September</time><p>It came on a Monday.</p>
<img src="/smoke.png" alt="Smoke lies flat in the wind" width="320" height="180"></main></html>`)
		})},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	ctx := context.Background()
	if _, err := e.Scrape(ctx, "https://mill.example/wind", engine.ScrapeOptions{}); err != nil {
		log.Fatal(err)
	}
	found, err := e.Search(ctx, "wind", engine.SearchOptions{
		Sources: []engine.SearchSource{{Type: search.News}, {Type: search.Images}},
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, hit := range found.Data.News {
		fmt.Println(hit.Position, hit.Date, hit.Title, hit.URL)
	}
	for _, hit := range found.Data.Images {
		fmt.Println(hit.Position, hit.Title, hit.ImageURL, hit.ImageWidth, hit.ImageHeight)
	}
	// Output:
	// 1 2026-09-28T00:00:00Z The east wind https://mill.example/wind
	// 1 Smoke lies flat in the wind https://mill.example/smoke.png 320 180
}
