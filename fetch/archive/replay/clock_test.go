package replay

import (
	"bytes"
	"compress/gzip"
	"strings"
	"testing"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

func TestMoment(t *testing.T) {
	upper := exchange("GET https://a.example/upper", "", "later")
	upper.Time = time.Date(2024, 5, 6, 7, 8, 9, 5e8, time.UTC)
	lower := exchange("GET https://a.example/lower", "", "earlier")
	lower.Time = time.Date(2020, 5, 6, 7, 8, 9, 5e8, time.UTC)
	for _, name := range []string{"a.warc.gz", "a.wacz"} {
		r := opened(t, recorded(t, "upper.warc.gz", upper), recorded(t, name, lower))
		for address, year := range map[string]int{"https://a.example/upper": 2024, "https://a.example/lower?_=1700000000000": 2020, "about:blank": 2024} {
			if got, want := r.Moment(address), time.Date(year, 5, 6, 7, 8, 9, 0, time.UTC); !got.Equal(want) {
				t.Errorf("%s: %v, want %v", address, got, want)
			}
		}
	}
}

// encoded is a text in a content encoding.
func encoded(coding, text string) string {
	var b bytes.Buffer
	switch coding {
	case "gzip":
		w := gzip.NewWriter(&b)
		_, _ = w.Write([]byte(text))
		_ = w.Close()
	case "br":
		w := brotli.NewWriter(&b)
		_, _ = w.Write([]byte(text))
		_ = w.Close()
	case "zstd":
		w, _ := zstd.NewWriter(&b)
		_, _ = w.Write([]byte(text))
		_ = w.Close()
	default:
		return text
	}
	return b.String()
}

// The script of a worker begins with that which stops its clock, however it is encoded; where that isn't known, it stays as it is.
func TestServeHTTP_workers(t *testing.T) {
	const text = "postMessage(Date.now())"
	for _, coding := range []string{"", "gzip", "br", "zstd", "other", "damaged gzip"} {
		body, sent := encoded(coding, text), coding
		if coding == "damaged gzip" {
			body, sent = "\x1f\x8b"+text, "gzip"
		}
		r := opened(t, recorded(t, "x.wacz", exchange("GET https://a.example/w.js?v=1", "", body, "Content-Encoding: "+sent)))
		plain := ask(r, "GET", "https://a.example/w.js?v=1", "")
		if plain.Body.String() != body {
			t.Errorf("%q: as a script %q", coding, plain.Body)
		}
		known := coding != "other" && coding != "damaged gzip"
		for _, w := range []string{ask(r, "GET", "https://a.example/w.js?v=1", "", "Sec-Fetch-Dest: worker").Body.String(),
			ask(r, "GET", "https://a.example/w.js?v=1&"+workerMark, "").Body.String()} {
			if known != strings.HasPrefix(w, "// Runs before") || !strings.HasSuffix(w, map[bool]string{true: "\n" + text, false: body}[known]) {
				t.Errorf("%q: %.40q … %.40q", coding, w, w[max(0, len(w)-40):])
			}
		}
	}
}
