package mcp

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
)

// pdf makes a PDF whose pages have a heading, where they begin a chapter, and lines of text.
func pdf(pages, chapter int) []byte {
	objects := []string{"<< /Type /Catalog /Pages 2 0 R >>", "", "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"}
	kids := ""
	for p := range pages {
		var text strings.Builder
		if p%chapter == 0 {
			fmt.Fprintf(&text, "BT /F1 24 Tf 72 740 Td (Chapter %d: On grain) Tj ET\n", p/chapter+1)
		}
		for line := range 25 {
			fmt.Fprintf(&text, "BT /F1 11 Tf 72 %d Td (On page %d, line %d, the miller weighs sack %d of the harvest and notes it.) Tj ET\n",
				700-line*14, p+1, line+1, p*25+line)
		}
		kids += fmt.Sprintf("%d 0 R ", len(objects)+1)
		objects = append(objects,
			fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents %d 0 R >>", len(objects)+2),
			fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", text.Len()+1, text.String()))
	}
	objects[1] = fmt.Sprintf("<< /Type /Pages /Kids [%s] /Count %d >>", kids, pages)
	return pdfFile(objects)
}

func pdfFile(objects []string) []byte {
	var b strings.Builder
	b.WriteString("%PDF-1.4\n")
	var at []int
	for i, o := range objects {
		at = append(at, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, n := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", n)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, start)
	return []byte(b.String())
}

func TestParse_readsFilesByPathAndContent(t *testing.T) {
	files := fstest.MapFS{"a/grain.pdf": {Data: pdf(3, 1)}}
	c := connect(t, newEngine(t, nil), Options{Files: files})
	text := c.call("parse", `{"path":"a/grain.pdf","query":"sack 60"}`)
	if !strings.Contains(pageIn(text, "page"), "sack 60 of the harvest") || !strings.Contains(text, "3 of 3 pages") {
		t.Errorf("got %s", text)
	}
	id := after(text, "document ", " ")
	if text := c.call("read", `{"id":"`+id+`","query":"page 1, line 2"}`); !strings.Contains(text, "On page 1, line 2,") {
		t.Errorf("got %s", text)
	}
	c.refused("parse", `{"path":"../x"}`, "no such file")
	c.refused("parse", `{"path":"b"}`, "no such file")
	if text := c.call("parse", `{"content":"a,b\n1,2\n","name":"t.csv"}`); !strings.Contains(text, "| 1") {
		t.Errorf("got %s", text)
	}
	inBase64 := base64.StdEncoding.EncodeToString(pdf(1, 1))
	if text := c.call("parse", `{"content":"`+inBase64+`","base64":true,"name":"x.pdf"}`); !strings.Contains(text, "sack 3 of") {
		t.Errorf("got %s", text)
	}
	c.refused("parse", `{"content":"AAEC","base64":true}`, "error UNSUPPORTED_FILE_TYPE")
}
