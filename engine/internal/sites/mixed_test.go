package sites

import (
	"errors"
	"io"
	"net/http/httptest"
	"testing"

	"github.com/winnow-go/winnow/crawl/crawltest/mixedsite"
)

// A client sees a connection that ends in the middle.
func TestMixedSite_cutsConnections(t *testing.T) {
	s := mixedsite.New(mixedsite.Options{Seed: 1, Pages: 400})
	srv := httptest.NewServer(s)
	defer srv.Close()
	for p := range s.Pages() {
		if p.Fails != mixedsite.Cut {
			continue
		}
		resp, err := srv.Client().Get(srv.URL + p.Path)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if !errors.Is(err, io.ErrUnexpectedEOF) || len(body) == 0 {
			t.Errorf("%s: %d bytes, %v", p.Path, len(body), err)
		}
	}
}
