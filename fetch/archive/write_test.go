package archive

import (
	"bytes"
	"encoding/base32"
	"encoding/base64"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// messageOf parses the HTTP message of a record that has been read.
func messageOf(t testing.TB, rec whole) (*Message, string) {
	t.Helper()
	again := &Record{Header: rec.Header}
	again.block = &block{left: int64(len(rec.text)), r: &Reader{text: newSource(strings.NewReader(rec.text)).in}, rec: again}
	m, err := again.HTTP()
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(m.Body)
	if err != nil {
		t.Fatal(err)
	}
	return m, string(body)
}

var update = flag.Bool("update", false, "write the golden files")

func TestWriter_golden(t *testing.T) {
	o := options()
	o.Plain, o.Name = true, "test.warc"
	e := page("https://u:p@a.example/?q=1#top", "<p>hello")
	e.Request = message("POST /?q=1 HTTP/1.1", "user=ann&password=hunter2", "Host: a.example", "Cookie: s=1", "Content-Type: application/x-www-form-urlencoded",
		"Content-Length: 25")
	e.Response.Header = append(e.Response.Header, Field{"Set-Cookie", "s=2; Secure"}, Field{"Transfer-Encoding", "chunked"})
	got := writtenFile(t, o, e, page("https://a.example/again", "<p>hello"))
	golden := filepath.Join("testdata", "golden.warc")
	if *update {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%v, got\n%s\nwant\n%s", err, got, want)
	}
	if records, damage := readAll(t, bytes.NewReader(got)); len(records) != 5 || damage != nil {
		t.Errorf("%d records, %v", len(records), damage)
	}
}

func TestWriter_whatIsWrittenIsReadBack(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir()) // other programs have such files, too

	long := strings.Repeat("0123456789abcdef", maxSpooled/16+1) // longer than what is held in memory
	bodies := []string{"", "short", long, "\x00\xff\r\n\r\nWARC/1.0\r\n"}
	for _, plain := range []bool{false, true} {
		o := options()
		o.Plain = plain
		var exchanges []Exchange
		for i, body := range bodies {
			exchanges = append(exchanges, page(fmt.Sprintf("https://a.example/%d", i), body))
		}
		records, damage := readAll(t, bytes.NewReader(writtenFile(t, o, exchanges...)))
		if damage != nil || len(records) != 1+2*len(bodies) {
			t.Fatalf("%d records, %v", len(records), damage)
		}
		for i, body := range bodies {
			rec := records[1+2*i]
			m, got := messageOf(t, rec)
			at, err := rec.Time()
			if got != body || m.Status() != 200 || rec.URL() != exchanges[i].URL || !at.Equal(moment) || err != nil || rec.Version != version {
				t.Errorf("plain %t, body %d: %d bytes, status %d, %s at %s, %v", plain, i, len(got), m.Status(), rec.URL(), at, err)
			}
			if to := bare(records[2+2*i].Header.Get("WARC-Concurrent-To")); to != rec.ID() {
				t.Errorf("the request belongs to %s, want %s", to, rec.ID())
			}
		}
	}
	if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "winnow-archive-*")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

