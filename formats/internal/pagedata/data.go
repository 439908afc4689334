package pagedata

import (
	"iter"
	"strings"

	"golang.org/x/net/html"

	"github.com/winnow-go/winnow/formats/internal/nodes"
	"github.com/winnow-go/winnow/formats/internal/structured"
	"github.com/winnow-go/winnow/formats/internal/walk"
)

// Bounds of what is kept of a page's data.
const (
	maxData      = 100     // scripts and attributes
	maxDataBytes = 4 << 20 // of one
)

// Data is what scripts and attributes of a page hold as JSON. The zero value is that of a page without any.
type Data struct {
	scripts []dataScript
	items   []Item            // the JSON-LD of them, read once
	things  *structured.Graph // what the page describes for machines, read once
}

// Reset forgets the scripts, not what was read of them.
func (d *Data) Reset() { d.scripts = d.scripts[:0] }

// IsEmpty reports a page without data.
func (d *Data) IsEmpty() bool { return len(d.scripts) == 0 }

// Graph is what the page at root describes for machines, in JSON-LD and in its elements.
func (d *Data) Graph(steps *walk.Steps, root *html.Node) *structured.Graph {
	if d.things == nil {
		p := structured.Page{Root: root, Steps: steps}
		for text := range d.LinkedTexts() {
			p.Scripts = append(p.Scripts, Repair(text))
		}
		d.things = structured.Read(p)
	}
	return d.things
}

// LinkedTexts are the scripts of JSON-LD.
func (d *Data) LinkedTexts() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, s := range d.scripts {
			if s.linked && !yield(s.text) {
				return
			}
		}
	}
}

// dataScript is data for scripts: a script element that holds it, or an attribute.
type dataScript struct {
	linked bool // JSON-LD
	text   string
}

// Note keeps a script element when it holds JSON.
func (d *Data) Note(n *html.Node) {
	if n.FirstChild == nil || len(n.FirstChild.Data) > maxDataBytes || len(d.scripts) >= maxData {
		return
	}
	mediaType, _, _ := strings.Cut(strings.ToLower(nodes.Attr(n, "type")), ";")
	switch text := n.FirstChild.Data; strings.TrimSpace(mediaType) {
	case "application/ld+json":
		d.scripts = append(d.scripts, dataScript{true, text})
	case "application/json", "text/json":
		d.scripts = append(d.scripts, dataScript{false, text})
	case "", "text/javascript", "application/javascript":
		if assignsState(text) {
			d.scripts = append(d.scripts, dataScript{false, text})
		}
	}
}

// NoteState keeps an attribute that hands a state to scripts.
func (d *Data) NoteState(key, value string) {
	const minimum = 1000
	if len(value) >= minimum && len(value) <= maxDataBytes && (value[0] == '{' || value[0] == '[') && len(d.scripts) < maxData && (strings.HasPrefix(key, "data-") || key == "props") {
		d.scripts = append(d.scripts, dataScript{false, value})
	}
}

// assignsState reports whether a script begins by giving a variable a large object, as the state of a framework is handed over.
func assignsState(script string) bool {
	const minimum, window = 1000, 100
	if script = strings.TrimSpace(script); len(script) < minimum {
		return false
	}
	name, value, found := strings.Cut(script[:window], "=")
	value = strings.TrimSpace(value)
	return found && !strings.ContainsAny(name, "(){};,") && (strings.HasPrefix(value, "{") || strings.HasPrefix(value, "[") || strings.HasPrefix(value, "JSON.parse("))
}
