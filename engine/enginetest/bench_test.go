package enginetest

import (
	"net/http"
	"testing"

	"github.com/winnow-go/winnow/engine"
)

// A test of one rendered page: an engine is made, renders and is closed. On the shared browser, and with one of its own.
func BenchmarkNew(b *testing.B) {
	hosts := map[string]http.Handler{"app.example": serve(`<p id=p></p><script>p.textContent = "by script"</script>`)}
	for name, change := range map[string]func(*engine.Options){
		"shared": func(*engine.Options) {}, "own": func(o *engine.Options) { o.Browser.MaxContexts = 1000 },
	} {
		b.Run(name, func(b *testing.B) {
			for range b.N {
				r := &recorder{TB: b}
				doc, err := New(r, hosts, change).Scrape(b.Context(), "https://app.example/", always)
				if err != nil || doc.Markdown != "by script" {
					b.Fatalf("got %+v, %v", doc, err)
				}
				r.end()
			}
		})
	}
}
