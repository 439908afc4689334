package main

import (
	"fmt"
	"html"
	"net/http"
	"strings"
)

// siteHost is the name of the built-in site.
const siteHost = "library.example"

// loanSchema is the form of the result.
const loanSchema = `{
  "type": "object",
  "properties": {
    "title": {"type": "string"},
    "onLoan": {"type": "boolean"},
    "until": {"type": ["string", "null"]}
  },
  "required": ["title", "onLoan"]
}`

// books are what the library has, by their titles in small letters.
var books = map[string]string{
	"atlas of tides":      "On loan until 3 March.",
	"harbours at night":   "On the shelf.",
	"the salt merchants":  "On loan until 19 May.",
	"winds of the strait": "On the shelf.",
}

// handler serves the site: the status of a book shows only when its title is looked up.
func handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		write(w, "Harbour library", `<p>Our reading room is open every day from nine to five, and the catalogue is open at any time.</p>
<ul><li><a href="/catalogue">The catalogue</a></li><li><a href="/rooms">Rooms</a></li></ul>`)
	})
	mux.HandleFunc("GET /rooms", func(w http.ResponseWriter, _ *http.Request) {
		write(w, "Rooms", "<p>There are three rooms, and one of them has a view of the harbour.</p>")
	})
	mux.HandleFunc("GET /catalogue", func(w http.ResponseWriter, _ *http.Request) {
		write(w, "Catalogue", `<form><label>Title <input name="title"></label> <button>Look up</button></form><p id="found">Nothing looked up yet.</p><script>
document.querySelector("form").onsubmit = async (e) => {
  e.preventDefault();
  const answer = await fetch("/status?title=" + encodeURIComponent(e.target.title.value));
  document.getElementById("found").textContent = await answer.text();
}</script>`)
	})
	mux.HandleFunc("GET /status", func(w http.ResponseWriter, r *http.Request) {
		asked := strings.ToLower(strings.TrimSpace(r.FormValue("title")))
		status, known := books[asked]
		if !known {
			status = "We have no such book."
		}
		fmt.Fprintf(w, "%s: %s", html.EscapeString(asked), status)
	})
	return mux
}

func write(w http.ResponseWriter, title, body string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, "<!doctype html><html lang=en><head><title>%s</title></head><body><main><h1>%s</h1>%s</main></body></html>", title, title, body)
}
