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
	"github.com/winnow-go/winnow/formats/window"
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

// The URLs of a site, those about a subject in front.
func ExampleEngine_Map() {
	bakery := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/":
			fmt.Fprint(w, `<!DOCTYPE html><title>The bakery</title><main><h1>Welcome</h1><a href="/shop">Shop</a> <a href="/opening-hours">When?</a></main>`)
		case "/sitemap.xml":
			fmt.Fprint(w, `<urlset><url><loc>https://bakery.example/recipes/rye-bread</loc></url><url><loc>https://bakery.example/shop</loc></url></urlset>`)
		default:
			http.NotFound(w, r)
		}
	})
	e, err := engine.New(engine.Options{Hosts: map[string]http.Handler{"bakery.example": bakery}, Render: engine.RenderNever})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer e.Close()
	site, err := e.Map(context.Background(), "https://bakery.example", engine.MapOptions{Search: "bread recipes"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, link := range site.Links {
		fmt.Println(strings.TrimSpace(link.URL + " " + link.Title))
	}
	// Output:
	// https://bakery.example/recipes/rye-bread
	// https://bakery.example/ The bakery
	// https://bakery.example/shop
	// https://bakery.example/opening-hours
}

// What a model reads of a long page fits its window: the part that a question is about, and the headings of the rest.
func ExampleScrapeOptions_budget() {
	manual := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, `<!DOCTYPE html><html lang="en"><title>Manual</title><main><h1>The oven</h1>`)
		for _, part := range []string{"Heating", "Cleaning", "Repair"} {
			fmt.Fprintf(w, "<h2>%s</h2><p>%s of the oven is done by two people, of whom one holds the door. %s</p>", part, part, strings.Repeat("It takes its time. ", 20))
		}
		fmt.Fprint(w, "</main>")
	})
	e, err := engine.New(engine.Options{Hosts: map[string]http.Handler{"bakery.example": manual}, Render: engine.RenderNever})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer e.Close()
	doc, err := e.Scrape(context.Background(), "https://bakery.example/manual", engine.ScrapeOptions{Budget: window.Budget{Tokens: 200, Query: "cleaning"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for line := range strings.Lines(doc.Markdown) {
		if strings.HasPrefix(line, "#") {
			fmt.Print(line)
		}
	}
	for _, s := range doc.Window.Outline {
		fmt.Println("not here:", s.Title)
	}
	// Output:
	// # The oven
	// ## Cleaning
	// not here: Heating
	// not here: Repair
}

// A page whose main content is unsure is fetched again as a whole: what one came for stands in its footer.
func ExampleScrapeOptions_leftOut() {
	bakery := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, `<!DOCTYPE html><html lang="en"><title>Visit us</title>
			<nav><a href="/">Home</a> <a href="/bread">Bread</a> <a href="/cakes">Cakes and pies</a> <a href="/mill">The mill</a> <a href="/jobs">Jobs</a> <a href="/press">Press</a></nav>
			<main><h1>Visit us</h1><div>Opening hours</div></main>
			<footer><p>Monday 7 to 18<br>Friday 6 to 13<br>closed in August</p></footer>`)
	})
	e, err := engine.New(engine.Options{Hosts: map[string]http.Handler{"bakery.example": bakery}, Render: engine.RenderNever})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer e.Close()
	const page, sure = "https://bakery.example/hours", 0.5
	doc, err := e.Scrape(context.Background(), page, engine.ScrapeOptions{LeftOut: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, l := range doc.LeftOut {
		fmt.Printf("%s: %d words, %q\n", l.Kind, l.Words, l.FirstLine)
	}
	if c := doc.Metadata.ContentConfidence; c != nil && *c < sure {
		if doc, err = e.Scrape(context.Background(), page, engine.ScrapeOptions{OnlyMainContent: new(false)}); err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Println(strings.Contains(doc.Markdown, "Friday 6 to 13"))
	// Output:
	// footer: 11 words, "Monday 7 to 18"
	// navigation: 9 words, "Home Bread Cakes and pies The mill Jobs Press"
	// true
}
