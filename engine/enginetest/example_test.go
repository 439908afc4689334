package enginetest_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/enginetest"
)

// A unit test of a page that is made by its scripts. (A real one is a function
// with a *testing.T; examples have none.)
func ExampleNew() {
	testTheCounter := func(t testing.TB) {
		app := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, `<html><p id=p></p><script>document.querySelector("#p").textContent = [1, 2, 3].length + " sacks"</script>`)
		})
		e := enginetest.New(t, map[string]http.Handler{"mill.example": app})
		doc, err := e.Scrape(t.Context(), "https://mill.example/", engine.ScrapeOptions{Render: engine.RenderAlways})
		if err != nil || doc.Markdown != "3 sacks" {
			t.Errorf("got %+v, %v", doc, err)
		}
	}
	fmt.Println(passes(testTheCounter))
	// Output: true
}
