package fetch

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// BenchmarkDo_static fetches a page of 40 kB over a kept connection: bare net/http against the Client.
func BenchmarkDo_static(b *testing.B) {
	body := strings.Repeat("<p>forty thousand bytes of it</p>\n", 40_000/34)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, body)
	}))
	b.Cleanup(server.Close)
	b.Run("net-http", func(b *testing.B) {
		b.SetBytes(int64(len(body)))
		b.ReportAllocs()
		for b.Loop() {
			resp, err := server.Client().Get(server.URL)
			if err != nil {
				b.Fatal(err)
			}
			if _, err := io.ReadAll(resp.Body); err != nil {
				b.Fatal(err)
			}
			resp.Body.Close()
		}
	})
	b.Run("Do", func(b *testing.B) {
		c := newClient(b)
		b.SetBytes(int64(len(body)))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := c.Do(b.Context(), Request{URL: server.URL}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
