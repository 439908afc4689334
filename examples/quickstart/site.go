package main

import (
	"fmt"
	"io"
	"net/http"

	"github.com/winnow-go/winnow/formats"
)

// siteHost is the virtual host that the built-in site lives on: no socket, DNS or
// certificate is behind it.
const siteHost = "mill.example"

// sitePages are its pages. Without other formats, only the scripted page
// wants a screenshot, so that the others show how far plain HTTP goes.
func sitePages(asked []formats.Format) []page {
	pages := []page{{url: "/scripted"}, {url: "/article"}, {url: "/table"}}
	for i := range pages {
		pages[i].url = "https://" + siteHost + pages[i].url
		pages[i].formats = asked
	}
	if asked == nil {
		pages[0].formats = []formats.Format{{Type: formats.Markdown}, {Type: formats.Screenshot}}
	}
	return pages
}

// handler serves the three pages, and what the scripted one fetches after a delay.
func handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /scripted", html(scriptedPage))
	mux.HandleFunc("GET /article", html(articlePage))
	mux.HandleFunc("GET /table", html(tablePage))
	mux.HandleFunc("GET /stock.json", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `[{"grain":"Spelt","sacks":42},{"grain":"Rye","sacks":17},{"grain":"Emmer","sacks":8}]`)
	})
	return mux
}

func html(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		io.WriteString(w, body)
	}
}

const frame = `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>%s</title>
<meta name="description" content="%s">
<style>body{font:16px/1.5 sans-serif;max-width:42em;margin:2em auto;padding:0 1em}nav a{margin-right:1em}
table{border-collapse:collapse}td,th{border:1px solid #999;padding:.3em .8em}footer{color:#777;margin-top:3em}</style></head>
<body><nav><a href="/scripted">Stock</a><a href="/article">About winnowing</a><a href="/table">Yields</a></nav>
%s
<footer>The Mill, 1 Stream Lane. <a href="/imprint">Imprint</a></footer></body></html>`

var (
	scriptedPage = fmt.Sprintf(frame, "The mill's stock", "What lies in the mill today.", `<main id="app"></main>
<script>
setTimeout(async () => {
  const stock = await (await fetch("/stock.json")).json();
  document.querySelector("#app").innerHTML = "<h1>In stock today 今日の在庫</h1><p>This list was put in by a script, after a delay.</p><ul>" +
    stock.map(s => "<li><strong>" + s.grain + "</strong>: " + s.sacks + " sacks</li>").join("") + "</ul>";
}, 300);
</script>`)

	articlePage = fmt.Sprintf(frame, "On winnowing", "How chaff is parted from grain.", `<main><article><h1>On winnowing</h1>
<p>Winnowing parts grain from chaff. The threshed harvest is thrown into the air on a windy day: the light husks drift away, the heavy kernels fall straight back into the basket.</p>
<h2>What one needs</h2><ul><li>a flat basket or a <em>winnowing fan</em></li><li>a steady breeze, neither calm nor gale</li><li>patience</li></ul>
<h2>What a machine does</h2><p>Since the eighteenth century a fan in a box has made the wind. The grain passes <a href="/table">several sieves</a>, and each falls where its weight takes it. The idea stayed the same: let a current of air judge.</p>
<blockquote><p>Throw it up, and let the wind decide.</p></blockquote>
<pre><code class="language-go">doc, err := e.Scrape(ctx, "https://example.com/", engine.ScrapeOptions{})
</code></pre></article></main>`)

	tablePage = fmt.Sprintf(frame, "Yields by field", "Three fields in two years.", `<main><h1>Yields by field</h1>
<p>In sacks a field, after winnowing.</p><table><thead><tr><th>Field</th><th>2024</th><th>2025</th></tr></thead>
<tbody><tr><td>Brook</td><td>120</td><td>131</td></tr><tr><td>Hill</td><td>96</td><td>88</td></tr><tr><td>Ford</td><td>143</td><td>150</td></tr></tbody></table></main>`)
)
