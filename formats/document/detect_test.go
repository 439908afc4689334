package document

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"os"
	"strings"
	"testing"
)

// zipOf makes an archive of pairs of names and contents.
func zipOf(tb testing.TB, parts ...string) []byte {
	tb.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(parts); i += 2 {
		f, err := w.Create(parts[i])
		if err == nil {
			_, err = f.Write([]byte(parts[i+1]))
		}
		if err != nil {
			tb.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

const onePixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

func pixel(tb testing.TB) []byte {
	tb.Helper()
	png, err := base64.StdEncoding.DecodeString(onePixel)
	if err != nil {
		tb.Fatal(err)
	}
	return png
}

func TestDetect_contentCountsMost(t *testing.T) {
	docx := zipOf(t, "[Content_Types].xml", "<Types/>", "word/document.xml", "<x/>")
	const html = "<!DOCTYPE html><html><body>about %PDF- files</body></html>"
	const ole = "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1 but broken"
	for name, c := range map[string]struct {
		in   Input
		want Kind
	}{
		"pdf":                       {Input{Body: []byte("%PDF-1.4\n")}, PDF},
		"pdf after junk":            {Input{Body: []byte("\r\njunk\r\n%PDF-1.4\n")}, PDF},
		"pdf named docx":            {Input{Body: []byte("%PDF-1.4\n"), Name: "a.docx", MediaType: "application/msword"}, PDF},
		"a page about pdf":          {Input{Body: []byte(html), MediaType: "application/pdf", Name: "a.pdf"}, Unknown},
		"docx":                      {Input{Body: docx}, DOCX},
		"docx named pdf":            {Input{Body: docx, Name: "a.pdf", MediaType: "application/pdf"}, DOCX},
		"xlsx":                      {Input{Body: zipOf(t, "xl/workbook.xml", "")}, XLSX},
		"xlsb":                      {Input{Body: zipOf(t, "xl/workbook.bin", "")}, XLSB},
		"pptx":                      {Input{Body: zipOf(t, "ppt/presentation.xml", "")}, PPTX},
		"odt":                       {Input{Body: zipOf(t, "mimetype", "application/vnd.oasis.opendocument.text", "content.xml", "")}, ODT},
		"ods":                       {Input{Body: zipOf(t, "mimetype", "application/vnd.oasis.opendocument.spreadsheet")}, ODS},
		"odp":                       {Input{Body: zipOf(t, "mimetype", "application/vnd.oasis.opendocument.presentation")}, ODP},
		"a drawing":                 {Input{Body: zipOf(t, "mimetype", "application/vnd.oasis.opendocument.graphics")}, ODP},
		"epub":                      {Input{Body: zipOf(t, "mimetype", "application/epub+zip")}, EPUB},
		"epub without its mark":     {Input{Body: zipOf(t, "META-INF/container.xml", "")}, EPUB},
		"any archive":               {Input{Body: zipOf(t, "a.txt", "x"), Name: "a.docx"}, ZIP},
		"a broken archive":          {Input{Body: []byte("PK\x03\x04 broken \x00\x01"), Name: "a.docx"}, DOCX},
		"rtf without a header":      {Input{Body: []byte(`{\pard words\par}`), Name: "a.rtf"}, RTF},
		"text named rtf":            {Input{Body: []byte("words"), Name: "a.rtf"}, Unknown},
		"rtf named doc":             {Input{Body: []byte(`{\rtf1 x}`), Name: "a.doc"}, RTF},
		"html named doc":            {Input{Body: []byte(html), Name: "a.doc", MediaType: "application/msword"}, Unknown},
		"a text table named xls":    {Input{Body: []byte("a\tb\n1\t2\n"), Name: "a.xls"}, CSV},
		"plain text named docx":     {Input{Body: []byte("just words"), Name: "a.docx"}, Unknown},
		"a broken container":        {Input{Body: []byte(ole), Name: "a.xls"}, XLS},
		"garbage named pdf":         {Input{Body: []byte("\x00\x01\x02\x03"), Name: "a.pdf"}, PDF},
		"garbage":                   {Input{Body: []byte("\x00\x01\x02\x03")}, Unknown},
		"garbage that is html":      {Input{Body: []byte("\x00\x01\x02\x03"), MediaType: "text/html"}, Unknown},
		"nothing":                   {Input{}, Unknown},
		"nothing named docx":        {Input{Name: "a.docx"}, DOCX},
		"png named pdf":             {Input{Body: pixel(t), Name: "a.pdf"}, Picture},
		"an image of a page's name": {Input{Body: []byte("GIF89a..."), Name: "index.html"}, Picture},
		"rss":                       {Input{Body: []byte("<?xml version='1.0'?><rss><channel/></rss>"), MediaType: "text/xml"}, Feed},
		"json feed":                 {Input{Body: []byte(`{"version":"https://jsonfeed.org/version/1","items":[]}`), MediaType: "application/json"}, Feed},
		"html named rss":            {Input{Body: []byte(html), MediaType: "application/rss+xml"}, Unknown},
		"xml":                       {Input{Body: []byte("<?xml version='1.0'?><a/>"), MediaType: "application/xml"}, Unknown},
		"json":                      {Input{Body: []byte(`{"a":1}`), MediaType: "application/json"}, Unknown},
		"lines of json":             {Input{Body: []byte("{\"a\":1}\n{\"a\":2}\n"), MediaType: "application/json"}, JSONL},
		"json on several lines":     {Input{Body: []byte("{\n\"a\":1}\n"), MediaType: "application/json"}, Unknown},
		"csv by type":               {Input{Body: []byte("a,b\n"), MediaType: "text/csv; charset=utf-8"}, CSV},
		"csv by name":               {Input{Body: []byte("a,b\n"), MediaType: "text/plain", Name: "data.csv"}, CSV},
		"csv by address":            {Input{Body: []byte("a,b\n"), MediaType: "application/octet-stream", URL: "https://example.org/data.csv?x=1"}, CSV},
		"csv that is a page":        {Input{Body: []byte(html), MediaType: "text/csv"}, Unknown},
		"csv in UTF-16":             {Input{Body: []byte("\xFF\xFEa\x00,\x00b\x00"), Name: "a.csv"}, CSV},
		"tsv":                       {Input{Body: []byte("a\tb\n"), Name: "a.tsv"}, TSV},
		"mail":                      {Input{Body: []byte("From: a@example.org\nTo: b@example.org\nSubject: x\n\ntext")}, EML},
		"mail by type":              {Input{Body: []byte("X: y\n\ntext"), MediaType: "message/rfc822"}, EML},
		"markdown":                  {Input{Body: []byte("# Title"), Name: "a.md"}, Unknown},
		"plain text":                {Input{Body: []byte("words"), MediaType: "text/plain"}, Unknown},
		"a program":                 {Input{Body: []byte("package main\n"), Name: "main.go"}, Unknown},
	} {
		if got := Detect(c.in); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

func TestConvert_kindsThatNothingReadsAreUnsupported(t *testing.T) {
	for _, in := range []Input{
		{Body: zipOf(t, "xl/workbook.bin", "")}, {Body: zipOf(t, "a.exe", "\x00\x01")}, {Body: []byte("words")},
	} {
		_, err := Convert(t.Context(), in, Options{})
		e, ok := err.(*UnsupportedError)
		if !ok || e.Kind != Detect(in) || e.Kind != Unknown && e.Advice == "" {
			t.Errorf("%.10q: got %v", in.Body, err)
		}
	}
}

func FuzzDetect(f *testing.F) {
	f.Add([]byte("%PDF-1.4"), "a.pdf", "application/pdf")
	f.Add([]byte("{\"a\":1}\n{\"a\":2}"), "", "text/plain; charset=x")
	f.Add([]byte("From: a\nTo: b\nDate: c\n\n"), "a.eml", "")
	f.Add(zipOf(f, "mimetype", "application/epub+zip", "word/document.xml", "<x/>"), "", "")
	f.Add([]byte("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"+strings.Repeat("\xFE\xFF", 600)), "a.xls", "")
	f.Fuzz(func(t *testing.T, body []byte, name, media string) {
		in := Input{Body: body, Name: name, MediaType: media}
		if kind := Detect(in); kind != Detect(in) || kind.isText() {
			t.Errorf("got %q", kind)
		}
	})
}

func TestDetect_samplesAreWhatTheirNamesSay(t *testing.T) {
	files, err := os.ReadDir("internal/office/testdata/golden")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		ext := file.Name()[strings.LastIndexByte(file.Name(), '.')+1:]
		if ext == "html" || ext == "csv" {
			continue
		}
		body, err := os.ReadFile("internal/office/testdata/golden/" + file.Name())
		if err != nil {
			t.Fatal(err)
		}
		if got := Detect(Input{Body: body}); string(got) != ext {
			t.Errorf("%s: got %q", file.Name(), got)
		}
	}
}
