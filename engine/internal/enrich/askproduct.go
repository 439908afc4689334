package enrich

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/winnow-go/winnow/formats/money"
	"github.com/winnow-go/winnow/formats/product"
	"github.com/winnow-go/winnow/llm"
	"github.com/winnow-go/winnow/llm/read"
)

// mayComplete reports whether a model is called for what the page's data lacks of something. Where
// none may be asked, the warning says what isn't there.
func (s *Asker) mayComplete(what string, none bool, missing []string) bool {
	if len(missing) == 0 {
		return false
	}
	if s.Meter != nil {
		return true
	}
	if none {
		s.warn("There is no %s: the page's data for machines describes none", what)
	} else {
		s.warn("The page's data for machines does not give of the %s: %s", what, strings.Join(missing, ", "))
	}
	return false
}

// productFields are what a model is to give, by the fields that are missing. All are texts as
// they stand on the page, but for the last.
var productFields = map[string][]string{
	product.FieldTitle:        {"title", "brand", "description"},
	product.FieldPrice:        {"price", "originalPrice"},
	product.FieldCurrency:     {"price"},
	product.FieldAvailability: {"availability", "inStock"},
}

const productPrompt = "The one product that this page sells. " +
	"When the page sells nothing, or lists several products and is about none of them, all is null."

// productHints say what is meant by fields whose names don't.
var productHints = map[string]string{
	"price":         "what it costs now, as it is written, with its currency.",
	"originalPrice": "the higher price that it is reduced from, as it is written; null when it isn't reduced.",
	"availability":  "the words that say whether it can be had now.",
	"inStock":       "whether they say so.",
}

// productForm are the schema and the prompt for the missing fields.
func productForm(missing []string) (*llm.Schema, string, error) {
	props, prompt := map[string]any{}, productPrompt
	for _, field := range missing {
		for _, name := range productFields[field] {
			kind := "string"
			if name == "inStock" {
				kind = "boolean"
			}
			if hint := productHints[name]; hint != "" && props[name] == nil {
				prompt += " " + name + ": " + hint
			}
			props[name] = map[string]string{"type": kind}
		}
	}
	raw, err := json.Marshal(map[string]any{"type": "object", "properties": props})
	if err != nil {
		return nil, "", err
	}
	form, err := llm.CompileSchema(raw)
	return form, prompt, err
}

// modelProduct is what a model says of a product. Each value is borne out by the page's text.
type modelProduct struct {
	Title         *string `json:"title"`
	Brand         *string `json:"brand"`
	Description   *string `json:"description"`
	Price         *string `json:"price"`
	OriginalPrice *string `json:"originalPrice"`
	Availability  *string `json:"availability"`
	InStock       *bool   `json:"inStock"`
}

// askProduct fills in what the page's data lacks of the product. Values that aren't in the page's
// text are left out, with a warning.
func (s *Asker) askProduct(ctx context.Context, p read.Page) ([]string, error) {
	have := s.Output.Product
	form, prompt, err := productForm(have.Missing())
	if err != nil {
		return nil, err
	}
	got, err := read.Extract(ctx, s.Meter, p, read.Fields{Schema: form, Prompt: prompt, Evidence: true})
	if err != nil {
		return nil, err
	}
	var said modelProduct
	if err := json.Unmarshal(got.JSON, &said); err != nil {
		return nil, err
	}
	s.Answers.Product = completeProduct(have, said, s.URL, s.Output.Metadata.Language)
	if s.Answers.Product == nil {
		return append(got.Warnings, "The page sells no product of its own."), nil
	}
	if left := s.Answers.Product.Missing(); len(left) > 0 {
		got.Warnings = append(got.Warnings, "The page does not give of the product: "+strings.Join(left, ", ")+".")
	}
	return got.Warnings, nil
}

// completeProduct is a copy of have with what the model said; nil when neither knows a product.
func completeProduct(have *product.Product, said modelProduct, url, language string) *product.Product {
	p := have.Clone()
	if p == nil {
		if orEmpty(said.Title) == "" {
			return nil
		}
		p = &product.Product{URL: url, Variants: []product.Variant{}}
	}
	p.Title = cmp.Or(p.Title, orEmpty(said.Title))
	p.Brand = cmp.Or(p.Brand, orEmpty(said.Brand))
	p.Description = cmp.Or(p.Description, orEmpty(said.Description))
	if len(p.Variants) == 0 {
		p.Variants = []product.Variant{{Images: []product.Image{}}}
	}
	for i := range p.Variants {
		completeVariant(&p.Variants[i], said, language)
	}
	p.Variants = slices.DeleteFunc(p.Variants, func(v product.Variant) bool {
		return v.Price == nil && v.Availability == nil && v.ID == "" && v.SKU == "" && v.Title == "" && len(v.Images) == 0 && v.Values == nil
	})
	return p
}

func completeVariant(v *product.Variant, said modelProduct, language string) {
	now, ok := money.Parse(orEmpty(said.Price), language)
	switch {
	case ok && v.Price == nil:
		v.Price = &now
		if before, ok := money.Parse(orEmpty(said.OriginalPrice), language); ok && before.Amount > now.Amount {
			v.Sale = &product.Sale{OriginalPrice: before}
		}
	case ok && v.Price.Currency == "" && v.Price.Amount == now.Amount:
		v.Price.Currency, v.Price.Formatted = now.Currency, now.Formatted
	}
	if words := orEmpty(said.Availability); v.Availability == nil && words != "" && said.InStock != nil {
		v.Availability = &product.Availability{InStock: *said.InStock, Text: words}
	}
}

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return strings.Join(strings.Fields(*s), " ")
}
