package main

import (
	"fmt"
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/enginetest"
	"github.com/winnow-go/winnow/formats"
)

func TestMain(m *testing.M) { os.Exit(enginetest.Shared{M: m}.Run()) }

func needBrowser(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: this test renders in a real browser")
	}
}

// small is a window whose picture is small.
func small(o *engine.ScrapeOptions) {
	o.Formats = []formats.Format{{Type: formats.Screenshot, Viewport: &formats.Viewport{Width: 560, Height: 420}}}
}

// openBakery opens the app on a clock that stands at noon. Errors in its console fail the test.
func openBakery(t *testing.T, allowed ...string) (*enginetest.Page, *enginetest.TestClock) {
	clock := enginetest.Clock(t)
	e := enginetest.New(t, map[string]http.Handler{"bakery.example": newBakery()}, clock.Use)
	enginetest.CleanConsole(t, e, allowed...)
	return enginetest.Open(t, e, "https://bakery.example/", small), clock
}

func TestBakery_looksAsDrawnAndIsAccessible(t *testing.T) {
	needBrowser(t)
	page, _ := openBakery(t)
	enginetest.Accessible(t, page)
	// Another version of the browser may draw the edges of letters a little differently.
	enginetest.Screenshot{Mask: []string{"#visitors"}, Tolerance: 0.02}.Match(t, page, "bakery")
}

func TestBakery_takesOrders(t *testing.T) {
	needBrowser(t)
	page, _ := openBakery(t)
	page.Type("#name", "Ann")
	page.Click("button")
	if got := page.Text("#order"); got != "Order 1 for Ann" {
		t.Errorf("got %q", got)
	}
	if sent := page.Requests().Matching("POST */orders"); len(sent) != 1 || sent[0].Status != http.StatusOK {
		t.Errorf("got %+v, want one order", page.Requests())
	}
}

func TestBakery_refusesOrdersWithoutAName(t *testing.T) {
	needBrowser(t)
	page, _ := openBakery(t, "order was refused", "status of 422")
	page.Click("button")
	if got := page.Text("#order"); got != "who is it for?" {
		t.Errorf("got %q", got)
	}
}

func TestBakery_endsItsOffer(t *testing.T) {
	needBrowser(t)
	page, clock := openBakery(t)
	if got := page.Text("#offer"); got != "3 € instead of 4 €, until 12:10" {
		t.Errorf("got %q", got)
	}
	clock.Advance(10 * time.Minute)
	if got := page.Text("#offer"); got != "4 €" {
		t.Errorf("got %q after ten minutes", got)
	}
}

func TestPriceOfFlour_isReadFromTheMill(t *testing.T) {
	needBrowser(t)
	e := enginetest.Cassette(t, "testdata/mill.wacz", func(o *engine.Options) {
		if enginetest.Recording() { // this mill exists in tests alone; a real one would be reached by the network
			o.Hosts = map[string]http.Handler{"mill.example": http.HandlerFunc(mill)}
		}
	})
	if price, err := priceOfFlour(t.Context(), e); price != "1.20" || err != nil {
		t.Errorf("got %q, %v", price, err)
	}
}

// mill is the site of the mill, as it was when it was recorded.
func mill(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/data" {
		fmt.Fprint(w, "1.20 €")
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprint(w, `<h1>Prices</h1><table><tr><th>Flour</th><th>a kilogram</th></tr><tr><td>Rye flour</td><td id=rye></td></tr></table>
<script>fetch("/data").then(r => r.text()).then(text => rye.textContent = text)</script>`)
}
