package markdown

import (
	"bytes"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
)

// tidy is the last renderer before the marks for line breaks in code are resolved.
func tidy(_ converter.Context, content []byte) []byte { return tighten(content) }

// tighten drops blank lines between a list item and the list inside it, which would make the list a loose one,
// and blanks on blank lines. Line breaks in code blocks are still marks, so code is not touched.
func tighten(content []byte) []byte {
	lines := bytes.Split(content, []byte("\n"))
	out := lines[:0]
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		if len(bytes.TrimSpace(line)) > 0 {
			out = append(out, line)
			continue
		}
		if len(line) > 0 && i+1 < len(lines) && i > 0 && isNestedItem(lines[i+1], len(line)) {
			continue
		}
		out = append(out, nil)
	}
	return bytes.Join(out, []byte("\n"))
}

// isNestedItem reports a line that begins a list at the given indentation which may follow a paragraph directly.
func isNestedItem(line []byte, indent int) bool {
	if len(line) < indent+2 || len(bytes.TrimLeft(line[:indent], " ")) > 0 {
		return false
	}
	rest := line[indent:]
	return bytes.HasPrefix(rest, []byte("- ")) && !bytes.HasPrefix(rest, []byte("- - ")) || bytes.HasPrefix(rest, []byte("1. "))
}
