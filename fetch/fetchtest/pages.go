package fetchtest

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"net/http"
	"strconv"
	"strings"
)

// ArticleText is a sentence that stands in /article's main content only.
const ArticleText = "Winnowing is the oldest way to part grain from chaff."

// JSText is what the script of /js and /spa puts in.
const JSText = "This paragraph was written by a script after the page had loaded."

const frame = `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>%s</title></head>
<body><nav><a href="/article">Article</a> <a href="/table">Table</a> <a href="/links">Links</a></nav>
<main>%s</main>
<footer>Printed on recycled electrons. <a href="/meta">About</a></footer></body></html>
`

func framed(title, main string) string { return fmt.Sprintf(frame, title, main) }

func page(body func(*http.Request) string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, body(r))
	}
}

func typed(contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		_, _ = io.WriteString(w, body)
	}
}

func articlePage(*http.Request) string {
	var b strings.Builder
	b.WriteString("<article><h1>On winnowing</h1>\n<p>" + ArticleText + "</p>\n")
	for _, p := range []string{
		"The threshed heap is thrown against the wind from a wide basket; the heavy grain falls back, the light husks fly off, and what is left on the cloth is worth keeping.",
		"Farmers waited days for a <em>steady</em> breeze. A gust carries the grain away too, and a lull leaves the dust where it was, so patience was the larger part of the craft.",
		"In the eighteenth century the <a href=\"/table\">winnowing fan</a> brought its own wind: a crank, four wooden vanes and a set of sieves did in an hour what had taken a day.",
		"Its inventor, it is said, never saw a field. He had watched a miller blow flour from a table with a folded newspaper and drawn the rest in one evening.",
	} {
		b.WriteString("<p>" + p + "</p>\n")
	}
	b.WriteString("<ul><li>grain</li><li>chaff</li><li>straw</li></ul>\n<pre><code>heap -> wind -> grain</code></pre></article>")
	return framed("On winnowing", b.String())
}

func tablePage(*http.Request) string {
	return framed("Harvest", `<h1>Harvest</h1><table><thead><tr><th>Year</th><th>Grain</th><th>Tons</th></tr></thead><tbody>
<tr><td>1786</td><td>Barley</td><td>12</td></tr><tr><td>1787</td><td>Oats | rye</td><td>9</td></tr>
<tr><td>1788</td><td>Wheat</td><td>31</td></tr></tbody></table>`)
}

func jsPage(r *http.Request) string {
	return framed("Scripted", fmt.Sprintf(`<div id="late"></div><script>setTimeout(function () {
  var p = document.createElement("p"); p.id = "done"; p.textContent = %q;
  document.getElementById("late").appendChild(p);
}, %d)</script>`, JSText, number(r, "ms", 200, 60_000)))
}

func spaPage(*http.Request) string {
	return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>App</title></head>
<body><noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div><script src="/app.js"></script></body></html>`
}

func script(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
	fmt.Fprintf(w, `document.getElementById("root").innerHTML = "<h1>App</h1><p>" + %q + "</p><a href='/article'>Article</a>";`, JSText)
}

func linksPage(*http.Request) string {
	return framed("Links", `<h1>Links</h1><p><a href="/article">absolute path</a> <a href="table">relative</a>
<a href="?page=2">query</a> <a href="#part">fragment</a> <a href="//example.com/other">no scheme</a>
<a href="https://example.com/a%20b?x=1&amp;y=2">elsewhere</a> <a href="mailto:a@example.com">mail</a>
<a href="javascript:void(0)">script</a> <a href="/article">again</a> <a href="">empty</a> <a>none</a></p><h2 id="part">Part</h2>`)
}

func imagesPage(*http.Request) string {
	return framed("Images", `<h1>Images</h1><img src="/png" alt="a dot" width="2" height="2">
<img srcset="/png?w=320 320w, /png?w=640 640w" src="/png?w=160" alt="sizes"><img data-src="/png?lazy" alt="lazy">
<picture><source srcset="/png?wide" media="(min-width: 800px)"><img src="/png?narrow" alt="picture"></picture>
<img src="data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=" alt="inline">`)
}

func metaPage(*http.Request) string {
	return `<!DOCTYPE html><html lang="de-AT"><head><meta charset="utf-8"><title>Über Worfeln</title>
<meta name="description" content="Alles über das Worfeln."><meta name="keywords" content="Korn, Spreu"><meta name="robots" content="index,follow">
<meta property="og:title" content="Worfeln"><meta property="og:description" content="OG-Text"><meta property="og:image" content="/png">
<meta property="og:url" content="/meta"><meta property="og:site_name" content="Scheune"><meta property="og:locale" content="de_AT">
<meta property="og:locale:alternate" content="en_GB"><meta property="og:locale:alternate" content="fr_FR">
<meta property="article:published_time" content="2024-02-29T12:00:00Z"><meta property="article:section" content="Handwerk"><meta property="article:tag" content="Ernte">
<meta name="dc.date" content="2024-02-29"><meta name="dcterms.created" content="2024-02-28"><meta name="custom" content="one"><meta name="custom" content="two">
<link rel="canonical" href="/meta?canonical"><link rel="icon" href="/png"></head><body><main><h1>Über Worfeln</h1><p>Kurzer Text.</p></main></body></html>`
}

func deep(w http.ResponseWriter, r *http.Request) {
	n := number(r, "n", 1000, 200_000)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = io.WriteString(w, strings.Repeat("<div>", n)+"<p>at the bottom</p>"+strings.Repeat("</div>", n))
}

// lying serves a body of one kind under the type of another.
func lying(w http.ResponseWriter, r *http.Request) {
	bodies := map[string]string{
		"html": framed("Lie", "<p>html</p>"), "pdf": onePagePDF(), "png": onePNG(), "json": `{"a":1}`, "text": "just text",
	}
	if as := r.URL.Query().Get("as"); as != "" {
		w.Header().Set("Content-Type", as)
	} else {
		w.Header()["Content-Type"] = nil // none at all, not even the server's guess
	}
	_, _ = io.WriteString(w, bodies[r.URL.Query().Get("kind")])
}

// number reads a query parameter between 0 and limit.
func number(r *http.Request, name string, fallback, limit int) int {
	n, err := strconv.Atoi(r.URL.Query().Get(name))
	if err != nil || n < 0 {
		return fallback
	}
	return min(n, limit)
}

func onePNG() string {
	img := image.NewRGBA(image.Rect(0, 0, 2, 2))
	img.Set(0, 0, color.RGBA{R: 200, A: 255})
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		panic(err) // of a fixed picture: can't happen
	}
	return b.String()
}

// onePagePDF is a PDF of one page with a line of text.
func onePagePDF() string {
	stream := "BT /F1 24 Tf 72 720 Td (A page of PDF) Tj ET"
	objects := []string{
		"<< /Type /Catalog /Pages 2 0 R >>",
		"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
		fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(stream), stream),
		"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
	}
	var b, xref strings.Builder
	b.WriteString("%PDF-1.4\n")
	for i, o := range objects {
		fmt.Fprintf(&xref, "%010d 00000 n \n", b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n%strailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n",
		len(objects)+1, xref.String(), len(objects)+1, start)
	return b.String()
}
