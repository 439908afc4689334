package archive

import (
	"bytes"
	"errors"
	"io"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// moment is the clock of the tests.
var moment = time.Date(2026, 11, 26, 12, 30, 15, 123456000, time.UTC)

// options are a writer's whose files are the same each time.
func options() WriterOptions {
	return WriterOptions{Name: "test.warc.gz", Now: func() time.Time { return moment }, Random: rand.New(rand.NewSource(1))}
}

// message makes a message of a first line, header lines and a body.
func message(line, body string, header ...string) *Message {
	m := &Message{Line: line, Body: strings.NewReader(body)}
	for _, h := range header {
		name, value, _ := strings.Cut(h, ": ")
		m.Header = append(m.Header, Field{name, value})
	}
	return m
}

// page is an exchange with a body.
func page(address, body string) Exchange {
	return Exchange{URL: address, Time: moment, IP: "192.0.2.7", Request: message("GET / HTTP/1.1", "", "Host: a.example"),
		Response: message("HTTP/1.1 200 OK", body, "Content-Type: text/html; charset=utf-8")}
}

// writtenFile writes exchanges to a file in memory.
func writtenFile(t testing.TB, o WriterOptions, exchanges ...Exchange) []byte {
	t.Helper()
	var b bytes.Buffer
	w := NewWriter(&b, o)
	for _, e := range exchanges {
		if err := w.WriteExchange(e); err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

// whole is a record that was read to its end.
type whole struct {
	*Record
	text string
}

// readAll reads all records that are intact, and the damage beside.
func readAll(t testing.TB, r io.Reader) (records []whole, damage []error) {
	t.Helper()
	in := NewReader(r)
	for {
		rec, err := in.Next()
		if err == io.EOF {
			return records, damage
		}
		if err == nil {
			var text []byte
			if text, err = io.ReadAll(rec); err == nil {
				err = rec.Close()
			}
			if err == nil {
				records = append(records, whole{rec, string(text)})
			}
		}
		if _, ok := errors.AsType[*DamageError](err); err != nil && !ok {
			t.Fatal(err)
		}
		if err != nil {
			damage = append(damage, err)
		}
	}
}

// others opens a file of another tool.
func others(t testing.TB, name string) *os.File {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "others", name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}
