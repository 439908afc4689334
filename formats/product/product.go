// Package product declares the product that a page sells: its name, brand and category, its variants with prices,
// availability and pictures. Package formats finds it.
//
// Nothing is guessed: missing data stays missing, and [Product.Missing] reports it, for callers that have a model.
package product

import (
	"maps"
	"slices"

	"github.com/winnow-go/winnow/formats/money"
)

// Product is what a page sells. Its JSON is the service's.
type Product struct {
	// Title is the name; of a group of variants, the group's.
	Title string `json:"title"`
	Brand string `json:"brand,omitempty"`
	// Category is a path from the general to the special, joined with " > ".
	Category string `json:"category,omitempty"`
	// URL is the page's own, absolute.
	URL         string `json:"url"`
	Description string `json:"description,omitempty"`
	// Variants has at least one entry if the page has any price, number, availability or
	// picture.
	Variants []Variant `json:"variants"`
}

// Variant is one form that the product can be bought in.
type Variant struct {
	ID    string `json:"id,omitempty"`
	SKU   string `json:"sku,omitempty"`
	Title string `json:"title,omitempty"`
	// Values distinguish variants: "color": "blue".
	Values map[string]string `json:"values,omitempty"`
	// Price is what it costs now; nil when the page doesn't say.
	Price *money.Price `json:"price,omitempty"`
	// Sale is nil when the price isn't reduced.
	Sale *Sale `json:"sale,omitempty"`
	// Availability is nil when the page doesn't say.
	Availability *Availability `json:"availability,omitempty"`
	// Images are the variant's own, else the product's.
	Images []Image `json:"images"`
}

// Sale describes a reduced price.
type Sale struct {
	// OriginalPrice is the higher one: the list price, or the price that is struck through.
	OriginalPrice money.Price `json:"originalPrice"`
}

// Availability reports whether a variant is available.
type Availability struct {
	// InStock is false for back-ordered items, too.
	InStock bool `json:"inStock"`
	// Text is how the page puts it, else the vocabulary's word in plain English.
	Text string `json:"text,omitempty"`
}

// Image is a picture.
type Image struct {
	URL string `json:"url"`
	Alt string `json:"alt,omitempty"`
}

// The fields that a product must have. They are the names in Missing.
const (
	FieldTitle        = "title"
	FieldPrice        = "price"
	FieldCurrency     = "currency"
	FieldAvailability = "availability"
)

// Missing names the required fields that p lacks, in the order of the constants: title, and
// price, currency and availability where no variant has them. A nil p lacks all.
func (p *Product) Missing() []string {
	if p == nil {
		return []string{FieldTitle, FieldPrice, FieldCurrency, FieldAvailability}
	}
	some := func(has func(Variant) bool) bool { return slices.ContainsFunc(p.Variants, has) }
	var list []string
	if p.Title == "" {
		list = append(list, FieldTitle)
	}
	if !some(func(v Variant) bool { return v.Price != nil }) {
		list = append(list, FieldPrice)
	}
	if !some(func(v Variant) bool { return v.Price != nil && v.Price.Currency != "" }) {
		list = append(list, FieldCurrency)
	}
	if !some(func(v Variant) bool { return v.Availability != nil }) {
		list = append(list, FieldAvailability)
	}
	return list
}

// Clone shares nothing with p; of nil it is nil.
func (p *Product) Clone() *Product {
	if p == nil {
		return nil
	}
	c := *p
	c.Variants = slices.Clone(p.Variants)
	for i := range c.Variants {
		v := &c.Variants[i]
		v.Values, v.Images = maps.Clone(v.Values), slices.Clone(v.Images)
		if v.Price != nil {
			v.Price = new(*v.Price)
		}
		if v.Sale != nil {
			v.Sale = new(*v.Sale)
		}
		if v.Availability != nil {
			v.Availability = new(*v.Availability)
		}
	}
	return &c
}
