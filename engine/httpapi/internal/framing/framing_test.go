package framing

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
)

// feed scans text in pieces of n bytes and returns what is passed on.
func feed(text string, n int) string {
	s, b := scanner{}, []byte(text)
	for i := 0; i < len(b); i += n {
		s.watch(b[i:min(i+n, len(b))])
	}
	return string(b)
}

const (
	get     = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"
	sized   = "POST / HTTP/1.1\r\nContent-Length: 45\r\n\r\n" + "Content-Length: 1\r\nTransfer-Encoding: a\r\n\r\n \n"
	chunked = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n" +
		"2c;x=y\r\nContent-Length: 1\r\nTransfer-Encoding: a\r\n\r\n \r\nA\r\n0123456789\r\n0\r\nContent-Length: 3\r\n\r\n"
)

func TestScanner_passesHonestRequestsOn(t *testing.T) {
	preface := "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nContent-Length:1\r\nTransfer-Encoding:x\r\n"
	for _, text := range []string{preface, get, sized, chunked, get + sized + chunked + "\r\n" + get + chunked + sized + get} {
		for n := 1; n < 50; n++ {
			if got := feed(text, n); got != text {
				t.Fatalf("in pieces of %d: got %q, want %q", n, got, text)
			}
		}
	}
}

func TestScanner_spoilsWhatHasTwoLengths(t *testing.T) {
	for bad, want := range map[string]string{
		"POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n":        "Transfer-Encoding\x00 chunked",
		"POST / HTTP/1.1\nTRANSFER-ENCODING:chunked\nA: b\ncontent-length:0\n\n":            "content-length\x000",
		"POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n":                             "Transfer-Encoding\x00 chunked",
		"POST / HTTP/1.1\r\nContent-Length:\r\n 5\r\n\r\n":                                  "Content-Length:\r\n\x005",
		"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\naGET / HTTP/1.1\r\n\r\n": "aGET / HTTP/1.1\r\n\x00\x00",
		"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nx\r\nGET /":                   "\r\nx\r\n\x00\x00\x00\x00\x00",
	} {
		for n := 1; n < 50; n++ {
			for _, before := range []string{"", get, sized, chunked} {
				if got := feed(before+bad, n); !strings.Contains(got, want) || !strings.HasPrefix(got, before) {
					t.Fatalf("in pieces of %d: got %q, want %q in it", n, got, want)
				}
			}
		}
	}
}

var (
	hasLength    = regexp.MustCompile(`(?i)\ncontent-length:`)
	hasCoding    = regexp.MustCompile(`(?i)\ntransfer-encoding:`)
	hasContinued = regexp.MustCompile(`\n[ \t]`)
)

// refused reports whether a request of this head may be read in two ways.
func refused(head []byte, r *http.Request) bool {
	coded := hasCoding.Match(head)
	return coded && (hasLength.Match(head) || !r.ProtoAtLeast(1, 1)) || hasContinued.Match(head)
}

// What net/http reads of the bytes that are passed on must have no request that is refused, however the bytes come.
func FuzzScanner(f *testing.F) {
	for _, text := range []string{get + sized + chunked + get, "POST / HTTP/1.1\nHost:x\nTransfer-Encoding:chunked\nContent-Length:0\n\n0\n\n"} {
		f.Add(text, 7)
	}
	f.Fuzz(func(t *testing.T, text string, n int) {
		passed := feed(text, max(len(text), 1))
		if n = max(n, 1); feed(text, n) != passed {
			t.Fatalf("in pieces of %d: %q, at once %q", n, feed(text, n), passed)
		}
		rest := strings.NewReader(passed)
		b := bufio.NewReader(rest)
		for {
			begin := len(passed) - rest.Len() - b.Buffered()
			r, err := http.ReadRequest(b)
			if err != nil {
				return
			}
			head := []byte(passed[begin : len(passed)-rest.Len()-b.Buffered()])
			if refused(bytes.TrimRight(head, "\r\n"), r) {
				t.Fatalf("%q was passed on", head)
			}
			if _, err := io.Copy(io.Discard, r.Body); err != nil {
				return
			}
		}
	})
}
