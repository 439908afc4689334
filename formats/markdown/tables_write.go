package markdown

import (
	"bytes"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/marker"
	"golang.org/x/net/html"
)

// writeTable writes a table that normaliseTables has left one: rows of cells and nothing else. The first row
// is the heading, which the format demands (GFM, "Tables").
func writeTable(ctx converter.Context, w converter.Writer, n *html.Node) converter.RenderStatus {
	first := true
	w.WriteString("\n\n")
	for tr := n.FirstChild; tr != nil; tr = tr.NextSibling {
		w.WriteString("|")
		for cell := tr.FirstChild; cell != nil; cell = cell.NextSibling {
			writeCell(ctx, w, cell)
		}
		w.WriteString("\n")
		if first {
			writeUnderline(w, tr)
			first = false
		}
	}
	w.WriteString("\n")
	return converter.RenderSuccess
}

// besideText keeps the marks of blocks at a cell's start from being escaped: inside a row they are none.
const besideText = "| "

func writeCell(ctx converter.Context, w converter.Writer, cell *html.Node) {
	var buf bytes.Buffer
	buf.WriteString(besideText)
	if cell.FirstChild != nil {
		ctx.RenderChildNodes(ctx, &buf, cell)
	}
	if buf.Len() == len(besideText) {
		w.WriteString("  |")
		return
	}
	content := bytes.ReplaceAll(buf.Bytes(), escapedPipe, []byte("|"))
	content = ctx.UnEscapeContent(content)[len(besideText):]
	content = bytes.ReplaceAll(bytes.TrimSpace(content), []byte("\n"), []byte(" "))
	w.WriteString(" ")
	w.Write(escapePipes(content))
	w.WriteString(" |")
}

// escapedPipe is how the writer marks a "|" that it may have to escape.
var escapedPipe = []byte{byte(marker.MarkerEscaping), '|'}

// escapePipes puts a backslash before each "|" that has none, in code too, where it would end the cell as well.
func escapePipes(b []byte) []byte {
	if bytes.IndexByte(b, '|') < 0 {
		return b
	}
	out := make([]byte, 0, len(b)+8)
	for i, c := range b {
		if c == '|' && (i == 0 || b[i-1] != '\\') {
			out = append(out, '\\')
		}
		out = append(out, c)
	}
	return out
}

func writeUnderline(w converter.Writer, tr *html.Node) {
	w.WriteString("|")
	for cell := tr.FirstChild; cell != nil; cell = cell.NextSibling {
		switch attr(cell, "align") {
		case "left":
			w.WriteString(":--|")
		case "right":
			w.WriteString("--:|")
		case "center":
			w.WriteString(":-:|")
		default:
			w.WriteString("---|")
		}
	}
	w.WriteString("\n")
}
