package browser

import (
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/playwright-community/playwright-go"
)

var readyRoutes = map[string]http.HandlerFunc{
	"/plain":     page(`<h1>here</h1>`),
	"/timers":    page(`<div id=a></div><script>setTimeout(() => setTimeout(() => { a.innerHTML = "<p>late</p>" }, 300), 300)</script>`),
	"/slowfetch": page(`<div id=a></div><script>fetch("/slow").then((r) => r.text()).then((t) => { a.innerHTML = "<p>late</p>" })</script>`),
	"/chunk":     page(`<div id=a>x</div><script>setTimeout(() => { const s = document.createElement("script"); s.src = "/slowscript"; document.body.append(s) }, 50)</script>`),
	"/module":    page(`<div id=a>x</div><script type=module>setTimeout(() => import("/slowscript"), 50)</script>`),
	"/slowscript": func(w http.ResponseWriter, r *http.Request) {
		pause(r, 500)
		w.Header().Set("Content-Type", "text/javascript")
		fmt.Fprint(w, `document.querySelector("#a").innerHTML = "<p>late</p>"`)
	},
	"/slowframe": page(`<p>x</p><script>setTimeout(() => { const f = document.createElement("iframe"); f.src = "/slowinner"; document.body.append(f) }, 100)</script>`),
	"/slowinner": func(w http.ResponseWriter, r *http.Request) {
		pause(r, 500)
		page(`<div id=a></div><script>fetch("/slow").then(() => { a.innerHTML = "<p>late</p>" })</script>`)(w, r)
	},
	"/skeleton": page(`<div id=a><div class="card skeleton-line" style="height:30px">&nbsp;</div></div><script>
		const w = new Worker(URL.createObjectURL(new Blob(["setTimeout(() => postMessage(1), 900)"])));
		w.onmessage = () => { a.innerHTML = "<p>late</p>" }</script>`),
	"/loadingtext": page(`<div id=a>Loading…</div><script>
		const w = new Worker(URL.createObjectURL(new Blob(["setTimeout(() => postMessage(1), 900)"])));
		w.onmessage = () => { a.innerHTML = "<p>late</p>" }</script>`),
	"/spinnerforever": page(`<p>text that stays</p><div class=spinner style="width:40px;height:40px"></div>`),
	"/hiddenspinner":  page(`<p>text that stays</p><div hidden class=spinner style="width:40px;height:40px"></div><img class="loading" src="/pixel" width=50 height=50>`),
	"/longpoll":       page(`<p>text that stays, and some more of it</p><script>const poll = () => fetch("/never").then(poll, poll); poll()</script>`),
	"/events":         page(`<p>text</p><script>new EventSource("/endless"); fetch("/endless").then((r) => r.body.getReader().read())</script>`),
	"/beacons":        page(`<p>text</p><script>navigator.sendBeacon("/never", "x"); fetch("/never", {method: "POST", keepalive: true})</script>`),
	"/counter":        page(`<p id=n>0</p><div id=a></div><script>setInterval(() => { n.textContent = +n.textContent + 1 }, 50); setTimeout(() => { a.innerHTML = "<p>late</p>" }, 300)</script>`),
	"/growing":        page(`<div id=a></div><script>setInterval(() => { a.append(document.createElement("p"), "some words to read") }, 10)</script>`),
	"/written":        page(`<div id=a></div><script>a.innerHTML = "<p>text</p>"</script>`),
	"/frames":         page(until(`const step = (done) => done() || requestAnimationFrame(() => step(done))`)),
	"/idle":           page(until(`const step = (done) => done() || requestIdleCallback(() => step(done))`)),
	"/interval":       page(until(`const step = (done) => { const id = setInterval(() => done() && clearInterval(id), 20) }`)),
	"/channel":        page(until(`const c = new MessageChannel(), step = (done) => { c.port1.onmessage = () => step(done); done() || c.port2.postMessage(0) }`)),
	"/message":        page(until(`const step = (done) => { onmessage = () => step(done); done() || postMessage(0) }`)),
	"/database":       page(until(`const step = (done) => { done() || (indexedDB.open("a").onsuccess = () => step(done)) }`)),
	"/transaction":    page(busyStore + `open.onsuccess = () => { hold(600); rows("readonly").get("b").onsuccess = () => { a.innerHTML = "<p>late</p>" } }</script>`),
	"/cursor": page(busyStore + `open.onsuccess = () => { rows("readwrite").put(1, "a"); hold(600);
		rows("readonly").openCursor().onsuccess = (e) => { const c = e.target.result; c ? c.continue() : a.innerHTML = "<p>late</p>" } }</script>`),
	"/stored": page(busyStore + `open.onsuccess = () => hold(1e9)</script>`),
	"/worker": page(until(`const w = new Worker(URL.createObjectURL(new Blob(["onmessage = () => postMessage(0); postMessage(0)"])));
		const step = (done) => { w.onmessage = () => done() || w.postMessage(0) }`)),
	"/onload": page(`<div id=a></div><script>onload = () => { a.innerHTML = "<p>text</p>"; setTimeout(() => a.append("late"), 100) }</script>`),
	"/opened": page(`<p>text</p><script>onload = () => { document.open(); document.write("<p>late</p>") }</script>`),
	"/inner":  page(`<p>text</p><iframe srcdoc="<p>inner</p>"></iframe>`),
	"/never":  func(_ http.ResponseWriter, r *http.Request) { _, _ = io.Copy(io.Discard, r.Body); pause(r, 15_000) },
}

