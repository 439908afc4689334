package sites

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/winnow-go/winnow/engine"

	"github.com/coder/websocket"

	"github.com/winnow-go/winnow/fetch/archive/recording"
)

// clockPage shows the time, and what is random, in each way that a page has.
const clockPage = `<!doctype html><title>Clock</title><main></main><script>
const slots = ["date", "text", "intl", "parts", "temporal", "origin", "modified", "random", "uuid", "bytes", "frame", "worker", "blob", "data",
	"module", "debounced", "polled", "waited", "jar", "late", "socket"];
document.querySelector("main").innerHTML = slots.map(s => "<p>" + s + ": <span id=" + s + "></span></p>").join("");
const show = (slot, value) => { document.getElementById(slot).textContent = value; };
show("date", new Date().toISOString());
show("text", Date());
const format = new Intl.DateTimeFormat("en", { dateStyle: "long", timeStyle: "medium", timeZone: "UTC" });
show("intl", format.format());
show("parts", format.formatToParts().map(p => p.value).join(""));
show("temporal", self.Temporal ? Temporal.Now.instant().toString().slice(0, 19) : "");
show("origin", new Date(performance.timeOrigin).toISOString().slice(0, 19) + (performance.now() < 1000));
show("modified", document.lastModified);
show("random", Math.random() + " " + Math.random());
show("uuid", crypto.randomUUID?.());
show("bytes", crypto.getRandomValues(new Uint16Array(4)).join());
addEventListener("message", e => show("frame", e.data));
const code = 'postMessage(new Date().toISOString() + " " + Math.random())';
const hear = (slot, address, options) => { new Worker(address, options).onmessage = e => show(slot, e.data); };
const blob = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
hear("blob", blob);
URL.revokeObjectURL(blob);
hear("worker", "/worker.js");
hear("module", "/module.js", { type: "module" });
hear("data", "data:text/javascript;base64," + btoa(code));
const began = Date.now();
let late = 0;
const debounced = () => { Date.now() - began < 300 ? setTimeout(debounced, 300 - (Date.now() - began)) : show("debounced", "yes"); };
setTimeout(debounced, 300);
(async () => { while (Date.now() - began < 200) await new Promise(r => setTimeout(r, 50)); show("polled", "yes"); })();
while (Date.now() - began < 20);
show("waited", "yes");
document.cookie = "c=1; expires=" + new Date(Date.now() + 60e3).toUTCString();
show("jar", document.cookie.includes("c=1"));
setInterval(() => show("late", new Date().toISOString().slice(0, 19)), 1000);
const socket = new WebSocket(location.origin.replace("http", "ws") + "/socket");
const heard = [];
socket.onmessage = e => { heard.push(e.data); show("socket", heard.join(" ")); if (e.data < "3") socket.send("after " + e.data); };
</script><iframe src="/frame"></iframe>`

// clockSite serves clockPage; clients counts those who open its websocket.
func clockSite(clients *atomic.Int64) http.Handler {
	m := http.NewServeMux()
	serve := func(path, media, body string) {
		m.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", media)
			_, _ = io.WriteString(w, body)
		})
	}
	serve("/{$}", "text/html; charset=utf-8", clockPage)
	serve("/frame", "text/html", `<script>parent.postMessage(new Date().toISOString() + " " + Math.random(), "*")</script>`)
	serve("/worker.js", "text/javascript", `postMessage(new Date().toISOString() + " " + crypto.randomUUID?.())`)
	serve("/module.js", "text/javascript", `import { now } from "/part.js"; postMessage(now() + " " + Math.random())`)
	serve("/part.js", "text/javascript", `export const now = () => new Date().toISOString()`)
	m.HandleFunc("/socket", func(w http.ResponseWriter, r *http.Request) {
		c, err := websocket.Accept(w, r, nil)
		if err != nil {
			return
		}
		defer func() { _ = c.CloseNow() }()
		clients.Add(1)
		for n := 1; ; n++ {
			if c.Write(r.Context(), websocket.MessageText, fmt.Append(nil, n)) != nil {
				return
			}
			if _, _, err := c.Read(r.Context()); err != nil {
				return
			}
		}
	})
	return m
}

// The clock of a replay stands at the recording, what is random is the same each time, and websockets say again what they said: in
// documents, frames and workers.
func TestReplay_clockAndRandomness(t *testing.T) {
	leftToUnraced(t)
	needBrowser(t)
	t.Parallel()
	recordedAt := time.Date(2020, 5, 17, 8, 30, 12, 345e6, time.UTC)
	for _, address := range []string{"https://clock.example/", "http://clock.example/"} {
		var clients atomic.Int64
		file := filepath.Join(t.TempDir(), "site.wacz")
		first := clockTexts(t, address, engine.Options{Hosts: map[string]http.Handler{"clock.example": clockSite(&clients)},
			Record: &recording.Options{File: file, Now: func() time.Time { return recordedAt }}})
		if first["socket"] != "1 2 3" || clients.Load() != 1 || strings.HasPrefix(first["date"], "2020") {
			t.Fatalf("recorded %q, %d websockets", first, clients.Load())
		}
		second := clockTexts(t, address, engine.Options{Replay: []string{file}})
		third := clockTexts(t, address, engine.Options{Replay: []string{file}})
		if !maps.Equal(second, third) {
			t.Errorf("replayed\n%q, then\n%q", second, third)
		}
		checkClock(t, address, second)
	}
}

func checkClock(t *testing.T, address string, shown map[string]string) {
	t.Helper()
	want := map[string]string{"date": "2020-05-17T08:30:12.000Z", "intl": "May 17, 2020 at 8:30:12 AM", "parts": "May 17, 2020 at 8:30:12 AM", "text": "Sun May 17 2020 ",
		"origin": "2020-05-17T08:30:12true", "modified": "05/17/2020 ", "jar": "true", "debounced": "yes", "polled": "yes", "waited": "yes",
		"late": "2020-05-17T08:30:12", "socket": "1 2 3", "random": "0.", "bytes": "", "frame": "2020-05-17T08:30:12.000Z 0.",
		"worker": "2020-05-17T08:30:12.000Z ", "module": "2020-05-17T08:30:12.", "blob": "2020-05-17T08:30:12.000Z 0.", "data": "2020-05-17T08:30:12.000Z 0."}
	for slot, begin := range want {
		got := strings.ReplaceAll(shown[slot], "\u202f", " ")
		if !strings.HasPrefix(got, begin) || got == "" {
			t.Errorf("%s: %s: %q, want %q", address, slot, got, begin)
		}
	}
}

// clockTexts are the slots of the page.
func clockTexts(t *testing.T, address string, o engine.Options) map[string]string {
	t.Helper()
	o.Browser = engine.BrowserOptions{Shared: commonBrowser(t)}
	e, err := engine.New(o)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}()
	fresh := time.Duration(0)
	doc, err := e.Scrape(t.Context(), address, engine.ScrapeOptions{Timeout: busy, Render: engine.RenderAlways, MaxAge: &fresh, WaitFor: 1500 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for line := range strings.Lines(doc.Markdown) {
		if slot, text, ok := strings.Cut(strings.TrimSpace(line), ": "); ok {
			texts[slot] = text
		}
	}
	return texts
}
