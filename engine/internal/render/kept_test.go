package render

import (
	"reflect"
	"testing"

	"github.com/winnow-go/winnow/engine/internal/page"
	"github.com/winnow-go/winnow/formats"
)

func htmlPage() *page.Page {
	return &page.Page{
		URL: "https://a.example/dir/", MediaType: "text/html", ContentType: "text/html; charset=utf-8",
		Body: []byte(`<html lang=en><title>Barley</title><meta name=odd content=x><nav><a href="/a">A</a></nav>` +
			`<main><h1>Barley &amp; oats</h1><p>Four <b>sacks</b> lie in the <a href="dry">dry</a>. <img src=i.png></main>`),
	}
}

func TestPack_givesBackWhatItWasGiven(t *testing.T) {
	all := Request{PageLinks: true, Options: formats.Options{
		Formats:         []formats.Type{formats.Markdown, formats.HTML, formats.RawHTML, formats.Links, formats.Images, formats.Attributes},
		OnlyMainContent: true, LeftOut: true, Selectors: []formats.Selector{{Selector: "a", Attribute: "href"}},
	}}
	for name, r := range map[string]Request{"all": all, "little": {Options: formats.Options{Formats: []formats.Type{formats.Markdown}}}} {
		want, err := Render(t.Context(), htmlPage(), &r)
		if err != nil {
			t.Fatal(err)
		}
		k := pack(want)
		if got, err := k.unpack(nil); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, %v, want %+v", name, got.Output, err, want.Output)
		}
		if want.Markdown == "" || r.PageLinks != (want.PageLinks != nil) || r.PageLinks && len(*want.PageLinks) != 2 {
			t.Errorf("%s: the output itself has changed: %+v", name, want)
		}
	}
}

// A job's pages are not parsed again where the cache has their outputs, and a single scrape shares those.
func TestCache_keepsOutputsOfJobs(t *testing.T) {
	c, r := NewCache(""), Request{OfJob: true, Options: formats.Options{Formats: []formats.Type{formats.Markdown}}}
	first, err := c.Make(t.Context(), htmlPage(), &r)
	if err != nil || c.Count() != 1 {
		t.Fatalf("%d kept, %v", c.Count(), err)
	}
	for _, r.OfJob = range []bool{true, false} {
		src := htmlPage()
		got, err := c.Make(t.Context(), src, &r)
		if err != nil || src.DOM != nil || !reflect.DeepEqual(got, first) {
			t.Errorf("of a job %t: parsed %t, %+v, %v", r.OfJob, src.DOM != nil, got, err)
		}
	}
	if c.Forget(); c.Count() != 0 || c.Bytes() != 0 {
		t.Errorf("%d are left", c.Count())
	}
}

// What a crawl compares pages by is known of pages and of files.
func TestRender_sumsUpWhatACrawlGets(t *testing.T) {
	sum := func(body, mediaType string, links bool) string {
		t.Helper()
		m, err := Render(t.Context(), &page.Page{URL: "https://a.example/", MediaType: mediaType, Body: []byte(body)}, &Request{PageLinks: links})
		if err != nil {
			t.Fatal(err)
		}
		return m.PageSum
	}
	const html, file = "text/html", "video/mp4"
	if one := sum("<p>one", html, true); one == "" || one != sum("<div>one</div>", html, true) || one == sum("<p>two", html, true) {
		t.Errorf("pages: %q", one)
	}
	const shown = `<title>One</title><p>Text of <a href="/a?sid=1">a link</a> <img src="/i.png?sid=1"><script>var sid = 1</script>`
	for body, same := range map[string]bool{
		`<title>One</title><p class="x">Text of <a href="/a?sid=2">a link</a>  <img src="/i.png?sid=2"><script>var sid = 2</script><!-- 2 -->`: true,
		`<title>Two</title><p>Text of <a href="/a?sid=1">a link</a> <img src="/i.png?sid=1">`:                                                  false,
		`<title>One</title><p>Text of <a href="/a?sid=1">the link</a> <img src="/i.png?sid=1">`:                                                false,
		`<title>One</title><p>Text of <a href="/a?sid=1">a link</a> <img src="/j.png?sid=1">`:                                                  false,
	} {
		if (sum(body, html, true) == sum(shown, html, true)) != same {
			t.Errorf("%s is the same: %t", body, !same)
		}
	}
	if one := sum("1", file, true); one == "" || one == sum("2", file, true) {
		t.Errorf("files: %q", one)
	}
	if got := sum("<p>one", html, false); got != "" {
		t.Errorf("where no crawl wants it: %q", got)
	}
}
