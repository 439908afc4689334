package engine

import (
	"net/http"
	"reflect"
	"testing"

	"github.com/winnow-go/winnow/formats"
)

// What the answer's header says of the language holds as long as the page is kept.
func TestScrape_languageOfTheHeaderIsKeptWithThePage(t *testing.T) {
	g := newGranary("")
	g.serves(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Language", "pt-BR")
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(`<h1>Colheita</h1><p>A colheita deste ano.</p><meta name=author content=Ana><meta name=author content=Rui>`))
	})
	e := cachingEngine(t, g)
	for _, state := range []string{"miss", "hit"} {
		doc, err := e.Scrape(t.Context(), "https://granary.example/", ScrapeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if m := doc.Metadata; m.CacheState != state || m.Language != "pt-BR" || !reflect.DeepEqual(m.Author, formats.Values{"Ana", "Rui"}) {
			t.Errorf("%s: got %+v", state, m)
		}
	}
}