func TestSpool_whatAKilledProgramLeaves(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	s, text := NewSpool(), strings.Repeat("0123456789abcdef", maxSpooled/16+1)
	if _, err := io.WriteString(s, text); err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "*")); len(left) > 0 && runtime.GOOS != "windows" {
		t.Errorf("it would leave %q", left)
	}
	r, err := s.Reader()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(r); string(got) != text || err != nil {
		t.Errorf("%d bytes, %v, want %d", len(got), err, len(text))
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

func TestWriter_aPayloadIsStoredOnce(t *testing.T) {
	for _, keep := range []bool{false, true} {
		o := options()
		o.KeepDuplicates = keep
		var entries []Entry
		o.OnEntry = func(e Entry) { entries = append(entries, e) }
		body := strings.Repeat("the same each time ", 1000)
		empty := page("https://a.example/empty", "")
		records, _ := readAll(t, bytes.NewReader(writtenFile(t, o, page("https://a.example/1", body), page("https://a.example/2", body), empty, empty)))
		first, second := records[1], records[3]
		if keep {
			if second.Type() != Response || records[7].Type() != Response {
				t.Errorf("with KeepDuplicates: %s", second.Type())
			}
			continue
		}
		h := second.Header
		if second.Type() != Revisit || bare(h.Get("WARC-Refers-To")) != first.ID() || h.Get("WARC-Refers-To-Target-URI") != "https://a.example/1" ||
			h.Get("WARC-Refers-To-Date") != first.Header.Get("WARC-Date") || h.Get("WARC-Payload-Digest") != first.Header.Get("WARC-Payload-Digest") {
			t.Errorf("%s: %v", second.Type(), h)
		}
		m, rest := messageOf(t, second)
		if m.Status() != 200 || m.Header.Get("Content-Type") == "" || rest != "" {
			t.Errorf("%q, body %q: want the head alone", m.Line, rest)
		}
		if entries[1].MIME != mimeRevisit || entries[1].Digest != entries[0].Digest || records[7].Type() != Response {
			t.Errorf("entries %v; an empty payload is a %s", entries, records[7].Type())
		}
	}
}

// What is secret is not in the file, unless it is wanted.
func TestWriter_secrets(t *testing.T) {
	secrets := []string{"s3cret-cookie", "s3cret-set", "s3cret-basic", "s3cret-proxy", "s3cret-form", "s3cret-user", "s3cret-query"}
	for _, keep := range []bool{false, true} {
		o := options()
		o.Plain, o.KeepSecrets = true, keep
		e := page("https://s3cret-user:x@a.example/in?bypass=1&Pwd=s3cret-query", "ok")
		e.Response.Header = append(e.Response.Header, Field{"Location", "/next?password=s3cret-query#top"})
		e.Request = message("POST /in?bypass=1&Pwd=s3cret-query HTTP/1.1", "user=ann&Pass%77ord=s3cret-form&n=1", "cookie: s=s3cret-cookie", "AUTHORIZATION: Basic s3cret-basic",
			"Proxy-Authorization: s3cret-proxy", "Referer: https://a.example/?pass=s3cret-query", "Content-Type: application/x-www-form-urlencoded")
		e.Response.Header = append(e.Response.Header, Field{"set-cookie", "s=s3cret-set"}, Field{"Set-Cookie", "t=s3cret-set"})
		file := string(writtenFile(t, o, e))
		for _, secret := range secrets {
			if strings.Contains(file, secret) != keep {
				t.Errorf("KeepSecrets %t: %q is in the file: %t", keep, secret, !keep)
			}
		}
		if !keep && (!strings.Contains(file, "/in?bypass=1&Pwd=%28redacted%29 HTTP/1.1\r\n") || !strings.Contains(file, "/next?password=%28redacted%29#top\r\n")) {
			t.Errorf("addresses without passwords are missing:\n%s", file)
		}
		if !strings.Contains(file, "user=ann&") || !strings.Contains(file, "&n=1") {
			t.Errorf("other fields are missing:\n%s", file)
		}
	}
}

func TestRedactBody(t *testing.T) {
	const part = "--b\r\nContent-Disposition: form-data; name=\"%s\"\r\n\r\n%s\r\n"
	tests := []struct{ media, body, want string }{
		{"application/x-www-form-urlencoded", "a=1&pwd=2&b&userpass=3", "a=1&pwd=%28redacted%29&b&userpass=%28redacted%29"},
		{"application/x-www-form-urlencoded; charset=utf-8", "%zz=1", "%zz=%28redacted%29"},
		{"application/json", `{"user":"a", "n":1.50}`, `{"user":"a", "n":1.50}`},
		{"application/json", `{"a":[{"newPassword":"x"}],"n":1.50}`, `{"a":[{"newPassword":"(redacted)"}],"n":1.50}`},
		{"application/json", `{"password":"x"`, "(redacted)"},
		{"application/json", `{"user":"x"`, `{"user":"x"`},
		{"multipart/form-data; boundary=b", fmt.Sprintf(part, "a", "1") + fmt.Sprintf(part, "passwd", "2") + "--b--\r\n",
			fmt.Sprintf(part, "a", "1") + fmt.Sprintf(part, "passwd", "(redacted)") + "--b--\r\n"},
		{"multipart/form-data; boundary=b", "--b\r\npassword", "(redacted)"},
		{"multipart/form-data", "password=1", "(redacted)"},
		{"text/plain", "password=1", "password=1"},
		{"text/plain;charset=UTF-8", ` {"user":"a","password":"x"}`, `{"password":"(redacted)","user":"a"}`},
		{"application/vnd.api+json", `[{"password":"x"}]`, `[{"password":"(redacted)"}]`},
		{"", `{"variables":{"password":"x"}}`, `{"variables":{"password":"(redacted)"}}`},
		{"text/plain", `{"user": "a"}`, `{"user": "a"}`},
		{"image/png", "\x89PNG", "\x89PNG"},
		{"application/x-www-form-urlencoded", "", ""},
		{"application/x-www-form-urlencoded", strings.Repeat("a=1&", maxForm/4+1), "(redacted)"},
	}
	for _, tt := range tests {
		got, err := io.ReadAll(redactBody(tt.media, strings.NewReader(tt.body)))
		if string(got) != tt.want || err != nil {
			t.Errorf("%s, %.60q: %.90q, %v, want %.90q", tt.media, tt.body, got, err, tt.want)
		}
	}
	if _, err := io.ReadAll(redactBody("application/json", failing{errDisk})); !errors.Is(err, errDisk) {
		t.Errorf("a body that fails: %v", err)
	}
}

// Of a websocket's messages those that were sent have no passwords, and those that were received are as they came.
func TestWriter_secretsInMessages(t *testing.T) {
	const message = `{"password":"s3cret"}`
	for media, want := range map[string]bool{"text/plain; websocket=sent": false, "text/plain; websocket=received": true, "text/plain": true} {
		for _, keep := range []bool{false, true} {
			o := options()
			o.Plain, o.KeepSecrets = true, keep
			var b bytes.Buffer
			if err := NewWriter(&b, o).WriteResource("wss://a.example/", media, time.Time{}, strings.NewReader(message)); err != nil {
				t.Fatal(err)
			}
			if got := strings.Contains(b.String(), message); got != (want || keep) {
				t.Errorf("%s, KeepSecrets %t: it is in the file: %t", media, keep, got)
			}
		}
	}
}

func TestWriter_linesCannotBeInjected(t *testing.T) {
	o := options()
	o.Plain = true
	e := page("https://a.example/\r\nWARC-Type: info", "x")
	e.Response.Header = append(e.Response.Header, Field{"X", "1\r\nY: 2"})
	records, damage := readAll(t, bytes.NewReader(writtenFile(t, o, e)))
	if damage != nil || records[1].Type() != Response {
		t.Fatalf("%v, %s", damage, records[1].Type())
	}
	if m, _ := messageOf(t, records[1]); m.Header.Get("Y") != "" || m.Header.Get("X") != "1 Y: 2" {
		t.Errorf("%v", m.Header)
	}
}

func TestWriter_isSafeForConcurrentUse(t *testing.T) {
	var b bytes.Buffer
	o := options()
	var entries []Entry
	o.OnEntry = func(e Entry) { entries = append(entries, e) }
	w := NewWriter(&b, o)
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			if err := w.WriteExchange(page(fmt.Sprintf("https://a.example/%d", i), strings.Repeat("x", i*1000))); err != nil {
				t.Error(err)
			}
			if err := w.WriteResource("wss://a.example/socket", "text/plain", time.Time{}, strings.NewReader(fmt.Sprint(i))); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	records, damage := readAll(t, bytes.NewReader(b.Bytes()))
	if len(records) != 61 || damage != nil || len(entries) != 40 {
		t.Errorf("%d records, %d entries, %v", len(records), len(entries), damage)
	}
}

func TestWriter_bodiesThatAreNotWhole(t *testing.T) {
	e := page("https://a.example/", "half of it")
	e.Truncated = "time"
	records, damage := readAll(t, bytes.NewReader(writtenFile(t, options(), e, page("https://a.example/", "x"))))
	for i, want := range []string{"", "time", "", "", ""} {
		if got := records[i].Header.Get("WARC-Truncated"); got != want || damage != nil {
			t.Errorf("record %d: WARC-Truncated %q, want %q; %v", i, got, want, damage)
		}
	}
}

func TestWriter_errors(t *testing.T) {
	w := NewWriter(failingWriter{}, options())
	if err := w.WriteExchange(page("https://a.example/", "x")); !errors.Is(err, errDisk) {
		t.Errorf("%v, want %v", err, errDisk)
	}
	if err := w.WriteExchange(page("https://a.example/", "x")); !errors.Is(err, errDisk) {
		t.Errorf("again: %v, want %v", err, errDisk)
	}
	var b bytes.Buffer
	w = NewWriter(&b, options())
	if err := w.WriteExchange(Exchange{URL: "https://u:p@a.example/"}); err == nil || strings.Contains(err.Error(), "u:p") {
		t.Errorf("without a response: %v", err)
	}
	bad := page("https://a.example/", "")
	bad.Response.Body = failing{errDisk}
	if err := w.WriteExchange(bad); !errors.Is(err, errDisk) || b.Len() > 0 {
		t.Errorf("a body that fails: %v, %d bytes written", err, b.Len())
	}
	if err := w.WriteExchange(page("https://a.example/", "x")); err != nil {
		t.Errorf("the next: %v", err)
	}
}

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, errDisk }

