//go:build linux

package main

import (
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"
)

// The sizes of static pages, log-uniform, some 43 kB on the mean.
const (
	minStatic = 2 << 10
	maxStatic = 200 << 10
)

// pageLinks is how many links a static page has in its text.
const pageLinks = 30

// handleStatic adds pages without scripts, which are reached from their index, to the site.
func handleStatic(mux *http.ServeMux) {
	mux.HandleFunc("/static/{peer}/{round}/{pages}/{$}", func(w http.ResponseWriter, r *http.Request) {
		pages, _ := strconv.Atoi(r.PathValue("pages"))
		writeStatic(w, "Index", 0, min(pages, pageLinks), func(i int) int { return i })
	})
	mux.HandleFunc("/static/{peer}/{round}/{pages}/{n}", func(w http.ResponseWriter, r *http.Request) {
		pages, _ := strconv.Atoi(r.PathValue("pages"))
		n, err := strconv.Atoi(r.PathValue("n"))
		if err != nil || n < 0 || n >= pages {
			http.NotFound(w, r)
			return
		}
		share := float64(n*7919%pages) / float64(pages)
		size := minStatic * math.Pow(float64(maxStatic)/minStatic, share)
		writeStatic(w, "Page "+strconv.Itoa(n), int(size), pageLinks, func(i int) int { return (n*pageLinks + i + 1) % pages })
	})
}

// staticText is a paragraph between links.
const staticText = `<p>The miller weighs <em>%d</em> sacks of barley before noon, and writes down what each of them brought; a clerk reads the list ` +
	`aloud, <a href="%d">line %d</a>, while others carry the grain to the upper floor, where it stays dry until the first frost.</p>`

// writeStatic writes a page of about so many bytes. to is where a link leads.
func writeStatic(w http.ResponseWriter, title string, size, links int, to func(int) int) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	var b strings.Builder
	fmt.Fprintf(&b, `<!doctype html><html lang=en><title>%s</title><meta name=description content="A page of the benchmark"><nav><ul>`, title)
	for i := range 8 {
		fmt.Fprintf(&b, `<li><a href="./#%d">Part %[1]d</a>`, i)
	}
	fmt.Fprintf(&b, `</ul></nav><main><h1>%s</h1>`, title)
	for i := 0; i < links || b.Len() < size; i++ {
		fmt.Fprintf(&b, staticText, 3*i+1, to(i%links), i)
		if i%10 == 9 {
			fmt.Fprintf(&b, `<h2>Part %d</h2><ul><li>one sack<li>two sacks<li>three</ul><table><tr><th>Grain<th>Sacks<tr><td>Barley<td>%d</table>`, i/10, i)
		}
	}
	fmt.Fprintf(&b, `<p>%s</p></main><footer><p>Printed on recycled electrons.</footer>`, last)
	fmt.Fprint(w, b.String())
}
