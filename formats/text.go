package formats

import (
	"bytes"
	"encoding/json"
	"html"
	"path"
	"strings"
)

// renderText makes the formats of a body that is no HTML. Cleaning options mean nothing there, but must be valid.
func (d *DOM) renderText(o Options, out *Output) error {
	if err := o.Validate(); err != nil {
		return err
	}
	if o.wants(Markdown) {
		if out.Markdown = d.textMarkdown(); d.kind == kindNotebook && o.RemoveBase64Images {
			out.Markdown = withoutImages(out.Markdown)
		}
	}
	if o.wants(HTML) {
		out.HTML = "<html><body><pre>" + html.EscapeString(d.text) + "</pre></body></html>"
	}
	if o.wants(Links) {
		out.Links = d.textLinks()
	}
	if o.wants(Images) {
		out.Images = d.textImages()
	}
	if o.wants(Attributes) {
		for _, s := range o.Selectors {
			out.Attributes = append(out.Attributes, Attribute{s.Selector, s.Attribute, []string{}})
		}
	}
	return nil
}

// textMarkdown: plain text and Markdown stay as they are, JSON and other sources become a code block.
func (d *DOM) textMarkdown() string {
	switch d.kind {
	case kindPlain, kindMarkdown, kindNotebook:
		return d.text
	case kindJSON:
		return fence(indentJSON(d.text), "json")
	}
	return fence(d.text, d.syntax())
}

// indentJSON puts valid JSON on several lines; what is not valid stays as it is.
func indentJSON(s string) string {
	var b bytes.Buffer
	const maxIndented = 1 << 20 // deep nesting makes indentation larger than the text
	if len(s) > maxIndented || json.Indent(&b, []byte(s), "", "  ") != nil || b.Len() > 8*len(s)+1024 {
		return s
	}
	return b.String()
}

// fence puts s in a code block whose fence is longer than any run of backticks at the start of a line.
func fence(s, lang string) string {
	s = strings.Trim(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
	if strings.TrimSpace(s) == "" {
		return ""
	}
	ticks := 3
	for line := range strings.Lines(s) {
		line = strings.TrimLeft(line, " ")
		run := len(line) - len(strings.TrimLeft(line, "`"))
		ticks = max(ticks, run+1)
	}
	f := strings.Repeat("`", ticks)
	return f + lang + "\n" + s + "\n" + f
}

// syntax is the name of a source text's language for a code block, "" when unknown.
func (d *DOM) syntax() string {
	mt := d.src.MediaType
	switch {
	case strings.HasSuffix(mt, "/xml") || strings.HasSuffix(mt, "+xml"):
		return "xml"
	case strings.HasSuffix(mt, "javascript") || strings.HasSuffix(mt, "ecmascript"):
		return "javascript"
	case mt == "text/csv" || mt == "text/css" || strings.HasSuffix(mt, "/yaml") || strings.HasSuffix(mt, "/toml"):
		return path.Base(mt)
	}
	if lang, ok := strings.CutPrefix(path.Base(mt), "x-"); ok && strings.Trim(lang, "abcdefghijklmnopqrstuvwxyz") == "" {
		return lang
	}
	return ""
}
