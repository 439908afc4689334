package office

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"github.com/winnow-go/winnow/formats/document/internal/compound"
	"github.com/winnow-go/winnow/formats/document/internal/xmltree"
)

// zipReaders are those whose files are archives, with the part that holds the text.
var zipReaders = map[string]struct {
	read reader
	part string
}{
	"docx": {DOCX, "word/document.xml"}, "xlsx": {XLSX, "xl/workbook.xml"}, "pptx": {PPTX, "ppt/presentation.xml"},
	"odt": {ODT, "content.xml"}, "ods": {ODS, "content.xml"}, "odp": {ODP, "content.xml"}, "epub": {EPUB, "META-INF/container.xml"},
}

func TestReaders_refuseArchivesThatUnpackWithoutEnd(t *testing.T) {
	blanks := strings.Repeat(" ", 6<<20)
	for name, z := range zipReaders {
		body := archive(t, z.part, "<x>"+blanks+"</x>")
		_, err := z.read(t.Context(), body, Options{})
		if _, ok := errors.AsType[*LimitError](err); !ok {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestReaders_holdTheLimitOfUnpackedBytes(t *testing.T) {
	var text strings.Builder
	for i := range 30_000 {
		text.WriteString(itoa(i * 7919)) // packs badly
	}
	for name, z := range zipReaders {
		body := archive(t, z.part, "<x>"+text.String()+"</x>")
		_, err := z.read(t.Context(), body, Options{Limits: Limits{Unzipped: 100_000}})
		if e, ok := errors.AsType[*LimitError](err); !ok || e.What != "unzipped" || e.Limit != 100_000 {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestReaders_refuseTooManyEntries(t *testing.T) {
	var parts []string
	for i := range 101 {
		parts = append(parts, "p"+itoa(i), "x")
	}
	for name, z := range zipReaders {
		_, err := z.read(t.Context(), archive(t, append(parts, z.part, "<x/>")...), Options{Limits: Limits{Entries: 100}})
		if e, ok := errors.AsType[*LimitError](err); !ok || e.What != "entries" {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestReaders_pathsLeadNowhereOutside(t *testing.T) {
	dir := t.TempDir()
	secret := filepath.Join(dir, "secret.xml")
	if err := os.WriteFile(secret, []byte(docxOpen+wp("", wr("", "stolen"))+"</w:body></w:document>"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, target := range []string{secret, "../../../.." + secret, "file://" + secret, `..\..\secret.xml`} {
		body := archive(t, "_rels/.rels", rels(relTo("1", "officeDocument", target)), "../../evil.xml", "<x/>", "word/document.xml", docxOpen+wp("", wr("", "own"))+"</w:body></w:document>")
		if got := bodyOfDoc(t, DOCX, body, Options{}); got != "<p>own</p>" {
			t.Errorf("%s: got %s", target, got)
		}
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 1 {
		t.Errorf("got %v, %v", files, err)
	}
}

func TestReaders_expandNoEntities(t *testing.T) {
	entities := `<!DOCTYPE x [<!ENTITY xxe SYSTEM "file:///etc/passwd"><!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]>`
	body := archive(t, "word/document.xml", entities+docxOpen+wp("", wr("", "&xxe;|&c;"))+"</w:body></w:document>")
	if got := bodyOfDoc(t, DOCX, body, Options{}); got != "<p>&amp;xxe;|&amp;c;</p>" {
		t.Errorf("got %s", got)
	}
}

func TestReaders_depthIsBounded(t *testing.T) {
	deep := strings.Repeat("<w:sdt><w:sdtContent>", 100_000)
	_, err := DOCX(t.Context(), docxOf(t, deep), Options{})
	if !errors.Is(err, xmltree.ErrLimit) {
		t.Errorf("got %v", err)
	}
	tables := strings.Repeat("<w:tbl><w:tr><w:tc>", 60) + wp("", wr("", "deep"))
	doc, err := DOCX(t.Context(), docxOf(t, tables), Options{})
	if err != nil || !strings.Contains(string(doc.Body), "deep") {
		t.Errorf("got %v", err)
	}
}

func TestReaders_damagedFilesAreErrorsOrWhatCouldBeRead(t *testing.T) {
	files, err := filepath.Glob("testdata/golden/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		read := readers[filepath.Ext(name)]
		if read == nil {
			continue
		}
		whole, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, cut := range []int{0, 1, 10, len(whole) / 3, len(whole) / 2, len(whole) - 30} {
			if cut >= 0 && cut < len(whole) {
				damaged(t, name, read, whole[:cut])
			}
		}
		for at := 0; at < len(whole); at += max(len(whole)/flips(), 1) {
			flipped := bytes.Clone(whole)
			flipped[at] ^= 0x55
			damaged(t, name, read, flipped)
		}
	}
}

// damaged reads a file that may be anything: the answer is HTML or an error with a type.
func damaged(tb testing.TB, name string, read reader, body []byte) {
	tb.Helper()
	doc, err := read(tb.Context(), body, Options{Limits: Limits{Unzipped: 16 << 20, Cells: 100_000, Text: 4 << 20}})
	if err == nil {
		checkHTML(tb, doc.Body)
		return
	}
	_, isDamage := errors.AsType[*DamagedError](err)
	_, isLimit := errors.AsType[*LimitError](err)
	if !isDamage && !isLimit && !errors.Is(err, ErrEncrypted) && !errors.Is(err, ErrPassword) && !errors.Is(err, xmltree.ErrLimit) {
		tb.Errorf("%s: got %T %v", name, err, err)
	}
}

func TestReaders_endWithTheirContext(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Nanosecond)
	defer cancel()
	<-ctx.Done()
	for name, file := range map[string]string{".docx": "made.docx", ".xlsx": "test.xlsx", ".pptx": "made.pptx", ".odt": "made.odt", ".ods": "test-columnar.ods", ".epub": "test.epub", ".rtf": "made.rtf", ".csv": "testCSV.csv"} {
		body, err := os.ReadFile("testdata/golden/" + file)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := readers[name](ctx, body, Options{}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestDecrypt_refusesContainersThatClaimTooMuch(t *testing.T) {
	good := workbookOf(t, func(*excelize.File) {}, excelize.Options{Password: "pw"})
	if _, err := Decrypt(good, "pw"); err != nil {
		t.Fatal(err)
	}
	for name, at := range map[string]int{"directory": 40, "table": 44, "small table": 64, "table's table": 72, "sector size": 30, "first sector": 48} {
		body := bytes.Clone(good)
		binary.LittleEndian.PutUint32(body[at:], 0xFFFFFF00)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := Decrypt(body, "pw")
		runtime.ReadMemStats(&after)
		if _, ok := errors.AsType[*DamagedError](err); !ok || after.TotalAlloc-before.TotalAlloc > 1<<20 {
			t.Errorf("%s: got %v, %d bytes allocated", name, err, after.TotalAlloc-before.TotalAlloc)
		}
	}
	for cut := range 38 {
		if _, err := Decrypt(good[:len(good)*cut/40], "pw"); err == nil && cut > 0 {
			t.Errorf("%d of 40 parts: no error", cut)
		}
	}
}

func FuzzDecrypt(f *testing.F) {
	f.Add(workbookOf(f, func(*excelize.File) {}, excelize.Options{Password: "pw"})[:4096])
	f.Fuzz(func(t *testing.T, body []byte) {
		if len(body) > 8 {
			Decrypt(append([]byte(compound.Magic), body[8:]...), "pw")
		}
	})
}

func TestXLSX_sizesThatEntriesClaimAreChecked(t *testing.T) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	f, err := w.CreateRaw(&zip.FileHeader{Name: "xl/workbook.xml", Method: zip.Deflate, CompressedSize64: 10, UncompressedSize64: 200 << 20})
	if err != nil {
		t.Fatal(err)
	}
	f.Write(make([]byte, 10))
	w.Close()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err = XLSX(t.Context(), b.Bytes(), Options{})
	runtime.ReadMemStats(&after)
	if _, ok := errors.AsType[*LimitError](err); !ok || after.TotalAlloc-before.TotalAlloc > 32<<20 {
		t.Errorf("got %v, %d bytes allocated", err, after.TotalAlloc-before.TotalAlloc)
	}
}

// flips is how many bytes of each file are changed: a tenth by default, all with WINNOW_SOAK=1.
func flips() int {
	if os.Getenv("WINNOW_SOAK") != "" {
		return 50
	}
	return 5
}
