package browser

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// A document that breaks off has no load event; waiting for one would cost LoadWait.
func TestGoto_aDocumentThatBreaksOffIsPartialAtOnce(t *testing.T) {
	needsBrowser(t)
	s := newSite(t, newProxy(t).URL, map[string]http.HandlerFunc{"/": func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Content-Length", "1000000")
		_, _ = w.Write([]byte("<!doctype html><p>as far as it came</p>" + strings.Repeat("<br>", 1000)))
	}})
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
