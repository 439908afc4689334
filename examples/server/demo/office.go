package demo

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"fmt"
	"html"
	"maps"
	"slices"
	"strconv"
	"strings"
)

const (
	xmlHead       = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>`
	relationships = "http://schemas.openxmlformats.org/package/2006/relationships"
	officeTypes   = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
)

// minutes is a DOCX: a heading, paragraphs and the harvest as a table.
func minutes() []byte {
	var b strings.Builder
	paragraph := func(style, text string) {
		fmt.Fprintf(&b, `<w:p><w:pPr><w:pStyle w:val="%s"/></w:pPr><w:r><w:t xml:space="preserve">%s</w:t></w:r></w:p>`, style, html.EscapeString(text))
	}
	paragraph("Heading1", "Minutes of the autumn meeting")
	paragraph("Normal", "Present: Ida Korn, Jon Mahler, two cats.")
	paragraph("Heading2", "The harvest")
	b.WriteString("<w:tbl>")
	for _, row := range harvest {
		b.WriteString("<w:tr>")
		for _, cell := range row {
			fmt.Fprintf(&b, "<w:tc><w:p><w:r><w:t>%s</w:t></w:r></w:p></w:tc>", html.EscapeString(cell))
		}
		b.WriteString("</w:tr>")
	}
	b.WriteString("</w:tbl>")
	paragraph("Heading2", "Decided")
	paragraph("Normal", "The second sieve is bought. The holes in the loft are counted again.")
	return office("word/document.xml", docxType+".main+xml",
		`<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>`+b.String()+`</w:body></w:document>`, nil)
}

// sheet is an XLSX of one sheet. Cells that read as numbers are numbers.
func sheet(rows [][]string) []byte {
	var b strings.Builder
	for y, row := range rows {
		fmt.Fprintf(&b, `<row r="%d">`, y+1)
		for x, cell := range row {
			at := fmt.Sprintf("%c%d", 'A'+x, y+1)
			if _, err := strconv.ParseFloat(cell, 64); err == nil {
				fmt.Fprintf(&b, `<c r="%s"><v>%s</v></c>`, at, cell)
			} else {
				fmt.Fprintf(&b, `<c r="%s" t="inlineStr"><is><t>%s</t></is></c>`, at, html.EscapeString(cell))
			}
		}
		b.WriteString("</row>")
	}
	const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
	return office("xl/workbook.xml", xlsxType+".main+xml",
		`<workbook xmlns="`+main+`" xmlns:r="`+officeTypes+`"><sheets><sheet name="Harvest" sheetId="1" r:id="rId1"/></sheets></workbook>`,
		map[string]string{
			"xl/_rels/workbook.xml.rels": `<Relationships xmlns="` + relationships + `"><Relationship Id="rId1" Type="` + officeTypes + `/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
			"xl/worksheets/sheet1.xml":   `<worksheet xmlns="` + main + `"><sheetData>` + b.String() + `</sheetData></worksheet>`,
		})
}

// office packs the parts of a document (ECMA-376, part 2); name is that of the main one.
func office(name, mediaType, content string, parts map[string]string) []byte {
	all := map[string]string{
		"[Content_Types].xml": `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
			`<Default Extension="xml" ContentType="application/xml"/><Override PartName="/` + name + `" ContentType="` + mediaType + `"/>` + overrides(parts) + `</Types>`,
		"_rels/.rels": `<Relationships xmlns="` + relationships + `"><Relationship Id="rId1" Type="` + officeTypes + `/officeDocument" Target="` + name + `"/></Relationships>`,
		name:          content,
	}
	for part, text := range parts {
		all[part] = text
	}
	return zipped(all)
}

func overrides(parts map[string]string) string {
	for part := range parts {
		if strings.Contains(part, "/worksheets/") {
			return `<Override PartName="/` + part + `" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>`
		}
	}
	return ""
}

func zipped(files map[string]string) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		f, err := w.Create(name)
		if err == nil {
			_, err = f.Write([]byte(xmlHead + files[name]))
		}
		if err != nil {
			panic(err) // memory doesn't fail
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func csvOf(rows [][]string) []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	if err := w.WriteAll(rows); err != nil {
		panic(err) // memory doesn't fail
	}
	return b.Bytes()
}
