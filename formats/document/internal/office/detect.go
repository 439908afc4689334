package office

import (
	"archive/zip"
	"bytes"
	"context"
	"path"
	"strings"

	"github.com/winnow-go/winnow/formats/document/internal/office/charsets"
)

// mimetypes are the first entries of OpenDocument files and books, and what they are.
var mimetypes = map[string]string{
	"application/epub+zip":                                     "epub",
	"application/vnd.oasis.opendocument.text":                  "odt",
	"application/vnd.oasis.opendocument.text-template":         "odt",
	"application/vnd.oasis.opendocument.text-master":           "odt",
	"application/vnd.oasis.opendocument.spreadsheet":           "ods",
	"application/vnd.oasis.opendocument.spreadsheet-template":  "ods",
	"application/vnd.oasis.opendocument.presentation":          "odp",
	"application/vnd.oasis.opendocument.presentation-template": "odp",
	"application/vnd.oasis.opendocument.graphics":              "odg",
}

// mainParts are parts that only one kind of file has.
var mainParts = []struct{ part, kind string }{
	{"word/document.xml", "docx"}, {"xl/workbook.xml", "xlsx"}, {"xl/workbook.bin", "xlsb"}, {"ppt/presentation.xml", "pptx"}, {"META-INF/container.xml", "epub"},
}

// ZipKind returns the kind of a zip archive: docx, xlsx, xlsb, pptx, odt, ods, odp, odg, epub, or zip for all others. It is "" when
// body is not a readable archive.
func ZipKind(body []byte) string {
	r, err := zip.NewReader(bytes.NewReader(body), int64(len(body)))
	if r == nil || err != nil && len(r.File) == 0 {
		return ""
	}
	const many = 100_000
	p := &pack{files: map[string]*zip.File{}, left: 1 << 20, limit: 1 << 20, memory: 1 << 20}
	for _, f := range r.File[:min(len(r.File), many)] {
		p.files[partKey(f.Name)] = f
	}
	if data, err := p.read("mimetype"); err == nil {
		if kind := mimetypes[strings.TrimSpace(string(data))]; kind != "" {
			return kind
		}
	}
	for _, m := range mainParts {
		if p.has(m.part) {
			return m.kind
		}
	}
	return p.packageKind()
}

// packageKind finds the main part by the package's relationships: it may have any name.
func (p *pack) packageKind() string {
	j := newJob(context.Background(), Options{})
	rels, err := (&opc{p, j}).relations("")
	if err != nil {
		return "zip"
	}
	switch name := byKind(rels, "officeDocument", ""); path.Base(path.Dir("/" + name)) {
	case "word":
		return "docx"
	case "xl":
		return "xlsx"
	case "ppt":
		return "pptx"
	}
	return "zip"
}

// Decrypt opens a package of Office Open XML under a password. Errors are ErrEncrypted, ErrPassword and *DamagedError.
func Decrypt(body []byte, password string) ([]byte, error) {
	return newJob(context.Background(), Options{Password: password}).decrypt(body)
}

// BodyText converts a text file to UTF-8: by its byte order mark, by label (a declared charset, may be empty), or as detected.
func BodyText(body []byte, label string) ([]byte, error) {
	text, err := charsets.Decode(body, label)
	if err != nil {
		return charsets.Valid(body), err
	}
	return text, nil
}

// MarkupBody is the content of the body element of a page that is a file, in UTF-8.
func MarkupBody(page []byte) []byte { return bodyOf(page) }
