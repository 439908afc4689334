package formats

import (
	"context"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/winnow-go/winnow/formats/internal/css"
	"github.com/winnow-go/winnow/formats/internal/nodes"
	"github.com/winnow-go/winnow/formats/script"
)

// Extended returns the places of the page that hold content already and that scripts add to, in their order: with what they request or
// after a timer, and the main content with all that they make. Holes are none of them, nor is what stands apart from content.
func (d *DOM) Extended(ctx context.Context, scripts []script.Facts) (_ []Filling, err error) {
	defer d.under(ctx).Catch(&err)
	writes := d.additionsOf(scripts)
	if d.kind != kindHTML || len(writes) == 0 {
		return nil, nil
	}
	var found []Filling
	apart := apartness{}
	t, unseen := d.list()
	for i := range t.Len() {
		d.steps.Visit()
		n := t.Node(i)
		if n.Type != html.ElementNode || unseen[i] {
			continue
		}
		if w, ok := extends(writes, n); ok && t.WordsBelow(i) > 0 && !isEmpty(n) && !apart.standsApart(n) {
			found = append(found, Filling{Hole{Name: holeName(n), node: n}, w.Write})
		}
	}
	return found, nil
}

// addition is a write with whether its script requests data.
type addition struct {
	write
	requests bool
}

// additionsOf are the writes that could add to content, by the last name in their selectors, each place once.
func (d *DOM) additionsOf(scripts []script.Facts) map[string][]addition {
	byKey, count := map[string][]addition{}, 0
	seen := map[string]bool{}
	for _, f := range scripts {
		for _, w := range f.Writes {
			key := lastKey(w.Place)
			if w.Source != script.Value || key == "" || key == "body" || seen[w.Place] || count == maxWrites {
				continue
			}
			seen[w.Place] = true
			if place, err := css.Compile(w.Place); err == nil {
				byKey[key] = append(byKey[key], addition{write{w, place.Over(d.steps)}, f.Requests})
				count++
			}
		}
	}
	return byKey
}

// extends finds a write whose place an element is.
func extends(writes map[string][]addition, n *html.Node) (addition, bool) {
	for _, key := range keysOf(n) {
		for _, w := range writes[key] {
			if (w.requests || w.After > 0 || isMainElement(n)) && w.place.Match(n) {
				return w, true
			}
		}
	}
	return addition{}, false
}

func isMainElement(n *html.Node) bool {
	if n.DataAtom == atom.Main || n.DataAtom == atom.Article || nodes.Attr(n, "role") == "main" {
		return true
	}
	id := nodes.Attr(n, "id")
	return id == "main" || id == "content"
}

// keysOf are an element's name, id and classes, as selectors.
func keysOf(n *html.Node) []string {
	keys := []string{n.Data}
	if id := nodes.Attr(n, "id"); id != "" {
		keys = append(keys, "#"+id)
	}
	for class := range strings.FieldsSeq(nodes.Attr(n, "class")) {
		keys = append(keys, "."+class)
	}
	return keys
}

// lastKey is the name, id or class that the last compound of a selector begins with; "" for what begins otherwise, and for lists.
func lastKey(selector string) string {
	last := selector[strings.LastIndexAny(selector, " >+~")+1:]
	if last == "" || strings.Contains(selector, ",") {
		return ""
	}
	if end := strings.IndexAny(last[1:], ".#:["); end >= 0 {
		last = last[:end+1]
	}
	return last
}
