// Package menu declares the menu of a restaurant: sections, dishes, prices, diets. Package formats finds it in the
// structured data of a page; callers that have a model use it when [Menu.Missing] reports that there is nothing.
package menu

import (
	"slices"

	"github.com/winnow-go/winnow/formats/money"
)

// Menu is what a place offers to eat and drink. Its JSON is the service's.
type Menu struct {
	IsMenu bool `json:"isMenu"`
	// Confidence that it is a menu, 0 to 1.
	Confidence float64  `json:"confidence"`
	Merchant   Merchant `json:"merchant"`
	// Currency of all prices, ISO 4217; "" when it isn't known or there are several.
	Currency string `json:"currency,omitempty"`
	// Sections in the page's order. Sections within sections follow their parent, named
	// "Parent / Section".
	Sections []Section `json:"sections"`
	// SourceURL is the page.
	SourceURL string `json:"sourceUrl"`
}

// Merchant is the business that the menu belongs to.
type Merchant struct {
	Name string `json:"name"`
	// Type is the vocabulary's: "Restaurant", "Bakery".
	Type string `json:"type,omitempty"`
	// Location is the address in one line.
	Location string `json:"location,omitempty"`
}

// Section is a part of a menu.
type Section struct {
	// ID is the page's own, else made of the position; it is unique within the menu.
	ID          string `json:"id"`
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	Items       []Item `json:"items"`
}

// Item is a dish or a drink.
type Item struct {
	// ID is the page's own, else made of the position; it is unique within the menu.
	ID          string       `json:"id"`
	Name        string       `json:"name"`
	Description string       `json:"description,omitempty"`
	Images      []Image      `json:"images"`
	Price       *money.Price `json:"price,omitempty"` // nil: unknown
	// Availability is in stock where the page has no information: the item is on the menu.
	Availability Availability `json:"availability"`
	// Dietary are the diets that it suits, in plain words: "vegan", "gluten free".
	Dietary []string `json:"dietary"`
	// Calories are kilocalories of a portion; 0: unknown.
	Calories     int           `json:"calories,omitempty"`
	OptionGroups []OptionGroup `json:"optionGroups"`
	Identifiers  Identifiers   `json:"identifiers"`
	URL          string        `json:"url,omitempty"`
	SourceURL    string        `json:"sourceUrl"`
}

// Availability reports whether a dish is available.
type Availability struct {
	InStock bool   `json:"inStock"`
	Text    string `json:"text,omitempty"`
}

// Image is a picture.
type Image struct {
	URL string `json:"url"`
	Alt string `json:"alt,omitempty"`
}

// OptionGroup is a choice that goes with a dish: sizes with their prices, or what can be added.
type OptionGroup struct {
	Name    string   `json:"name"`
	Options []Option `json:"options"`
}

// Option is one of a group.
type Option struct {
	Name  string       `json:"name"`
	Price *money.Price `json:"price,omitempty"` // nil: unknown
}

// Identifiers are numbers of the merchant's own.
type Identifiers struct {
	MerchantItemID string `json:"merchantItemId,omitempty"`
}

// The names in Missing.
const (
	FieldSections = "sections"
	FieldMerchant = "merchant.name"
)

// Missing names what m lacks of sections with items and the merchant's name. A nil m lacks
// both.
func (m *Menu) Missing() []string {
	var list []string
	if m == nil || !slices.ContainsFunc(m.Sections, func(s Section) bool { return len(s.Items) > 0 }) {
		list = append(list, FieldSections)
	}
	if m == nil || m.Merchant.Name == "" {
		list = append(list, FieldMerchant)
	}
	return list
}

// Clone shares nothing with m; of nil it is nil.
func (m *Menu) Clone() *Menu {
	if m == nil {
		return nil
	}
	c := *m
	c.Sections = slices.Clone(m.Sections)
	for i := range c.Sections {
		s := &c.Sections[i]
		s.Items = slices.Clone(s.Items)
		for k := range s.Items {
			s.Items[k] = s.Items[k].clone()
		}
	}
	return &c
}

func (it Item) clone() Item {
	it.Images, it.Dietary, it.OptionGroups = slices.Clone(it.Images), slices.Clone(it.Dietary), slices.Clone(it.OptionGroups)
	it.Price = clonePrice(it.Price)
	for i := range it.OptionGroups {
		g := &it.OptionGroups[i]
		g.Options = slices.Clone(g.Options)
		for k := range g.Options {
			g.Options[k].Price = clonePrice(g.Options[k].Price)
		}
	}
	return it
}

func clonePrice(p *money.Price) *money.Price {
	if p == nil {
		return nil
	}
	return new(*p)
}
