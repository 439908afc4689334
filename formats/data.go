package formats

import (
	"strings"

	"golang.org/x/net/html"
)

// Bounds of what is kept of a page's data.
const (
	maxData      = 100     // scripts and attributes
	maxDataBytes = 4 << 20 // of one
)

// dataScript is data for scripts: a script element that holds it, or an attribute.
type dataScript struct {
	linked bool // JSON-LD
	text   string
}

// noteData keeps a script element when it holds JSON.
func (d *DOM) noteData(n *html.Node) {
	if n.FirstChild == nil || len(n.FirstChild.Data) > maxDataBytes || len(d.data) >= maxData {
		return
	}
	mediaType, _, _ := strings.Cut(strings.ToLower(attr(n, "type")), ";")
	switch text := n.FirstChild.Data; strings.TrimSpace(mediaType) {
	case "application/ld+json":
		d.data = append(d.data, dataScript{true, text})
	case "application/json", "text/json":
		d.data = append(d.data, dataScript{false, text})
	case "", "text/javascript", "application/javascript":
		if assignsState(text) {
			d.data = append(d.data, dataScript{false, text})
		}
	}
}

// noteState keeps an attribute that hands a state to scripts.
func (d *DOM) noteState(key, value string) {
	const minimum = 1000
	if len(value) >= minimum && len(value) <= maxDataBytes && (value[0] == '{' || value[0] == '[') && len(d.data) < maxData && (strings.HasPrefix(key, "data-") || key == "props") {
		d.data = append(d.data, dataScript{false, value})
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
