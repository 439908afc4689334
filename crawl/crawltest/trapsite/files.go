package trapsite

import (
	"bytes"
	"fmt"
)

// files that aren't pages are left out by the end of their path, whatever its case and query. A naive crawler fetches archives.
func files(b builder) {
	b.enter(link("/files/"))
	b.page("/files/", page("Files", links("/files/picture.jpg", "/files/PICTURE.JPG", "/files/archive.zip", "/files/archive.zip?download=1",
		"/files/style.css",
		"/files/jpg", "/files/archive.zip/contents", "/files/show?file=a.zip")...))
	b.leaf("/files/jpg", "/files/archive.zip/contents", "/files/show")
	b.page("/files/picture.jpg", &node{kind: "image/jpeg", raw: []byte("\xff\xd8\xff\xd9")})
	b.page("/files/PICTURE.JPG", &node{kind: "image/jpeg", raw: []byte("\xff\xd8\xff\xd9")})
	b.page("/files/archive.zip", &node{kind: "application/zip", raw: []byte("PK\x05\x06" + string(make([]byte, 18)))})
	b.page("/files/style.css", &node{kind: "text/css", raw: []byte("h1 { color: teal }\n")})
}

// pdf is a document that isn't a web page and belongs to a crawl nevertheless. A naive crawler leaves it out.
func pdf(b builder) {
	b.enter(link("/files/paper.pdf"))
	b.page("/files/paper.pdf", &node{kind: "application/pdf", raw: paper("A paper about traps")})
}

// paper is a PDF of one page with one line.
func paper(line string) []byte {
	content := fmt.Sprintf("BT /F1 24 Tf 72 720 Td (%s) Tj ET", line)
	objects := []string{
		"<< /Type /Catalog /Pages 2 0 R >>",
		"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
		fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(content), content),
		"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
	}
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n")
	table := "0000000000 65535 f \n"
	for i, object := range objects {
		table += fmt.Sprintf("%010d 00000 n \n", b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, object)
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n%strailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, table, len(objects)+1, start)
	return b.Bytes()
}
