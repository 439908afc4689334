package engine

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/formats"
)

// streamingPage hears events, each of which waits for the one before to be heard, reads a large file, and plays the end of a long sound.
const streamingPage = `<p id=p>content</p><audio id=a preload=metadata src=/sound.wav></audio><script src=/ads/a.js></script><script>
const events = new Promise(done => { const s = new EventSource("/events"); s.onmessage = e => {
	if (e.data == "3") { s.close(); done("heard " + e.data) } else fetch("/heard", {method: "POST"}) } })
const big = fetch("/big").then(async r => { let n = 0; for await (const part of r.body) n += part.length; return "read " + n })
const sound = new Promise(done => { a.onloadedmetadata = () => { a.onseeked = () => done("at " + a.currentTime); a.currentTime = 3500 }; a.onerror = () => done("no sound") })
Promise.all([events, big, sound]).then(all => { p.textContent = all.join(", "); p.className = "done" })</script>`

// silence is a sound of an hour, 8,000 bytes a second.
func silence() []byte {
	const size = 3600 * 8000
	var head bytes.Buffer
	head.WriteString("RIFF")
	_ = binary.Write(&head, binary.LittleEndian, uint32(36+size))
	head.WriteString("WAVEfmt ")
	for _, v := range []any{uint32(16), uint16(1), uint16(1), uint32(8000), uint32(8000), uint16(1), uint16(8)} {
		_ = binary.Write(&head, binary.LittleEndian, v)
	}
	head.WriteString("data")
	_ = binary.Write(&head, binary.LittleEndian, uint32(size))
	return append(head.Bytes(), bytes.Repeat([]byte{0x80}, size)...)
}

const streamedBytes = 30 << 20

// streamingSite serves streamingPage over HTTP/2; ranges returns which parts of the sound were requested.
func streamingSite(t *testing.T) (site *httptest.Server, ranges func() []string) {
	var mu sync.Mutex
	var parts []string
	heard, sound, m := make(chan struct{}), silence(), http.NewServeMux()
	m.Handle("/", htmlPage(streamingPage))
	m.HandleFunc("/ads/", func(_ http.ResponseWriter, r *http.Request) { t.Errorf("the site got %s", r.URL) })
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
	m.HandleFunc("/heard", func(_ http.ResponseWriter, r *http.Request) {
		select {
		case heard <- struct{}{}:
		case <-r.Context().Done():
		}
	})
	m.HandleFunc("/big", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.Copy(w, bytes.NewReader(make([]byte, streamedBytes)))
	})
	m.HandleFunc("/sound.wav", func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		parts = append(parts, r.Proto+" "+r.Header.Get("Range"))
		mu.Unlock()
		http.ServeContent(w, r, "sound.wav", time.Time{}, bytes.NewReader(sound))
	})
	site = httptest.NewUnstartedServer(m)
	site.EnableHTTP2, site.Config.ErrorLog = true, log.New(io.Discard, "", 0)
	site.StartTLS()
	t.Cleanup(site.Close)
	return site, func() []string { mu.Lock(); defer mu.Unlock(); return parts }
}

// Streams without end, large files and parts of media come through the proxy that judges, over HTTP/2.
func TestFilterInProxy_streams(t *testing.T) {
	t.Parallel()
	list := filepath.Join(t.TempDir(), "list.txt")
	if err := os.WriteFile(list, []byte("/ads/*\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	site, ranges := streamingSite(t)
	e := renderingEngine(t, func(o *Options) { o.FilterLists, o.FilterInProxy = []string{list}, true })
	doc, err := e.Scrape(t.Context(), site.URL, ScrapeOptions{MaxAge: fresh, SkipTLSVerification: new(true),
		Formats: []formats.Format{{Type: formats.Markdown}}, Actions: []actions.Action{{Type: actions.Wait, Selector: ".done"}, {Type: actions.Screenshot}}})
	if err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("heard 3, read %d, at 3500", streamedBytes); !strings.Contains(doc.Markdown, want) {
		t.Errorf("got %q, want %q", doc.Markdown, want)
	}
	if got := ranges(); len(got) < 2 || got[0] != "HTTP/2.0 bytes=0-" || !strings.HasPrefix(got[len(got)-1], "HTTP/2.0 bytes=2") {
		t.Errorf("requested %q, want the beginning and the end", got)
	}
}
