package engine

import (
	"archive/zip"
	"bytes"
	"fmt"
	pixels "image"
	"image/png"
	"strings"
	"testing"
)

// pdfOf makes a PDF with a page for each text, whose lines are apart by "\n".
func pdfOf(texts ...string) []byte {
	objects := []string{"", "", "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>"}
	kids := ""
	for _, text := range texts {
		content := "BT /F1 12 Tf 14 TL 72 720 Td"
		for line := range strings.SplitSeq(text, "\n") {
			content += " (" + line + ") Tj T*"
		}
		content += " ET"
		objects = append(objects, fmt.Sprintf("<</Length %d>>\nstream\n%s\nendstream", len(content), content))
		objects = append(objects, fmt.Sprintf("<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 3 0 R>>>>/Contents %d 0 R>>", len(objects)))
		kids += fmt.Sprintf("%d 0 R ", len(objects))
	}
	objects = append(objects, "<</Title(On oats)>>")
	objects[0] = "<</Type/Catalog/Pages 2 0 R>>"
	objects[1] = fmt.Sprintf("<</Type/Pages/Count %d/Kids[%s]>>", len(texts), kids)
	return pdfFile(objects)
}

// pdfFile numbers the objects from 1, which is the catalog; the last one is about the file.
func pdfFile(objects []string) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n")
	var at []int
	for i, o := range objects {
		at = append(at, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(at)+1)
	for _, offset := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", offset)
	}
	fmt.Fprintf(&b, "trailer\n<</Size %d/Root 1 0 R/Info %d 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(at)+1, len(at), start)
	return b.Bytes()
}

// docxOf makes a document of a heading and a paragraph.
func docxOf(t testing.TB, heading, text string) []byte {
	const w = `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"`
	paragraph := func(style, text string) string {
		return `<w:p><w:pPr><w:pStyle w:val="` + style + `"/></w:pPr><w:r><w:t>` + text + `</w:t></w:r></w:p>`
	}
	return zipOf(t, [][2]string{
		{"[Content_Types].xml", `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`},
		{"_rels/.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`},
		{"word/styles.xml", `<w:styles ` + w + `><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style></w:styles>`},
		{"word/_rels/document.xml.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>`},
		{"word/document.xml", `<w:document ` + w + `><w:body>` + paragraph("Heading1", heading) + paragraph("Normal", text) + `</w:body></w:document>`},
	})
}

func zipOf(t testing.TB, entries [][2]string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, e := range entries {
		h := zip.FileHeader{Name: e[0], Method: zip.Deflate}
		if len(e[1]) > 1<<20 && strings.HasSuffix(e[0], ".png") { // to compress it takes seconds under the race detector
			h.Method = zip.Store
		}
		w, err := z.CreateHeader(&h)
		if err == nil {
			_, err = w.Write([]byte(e[1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func pngOf(t testing.TB) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, pixels.NewGray(pixels.Rect(0, 0, 8, 4))); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
