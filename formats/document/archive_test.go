package document

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestConvert_filesOfAnArchiveAreSections(t *testing.T) {
	docx, err := os.ReadFile("internal/office/testdata/golden/made.docx")
	if err != nil {
		t.Fatal(err)
	}
	body := zipOf(t, "sacks/t.csv", "Crop,Sacks\nOats,12\n", "letter.docx", string(docx), "notes.txt", "First\nline.\n\nSecond <b>.",
		"page.html", "<html><body><h1>Page</h1><script>x()</script><p>Text", "main.go", "package main\n", "empty.txt", "",
		"__MACOSX/._t.csv", "\x00\x05\x16", "inner.zip", string(zipOf(t, "a.txt", "deep")), "run.exe", "MZ\x00\x01\x02\x00\x00", "broken.docx", "PK\x03\x04")
	res, err := Convert(t.Context(), Input{Body: body, Name: "all.zip"}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	html := string(res.HTML)
	at := 0
	for _, want := range []string{"<h1>sacks/t.csv</h1>", "<td>Oats</td><td>12</td>", "<h1>letter.docx</h1>", "<h2>First heading</h2>", "<h1>notes.txt</h1>", "<p>First<br>line.</p>\n<p>Second &lt;b&gt;.</p>",
		"<h1>page.html</h1>", "<h2>Page</h2><p>Text</p>", "<h1>main.go</h1>", "<pre><code class=\"language-go\">package main\n</code></pre>", "<h1>empty.txt</h1>"} {
		i := strings.Index(html[at:], want)
		if i < 0 {
			t.Fatalf("no %q after byte %d of %s", want, at, html)
		}
		at += i
	}
	if res.Kind != ZIP || strings.Contains(html, "deep") || strings.Contains(html, "x()") || strings.Contains(html, "MACOSX") {
		t.Errorf("got %s, %s", res.Kind, html)
	}
	want := []string{"Files of the archive were left out (damaged): broken.docx.", "Files of the archive were left out (archives in the archive): inner.zip.", "Files of the archive were left out (of kinds that are not read): run.exe."}
	if !slices.Equal(res.Warnings, want) {
		t.Errorf("got  %q\nwant %q", res.Warnings, want)
	}
}

func TestConvert_archivesAreBounded(t *testing.T) {
	two := zipOf(t, "a.txt", "read", "big.txt", strings.Repeat("abcdefg ", 1000))
	for name, c := range map[string]struct {
		body []byte
		l    Limits
		want string
	}{
		"a file":     {two, Limits{Memory: 5000}, "beyond the limits of size): big.txt"},
		"all files":  {two, Limits{Unzipped: 5000}, "beyond the limits of size): big.txt"},
		"the text":   {two, Limits{Text: 500}, "beyond the limits of size): big.txt"},
		"the ratio":  {zipOf(t, "a.txt", "read", "bomb.txt", strings.Repeat("\x00", 16<<20)), Limits{}, "packed too well to be real files): bomb.txt"},
		"what holds": {zipOf(t, "a.txt", "read", "b.docx", string(zipOf(t, "word/document.xml", strings.Repeat(" ", 1<<20)))), Limits{Unzipped: 100_000}, "beyond the limits of size): b.docx"},
	} {
		res, err := Convert(t.Context(), Input{Body: c.body}, Options{Limits: c.l})
		if err != nil || len(res.Warnings) != 1 || !strings.Contains(res.Warnings[0], c.want) || !bytes.Contains(res.HTML, []byte("<p>read</p>")) {
			t.Errorf("%s: got %+v, %v", name, res, err)
		}
	}
	if e, ok := errors.AsType[*TooLargeError](convertError(t, Input{Body: two}, Options{Limits: Limits{Entries: 1}})); !ok || e.What != "entries" {
		t.Errorf("entries: got %v", e)
	}
	err := convertError(t, Input{Body: zipOf(t, "bomb", strings.Repeat("\x00", 16<<20))}, Options{})
	if !errors.As(err, new(*UnsupportedError)) || !strings.Contains(err.Error(), "packed too well to be real files): bomb") {
		t.Errorf("nothing but a bomb: got %v", err)
	}
	if err := convertError(t, Input{Body: zipOf(t)}, Options{}); !errors.As(err, new(*DamagedError)) {
		t.Errorf("an empty one: got %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := convertZIP(ctx, Input{Body: two}, Options{Limits: Limits{}.withDefaults()}); !errors.Is(err, context.Canceled) {
		t.Errorf("ended: got %v", err)
	}
}

// locked sets the mark of encryption on the entries of an archive.
func locked(body []byte, names ...string) []byte {
	body = bytes.Clone(body)
	for _, head := range []struct {
		mark        string
		flags, name int
	}{{"PK\x03\x04", 6, 30}, {"PK\x01\x02", 8, 46}} {
		for at := 0; ; at++ {
			i := bytes.Index(body[at:], []byte(head.mark))
			if i < 0 {
				break
			}
			at += i
			for _, name := range names {
				if bytes.HasPrefix(body[at+head.name:], []byte(name)) {
					body[at+head.flags] |= 1
				}
			}
		}
	}
	return body
}

func TestConvert_encryptedFilesOfAnArchiveAreNamed(t *testing.T) {
	body := zipOf(t, "a.txt", "read", "secret.txt", "hidden")
	res, err := Convert(t.Context(), Input{Body: locked(body, "secret.txt")}, Options{})
	if err != nil || !slices.Equal(res.Warnings, []string{"Files of the archive were left out (encrypted): secret.txt."}) || bytes.Contains(res.HTML, []byte("hidden")) {
		t.Errorf("got %+v, %v", res, err)
	}
	if err := convertError(t, Input{Body: locked(body, "secret.txt", "a.txt")}, Options{}); !errors.As(err, new(*EncryptedError)) {
		t.Errorf("all of them: got %v", err)
	}
}

func TestConvert_namesInArchivesAreTexts(t *testing.T) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, h := range []*zip.FileHeader{{Name: "../../etc/<b>\n.txt"}, {Name: "\x84pfel.txt", NonUTF8: true}} {
		f, err := w.CreateHeader(h)
		if err != nil {
			t.Fatal(err)
		}
		f.Write([]byte("x"))
	}
	w.Close()
	res, err := Convert(t.Context(), Input{Body: b.Bytes()}, Options{})
	if err != nil || !bytes.Contains(res.HTML, []byte("<h1>../../etc/&lt;b&gt;.txt</h1>")) || !bytes.Contains(res.HTML, []byte("<h1>äpfel.txt</h1>")) {
		t.Errorf("got %+v, %v", res, err)
	}
}

func TestReason_aFileThatWasNotReadInTimeIsNotTooLarge(t *testing.T) {
	if got := reason(fmt.Errorf("read: %w", &TimeError{After: time.Second})); got != leftLate {
		t.Errorf("got %q", got)
	}
}

func FuzzZIP(f *testing.F) {
	f.Add(zipOf(f, "a/b.txt", "text", "t.csv", "a,b\n1,2\n", "p.html", "<p>x", "inner.zip", "PK\x05\x06"))
	f.Add(locked(zipOf(f, "a.txt", "x"), "a.txt"))
	f.Fuzz(func(t *testing.T, body []byte) {
		l := Limits{Unzipped: 4 << 20, Entries: 100, Cells: 10_000, Pages: 10, Text: 1 << 20, Memory: 4 << 20}
		res, err := convertZIP(t.Context(), Input{Body: body}, Options{Mode: ModeFast, Limits: l.withDefaults()})
		if (res == nil) == (err == nil) {
			t.Errorf("got %v, %v", res, err)
		}
		if res != nil && int64(len(res.HTML)) > 2*l.Text {
			t.Errorf("%d bytes", len(res.HTML))
		}
	})
}
