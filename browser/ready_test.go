package browser

import (
	"fmt"
	"io"
	"net/http"
	"testing"
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
	"/growing":        page(`<div id=a></div><script>setInterval(() => { a.append(document.createElement("p"), "some words to read") }, 60)</script>`),
	"/never":          func(_ http.ResponseWriter, r *http.Request) { _, _ = io.Copy(io.Discard, r.Body); pause(r, 15_000) },
}

func TestWaitReady_countsWhatBringsContent(t *testing.T) {
	needsBrowser(t)
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
		{"/counter", "quiet", "late"},
		{"/growing", "cap", "words"},
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
			contains(t, "content", contentOf(t, p), test.text)
		})
	}
}
