package guard

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

const (
	streamedParts = 24
	streamedPart  = 1 << 20 // bytes
)

// streamSite has a stream of events that each wait for the one before to be heard, a large file, and a file in parts.
func streamSite(t *testing.T, version int) (*httptest.Server, chan<- struct{}) {
	t.Helper()
	heard, m := make(chan struct{}), http.NewServeMux()
	m.HandleFunc("/events", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for n := 0; ; n++ {
			fmt.Fprintf(w, "data: %d\n\n", n)
			_ = http.NewResponseController(w).Flush()
			select {
			case <-heard:
			case <-r.Context().Done():
				return
			}
		}
	})
	m.HandleFunc("/big", func(w http.ResponseWriter, _ *http.Request) {
		part := bytes.Repeat([]byte("0123456789abcdef"), streamedPart/16)
		for range streamedParts {
			_, _ = w.Write(part)
		}
	})
	m.HandleFunc("/film", func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(w, r, "film.webm", time.Time{}, strings.NewReader("0123456789"))
	})
	s := httptest.NewUnstartedServer(m)
	s.EnableHTTP2, s.Config.ErrorLog = version == 2, log.New(io.Discard, "", 0)
	s.StartTLS()
	t.Cleanup(s.Close)
	return s, heard
}

// Whatever has no end, is large or comes in parts passes a judging lease as it comes, and little of it is held.
func TestJudge_streams(t *testing.T) {
	for _, version := range []int{1, 2} {
		t.Run(fmt.Sprintf("HTTP/%d", version), func(t *testing.T) {
			site, heard := streamSite(t, version)
			l, c := judgingLease(t, site, LeaseOptions{SkipTLSVerify: true})
			if _, _, err := ask(c, site.URL+"/ads/1.js", nil); err == nil && version == 2 { // heads are written again from now on
				t.Error("an advertisement got through")
			}
			passesEvents(t, c, site.URL, heard)
			passesParts(t, c, site.URL)
			holdsLittle(t, c, l, site.URL)
		})
	}
}

func open(t *testing.T, c *http.Client, address string, header ...string) *http.Response {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Sec-Fetch-Dest", "empty")
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	resp, err := c.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { resp.Body.Close() })
	return resp
}

func passesEvents(t *testing.T, c *http.Client, base string, heard chan<- struct{}) {
	t.Helper()
	resp := open(t, c, base+"/events")
	defer resp.Body.Close()
	in := bufio.NewReader(resp.Body)
	for n := range 5 {
		line, err := in.ReadString('\n')
		if want := fmt.Sprintf("data: %d\n", n); line != want || err != nil {
			t.Fatalf("event %q, %v; want %q", line, err, want)
		}
		_, _ = in.ReadString('\n')
		heard <- struct{}{}
	}
}

func passesParts(t *testing.T, c *http.Client, base string) {
	t.Helper()
	for asked, want := range map[string]string{"bytes=0-": "206 0123456789", "bytes=4-6": "206 456", "bytes=-2": "206 89", "bytes=20-": "416 invalid range: failed to overlap\n"} {
		resp := open(t, c, base+"/film", "Range", asked, "Sec-Fetch-Dest", "video")
		text, err := io.ReadAll(resp.Body)
		if got := fmt.Sprintf("%d %s", resp.StatusCode, text); got != want || err != nil {
			t.Errorf("%s: %q, %v; want %q", asked, got, err, want)
		}
	}
}

// holdsLittle reads a large file slowly: the lease reads no more of it than the client makes room for, which is 4 MiB over HTTP/2, and
// sockets' buffers hold.
func holdsLittle(t *testing.T, c *http.Client, l *Lease, base string) {
	t.Helper()
	resp := open(t, c, base+"/big")
	before, most := l.Bytes(), int64(0)
	for n := range streamedParts {
		got, err := io.CopyN(io.Discard, resp.Body, streamedPart)
		if err != nil {
			t.Fatalf("part %d: %d bytes, %v", n, got, err)
		}
		most = max(most, l.Bytes()-before-int64(n+1)*streamedPart)
	}
	if most > 16<<20 {
		t.Errorf("%d MiB were held", most>>20)
	}
	if n, err := io.Copy(io.Discard, resp.Body); n > 0 || err != nil {
		t.Errorf("%d bytes more, %v", n, err)
	}
}
