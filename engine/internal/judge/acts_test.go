package judge

import (
	"testing"
	"time"
)

// fill puts content into the place of these tests.
const fill = `stock.textContent = "Seven pieces are left here"`

func scriptVerdict(t *testing.T, script string) Verdict {
	t.Helper()
	return weigh(t, library(), 200, "<main><h1>Grain</h1>"+words+"<button id=b class=more>More</button><p id=stock></p><ul id=list><li>first<li>second</ul></main><script>"+script+"</script>", nil)
}

// What only follows an act of a reader is not part of the page, however the script waits for it.
func TestJudge_whatFollowsAnActIsNotClaimed(t *testing.T) {
	for name, script := range map[string]string{
		"listener":              `b.addEventListener("click", () => { ` + fill + ` })`,
		"listener, by name":     `function more() { ` + fill + ` } b.addEventListener("click", more)`,
		"listener, a constant":  `const more = async () => { stock.innerHTML = await (await fetch("/x")).text() }; b.addEventListener("click", more)`,
		"listener, a method":    `class Shop { constructor() { b.addEventListener("click", this.more.bind(this)) } more() { this.show() } show() { ` + fill + ` } } new Shop()`,
		"listener, of an app":   `const app = { init() { b.addEventListener("click", () => this.more()) }, more() { ` + fill + ` } }; app.init()`,
		"each button":           `document.querySelectorAll("button").forEach(b => b.addEventListener("click", () => { ` + fill + ` }))`,
		"delegated":             `document.addEventListener("click", e => { if (e.target.matches(".more")) { ` + fill + ` } })`,
		"property":              `b.onclick = () => { ` + fill + ` }`,
		"property, by name":     `const more = () => { ` + fill + ` }; b.onclick = more`,
		"property, bound":       `const app = { more() { ` + fill + ` } }; b.onclick = app.more.bind(app)`,
		"jQuery":                `$("#b").on("click", function () { ` + fill + ` })`,
		"jQuery, short":         `$(function () { $("#b").click(function () { ` + fill + ` }) })`,
		"jQuery, delegated":     `function more() { ` + fill + ` } $(document).on("click", ".more", more)`,
		"jQuery, a map":         `$("#b").on({ click: function () { ` + fill + ` }, "mouseenter focus": function () { ` + fill + ` } })`,
		"jQuery, of old":        `$(".more").live("click", function () { ` + fill + ` }); $("main").delegate(".more", "click", function () { ` + fill + ` })`,
		"component":             `h("button", { onClick: () => { ` + fill + ` } })`,
		"hover":                 `b.addEventListener("mouseenter", () => { ` + fill + ` }); $("#b").hover(function () { ` + fill + ` })`,
		"key":                   `document.addEventListener("keydown", e => { ` + fill + ` })`,
		"submit":                `document.forms[0].addEventListener("submit", e => { fetch("/x").then(r => r.text()).then(t => { stock.innerHTML = t }) })`,
		"scroll":                `addEventListener("scroll", () => { ` + fill + ` }); $(window).scroll(function () { ` + fill + ` })`,
		"a timer after a click": `b.addEventListener("click", () => { setTimeout(() => { ` + fill + ` }, 3000) })`,
	} {
		if v := scriptVerdict(t, script); v.Choice != Static || len(v.Places)+len(v.Added) > 0 {
			t.Errorf("%s: got %s", name, v)
		}
	}
	for _, button := range []string{`<button onclick="more()">`, `<a href="javascript:more()">`, `<button onmouseover="more()">`} {
		if v := weigh(t, library(), 200, words+button+`More</button><p id=stock></p><script>function more() { `+fill+` }</script>`, nil); v.Choice != Static {
			t.Errorf("%s: got %s", button, v)
		}
	}
}

// The same runs where nothing has to happen before: at once, when the page is loaded, when a place comes into view.
func TestJudge_whatRunsByItselfCounts(t *testing.T) {
	for name, script := range map[string]string{
		"at once":           fill,
		"loaded":            `addEventListener("DOMContentLoaded", () => { ` + fill + ` })`,
		"and on a click":    `function more() { ` + fill + ` } b.addEventListener("click", more); more()`,
		"a method":          `class Shop { constructor() { b.addEventListener("click", () => this.more()); this.more() } more() { ` + fill + ` } } new Shop()`,
		"of a framework":    `createApp({ methods: { more() { ` + fill + ` } }, mounted() { this.more() } })`,
		"by a framework":    `register({ whatever() { ` + fill + ` } })`,
		"exported":          `export const more = () => { ` + fill + ` }`,
		"in view":           `new IntersectionObserver(es => { ` + fill + ` }).observe(b)`,
		"requested":         `fetch("/x").then(r => r.json()).then(a => { for (const i of a) { const li = document.createElement("li"); li.textContent = i; list.append(li) } })`,
		"main content":      `fetch("/x").then(r => r.text()).then(t => { document.querySelector("main").insertAdjacentHTML("beforeend", t) })`,
		"main, not fetched": `const p = document.createElement("p"); p.textContent = "Seven pieces are left here"; document.querySelector("main").append(p)`,
	} {
		if v := scriptVerdict(t, script); v.Choice != Dynamic || v.Late() != 0 {
			t.Errorf("%s: got %s", name, v)
		}
	}
}

