package document

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"html"
	"slices"
	"strings"

	"github.com/winnow-go/winnow/formats/document/internal/office"
)

// maxJSONColumns is how many members the objects of a JSONL file may have together to be a table.
const maxJSONColumns = 64

// convertJSONL reads lines of JSON: flat objects become a table with a column for each member, all others a block of code.
func convertJSONL(ctx context.Context, in Input, o Options) (*Result, error) {
	_, charset := in.media()
	text, err := office.BodyText(in.Body, charset)
	if err != nil {
		return nil, &DamagedError{Kind: JSONL, Err: err}
	}
	t := &jsonTable{cells: o.Limits.Cells}
	for line := range bytes.Lines(text) {
		if !t.add(bytes.TrimSpace(line)) {
			break
		}
		if len(t.rows)%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	res := &Result{Kind: JSONL}
	body := t.html()
	if !t.flat || len(t.rows) == 0 {
		body = "<pre><code class=\"language-json\">" + html.EscapeString(strings.TrimSpace(string(text))) + "</code></pre>"
	}
	if t.full {
		res.Warnings = append(res.Warnings, "The file holds more cells than the limit; the rest was left out.")
	}
	if int64(len(body)) > o.Limits.Text {
		return nil, &TooLargeError{What: "text", Limit: o.Limits.Text}
	}
	if strings.TrimSpace(string(text)) == "" {
		return nil, &DamagedError{Kind: JSONL, Err: errors.New("the file is empty")}
	}
	res.HTML = writeHTML(Metadata{}, []byte(body))
	return res, nil
}

// jsonTable collects objects as rows.
type jsonTable struct {
	columns []string
	rows    []map[string]string
	cells   int // that may still be read
	flat    bool
	full    bool
}

// add takes one line. more is false when no other line should come.
func (t *jsonTable) add(line []byte) (more bool) {
	if len(line) == 0 {
		return true
	}
	keys, row, ok := flatObject(line)
	if t.flat = ok; !ok {
		return false
	}
	for _, k := range keys {
		if !slices.Contains(t.columns, k) {
			t.columns = append(t.columns, k)
		}
	}
	if t.flat = len(t.columns) <= maxJSONColumns; !t.flat {
		return false
	}
	if t.cells -= len(t.columns); t.cells < 0 {
		t.full = true
		return false
	}
	t.rows = append(t.rows, row)
	return true
}

// flatObject reads an object of plain values, its members in order. ok is false for everything else.
func flatObject(line []byte) (keys []string, row map[string]string, ok bool) {
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	if tok, err := d.Token(); err != nil || tok != json.Delim('{') {
		return nil, nil, false
	}
	row = map[string]string{}
	for d.More() && len(keys) <= maxJSONColumns {
		key, err1 := d.Token()
		value, err2 := d.Token()
		name, isName := key.(string)
		if _, nested := value.(json.Delim); err1 != nil || err2 != nil || !isName || nested {
			return nil, nil, false
		}
		keys = append(keys, name)
		row[name] = jsonText(value)
	}
	return keys, row, len(keys) > 0
}

func jsonText(v json.Token) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case bool:
		if v {
			return "true"
		}
		return "false"
	}
	return ""
}

func (t *jsonTable) html() string {
	var b strings.Builder
	b.WriteString("<table>\n<thead><tr>")
	for _, c := range t.columns {
		b.WriteString("<th>" + html.EscapeString(c) + "</th>")
	}
	b.WriteString("</tr></thead>\n")
	for _, row := range t.rows {
		b.WriteString("<tr>")
		for _, c := range t.columns {
			b.WriteString("<td>" + html.EscapeString(row[c]) + "</td>")
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("</table>")
	return b.String()
}
