package fetch

import (
	"errors"
	"fmt"
	"net/http"
	"testing"

	"github.com/winnow-go/winnow/fetch/fetchtest"
)

// What is damaged is an error, unless the request takes what there is of it.
func TestDo_damagedBodiesGiveWhatThereIsWhereThatIsAccepted(t *testing.T) {
	site := fetchtest.New(t)
	c := newClient(t, func(o *Options) {
		o.Hosts = map[string]http.Handler{"plain.test": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			if r.URL.Path == "/noise" {
				w.Write([]byte("\x00\x01\x02\x03\x04\x05"))
				return
			}
			fmt.Fprint(w, "<p>never packed")
		})}
	})
	for url, want := range map[string]string{
		site.URL("/truncated"): "<p>only this much", site.URL("/truncated/te"): "<p>only this much", "http://plain.test/": "<p>never packed",
	} {
		resp := mustDo(t, c, Request{URL: url, AcceptDamaged: true})
		if string(resp.Body) != want || resp.Damage == nil || resp.Header.Get("Content-Encoding") != "" {
			t.Errorf("%s: got %q, damage %v", url, resp.Body, resp.Damage)
		}
		fails(t, c, Request{URL: url})
	}
	if n := site.Hits("/truncated"); n != 6 { // the whole may come at the next try
		t.Errorf("%d requests, want three for each", n)
	}
	for _, url := range []string{site.URL("/broken-gzip"), site.URL("/broken-br"), "http://plain.test/noise"} {
		if _, ok := errors.AsType[*DecodeError](fails(t, c, Request{URL: url, AcceptDamaged: true})); !ok {
			t.Errorf("%s: want a DecodeError", url)
		}
	}
	if resp := mustDo(t, c, Request{URL: site.URL("/gzip"), AcceptDamaged: true}); resp.Damage != nil {
		t.Errorf("a whole body: %v", resp.Damage)
	}
}

func TestRequest_retriesAreItsOwn(t *testing.T) {
	for retries, want := range map[int]int{0: 3, -1: 1, 1: 2} {
		site, c := fetchtest.New(t), newClient(t)
		fails(t, c, Request{URL: site.URL("/reset"), Retries: retries})
		if got := site.Hits("/reset"); got != want {
			t.Errorf("Retries %d: %d requests, want %d", retries, got, want)
		}
	}
}
