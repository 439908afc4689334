package main

import (
	"fmt"
	"io"
	"net/http"
)

// The built-in site is served within the program: no socket, no network.
const (
	siteHost = "granary.example"
	siteURL  = "https://" + siteHost + "/"
)

// sitePage is a page's title and content.
type sitePage struct{ title, body string }

// sitePages by path. /almanac is linked from nowhere: only the sitemap knows it. /ledger
// is what robots.txt forbids.
var sitePages = map[string]sitePage{
	"/": {"The granary", `<p>What is grown here, and how it is cleaned.</p>
<ul><li><a href="/grains/">Our grains</a></li><li><a href="/tools">Our tools</a></li>
<li><a href="/barn">The old barn</a></li><li><a href="/ledger">The ledger</a></li>
<li><a href="/lost">A page that is gone</a></li><li><a href="/seed">A sample</a></li>
<li><a href="https://museum.example/">The museum</a></li></ul>`},
	"/grains/": {"Grains", `<p>Three kinds: <a href="rye">rye</a>, <a href="spelt">spelt</a> and <a href="/grains/emmer?from=list">emmer</a>.</p>`},
	"/grains/rye": {"Rye", `<p>Rye grows on poor soil. Compare <a href="spelt">spelt</a>.</p>
<table><tr><th>Year</th><th>Sacks</th></tr><tr><td>2024</td><td>96</td></tr><tr><td>2025</td><td>88</td></tr></table>`},
	"/grains/spelt": {"Spelt | hulled", `<p>Spelt keeps its husk: it is <a href="/tools">winnowed</a> twice.</p>`},
	"/grains/emmer": {"Emmer", `<p>Emmer is older than any of the <a href="./">others</a>.</p>`},
	"/tools":        {"Tools", `<p>A <em>winnowing fan</em> parts grain from chaff; a sieve parts large from small.</p><p><a href="/">Back</a></p>`},
	"/new-barn":     {"The new barn", `<p>It was built where the old one stood.</p>`},
	"/almanac":      {"Almanac", `<p>Sow rye at the end of September.</p>`},
	"/ledger":       {"Ledger", `<p>Nobody's business.</p>`},
}

const (
	siteRobots = "User-agent: *\nDisallow: /ledger\nSitemap: " + siteURL + "sitemap.xml\n"
	siteMap    = `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` +
		`<url><loc>` + siteURL + `almanac</loc></url><url><loc>` + siteURL + `tools</loc></url></urlset>`
)

// serve serves the site.
func serve(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/robots.txt":
		body(w, "text/plain", siteRobots)
	case "/sitemap.xml":
		body(w, "application/xml", siteMap)
	case "/seed":
		body(w, "application/octet-stream", "\x00\x01\x02\x03 no page")
	case "/barn":
		http.Redirect(w, r, "/new-barn", http.StatusMovedPermanently)
	default:
		servePage(w, r)
	}
}

func servePage(w http.ResponseWriter, r *http.Request) {
	p, ok := sitePages[r.URL.Path]
	if !ok {
		http.NotFound(w, r)
		return
	}
	body(w, "text/html; charset=utf-8", fmt.Sprintf(`<!DOCTYPE html><html lang="en"><title>%s</title><main><h1>%s</h1>%s</main></html>`, p.title, p.title, p.body))
}

func body(w http.ResponseWriter, contentType, content string) {
	w.Header().Set("Content-Type", contentType)
	_, _ = io.WriteString(w, content) // a reader that went away is its own affair
}
