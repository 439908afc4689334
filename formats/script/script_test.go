package script

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"
)

// facts of a script as JSON, without its names.
func factsOf(t *testing.T, source string) string {
	t.Helper()
	f, err := Read(t.Context(), []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	f.Names = nil
	data, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestRead(t *testing.T) {
	for name, c := range map[string]struct{ source, want string }{
		"nothing":                {`let x = 1`, `{}`},
		"text of an element":     {`document.getElementById("price").textContent = data.price`, `{"writes":[{"place":"#price","source":"value"}]}`},
		"markup of a selector":   {`document.querySelector(".a .b").innerHTML += "<p>text"`, `{"writes":[{"place":".a .b","source":"literal"}]}`},
		"set to nothing":         {`document.querySelector(".a").innerHTML = ""`, `{}`},
		"the year":               {`document.querySelector(".y").textContent = new Date().getFullYear()`, `{"writes":[{"place":".y","source":"local"}]}`},
		"a text":                 {`document.querySelector(".a").innerHTML = "<p>We sell barley and oats"`, `{"writes":[{"place":".a","source":"value"}]}`},
		"a text, and the clock":  {`root.innerHTML = "<p>We sell barley and oats" + navigator.language`, `{"writes":[{"place":"#root","source":"value"}]}`},
		"the year in a variable": {`const y = new Date().getFullYear(); document.querySelector(".y").textContent = y`, `{"writes":[{"place":".y","source":"local"}]}`},
		"named access":           {`fetch("/a").then(r => r.json()).then(a => { tb.innerHTML = a })`, `{"requests":true,"writes":[{"place":"#tb","source":"value"}]}`},
		"a variable":             {`const el = document.querySelector("#x"); el.append(item)`, `{"writes":[{"place":"#x","source":"value"}]}`},
		"a variable, used above": {`function go() { el.innerHTML = text } let el = document.getElementById("x"); go()`, `{"writes":[{"place":"#x","source":"value"}]}`},
		"below an element":       {`const el = document.querySelector("#x"); el.querySelector("ul").innerHTML = list`, `{"writes":[{"place":"#x ul","source":"value"}]}`},
		"each of many":           {`document.querySelectorAll("[hx-get]").forEach(e => fetch(e.dataset.u).then(t => e.innerHTML = t))`, `{"requests":true,"writes":[{"place":"[hx-get]","source":"value"}]}`},
		"for of":                 {`for (const e of document.querySelectorAll(".c")) e.textContent = v`, `{"writes":[{"place":".c","source":"value"}]}`},
		"own finder":             {`const $1 = (s) => document.querySelector(s); $1(".x").innerHTML = h`, `{"writes":[{"place":".x","source":"value"}]}`},
		"jQuery":                 {`$(function () { $("#list").html(rows); $(".t").text("x"); $.getJSON("/u", f); $("#v").text() })`, `{"requests":true,"writes":[{"place":"#list","source":"value"},{"place":".t","source":"literal"}]}`},
		"jQuery, small":          {`t("#list").html(rows)`, `{"writes":[{"place":"#list","source":"value"}]}`},
		"jQuery load":            {`$("#x").load("/part")`, `{"requests":true,"writes":[{"place":"#x","source":"literal"}]}`},
		"appendTo":               {`$("<li>").appendTo("#x")`, `{"writes":[{"place":"#x","source":"value"}]}`},
		"React":                  {`ReactDOM.createRoot(document.getElementById("root")).render(e(App))`, `{"writes":[{"place":"#root","source":"mount"}]}`},
		"React, small":           {`(0,x.H)(document.getElementById("root")).render(z)`, `{"writes":[{"place":"#root","source":"handed"}]}`},
		"Vue":                    {`createApp(App).mount("#app")`, `{"writes":[{"place":"#app","source":"mount"}]}`},
		"Vue 2":                  {`new Vue({el: "#app"})`, `{"writes":[{"place":"#app","source":"mount"}]}`},
		"Svelte":                 {`new App({target: document.body})`, `{"writes":[{"place":"body","source":"mount"}]}`},
		"a script is added":      {`var s = document.createElement("script"); s.src = u; document.body.appendChild(s)`, `{}`},
		"XMLHttpRequest":         {`var r = new XMLHttpRequest(); r.open("GET", "/a")`, `{"requests":true}`},
		"events of a server":     {`new EventSource("/e")`, `{"requests":true}`},
		"axios":                  {`axios.get("/a")`, `{"requests":true}`},
		"beacons are none":       {`navigator.sendBeacon("/b")`, `{}`},
		"leaves":                 {`window.location.href = "/next"`, `{"leaves":true}`},
		"leaves, by method":      {`location.replace("/next")`, `{"leaves":true}`},
		"leaves, perhaps":        {`if (top !== self) top.location = self.location`, `{}`},
		"document.write":         {`document.write("<h1>Title</h1>")`, `{"document":true}`},
		"document.write, year":   {`document.write(new Date().getFullYear())`, `{}`},
		"document.write, script": {`document.write('<script src="' + u + '"><\/script>')`, `{}`},
		"written, in pieces":     {`document.write("<sc" + "ript src='" + u + "'></sc" + "ript>")`, `{}`},
		"written, as a template": {"document.write(`<script src=\"${u}\"><\\/script>`)", `{}`},
		"a tracker is started":   {`heap.load("1234"); analytics.load("a"); (window.ttq = []).load("b")`, `{}`},
		"into a style":           {`var t = document.createElement("style"); t.appendChild(document.createTextNode(css)); t.textContent = more`, `{}`},
		"into the head":          {`document.getElementsByTagName("head")[0].appendChild(item)`, `{}`},
		"a click":                {`b.addEventListener("click", () => { out.innerHTML = fetch("/x") })`, `{}`},
		"a click, by property":   {`b.onclick = function () { out.innerHTML = fetch("/x") }`, `{}`},
		"a click, by name":       {`function more() { out.innerHTML = fetch("/x") } b.addEventListener("click", more)`, `{"functions":{"more":{"requests":true,"writes":[{"place":"#out","source":"value"}]}}}`},
		"a click, and at once":   {`function more() { out.innerHTML = fetch("/x") } b.onclick = more; more()`, `{"requests":true,"writes":[{"place":"#out","source":"value"}]}`},
		"a click, jQuery":        {`$("#b").on("click", function () { $("#o").html(x) }); $("a").click(function () { $("#o").html(x) })`, `{}`},
		"when loaded":            {`addEventListener("DOMContentLoaded", () => { out.innerHTML = x })`, `{"writes":[{"place":"#out","source":"value"}]}`},
		"a timer":                {`setTimeout(() => { out.innerHTML = x }, 3000)`, `{"writes":[{"place":"#out","source":"value","after":3000000000}]}`},
		"a timer, by name":       {`function show() { out.innerHTML = x } setTimeout(show, 500)`, `{"writes":[{"place":"#out","source":"value","after":500000000}]}`},
		"for others":             {`function app() { return { async load() { this.ps = await (await fetch("/a")).json() } } }`, `{"functions":{"app":{"requests":true}}}`},
		"an element":             {`customElements.define("post-list", class extends HTMLElement { connectedCallback() { this.innerHTML = x } })`, `{"writes":[{"place":"","source":"value"}],"elements":["post-list"]}`},
		"an element, by name":    {`class A extends HTMLElement { connectedCallback() { this.append(x) } } customElements.define("a-b", A)`, `{"writes":[{"place":"","source":"value"}],"elements":["a-b"]}`},
		"an element that waits":  {`customElements.define("a-b", class extends HTMLElement { get x() { return 1 } })`, `{}`},
		"imports":                {`import a from "./a.js"; import "b"; import("./c.js")`, `{"imports":["./a.js","b","./c.js"]}`},
		"a module":               {`import { h } from "./x.js"; export const a = 1; document.querySelector("#x").replaceChildren(h(a))`, `{"writes":[{"place":"#x","source":"value"}],"imports":["./x.js"]}`},
		"does not parse":         {`let = ; fetch("/x"); document.getElementById("list") +`, `{"requests":true,"writes":[{"place":"#list","source":"handed"}],"tokens":true}`},
	} {
		if got := factsOf(t, c.source); got != c.want {
			t.Errorf("%s: %s\n got %s\nwant %s", name, c.source, got, c.want)
		}
	}
}

func TestMentions(t *testing.T) {
	f, err := Read(t.Context(), []byte(`x("app-root", '#list', ".rows", "two words", "9a", "`+strings.Repeat("a", 65)+`")`))
	if err != nil || len(f.Names) != 3 || !f.Mentions("app-root") || !f.Mentions("#list") || f.Mentions("list") {
		t.Errorf("got %q, %v", f.Names, err)
	}
}

func TestRead_endsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Read(ctx, []byte("x")); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// Nothing in a script makes its reading take longer than its length allows, or its stack grow without bound.
func TestRead_shapes(t *testing.T) {
	for name, source := range map[string]string{
		"chain of finds":   `$("a")` + strings.Repeat(`.find("b")`, MaxSize/12) + `.html(x)`,
		"chain of names":   "a" + strings.Repeat(".b", MaxSize/3),
		"nested calls":     strings.Repeat("x.append(", MaxSize/12) + strings.Repeat(")", MaxSize/12),
		"parentheses":      strings.Repeat("(", MaxSize-1),
		"functions":        strings.Repeat("function f(){", MaxSize/16) + strings.Repeat("}", MaxSize/16),
		"sums":             "x.innerHTML=" + strings.Repeat("a+", MaxSize/3) + "a",
		"assignments":      strings.Repeat("a.innerHTML=", MaxSize/13) + "b",
		"larger than read": strings.Repeat(" ", MaxSize) + "fetch()",
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := Read(t.Context(), []byte(source)); err != nil {
				t.Error(err)
			}
		})
	}
}

// A script with one statement many times over is read in time that grows with it.
func BenchmarkRead(b *testing.B) {
	source := []byte(strings.Repeat(`document.getElementById("x"+i).innerHTML=f(function(e){return e.map(g)});`, 4000))
	b.SetBytes(int64(len(source)))
	for b.Loop() {
		if _, err := Read(b.Context(), source); err != nil {
			b.Fatal(err)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{`fetch("/a").then(r=>{x.innerHTML=r})`, `$("#a").html(b)`, `let = ;`, "`${a}`", `class A{#x=1}`, `customElements.define("a-b",class{})`,
		`document.write("<p>")`, `setTimeout(f,1e99)`, `/re/g.test(x)`, `a?.b?.[c]??d`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, source []byte) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		facts, err := Read(ctx, source)
		if err != nil {
			t.Fatal(err)
		}
		if len(facts.Names) > maxNames {
			t.Errorf("%d names", len(facts.Names))
		}
	})
}
