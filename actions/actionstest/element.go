package actionstest

import (
	"slices"
	"strings"
	"time"

	"golang.org/x/net/html"
)

// Element is one thing on a [Fake] page.
type Element struct {
	// Selectors are the CSS selectors that match it, spelled exactly so.
	Selectors []string
	// After is how long after the page's first call it appears. Zero: at once.
	After time.Duration
	// Hidden, Disabled and Detaches make a click fail for that reason.
	Hidden, Disabled, Detaches bool
	// CoveredBy is the opening tag of what covers it; empty: nothing.
	CoveredBy string
	// Editable reports whether it takes the focus when clicked, and then text.
	Editable bool
	// Value is what was typed into it, Clicks how often it was clicked.
	Value  string
	Clicks int
	// OnClick is called after a click, to change the page; may be nil.
	OnClick func(*Fake)
}

// parseElements makes elements of HTML: each matches its tag, "#id" and
// ".class" and reads hidden, disabled, readonly, contenteditable and the
// data-fake-… attributes covered-by, after and detaches.
func parseElements(source string) ([]*Element, error) {
	root, err := html.Parse(strings.NewReader(source))
	if err != nil {
		return nil, err
	}
	var elements []*Element
	for node := range root.Descendants() {
		if node.Type == html.ElementNode {
			elements = append(elements, newElement(node))
		}
	}
	return elements, nil
}

func newElement(node *html.Node) *Element {
	e := &Element{Selectors: []string{node.Data}, Editable: slices.Contains([]string{"input", "textarea"}, node.Data)}
	for _, a := range node.Attr {
		e.read(a.Key, a.Val)
	}
	return e
}

func (e *Element) read(name, value string) {
	switch name {
	case "id":
		e.Selectors = append(e.Selectors, "#"+value)
	case "class":
		for class := range strings.FieldsSeq(value) {
			e.Selectors = append(e.Selectors, "."+class)
		}
	case "hidden":
		e.Hidden = true
	case "disabled":
		e.Disabled = true
	case "contenteditable":
		e.Editable = true
	case "readonly":
		e.Editable = false
	case "type":
		e.Editable = e.Editable && slices.Contains([]string{"text", "search", "email", "password"}, value)
	case "data-fake-covered-by":
		e.CoveredBy = value
	case "data-fake-after":
		e.After, _ = time.ParseDuration(value)
	case "data-fake-detaches":
		e.Detaches = true
	}
}
