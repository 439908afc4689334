package document

import (
	"bytes"
	"html"
	"strings"
	"time"
)

// writeHTML is the whole document around body, which is markup already.
func writeHTML(m Metadata, body []byte) []byte {
	var b bytes.Buffer
	b.Grow(len(body) + 512)
	b.WriteString("<!DOCTYPE html>\n<html")
	if m.Language != "" {
		b.WriteString(` lang="` + html.EscapeString(m.Language) + `"`)
	}
	b.WriteString(">\n<head>\n<meta charset=\"utf-8\">\n<title>" + html.EscapeString(m.Title) + "</title>\n")
	for _, author := range m.authors() {
		writeMeta(&b, "author", author)
	}
	writeMeta(&b, "description", m.Subject)
	writeMeta(&b, "generator", m.Producer)
	writeMeta(&b, "keywords", strings.Join(m.Keywords, ", "))
	writeMeta(&b, "dcterms.created", date(m.Created))
	writeMeta(&b, "dcterms.modified", date(m.Modified))
	b.WriteString("</head>\n<body>\n")
	b.Write(body)
	b.WriteString("\n</body>\n</html>\n")
	return b.Bytes()
}

// authors are the names one by one, as far as that is known.
func (m Metadata) authors() []string {
	if len(m.Authors) > 0 {
		return m.Authors
	}
	return []string{m.Author}
}

func writeMeta(b *bytes.Buffer, name, value string) {
	if value != "" {
		b.WriteString(`<meta name="` + name + `" content="` + html.EscapeString(value) + "\">\n")
	}
}

func date(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.RFC3339)
}
