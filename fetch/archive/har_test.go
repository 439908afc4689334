package archive

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
)

const har = `{"log":{"version":"1.2","creator":{"name":"x","deep":[{"a":[1,2]}]},"pages":[],"entries":[
 {"startedDateTime":"2026-11-26T12:30:15.123456Z","serverIPAddress":"[2001:db8::1]","request":{"method":"POST","url":"https://a.example/f?x=1","httpVersion":"h2",
   "headers":[{"name":":path","value":"/f"},{"name":"Cookie","value":"s=1"}],"postData":{"mimeType":"application/x-www-form-urlencoded","params":[{"name":"a b","value":"1&2"}]}},
  "response":{"status":200,"statusText":"OK","headers":[{"name":"content-type","value":"image/gif"},{"name":"content-encoding","value":"br"},{"name":"content-length","value":"999"}],
   "content":{"size":3,"mimeType":"image/gif","text":"R0lG","encoding":"base64"}}},
 {"request":{"method":"GET","url":"https://a.example/blocked"},"response":{"status":0,"content":{}}},
 {"request":{"method":"GET","url":"https://a.example/gone"},"response":{"status":200,"content":{"size":7}}},
 {"request":{"method":"GET","url":"/relative"},"response":{"status":200}},
 {"request":{"method":"GET","url":"https://u:p@a.example/odd"},"response":{"status":200,"content":{"text":"x","encoding":"rot13"}}},
 {"startedDateTime":"yesterday","request":{"method":"GET","url":"https://a.example/time"},"response":{"status":200}},
 {"startedDateTime":"2026-11-26T12:30:15Z","request":{"method":"GET","url":"https://a.example/last"},"response":{"status":404,"statusText":"","content":{"mimeType":"text/plain","text":"none"}}}
 ],"comment":"behind"}}`

func TestReadHAR(t *testing.T) {
	var good []Exchange
	var bad []string
	for e, err := range ReadHAR(strings.NewReader("\ufeff" + har)) {
		if err != nil {
			bad = append(bad, err.Error())
		} else {
			good = append(good, e)
		}
	}
	for i, want := range []string{"blocked: it has no response", "gone: its body isn't in the file", "/relative: its url", "https://a.example/odd: its body has the unknown", "yesterday"} {
		if i >= len(bad) || !strings.Contains(bad[i], want) {
			t.Errorf("errors %q, want %q", bad, want)
		}
	}
	if len(good) != 2 || len(bad) != 5 {
		t.Fatalf("%d exchanges and %q", len(good), bad)
	}
	var b bytes.Buffer
	o := options()
	o.Plain = true
	w := NewWriter(&b, o)
	for _, e := range good {
		if err := w.WriteExchange(e); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{"POST /f?x=1 HTTP/1.1\r\nHost: a.example\r\nCookie: (redacted)\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 11\r\n\r\na+b=1%262\r\n",
		"HTTP/1.1 200 OK\r\ncontent-type: image/gif\r\ncontent-length: 3\r\n\r\nGIF\r\n", "WARC-Date: 2026-11-26T12:30:15.123456Z", "WARC-IP-Address: 2001:db8::1",
		"HTTP/1.1 404\r\nContent-Length: 4\r\nContent-Type: text/plain\r\n\r\nnone"} {
		want = strings.Replace(want, "Content-Length: 11", "Content-Length: 9", 1)
		if !strings.Contains(b.String(), want) {
			t.Errorf("want %q in\n%s", want, b.String())
		}
	}
}

func TestReadHAR_filesThatCannotBeRead(t *testing.T) {
	for name, text := range map[string]string{
		"empty": "", "no object": "[]", "no log": "{}", "no entries": `{"log":{}}`, "no list": `{"log":{"entries":{}}}`,
		"cut": har[:len(har)/2], "open": `{"log":{"entries":[`, "cut before": `{"log":{"creator":{"a"`,
	} {
		var last error
		for _, err := range ReadHAR(strings.NewReader(text)) {
			last = err
		}
		if last == nil {
			t.Errorf("%s: no error", name)
		}
	}
	n := 0
	for range ReadHAR(strings.NewReader(har)) {
		if n++; n == 2 {
			break
		}
	}
	for _, err := range ReadHAR(failing{errDisk}) {
		if !errors.Is(err, errDisk) {
			t.Errorf("%v, want %v", err, errDisk)
		}
	}
	long := strings.Replace(har, "yesterday", strings.Repeat("y", 100_000), 1)
	n = 0
	var last error
	for _, err := range readHAR(strings.NewReader(long), 20_000) {
		n, last = n+1, err
	}
	if n != 6 || last == nil || !strings.Contains(last.Error(), "more than 20000 bytes") {
		t.Errorf("an exchange over the limit: %d results, %v", n, last)
	}
}

func FuzzHAR(f *testing.F) {
	f.Add(har)
	f.Add(`{"log":{"entries":[{"request":{"url":"http://a/"},"response":{"status":200}}]}}`)
	f.Fuzz(func(t *testing.T, text string) {
		w := NewWriter(io.Discard, options())
		for e, err := range ReadHAR(strings.NewReader(text)) {
			if err == nil {
				if err := w.WriteExchange(e); err != nil {
					t.Error(err)
				}
			}
		}
	})
}
