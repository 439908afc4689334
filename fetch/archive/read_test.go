package archive

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
)

// What other tools have written, and what of it is damaged.
func TestReader_filesOfOtherTools(t *testing.T) {
	tests := []struct {
		file, want string
		damage     []string
	}{
		{"example.warc.gz", "warcinfo@0+353 warcinfo@353+431 response@784+1228 request@2012+609 revisit@2621+586 request@3207+609", nil},
		{"example-collection.warc", "warcinfo@0+381 warcinfo@381+464 response@845+1293 request@2138+592", nil},
		{"example-digest.warc", "request@0+922 request@922+918 request@1840+918 request@2758+914", nil},
		{"example-iana.org-chunked.warc", "warcinfo@0+405 response@405+7974 request@8379+452", nil},
		{"example-resource.warc.gz", "warcinfo@0+361 warcinfo@361+441 resource@802+977", nil},
		{"example-warcinfo-metadata.warc", "warcinfo@0+326 response@326+1167 request@1493+764 warcinfo@2257+251", nil},
		{"example.arc.gz", "warcinfo@0+171 response@171+856", nil},
		// All records share one gzip member; the revisit has a wrong digest.
		{"example-bad-non-chunked.warc.gz", "warcinfo@0+0 warcinfo@0+0 response@0+0 request@0+0 request@0+0",
			[]string{"record at byte 0, http://example.com/: its block has the digest sha1:b75ac3ca"}},
		// A response that lacks two bytes.
		{"example-trunc.warc", "warcinfo@0+488 warcinfo@488+709 request@2566+804",
			[]string{"record at byte 1197, http://example.com/: its block has the digest sha1:d2f42744"}},
		{"bad.arc", "resource@202+60", []string{
			`record at byte 0: length "-1" of an ARC record`, `record at byte 134: length "-1"`, `record at byte 262: length "abc"`}},
	}
	for _, tt := range tests {
		records, damage := readAll(t, others(t, tt.file))
		if got := outline(records); got != tt.want {
			t.Errorf("%s: records %s, want %s", tt.file, got, tt.want)
		}
		if len(damage) != len(tt.damage) {
			t.Errorf("%s: damage %v, want %q", tt.file, damage, tt.damage)
			continue
		}
		for i, err := range damage {
			if !strings.Contains(err.Error(), tt.damage[i]) {
				t.Errorf("%s: damage %v, want %q", tt.file, err, tt.damage[i])
			}
		}
	}
}

func outline(records []whole) string {
	var parts []string
	for _, rec := range records {
		parts = append(parts, fmt.Sprintf("%s@%d+%d", rec.Type(), rec.Offset, rec.Length))
	}
	return strings.Join(parts, " ")
}

func TestReader_httpMessages(t *testing.T) {
	tests := []struct {
		file         string
		record       int
		line, ending string
		status       int
	}{
		{"example.arc.gz", 1, "HTTP/1.1 200 OK", "</html>\n", 200},
		{"example-iana.org-chunked.warc", 1, "HTTP/1.1 200 OK", "</html>\n", 200},
		{"example-iana.org-chunked.warc", 2, "GET / HTTP/1.1", "", 0},
		{"example-bad-non-chunked.warc.gz", 3, "GET / HTTP/1.0", "", 0},
	}
	for _, tt := range tests {
		records, _ := readAll(t, others(t, tt.file))
		rec := records[tt.record]
		rec.block = &block{left: int64(len(rec.text)), r: &Reader{text: newSource(strings.NewReader(rec.text)).in}, rec: rec.Record}
		m, err := rec.HTTP()
		if err != nil {
			t.Errorf("%s: %v", tt.file, err)
			continue
		}
		body, err := io.ReadAll(m.Body)
		if m.Line != tt.line || m.Status() != tt.status || err != nil || !strings.HasSuffix(string(body), tt.ending) || tt.ending == "" && len(body) > 0 {
			t.Errorf("%s: %q, status %d, %v, body %.80q…; want %q, %d, ending %q", tt.file, m.Line, m.Status(), err, body, tt.line, tt.status, tt.ending)
		}
	}
}

