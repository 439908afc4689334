package main

import (
	"fmt"
	"net/http"
	"sync/atomic"
)

// newBakery returns the app: a page, and the orders that it sends.
func newBakery() http.Handler {
	var orders, visitors atomic.Int64
	m := http.NewServeMux()
	m.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, bakeryPage, visitors.Add(1))
	})
	m.HandleFunc("GET /favicon.ico", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusNoContent) })
	m.HandleFunc("POST /orders", func(w http.ResponseWriter, r *http.Request) {
		if r.FormValue("name") == "" {
			http.Error(w, "who is it for?", http.StatusUnprocessableEntity)
			return
		}
		fmt.Fprintf(w, "Order %d for %s", orders.Add(1), r.FormValue("name"))
	})
	return m
}

// bakeryPage has a loaf whose offer ends ten minutes after the page was opened.
const bakeryPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>The bakery</title>
<style>
body { font-family: system-ui, sans-serif; max-width: 30rem; margin: 2rem auto; color: #222 }
button { background: #7a3e00; color: white; border: 0; border-radius: 4px; padding: .4rem 1rem; transition: background .3s }
#offer { background: #fff2dd; padding: .5rem }
#steam { width: 12px; height: 24px; background: #bbb; animation: rise 2s linear infinite }
@keyframes rise { to { transform: translateY(-8px) } }
</style>
<main>
<h1>Rye bread</h1>
<div id="steam"></div>
<p id="offer"></p>
<form id="form"><label>Name <input id="name"></label> <button>Order</button></form>
<p id="order" role="status"></p>
<p>Visitor <span id="visitors">%d</span></p>
</main>
<script>
const find = (id) => document.getElementById(id), end = Date.now() + 600_000
const offer = () => {
	const left = end - Date.now()
	find("offer").textContent = left > 0 ? "3 € instead of 4 €, until " + new Date(end).toISOString().slice(11, 16) : "4 €"
}
offer()
setInterval(offer, 1000)
find("form").onsubmit = async (event) => {
	event.preventDefault()
	const answer = await fetch("/orders", { method: "POST", body: new URLSearchParams({ name: find("name").value }) })
	if (!answer.ok) console.error("the order was refused")
	find("order").textContent = await answer.text()
}
</script>
</html>
`
