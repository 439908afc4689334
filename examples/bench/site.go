//go:build linux

package main

import (
	"fmt"
	"net"
	"net/http"
	"strings"
)

// site is what the peers get their pages from, on this machine.
type site struct{ address string }

// serveSite starts the site.
func serveSite() (s site, stop func(), err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return s, nil, err
	}
	server := &http.Server{Handler: siteHandler()}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = server.Serve(l)
	}()
	return site{"http://" + l.Addr().String()}, func() {
		_ = server.Close()
		<-done
	}, nil
}

// round is a round of pages that have not been requested before.
func (s site) round(n int, peer string, o settings) round {
	kind := "for"
	if o.static {
		kind = "static"
	}
	index := fmt.Sprintf("%s/%s/%s/%d/%d/", s.address, kind, peer, n, o.pages)
	r := round{Index: index, Pages: o.pages, Parallel: o.parallel}
	if o.static {
		return r // they are found by their links
	}
	for i := range o.pages {
		r.URLs = append(r.URLs, fmt.Sprintf("%spage/%d", index, i))
	}
	return r
}

// appScript makes a page's content: 200 rows.
const appScript = `const list = document.getElementById("list");
for (let i = 0; i < 200; i++) {
	const li = document.createElement("li");
	const a = document.createElement("a");
	a.href = "#" + i;
	a.textContent = "row " + i;
	li.append(a, " of ", location.pathname, ", with some words so that it is more than a link");
	list.append(li);
}`

const pageHTML = `<!doctype html><title>%[1]s</title><meta name=description content="A page of the benchmark"><link rel=stylesheet href=/style.css>
<nav><a href="%[2]s">All pages</a></nav><main><h1>%[1]s</h1><p>What follows is made by a script.</p>
<img src="/picture/1%[1]s.png"><img src="/picture/2%[1]s.png"><img src="/picture/3%[1]s.png"><ul id=list></ul>%[3]s</main><script src=/app.js></script>`

func siteHandler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/for/{peer}/{round}/{pages}/page/{n}", func(w http.ResponseWriter, r *http.Request) { writePage(w, r, "../", "") })
	mux.HandleFunc("/for/{peer}/{round}/{pages}/{$}", func(w http.ResponseWriter, r *http.Request) {
		var links strings.Builder
		n := 0
		_, _ = fmt.Sscan(r.PathValue("pages"), &n)
		for i := range n {
			fmt.Fprintf(&links, `<a href="page/%d">Page %[1]d</a> `, i)
		}
		writePage(w, r, ".", links.String())
	})
	handleStatic(mux)
	answer := func(path, media, body string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", media)
			fmt.Fprint(w, body)
		})
	}
	answer("/style.css", "text/css", "li { color: #333; padding: 2px }")
	answer("/app.js", "text/javascript", appScript)
	answer("/picture/", "image/png", strings.Repeat("x", 30_000))
	return mux
}

func writePage(w http.ResponseWriter, r *http.Request, index, extra string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, pageHTML, r.URL.Path, index, extra)
}