// site is a file of ten pages, with where each of its records begins.
func site(t testing.TB, plain bool) (file []byte, begins []int64) {
	o := options()
	o.Plain = plain
	var pages []Exchange
	for i := range 10 {
		pages = append(pages, page(fmt.Sprintf("https://a.example/%d", i), strings.Repeat(fmt.Sprintf("page %d. ", i), 50+i)))
	}
	file = writtenFile(t, o, pages...)
	records, damage := readAll(t, bytes.NewReader(file))
	if len(records) != 21 || damage != nil {
		t.Fatalf("%d records, %v; want 21", len(records), damage)
	}
	for _, rec := range records {
		begins = append(begins, rec.Offset)
	}
	return file, append(begins, int64(len(file)))
}

// A byte that has changed costs its record, named, and no other.
func TestReader_aDamagedRecordCostsNoOther(t *testing.T) {
	for _, plain := range []bool{false, true} {
		file, begins := site(t, plain)
		for victim := 2; victim < 20; victim++ {
			at := (begins[victim] + begins[victim+1]) / 2
			if plain {
				at = begins[victim+1] - 6 // in the block: headers have no digest
			}
			bad := bytes.Clone(file)
			bad[at] ^= 0x55
			records, damage := readAll(t, bytes.NewReader(bad))
			if len(records) != 20 || len(damage) != 1 {
				t.Errorf("plain %t, byte %d: %d records and damage %v, want 20 and one", plain, at, len(records), damage)
				continue
			}
			if d, _ := errors.AsType[*DamageError](damage[0]); d == nil || d.Offset != begins[victim] {
				t.Errorf("plain %t, byte %d: %v, want damage at %d", plain, at, damage[0], begins[victim])
			}
		}
	}
}

// Of a file from which a piece is missing, everything outside of the piece is found: also a record that begins within the length that a
// damaged one declares.
func TestReader_missingPieces(t *testing.T) {
	for _, plain := range []bool{false, true} {
		file, begins := site(t, plain)
		for victim := 2; victim < 20; victim++ {
			from, to := begins[victim]+40, begins[victim+1]-20
			bad := append(bytes.Clone(file[:from]), file[to:]...)
			records, damage := readAll(t, bytes.NewReader(bad))
			if len(records) != 20 || len(damage) == 0 {
				t.Errorf("plain %t, without %d to %d: %d records and damage %v, want 20 and some", plain, from, to, len(records), damage)
			}
		}
	}
}

// A file that ends anywhere has all records before, and an error unless it ends between two.
func TestReader_truncatedFiles(t *testing.T) {
	for _, plain := range []bool{false, true} {
		file, begins := site(t, plain)
		for cut := int64(1); cut < int64(len(file)); cut += 97 {
			complete, between := 0, false
			for i, b := range begins[1:] {
				if b <= cut {
					complete = i + 1
				}
				between = between || b == cut
			}
			records, damage := readAll(t, bytes.NewReader(file[:cut]))
			// The newlines behind a block may be missing.
			if len(records) != complete && !(plain && len(records) == complete+1) || len(records) == complete && (len(damage) == 0) != between {
				t.Errorf("plain %t, cut at %d: %d records and damage %v, want %d", plain, cut, len(records), damage, complete)
			}
		}
	}
}

// stream can't go back.
type stream struct{ io.Reader }

func TestReader_ofAStreamGoesOnBehindDamage(t *testing.T) {
	file, begins := site(t, false)
	bad := bytes.Clone(file)
	bad[(begins[5]+begins[6])/2] ^= 0xff
	records, damage := readAll(t, stream{bytes.NewReader(bad)})
	if len(records) < 19 || len(damage) == 0 {
		t.Errorf("%d records, damage %v; want at least 19 and some", len(records), damage)
	}
}

var errDisk = errors.New("the disk is gone")

func TestReader_anErrorOfTheSourceIsNoDamage(t *testing.T) {
	file, begins := site(t, false)
	in := NewReader(io.MultiReader(bytes.NewReader(file[:begins[3]+30]), failing{errDisk}))
	var err error
	n := 0
	for ; err == nil; n++ {
		_, err = in.Next()
	}
	if !errors.Is(err, errDisk) || n != 4 {
		t.Errorf("call %d: %v, want %v at the fourth", n, err, errDisk)
	}
	if _, again := in.Next(); !errors.Is(again, errDisk) {
		t.Errorf("then %v", again)
	}
}

