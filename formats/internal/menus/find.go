package menus

import (
	"cmp"
	"fmt"

	"github.com/winnow-go/winnow/formats/internal/structured"
	"github.com/winnow-go/winnow/formats/menu"
	"github.com/winnow-go/winnow/formats/money"
)

// Bounds of one menu.
const (
	maxSections = 500
	maxItems    = 3000
	maxDepth    = 6    // of sections within sections
	maxText     = 2000 // bytes of a name or description
	maxPer      = 20   // images, diets, options of an item
)

// Page is the input of Find.
type Page struct {
	// Graph of the things that the page describes. Nil: none.
	Graph *structured.Graph
	// URL of the page, absolute.
	URL string
	// Language of the page, BCP 47; may be empty.
	Language string
	// Absolute resolves a reference of the page; "" when it is none. Nil leaves all as they are.
	Absolute func(string) string
}

// How sure it is that a page with this is a menu.
const (
	surePriced  = 1.0 // a described menu with prices
	sureItems   = 0.9 // one without
	loose       = 0.8 // dishes outside of any menu
	sureHeading = 0.5 // a described menu without a dish
)

// Find returns the page's menu, nil when the page describes neither a menu nor dishes.
func Find(p Page) *menu.Menu {
	f := &finder{Page: p, seen: map[*structured.Item]bool{}, ids: map[string]bool{}}
	if f.Absolute == nil {
		f.Absolute = func(s string) string { return s }
	}
	if f.Graph == nil {
		return nil
	}
	f.menu = &menu.Menu{SourceURL: p.URL, Sections: []menu.Section{}}
	f.read()
	if !f.menu.IsMenu {
		return nil
	}
	f.menu.Merchant = f.merchant()
	f.menu.Currency = f.currency()
	return f.menu
}

type finder struct {
	Page
	menu  *menu.Menu
	seen  map[*structured.Item]bool // sections and dishes that are in already
	ids   map[string]bool
	items int
}

// read takes menus, then sections and dishes that are in none.
func (f *finder) read() {
	for _, kind := range []string{"Menu", "MenuSection"} {
		for _, s := range f.Graph.Of(kind) {
			if s.Via != "menuAddOn" {
				f.section(s, "", 0)
			}
		}
	}
	inMenus := f.items
	if rest := f.rest(); len(rest) > 0 {
		f.addSection(menu.Section{Name: "Menu"}, rest)
	}
	f.menu.IsMenu = len(f.menu.Sections) > 0
	switch {
	case f.items == 0:
		f.menu.Confidence = sureHeading
	case inMenus == 0:
		f.menu.Confidence = loose
	case f.priced():
		f.menu.Confidence = surePriced
	default:
		f.menu.Confidence = sureItems
	}
}

// rest are the dishes that no section has.
func (f *finder) rest() []*structured.Item {
	var list []*structured.Item
	for _, it := range f.Graph.Of("MenuItem") {
		if !f.seen[it] && it.Via != "menuAddOn" && it.Text("name") != "" {
			list = append(list, it)
		}
	}
	return list
}

// section adds a menu or section with its dishes, then those within it. A menu without dishes
// of its own is only its sections.
func (f *finder) section(s *structured.Item, parent string, depth int) {
	if f.seen[s] || depth > maxDepth {
		return
	}
	f.seen[s] = true
	name := cut(s.Text("name"))
	if parent != "" && name != "" {
		name = cut(parent + " / " + name)
	}
	dishes := s.Items("hasMenuItem", "itemListElement")
	switch {
	case len(dishes) > 0 || !s.Is("Menu") && name != "":
		id := cmp.Or(s.ID, s.Text("identifier"))
		f.addSection(menu.Section{ID: id, Name: cmp.Or(name, "Menu"), Description: cut(s.Text("description"))}, dishes)
	}
	if s.Is("Menu") {
		name = "" // its sections stand for themselves
	}
	for _, in := range s.Items("hasMenuSection") {
		f.section(in, name, depth+1)
	}
}

// addSection adds a section with the dishes that are in none yet.
func (f *finder) addSection(s menu.Section, dishes []*structured.Item) {
	if len(f.menu.Sections) >= maxSections {
		return
	}
	number := len(f.menu.Sections) + 1
	s.ID = f.id(s.ID, fmt.Sprintf("section-%d", number))
	s.Items = []menu.Item{}
	for _, d := range dishes {
		if d.Is("Offer", "ListItem") {
			for _, in := range d.Items("itemOffered", "item") {
				d = in
			}
		}
		if f.seen[d] || f.items >= maxItems || d.Is("MenuSection", "Menu") {
			continue
		}
		if it, ok := f.item(d, fmt.Sprintf("item-%d-%d", number, len(s.Items)+1)); ok {
			s.Items = append(s.Items, it)
		}
	}
	f.menu.Sections = append(f.menu.Sections, s)
}

// id is the page's own where it is short and the first of its name, else the made one.
func (f *finder) id(own, made string) string {
	if own == "" || len(own) > 300 || f.ids[own] {
		own = made
	}
	f.ids[own] = true
	return own
}

// currency is the one that all prices have.
func (f *finder) currency() string {
	code := ""
	for p := range f.prices() {
		if code != "" && p.Currency != code {
			return ""
		}
		code = p.Currency
	}
	return code
}

func (f *finder) priced() bool {
	for range f.prices() {
		return true
	}
	return false
}

// prices are those of all dishes.
func (f *finder) prices() func(yield func(*money.Price) bool) {
	return func(yield func(*money.Price) bool) {
		for _, s := range f.menu.Sections {
			for _, it := range s.Items {
				if it.Price != nil && !yield(it.Price) {
					return
				}
			}
		}
	}
}

// cut bounds a text, between runes.
func cut(s string) string {
	if len(s) <= maxText {
		return s
	}
	n := maxText
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return s[:n]
}
