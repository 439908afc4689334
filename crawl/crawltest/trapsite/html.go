package trapsite

import (
	"fmt"
	"html"
	"strings"
)

// html is a page as a browser gets it: with enough text that it doesn't look like an empty one.
func (n *node) html(p prose) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>%s</title>%s", html.EscapeString(n.title), n.head)
	if n.refresh.href != "" {
		fmt.Fprintf(&b, `<meta http-equiv="refresh" content="0; url=%s">`, n.refresh.href)
	}
	b.WriteString("</head>\n<body>\n")
	n.writeChrome(&b)
	fmt.Fprintf(&b, "<main><h1>%s</h1>\n", html.EscapeString(n.title))
	if n.scripted != nil {
		n.writeScript(&b)
	} else {
		fmt.Fprintf(&b, "<p>%s</p>\n<p>%s</p>\n<p>%s</p>\n", p.sentences(5), p.sentences(5), p.sentences(5))
	}
	writeLinks(&b, "ul", n.links)
	b.WriteString(n.body)
	b.WriteString("</main>\n</body></html>\n")
	return []byte(b.String())
}

func writeLinks(b *strings.Builder, tag string, list []anchor) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(b, "<%s>\n", tag)
	for i, a := range list {
		fmt.Fprintf(b, "<li><a href=\"%s\"%s>Number %d</a></li>\n", a.href, a.attr, i+1)
	}
	fmt.Fprintf(b, "</%s>\n", tag)
}

// writeChrome deals the links out to what surrounds the text.
func (n *node) writeChrome(b *strings.Builder) {
	for i, a := range n.chrome {
		tag := []string{"header", "nav", "aside", "footer"}[i%4]
		fmt.Fprintf(b, "<%s><a href=\"%s\">%s</a></%s>\n", tag, a.href, tag, tag)
	}
}

// writeScript leaves an empty place for a script to fill.
func (n *node) writeScript(b *strings.Builder) {
	b.WriteString("<div id=\"app\"></div>\n<script>\nconst app = document.getElementById(\"app\");\n")
	for i, a := range n.scripted {
		fmt.Fprintf(b, "{ const a = document.createElement(\"a\"); a.href = %q; a.textContent = \"Scripted %d\"; app.append(a); }\n", a.href, i+1)
	}
	b.WriteString("const unused = '<a href=\"/scripts/unused\">never put in</a>';\n</script>\n")
}
