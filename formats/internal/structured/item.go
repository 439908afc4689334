package structured

import (
	"strings"

	"github.com/winnow-go/winnow/formats/internal/nodes"
)

// Item is a thing that the page describes. Items may refer to each other in circles: code that
// follows properties must bound its path. It must not be changed.
type Item struct {
	// Types are the names of its types without the vocabulary's address: "Product".
	Types []string
	// ID is its own address (@id, itemid, resource), as the page gives it; "" for none.
	ID string
	// Parent is the item that it is a property of, the first one that the page names, and Via
	// is the name of that property. Nil and "" at the top.
	Parent *Item
	Via    string

	props map[string][]Value
	names []string // of props, in the page's order
}

// Value is one value of a property: a text, or an item, which may have been an element with a
// text of its own.
type Value struct {
	// Text of a plain value: addresses as the page gives them, numbers as they are written,
	// "true" and "false".
	Text string
	// Item is nil for a plain value.
	Item *Item
	// Shown is the text that a reader sees in place of the value, white space folded. Only
	// microdata and RDFa have it.
	Shown string
}

// Is reports whether the item has one of the types.
func (it *Item) Is(types ...string) bool {
	if it == nil {
		return false
	}
	for _, own := range it.Types {
		for _, t := range types {
			if own == t {
				return true
			}
		}
	}
	return false
}

// All are the values of the first of the properties that has any, in the page's order. A nil
// item has none.
func (it *Item) All(names ...string) []Value {
	if it == nil {
		return nil
	}
	for _, name := range names {
		if list := it.props[name]; len(list) > 0 {
			return list
		}
	}
	return nil
}

// Names are those of its properties, in the page's order.
func (it *Item) Names() []string { return it.names }

// Text is the first plain text of the properties, white space folded: of a value that is an
// item, the item's name or value. "" for none.
func (it *Item) Text(names ...string) string {
	if list := it.Texts(names...); len(list) > 0 {
		return list[0]
	}
	return ""
}

// Texts are the texts of all values of the first of the properties that has any; see Text.
func (it *Item) Texts(names ...string) []string {
	if it == nil {
		return nil
	}
	for _, name := range names {
		var list []string
		for _, v := range it.props[name] {
			if s := v.String(); s != "" {
				list = append(list, s)
			}
		}
		if list != nil {
			return list
		}
	}
	return nil
}

// Items are the values of the first of the properties that has items.
func (it *Item) Items(names ...string) []*Item {
	if it == nil {
		return nil
	}
	for _, name := range names {
		var list []*Item
		for _, v := range it.props[name] {
			if v.Item != nil {
				list = append(list, v.Item)
			}
		}
		if list != nil {
			return list
		}
	}
	return nil
}

// String is the value as a text, white space folded; of an item it is its name or value.
func (v Value) String() string {
	if v.Item == nil {
		return nodes.Fold(v.Text)
	}
	for _, name := range []string{"name", "@value", "value"} {
		for _, inner := range v.Item.props[name] {
			if inner.Item == nil && strings.TrimSpace(inner.Text) != "" {
				return nodes.Fold(inner.Text)
			}
		}
	}
	return nodes.Fold(v.Shown)
}

func (it *Item) add(name string, v Value) {
	if it.props == nil {
		it.props = map[string][]Value{}
	}
	if _, known := it.props[name]; !known {
		it.names = append(it.names, name)
	}
	it.props[name] = append(it.props[name], v)
	if v.Item != nil && v.Item.Parent == nil && v.Item != it {
		v.Item.Parent, v.Item.Via = it, name
	}
}

// reference reports whether the item has nothing but the id of the item that it means.
func (it *Item) reference() bool { return it.ID != "" && len(it.Types) == 0 && len(it.props) == 0 }

// local is a name without its vocabulary: of https://schema.org/Product and schema:Product,
// Product.
func local(name string) string {
	name = strings.TrimRight(strings.TrimSpace(name), "/#")
	return name[strings.LastIndexAny(name, "/#:")+1:]
}