// busyStore is a page with a database, in which hold lets what comes next wait for so many milliseconds.
const busyStore = `<p>text</p><div id=a></div><script>
	const open = indexedDB.open("a");
	open.onupgradeneeded = () => open.result.createObjectStore("s");
	const rows = (mode) => open.result.transaction("s", mode).objectStore("s");
	const hold = (time) => { const s = rows("readwrite"), begun = performance.now(), step = () => { performance.now() - begun < time && (s.put(0, "b").onsuccess = step) }; step() };
	`

// until is a page whose script takes steps of 0.08 s in all before it adds something.
func until(step string) string {
	return `<p>text</p><div id=a></div><script>` + step + `;
		const begun = performance.now();
		step(() => performance.now() - begun > 80 && (a.innerHTML = "<p>late</p>"))</script>`
}

// scripts are what has the text of a page before the page shows it.
var scripts = regexp.MustCompile(`(?s)<script.*?</script>`)

func TestWaitReady_countsWhatBringsContent(t *testing.T) {
	needsBrowser(t)
	leftToUnraced(t)
	s := newSite(t, newProxy(t).URL, readyRoutes)
	tests := []struct{ path, reason, text string }{
		{"/plain", "quiet", "here"},
		{"/timers", "quiet", "late"},
		{"/slowfetch", "quiet", "late"},
		{"/chunk", "quiet", "late"},
		{"/module", "quiet", "late"},
		{"/slowframe", "quiet", "late"},
		{"/skeleton", "quiet", "late"},
		{"/loadingtext", "quiet", "late"},
		{"/spinnerforever", "placeholder", "stays"},
		{"/hiddenspinner", "quiet", "stays"},
		{"/longpoll", "polling", "stays"},
		{"/events", "quiet", "text"},
		{"/beacons", "quiet", "text"},
		{"/opened", "quiet", "late"},
		{"/counter", "quiet", "late"},
		{"/growing", "cap", "words"},
		{"/written", "quiet", "text"},
		{"/frames", "quiet", "late"},
		{"/idle", "quiet", "late"},
		{"/interval", "quiet", "late"},
		{"/channel", "quiet", "late"},
		{"/message", "quiet", "late"},
		{"/database", "quiet", "late"},
		{"/transaction", "quiet", "late"},
		{"/cursor", "quiet", "late"},
		{"/stored", "quiet", "text"},
		{"/worker", "quiet", "late"},
		{"/onload", "quiet", "late"},
	}
	slots := make(chan struct{}, 4)
	for _, test := range tests {
		t.Run(test.path, func(t *testing.T) {
			t.Parallel()
			slots <- struct{}{}
			defer func() { <-slots }()
			p := open(t, PageOptions{Proxy: s.proxy})
			visit(t, p, s.URL+test.path)
			reason, err := p.WaitReady(testContext(t))
			if err != nil || reason != test.reason {
				t.Errorf("got %q %v, want %s", reason, err, test.reason)
			}
			contains(t, "content", scripts.ReplaceAllString(contentOf(t, p), ""), test.text)
		})
	}
}

// With the long wait so long that no page lives to its end, only those that the short one is enough for are ready.
func TestWaitReady_isShortWhereNothingMoreCanCome(t *testing.T) {
	needsBrowser(t)
	leftToUnraced(t)
	s := newSite(t, newProxy(t).URL, readyRoutes)
	script := strings.NewReplacer("QUIET = 150", "QUIET = 600000", "POLL_QUIET = 900", "POLL_QUIET = 600000").Replace(readyScript("patient"))
	for path, want := range map[string]string{
		"/plain": "quiet", "/written": "quiet", "/beacons": "quiet",
		"/frames": "cap", "/idle": "cap", "/interval": "cap", "/channel": "cap", "/message": "cap", "/database": "cap", "/worker": "cap",
		"/events": "cap", "/onload": "cap", "/inner": "cap", "/slowfetch": "cap",
	} {
		p := open(t, PageOptions{Proxy: s.proxy})
		if err := p.tab.Page.AddInitScript(playwright.Script{Content: &script}); err != nil {
			t.Fatal(err)
		}
		visit(t, p, s.URL+path)
		limit := map[string]int{"quiet": 20_000, "cap": 600}[want]
		got, err := p.tab.Page.Evaluate(fmt.Sprintf(`() => window.patient(%d)`, limit))
		if got != want {
			t.Errorf("%s: got %v %v, want %s", path, got, err, want)
		}
		_ = p.Close()
	}
}

// A document is looked at for placeholders however young it is.
func TestWaitReady_seesThePlaceholderOfAYoungDocument(t *testing.T) {
	needsBrowser(t)
	s := newSite(t, newProxy(t).URL, readyRoutes)
	script := strings.NewReplacer("CALM = 50", "CALM = 0", "PLACE_QUIET = 2500", "PLACE_QUIET = 0").Replace(readyScript("eager")) +
		`;document.addEventListener("DOMContentLoaded", () => eager(20000).then((word) => said = word))`
	p := open(t, PageOptions{Proxy: s.proxy})
	if err := p.tab.Page.AddInitScript(playwright.Script{Content: &script}); err != nil {
		t.Fatal(err)
	}
	visit(t, p, s.URL+"/spinnerforever")
	if got, err := p.tab.Page.Evaluate(`said`); got != "placeholder" {
		t.Errorf("got %v %v, want the placeholder", got, err)
	}
}
