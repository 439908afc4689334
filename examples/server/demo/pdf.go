package demo

import (
	"bytes"
	"fmt"
	"strings"
)

// reportPages are the lines of the report; "# " begins a heading.
var reportPages = [][]string{
	{
		"# Report on the harvest", "The year 2026 was dry until June and windy in September.",
		"Rye and barley gave more than the year before, spelt gave less,", "as a third of it was sown too late.",
		"# What was sold", "Two hundred sacks went to the mill, eleven to the neighbours,", "and one to the mice.",
	},
	{"# What is next", "The upper field rests. The lower one gets winter rye.", "A second sieve is to be bought before the next harvest."},
}

// report is a PDF of two pages.
func report() []byte {
	objects := []string{"<< /Type /Catalog /Pages 2 0 R >>", "", "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>", "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold >>"}
	var kids []string
	for _, lines := range reportPages {
		text := pdfText(lines)
		objects = append(objects,
			fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(text), text),
			fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> /Contents %d 0 R >>", len(objects)+1))
		kids = append(kids, fmt.Sprintf("%d 0 R", len(objects)))
	}
	objects[1] = fmt.Sprintf("<< /Type /Pages /Kids [%s] /Count %d >>", strings.Join(kids, " "), len(kids))
	objects = append(objects, "<< /Title (Report on the harvest) /Author (Ida Korn) >>")
	return pdfFile(objects)
}

// pdfText sets lines from the top of a page.
func pdfText(lines []string) string {
	var b strings.Builder
	y := 780
	for _, line := range lines {
		font := "/F1 12 Tf"
		if heading, ok := strings.CutPrefix(line, "# "); ok {
			line, font, y = heading, "/F2 18 Tf", y-14
		}
		fmt.Fprintf(&b, "BT %s 72 %d Td (%s) Tj ET\n", font, y, line)
		y -= 22
	}
	return b.String()
}

// pdfFile numbers the objects from 1; the last one describes the document.
func pdfFile(objects []string) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n")
	var at []int
	for i, o := range objects {
		at = append(at, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	table := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, offset := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", offset)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R /Info %d 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, len(objects), table)
	return b.Bytes()
}