// However a script waits, it is known for how long.
func TestJudge_timersAreKnown(t *testing.T) {
	const sleep = `const sleep = ms => new Promise(r => setTimeout(r, ms)); `
	for script, want := range map[string]time.Duration{
		`setTimeout(() => { ` + fill + ` }, 3000)`:                                               3 * time.Second,
		`setInterval(() => { ` + fill + ` }, 3000)`:                                              3 * time.Second,
		`let n = 0; const id = setInterval(() => { if (++n == 3) { ` + fill + ` } }, 1000)`:      3 * time.Second,
		`(async () => { await new Promise(r => setTimeout(r, 3000)); ` + fill + ` })()`:          3 * time.Second,
		`async function go() { await new Promise(r => setTimeout(r, 3000)); ` + fill + ` } go()`: 3 * time.Second,
		`await new Promise(r => setTimeout(() => r(1), 3000)); ` + fill:                          3 * time.Second,
		sleep + `(async () => { await sleep(1500); await sleep(1500); ` + fill + ` })()`:         3 * time.Second,
		sleep + `sleep(3000).then(() => { ` + fill + ` })`:                                       3 * time.Second,
		sleep + `const show = () => { ` + fill + ` }; sleep(3000).then(show)`:                    3 * time.Second,
		`function wait(n) { return new Promise(function (done) { setTimeout(done, n) }) } async function main() { await wait(4e3); show() } function show() { ` + fill + ` } main()`: 4 * time.Second,
		`const later = new Promise(r => setTimeout(r, 3000)); (async () => { await later; ` + fill + ` })()`:                                                                         3 * time.Second,
		`setTimeout(() => setTimeout(() => { ` + fill + ` }, 1500), 1500)`:                                                                                                           3 * time.Second,
		`function a() { setTimeout(b, 1500) } function b() { ` + fill + ` } setTimeout(a, 1500)`:                                                                                     3 * time.Second,
		`const DELAY = 3 * 1000; setTimeout(function () { ` + fill + ` }.bind(this), DELAY)`:                                                                                         3 * time.Second,
		`function show() { ` + fill + ` } setTimeout("show()", 3000)`:                                                                                                                3 * time.Second,
		`setTimeout("` + `stock.textContent = 'Seven pieces are left here'` + `", 3000)`:                                                                                             3 * time.Second,
		`const app = { go() { setTimeout(() => this.show(), 3000) }, show() { ` + fill + ` } }; app.go()`:                                                                            3 * time.Second,
		`requestIdleCallback(() => { ` + fill + ` })`:                                                                                                                                0,
		`setTimeout(() => { ` + fill + ` }, 500)`:                                                                                                                                    0,
		sleep + `(async () => { await sleep(3000); track() })(); ` + fill:                                                                                                            0,
		sleep + `(async () => { ` + fill + `; await sleep(3000) })()`:                                                                                                                0,
		`function show() { ` + fill + ` } show(); setTimeout(show, 3000)`:                                                                                                            0,
		`setTimeout(() => { document.body.append(item) }, 3000)`:                                                                                                                     3 * time.Second,
		`setTimeout(() => { const p = document.createElement("p"); p.textContent = "Seven pieces are left"; document.querySelector("main").append(p) }, 3000)`:                       3 * time.Second,
	} {
		if v := scriptVerdict(t, script); v.Choice != Dynamic || v.Late() != want {
			t.Errorf("%s: late by %s, want %s: %s", script, v.Late(), want, v)
		}
	}
	for _, script := range []string{`setTimeout(() => gtag("event", "read"), 3000)`, `setInterval(() => fetch("/alive"), 5000)`, `setTimeout(() => { document.body.classList.add("ready") }, 3000)`} {
		if v := scriptVerdict(t, script); v.Choice != Static || v.Late() != 0 {
			t.Errorf("%s: got %s", script, v)
		}
	}
}
