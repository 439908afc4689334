package fetch

import (
	"bytes"
	"encoding/binary"
)

// magic is a sequence of bytes that no text begins with.
type magic struct {
	offset int
	bytes  string
	kind   string
}

// magics holds the formats that are recognized by their first bytes. It is read only.
var magics = []magic{
	{0, "%PDF-", "application/pdf"},
	{0, "\x89PNG\r\n\x1a\n", "image/png"},
	{0, "\xff\xd8\xff", "image/jpeg"},
	{0, "GIF87a", "image/gif"},
	{0, "GIF89a", "image/gif"},
	{8, "WEBPVP", "image/webp"},
	{4, "ftypavif", "image/avif"},
	{4, "ftypheic", "image/heic"},
	{4, "ftyp", "video/mp4"},
	{0, "\x1aE\xdf\xa3", "video/webm"},
	{0, "OggS\x00", "application/ogg"},
	{0, "ID3\x03", "audio/mpeg"},
	{0, "ID3\x04", "audio/mpeg"},
	{8, "WAVEfmt", "audio/wav"},
	{8, "AVI LIST", "video/avi"},
	{0, "\x1f\x8b\x08", "application/gzip"},
	{0, "7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"},
	{0, "Rar!\x1a\x07", "application/vnd.rar"},
	{0, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/x-ole-storage"},
	{0, "wOFF", "font/woff"},
	{0, "wOF2", "font/woff2"},
	{0, "\x7fELF", "application/x-elf"},
	{0, "\x00asm", "application/wasm"},
	{0, "{\\rtf", "application/rtf"},
}

// pdfSlack is how far into a file readers look for a PDF's head, in bytes.
const pdfSlack = 1024

// signature returns the binary format of a body by its first bytes, or "".
func signature(body []byte) string {
	for _, m := range magics {
		if len(body) >= m.offset && bytes.HasPrefix(body[m.offset:], []byte(m.bytes)) {
			return m.kind
		}
	}
	if bytes.HasPrefix(body, []byte("PK\x03\x04")) {
		return zipKind(body)
	}
	// PDFs with a few bytes in front are common; a page that only speaks of %PDF- isn't one.
	if i := bytes.Index(body[:min(len(body), pdfSlack)], []byte("\n%PDF-1.")); i >= 0 && bytes.IndexByte(body[:i], '<') < 0 {
		return "application/pdf"
	}
	return ""
}

// zipKind looks at the names of a ZIP file's first entries for the document formats that are ZIP files.
func zipKind(body []byte) string {
	head := body[:min(len(body), sniffLen)]
	if name, data := zipEntry(head); name == "mimetype" && len(data) > 0 {
		for _, kind := range []string{
			"application/vnd.oasis.opendocument.text", "application/vnd.oasis.opendocument.spreadsheet",
			"application/vnd.oasis.opendocument.presentation", "application/epub+zip",
		} {
			if bytes.HasPrefix(data, []byte(kind)) {
				return kind
			}
		}
	}
	for _, o := range []struct{ folder, kind string }{
		{"word/", "wordprocessingml.document"}, {"xl/", "spreadsheetml.sheet"}, {"ppt/", "presentationml.presentation"},
	} {
		if hasZipName(head, o.folder) || hasZipName(body[max(0, len(body)-sniffLen):], o.folder) {
			return "application/vnd.openxmlformats-officedocument." + o.kind
		}
	}
	return "application/zip"
}

// zipEntry returns name and beginning of the first entry.
func zipEntry(b []byte) (name string, data []byte) {
	const fixed = 30 // bytes of a local file header before the name
	if len(b) < fixed {
		return "", nil
	}
	n, extra := int(binary.LittleEndian.Uint16(b[26:])), int(binary.LittleEndian.Uint16(b[28:]))
	if len(b) < fixed+n+extra {
		return "", nil
	}
	return string(b[fixed : fixed+n]), b[fixed+n+extra:]
}

// hasZipName reports whether a part of a ZIP file holds the header of an entry below folder: a local one, or
// one of the directory at the file's end.
func hasZipName(part []byte, folder string) bool {
	for _, h := range []struct {
		mark  string
		fixed int
	}{{"PK\x03\x04", 30}, {"PK\x01\x02", 46}} {
		for rest := part; ; {
			i := bytes.Index(rest, []byte(h.mark))
			if i < 0 {
				break
			}
			if rest = rest[i:]; len(rest) > h.fixed && bytes.HasPrefix(rest[h.fixed:], []byte(folder)) {
				return true
			}
			rest = rest[len(h.mark):]
		}
	}
	return false
}