func TestParseDigest_spellings(t *testing.T) {
	want := digestOf([]byte("x"))
	sum := []byte(want.Sum)
	for _, s := range []string{want.String(), strings.ToUpper(want.String()), strings.Replace(want.String(), "sha256", "SHA-256", 1),
		"sha256:" + base32.StdEncoding.EncodeToString(sum), "sha256:" + strings.ToLower(base32.StdEncoding.EncodeToString(sum)),
		"sha256:" + base64.StdEncoding.EncodeToString(sum), "sha256:" + base64.RawURLEncoding.EncodeToString(sum)} {
		if d, err := ParseDigest(s); err != nil || d != want {
			t.Errorf("%s: %v, %v", s, d, err)
		}
	}
	one, err1 := ParseDigest("sha1:2jmj7l5rSw0yVb/vlWAYkK/YBwk=")
	two, err2 := ParseDigest("3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ")
	if err := errors.Join(err1, err2); err != nil || one != two || one.String() != "sha1:da39a3ee5e6b4b0d3255bfef95601890afd80709" {
		t.Errorf("%v and %v, %v", one, two, err)
	}
	for _, s := range []string{"", "sha1:", "sha224:00", "sha256:xyz", "md5:00"} {
		if d, err := ParseDigest(s); err == nil {
			t.Errorf("%q: %v", s, d)
		}
	}
}

func TestHeader(t *testing.T) {
	h := Header{{"A", "1"}, {"b", "2"}, {"a", "3"}}
	h.Set("a", "4")
	h.Set("C", "5")
	h.Del("B")
	if want := (Header{{"A", "4"}, {"C", "5"}}); !slices.Equal(h, want) {
		t.Errorf("%v, want %v", h, want)
	}
}
