package httpapi

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/winnow-go/winnow/engine"
)

// offers serves pages of one text, each of which leads to two more.
func offers(t *testing.T) *service {
	return newService(t, func(o *engine.Options, _ *Options) {
		o.Hosts["offers.example"] = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			n := 1
			_, _ = fmt.Sscanf(r.URL.Path, "/offer/%d", &n)
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprintf(w, "<title>An offer</title><p>An offer that is made again and again, to all.</p><a href=/offer/%d>More</a><a href=/offer/%d>More</a>", 2*n, 2*n+1)
		})
	})
}

// A crawl that has ended says which forms of addresses it left, unless it was to follow them.
func TestWinnow_trapsOfACrawl(t *testing.T) {
	s := offers(t)
	for _, follow := range []bool{false, true} {
		id := s.must(200, "POST", "/v2/crawl", fmt.Sprintf(`{"url":"offers.example","limit":60,"winnow":{"followTraps":%v}}`, follow)).text("id")
		s.ended(id)
		a := s.must(200, "GET", "/v2/crawl/"+id, "")
		completed, _ := a.get("completed").(float64)
		if follow && (completed != 60 || a.get("winnow", "traps") != nil) {
			t.Errorf("followed: %v pages, %v", completed, a.get("winnow", "traps"))
		}
		if !follow && (completed > 40 || a.text("winnow", "traps", 0, "pattern") != "offers.example/offer/{n}" || a.text("winnow", "traps", 0, "kind") != "template") {
			t.Errorf("%v pages, %v", completed, a.get("winnow", "traps"))
		}
	}
}
