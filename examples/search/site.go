package main

import (
	"fmt"
	"net/http"
)

const siteHost = "granary.example"

// pages are the built-in site.
var pages = map[string]string{
	"/":       `<title>The granary</title><h1>The granary</h1><p>What lies where, and since when.</p><a href="/barley">Barley</a> <a href="/oats">Oats</a> <a href="/mice">Mice</a>`,
	"/barley": `<title>Barley</title><h1>Barley</h1><p>Forty sacks of barley came in September and lie in the dry loft above the mill.</p>`,
	"/oats":   `<title>Oats</title><h1>Oats</h1><p>The oats were threshed late this year and lie beside the barley.</p>`,
	"/mice": `<title>Mice</title><meta property="og:type" content="article"><h1>Mice</h1><time datetime="2026-07-25">25 July</time>
<p>Two cats look after the mice. Nobody has asked the mice.</p><img src="/cats.png" alt="Two cats on a sack" width="320" height="180">`,
}

func serve(w http.ResponseWriter, r *http.Request) {
	page, ok := pages[r.URL.Path]
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, `<!DOCTYPE html><html lang="en"><main>%s</main></html>`, page)
}
