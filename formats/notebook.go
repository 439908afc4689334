package formats

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// notebook is a Jupyter notebook (nbformat.readthedocs.io) of version 4, or of version 3 with its worksheets.
type notebook struct {
	Format     int `json:"nbformat"`
	Cells      []notebookCell
	Worksheets []struct{ Cells []notebookCell }
	Metadata   struct {
		Language struct{ Name string } `json:"language_info"`
		Kernel   struct{ Language string }
	}
}

type notebookCell struct {
	Kind        string `json:"cell_type"`
	Source      notebookText
	Input       notebookText // of code in version 3
	Level       int          // of a heading in version 3
	Outputs     []notebookOutput
	Attachments map[string]map[string]notebookText
}

type notebookOutput struct {
	Kind  string                  `json:"output_type"`
	Text  notebookText            // of a stream, or plain
	Data  map[string]notebookText // by media type
	Name  string                  `json:"ename"`
	Value string                  `json:"evalue"`
	PNG   notebookText            // in version 3, as are
	HTML  notebookText
}

// notebookText is a string, or a list of its lines. Other values are no text.
type notebookText string

// UnmarshalJSON reads both forms.
func (t *notebookText) UnmarshalJSON(b []byte) error {
	var whole string
	var lines []string
	if json.Unmarshal(b, &whole) != nil && json.Unmarshal(b, &lines) == nil {
		whole = strings.Join(lines, "")
	}
	*t = notebookText(whole)
	return nil
}

// readNotebook reads a body that is a notebook; nil for others.
func (d *DOM) readNotebook() *notebook {
	body := d.src.Body
	if d.kind != kindJSON && d.kind != kindPlain || !bytes.HasPrefix(bytes.TrimSpace(bytes.TrimPrefix(body, utf8BOM)), []byte("{")) || !bytes.Contains(body, []byte(`"nbformat"`)) {
		return nil
	}
	var n notebook
	if json.Unmarshal(bytes.TrimPrefix(body, utf8BOM), &n) != nil || n.Format < 3 {
		return nil
	}
	for _, w := range n.Worksheets {
		n.Cells = append(n.Cells, w.Cells...)
	}
	if n.Cells == nil {
		return nil
	}
	return &n
}

// markdown is the text of the cells, the code, and what it has put out. Images are data URIs.
func (n *notebook) markdown(ctx context.Context) string {
	var parts []string
	add := func(s string) {
		if s = strings.Trim(s, "\n"); strings.TrimSpace(s) != "" {
			parts = append(parts, s)
		}
	}
	for _, c := range n.Cells {
		switch c.Kind {
		case "code":
			add(fence(string(c.Source+c.Input), n.language()))
			for _, o := range c.Outputs {
				add(o.markdown(ctx))
			}
		case "heading":
			add(strings.Repeat("#", min(max(c.Level, 1), 6)) + " " + string(c.Source))
		case "raw":
			add(fence(string(c.Source), ""))
		default:
			add(c.text())
		}
	}
	return strings.Join(parts, "\n\n")
}

func (n *notebook) language() string {
	name := n.Metadata.Language.Name
	if name == "" {
		name = n.Metadata.Kernel.Language
	}
	if strings.Trim(strings.ToLower(name), "abcdefghijklmnopqrstuvwxyz0123456789+#-") != "" {
		return ""
	}
	return strings.ToLower(name)
}

// text is a cell of Markdown, with the images that are attached to it in their places.
func (c notebookCell) text() string {
	text := string(c.Source)
	for name, forms := range c.Attachments {
		for media, data := range forms {
			text = strings.ReplaceAll(text, "(attachment:"+name+")", "("+dataURI(media, data)+")")
		}
	}
	return text
}

// imageMedia are the images that outputs have, the best first.
var imageMedia = []string{"image/png", "image/jpeg", "image/gif", "image/webp", "image/svg+xml"}

// markdown is an output in its richest form.
func (o notebookOutput) markdown(ctx context.Context) string {
	if o.Kind == "error" || o.Kind == "pyerr" {
		return fence(plainOutput(notebookText(o.Name+": "+o.Value)), "")
	}
	data := o.Data
	if data == nil {
		data = map[string]notebookText{"text/plain": o.Text, "image/png": o.PNG, "text/html": o.HTML}
	}
	if text := data["text/markdown"]; text != "" {
		return string(text)
	}
	if i := slices.IndexFunc(imageMedia, func(media string) bool { return data[media] != "" }); i >= 0 {
		return "![Output](" + dataURI(imageMedia[i], data[imageMedia[i]]) + ")"
	}
	if text := outputTable(ctx, data["text/html"]); text != "" {
		return text
	}
	if text := data["text/plain"]; text != "" {
		return fence(plainOutput(text), "")
	}
	return string(data["text/latex"])
}

// outputTable is what an output in HTML, mostly a table, has to read.
func outputTable(ctx context.Context, source notebookText) string {
	if source == "" {
		return ""
	}
	dom, err := Parse(ctx, Source{MediaType: "text/html", Body: []byte(source)})
	if err != nil {
		return ""
	}
	out, err := dom.Render(ctx, Options{Formats: []Type{Markdown}})
	if err != nil {
		return ""
	}
	return out.Markdown
}

var terminalCodes = regexp.MustCompile(`\x1b\[[0-9;?]*[A-Za-z]`)

// plainOutput is what a terminal would show: no codes for colors, and of a line that was written over its last form.
func plainOutput(text notebookText) string {
	var b strings.Builder
	for line := range strings.Lines(terminalCodes.ReplaceAllString(string(text), "")) {
		line = strings.TrimRight(line, "\r\n")
		b.WriteString(line[strings.LastIndexByte(line, '\r')+1:] + "\n")
	}
	return b.String()
}

// dataURI is an image as an address. In notebooks those of pixels are in base64 already.
func dataURI(media string, data notebookText) string {
	encoded := strings.Join(strings.Fields(string(data)), "")
	if media == "image/svg+xml" {
		encoded = base64.StdEncoding.EncodeToString([]byte(data))
	}
	if strings.ContainsAny(media+encoded, "()<>[] \"'\\") {
		return "data:,"
	}
	return "data:" + media + ";base64," + encoded
}

var dataImage = regexp.MustCompile(`\(data:[a-z0-9/+.-]*;base64,[A-Za-z0-9+/=]*\)`)

// withoutImages is a notebook's text without its images, as RemoveBase64Images asks.
func withoutImages(text string) string {
	return dataImage.ReplaceAllLiteralString(text, "(<Base64-Image-Removed>)")
}
