package fetchtest

import (
	"crypto/tls"
	"io"
	"net/http"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func client(t *testing.T) *http.Client {
	tr := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}
	t.Cleanup(tr.CloseIdleConnections)
	return &http.Client{Transport: tr}
}

func TestSite_countsAndKeepsRequests(t *testing.T) {
	s, c := New(t), client(t)
	for range maxRecords + 10 {
		resp, err := c.Get(s.URL("/text?q=1"))
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
	}
	if got := s.Hits("/text"); got != maxRecords+10 {
		t.Errorf("%d hits, want %d", got, maxRecords+10)
	}
	seen := s.Requests("/text")
	if len(seen) != maxRecords || seen[0].RawQuery != "q=1" || seen[0].Header.Get("User-Agent") == "" {
		t.Errorf("%d requests, the first %+v", len(seen), seen[0])
	}
}

func TestSite_bothServersHaveTheSameRoutes(t *testing.T) {
	s, c := New(t), client(t)
	for _, u := range []string{s.URL("/article"), s.TLSURL("/article")} {
		resp, err := c.Get(u)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		if !strings.Contains(string(body), ArticleText) {
			t.Errorf("%s: %.100q", u, body)
		}
	}
}

// The handlers that wait are released by the end of the test: goleak would see them.
func TestSite_endReleasesWaitingHandlers(t *testing.T) {
	c := client(t)
	t.Run("inner", func(t *testing.T) {
		s := New(t)
		resp, err := c.Get(s.URL("/never"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { resp.Body.Close() })
	})
}

func TestSite_numbersAreBounded(t *testing.T) {
	s, c := New(t), client(t)
	resp, err := c.Head(s.URL("/huge?bytes=99999999999"))
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.ContentLength != 1<<30 {
		t.Errorf("length %d, want %d", resp.ContentLength, 1<<30)
	}
}
