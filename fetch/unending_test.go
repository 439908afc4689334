package fetch

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// unending sends a text and then goes on for ever: with nothing, or with more now and then.
func unending(contentType, first, more string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", contentType)
		out := io.Writer(w)
		if r.URL.Path == "/gzip" {
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			defer func() { _ = z.Flush() }()
			out = z
		}
		for text := first; ; text = more {
			fmt.Fprint(out, text)
			if z, ok := out.(*gzip.Writer); ok {
				_ = z.Flush()
			}
			_ = http.NewResponseController(w).Flush()
			select {
			case <-r.Context().Done():
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	})
}

// Of a text that does not end there is a part, if the request takes that; of all else there is none.
func TestDo_aTextThatDoesNotEndGivesItsPart(t *testing.T) {
	c := newClient(t, func(o *Options) {
		o.BodyTimeout = 500 * time.Millisecond
		o.Hosts = map[string]http.Handler{
			"open.test": unending("text/html", "<p>some words", ""), "drip.test": unending("text/plain", "<p>some words", "."),
			"none.test": unending("", "<p>some words", "."), "file.test": unending("application/zip", "PK\x03\x04 and so on", ""),
			"hidden.test": unending("", "PK\x03\x04 and so on", "."),
		}
	})
	soon := func(string) time.Duration { return 400 * time.Millisecond }
	late := func(string) time.Duration { return time.Hour }
	for url, within := range map[string]func(string) time.Duration{
		"http://open.test/": soon, "http://open.test/gzip": soon, "http://drip.test/": soon, "http://drip.test/gzip": soon, "http://none.test/": soon,
		"http://open.test/silent": late,
	} {
		resp := mustDo(t, c, Request{URL: url, AcceptDamaged: true, BodyTime: within, Retries: -1})
		if slow, ok := errors.AsType[*TimeoutError](resp.Damage); !ok || slow.Phase != "body" || !strings.HasPrefix(string(resp.Body), "<p>some words") {
			t.Errorf("%s: got %q, damage %v", url, resp.Body, resp.Damage)
		}
	}
	for url, r := range map[string]Request{
		"http://file.test/": {AcceptDamaged: true, BodyTime: soon}, "http://hidden.test/": {AcceptDamaged: true, BodyTime: soon},
		"http://open.test/": {BodyTime: soon}, "http://open.test/x": {AcceptDamaged: true},
	} {
		r.URL, r.Retries = url, -1
		if _, ok := errors.AsType[*TimeoutError](fails(t, c, r)); !ok {
			t.Errorf("%s: want a TimeoutError", url)
		}
	}
}
