package fetch

import (
	"strings"
	"testing"

	"github.com/winnow-go/winnow/fetch/fetchtest"
)

// newClient makes a client that may contact loopback and doesn't wait between tries.
func newClient(t testing.TB, change ...func(*Options)) *Client {
	t.Helper()
	o := Options{Policy: &Policy{AllowPrivate: true}}
	for _, c := range change {
		c(&o)
	}
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func TestDo_encodingsAreUndone(t *testing.T) {
	site := fetchtest.New(t)
	c := newClient(t)
	for _, path := range []string{"/gzip", "/gzip/twice", "/gzip/tail", "/deflate", "/deflate/raw", "/br", "/zstd"} {
		t.Run(path, func(t *testing.T) {
			resp, err := c.Do(t.Context(), Request{URL: site.URL(path)})
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(resp.Body), fetchtest.EncodedText) {
				t.Errorf("body %q, want it to hold %q", resp.Body, fetchtest.EncodedText)
			}
			if got := resp.Header.Get("Content-Encoding"); got != "" {
				t.Errorf("Content-Encoding %q is left", got)
			}
		})
	}
}
