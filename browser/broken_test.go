package browser

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// A document that breaks off has no load event; waiting for one would cost LoadWait. The server breaks off once it sees that what it
// sent has been read: what is still on its way then the browser may throw away.
func TestGoto_aDocumentThatBreaksOffIsPartialAtOnce(t *testing.T) {
	needsBrowser(t)
	read := make(chan struct{})
	s := newSite(t, newProxy(t).URL, map[string]http.HandlerFunc{
		"/": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			w.Header().Set("Content-Length", "1000000")
			_, _ = w.Write([]byte(`<!doctype html><p>as far as it came</p><img src="/read">` + strings.Repeat("<br>", 1000)))
			_ = http.NewResponseController(w).Flush()
			select {
			case <-read:
			case <-r.Context().Done():
			}
		},
		"/read": func(http.ResponseWriter, *http.Request) { close(read) },
	})
	p := open(t, PageOptions{Proxy: s.proxy, LoadWait: time.Hour})
	if nav := visit(t, p, s.URL+"/"); !nav.Partial || nav.Status != 200 {
		t.Fatalf("got %+v", nav)
	}
	contains(t, "content", contentOf(t, p), "as far as it came")
}

func TestOpen_geolocationHasARange(t *testing.T) {
	o := PageOptions{Geolocation: &Geolocation{Latitude: 91}}
	if err := o.checkContents(); err == nil || !strings.Contains(err.Error(), "Geolocation") {
		t.Errorf("got %v", err)
	}
}