// A long record needs no more memory than a short one; nor does a header that doesn't end.
func TestReader_memoryIsBounded(t *testing.T) {
	var file bytes.Buffer
	z := gzip.NewWriter(&file)
	const size = 12 << 20
	fmt.Fprintf(z, "WARC/1.1\r\nWARC-Type: resource\r\nWARC-Target-URI: http://a.example/\r\nContent-Length: %d\r\n\r\n", size)
	_, _ = io.Copy(z, io.LimitReader(zeros{}, size))
	fmt.Fprintf(z, "\r\n\r\nWARC/1.1\r\nX: ")
	_, _ = io.Copy(z, io.LimitReader(zeros{}, size))
	z.Close()
	before := allocated()
	in := NewReader(bytes.NewReader(file.Bytes()))
	rec, err := in.Next()
	if err != nil {
		t.Fatal(err)
	}
	if n, err := io.Copy(io.Discard, rec); n != size || err != nil {
		t.Errorf("%d bytes, %v", n, err)
	}
	if _, err := in.Next(); !errors.Is(err, errLongHead) {
		t.Errorf("%v, want %v", err, errLongHead)
	}
	if n := allocated() - before; n > 8<<20 {
		t.Errorf("%d bytes were allocated for two records of %d bytes", n, size)
	}
}

// allocated is how many bytes have been allocated so far.
func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

func TestReader_odds(t *testing.T) {
	const head = "WARC/1.0\nWARC-Type: resource\nWARC-Target-URI: <http://a.example/>\nX: a\n b\nContent-Length: 3\n\nabc"
	tests := map[string]struct {
		records, damage int
	}{
		"":                       {0, 0},
		"\r\n\r\n":               {0, 0},
		"nothing of the kind":    {0, 1},
		head:                     {1, 0},
		head + "\n\n" + head:     {2, 0},
		head + head:              {2, 0},
		head + "junk":            {0, 1},
		"junk\n" + head:          {1, 1},
		"\x1f\x8b\x08junk":       {0, 1},
		head + "\x00\x00\x00":    {0, 1},
		"WARC/1.0\n\n":           {0, 1},
		"WARC/1.0\nno field\n\n": {0, 1},
		"WARC/1.0\nContent-Length: -1\n\n" + head: {1, 1},
	}
	for text, want := range tests {
		records, damage := readAll(t, strings.NewReader(text))
		if len(records) != want.records || len(damage) != want.damage {
			t.Errorf("%q: %d records, damage %v; want %v", text, len(records), damage, want)
		}
	}
	records, _ := readAll(t, strings.NewReader(head))
	if got := records[0]; got.URL() != "http://a.example/" || got.Header.Get("x") != "a b" || got.text != "abc" {
		t.Errorf("URL %q, X %q, %q", got.URL(), got.Header.Get("x"), got.text)
	}
}

func FuzzReader(f *testing.F) {
	files, err := os.ReadDir("testdata/others")
	if err != nil {
		f.Fatal(err)
	}
	for _, entry := range files {
		if text, err := os.ReadFile("testdata/others/" + entry.Name()); err == nil && strings.Contains(entry.Name(), "arc") {
			f.Add(text)
		}
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		records, damage := readAll(t, bytes.NewReader(file))
		before := int64(-1)
		for _, rec := range records {
			if rec.Offset < before || rec.Offset+rec.Length > int64(len(file)) {
				t.Errorf("a record at %d of %d bytes behind one at %d, in a file of %d", rec.Offset, rec.Length, before, len(file))
			}
			before = rec.Offset
			if rec.Length > 0 {
				again, bad := readAll(t, bytes.NewReader(file[rec.Offset:rec.Offset+rec.Length]))
				if len(again) != 1 || bad != nil || again[0].text != rec.text {
					t.Errorf("the record at %d alone: %d records, %v", rec.Offset, len(again), bad)
				}
			}
		}
		if len(records) == 0 && len(damage) == 0 && len(bytes.Trim(file, "\r\n")) > 0 && !bytes.HasPrefix(bytes.TrimLeft(file, "\r\n"), gzipMagic) {
			t.Error("neither a record nor damage")
		}
	})
}
