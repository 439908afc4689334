package enginetest_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/winnow-go/winnow/engine/enginetest"
)

var offer = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
	fmt.Fprint(w, `<!doctype html><html lang="en"><title>Rye</title><main><h1>Rye</h1><button id=buy>Buy</button><p id=p>offer</p></main><script>
setTimeout(() => p.textContent = "no offer any more", 600_000)
buy.onclick = () => fetch("/buy", {method: "POST"})
</script></html>`)
})

// A test of what comes of a click.
func ExampleOpen() {
	testTheShop := func(t testing.TB) {
		e := enginetest.New(t, map[string]http.Handler{"shop.example": offer})
		enginetest.CleanConsole(t, e)
		page := enginetest.Open(t, e, "https://shop.example/")
		page.Click("#buy")
		if sent := page.Requests().Matching("POST https://shop.example/buy"); len(sent) != 1 {
			t.Errorf("got %+v, want one purchase", page.Requests())
		}
	}
	fmt.Println(passes(testTheShop))
	// Output: true
}

// A test of what happens after ten minutes.
func ExampleClock() {
	testTheOffer := func(t testing.TB) {
		clock := enginetest.Clock(t)
		e := enginetest.New(t, map[string]http.Handler{"shop.example": offer}, clock.Use)
		page := enginetest.Open(t, e, "https://shop.example/")
		clock.Advance(10 * time.Minute)
		if got := page.Text("#p"); got != "no offer any more" {
			t.Errorf("got %q", got)
		}
	}
	fmt.Println(passes(testTheOffer))
	// Output: true
}

// A test of who can use a page.
func ExampleAccessible() {
	testTheShop := func(t testing.TB) {
		e := enginetest.New(t, map[string]http.Handler{"shop.example": offer})
		enginetest.Accessible(t, enginetest.Open(t, e, "https://shop.example/"))
	}
	fmt.Println(passes(testTheShop))
	// Output: true
}
