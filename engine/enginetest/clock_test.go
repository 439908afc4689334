package enginetest

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/winnow-go/winnow/engine"
)

const watch24 = `<title>Clock</title><p id=at></p><p id=rung></p><p id=zone></p><a id=again href="/again">again</a><iframe id=f srcdoc="<p id=at></p>
<script>setInterval(() => at.textContent = Date.now(), 100)</script>"></iframe><script>
const rang = [], note = (what) => { rang.push(what + "@" + (Date.now() - start)); rung.textContent = rang.join(" ") }, start = Date.now()
at.textContent = [new Date().toISOString(), Date.now(), typeof Date(), new Date(2000, 0).getFullYear(), new Date() instanceof Date,
	new (class extends Date {})().getTime() === Date.now()].join(" ")
zone.textContent = new Intl.DateTimeFormat("en", {timeZone: "UTC", dateStyle: "short"}).format() + " " + ("Temporal" in window ? String(Temporal.Now.instant()) : "-")
setTimeout(() => { note("b"); Promise.resolve().then(() => setTimeout(() => note("c"), 60_000)) }, 120_000)
setTimeout(() => note("a"), 60_000)
const hourly = setInterval(() => { note("i"); if (rang.length > 6) clearInterval(hourly) }, 100_000)
clearTimeout(setTimeout(() => note("never"), 60_000))
</script>`

func TestClock_standsAndAdvances(t *testing.T) {
	needBrowser(t)
	wants(t, (&recorder{TB: t}).run(func(t testing.TB) {
		clock := Clock(t)
		e := New(t, map[string]http.Handler{"app.example": serve(watch24)}, clock.Use)
		page := Open(t, e, "https://app.example/")
		if got := page.Text("#at"); got != "2026-01-01T12:00:00.000Z 1767268800000 string 2000 true true" {
			t.Errorf("at %q", got)
		}
		if got := page.Text("#zone"); got != "1/1/26 2026-01-01T12:00:00Z" && got != "1/1/26 -" {
			t.Errorf("zone %q", got)
		}
		clock.Advance(59 * time.Second)
		if got := page.Text("#rung"); got != "" {
			t.Errorf("rung %q", got)
		}
		clock.Advance(241 * time.Second)
		if got := page.Text("#rung"); got != "a@60000 i@100000 b@120000 c@180000 i@200000 i@300000" {
			t.Errorf("rung %q", got)
		}
		var framed string
		if err := page.inspect(`() => document.querySelector("#f").contentDocument.querySelector("#at").textContent`, &framed); err != nil || framed != "1767269100000" {
			t.Errorf("frame %q, %v", framed, err)
		}
		page.Click("#again")
		if got := page.Text("#at"); got[:24] != "2026-01-01T12:05:00.000Z" || page.URL() != "https://app.example/again" {
			t.Errorf("after a navigation %q", got)
		}
		doc, err := e.Scrape(t.Context(), "https://app.example/third", engine.ScrapeOptions{Render: engine.RenderAlways})
		if err != nil {
			t.Error(err)
		}
		record, err := e.ScrapeByID(t.Context(), doc.Metadata.ScrapeID)
		if err != nil || !record.CreatedAt.Equal(clock.Now()) {
			t.Errorf("%+v, %v; want %s", record, err, clock.Now())
		}
		clock.Set(time.Date(1999, 12, 31, 23, 59, 59, 0, time.UTC))
		if got := Open(t, e, "https://app.example/").Text("#at"); got[:24] != "1999-12-31T23:59:59.000Z" {
			t.Errorf("set %q", got)
		}
	}))
	wants(t, (&recorder{TB: t}).run(func(t testing.TB) { Clock(t).Advance(-time.Second) }), "can't be advanced by -1s")
}

// A clock advances on pages whose policy forbids scripts of others.
func TestClock_underAPolicy(t *testing.T) {
	needBrowser(t)
	wants(t, (&recorder{TB: t}).run(func(t testing.TB) {
		clock := Clock(t)
		e := New(t, map[string]http.Handler{"app.example": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			w.Header().Set("Content-Security-Policy", "script-src 'nonce-x'; require-trusted-types-for 'script'")
			fmt.Fprint(w, `<p id=p>-</p><script nonce=x>setTimeout(() => { document.getElementById("p").textContent = new Date().getUTCHours() }, 7200_000)</script>`)
		})}, clock.Use)
		page := Open(t, e, "https://app.example/")
		clock.Advance(3 * time.Hour)
		if got := page.Text("#p"); got != "14" {
			t.Errorf("got %q", got)
		}
	}))
}
