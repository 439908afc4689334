package products

import (
	"cmp"
	"strings"

	"github.com/winnow-go/winnow/formats/money"
	"github.com/winnow-go/winnow/formats/product"
)

// addMetas fills what p lacks from meta elements. Without p they make one, where they say that
// the page is of a product or give a price.
func (f *finder) addMetas(p *product.Product) *product.Product {
	v := f.metaVariant()
	if p == nil {
		kind := strings.ToLower(f.meta("og:type"))
		if v.Price == nil && kind != "product" && kind != "og:product" && kind != "product.item" || f.lists() {
			return nil
		}
		p = &product.Product{}
	}
	p.Title = cmp.Or(p.Title, f.meta("og:title", "twitter:title"), f.Title)
	p.Brand = cmp.Or(p.Brand, f.meta("product:brand", "og:brand"))
	p.Category = cmp.Or(p.Category, f.meta("product:category"))
	p.Description = cmp.Or(p.Description, f.meta("og:description", "description", "twitter:description"))
	switch {
	case len(p.Variants) == 0 && !isEmpty(&v):
		p.Variants = []product.Variant{v}
	case len(p.Variants) == 1:
		fill(&p.Variants[0], v)
	}
	f.fillCurrencies(p)
	return p
}

// lists reports whether the page describes several products: then its meta elements are of none.
func (f *finder) lists() bool { return len(f.Graph.Of(productTypes...)) > 1 }

func (f *finder) meta(names ...string) string {
	for _, name := range names {
		for _, s := range f.Metas[name] {
			if s = strings.Join(strings.Fields(s), " "); s != "" {
				return cut(s, maxText)
			}
		}
	}
	return ""
}

func (f *finder) metaVariant() product.Variant {
	v := product.Variant{SKU: short(f.meta("product:retailer_item_id", "product:sku"))}
	now := f.metaPrice("product:sale_price:amount", "product:price:amount", "og:price:amount", "product:price", "twitter:data1")
	before := f.metaPrice("product:original_price:amount", "og:price:standard_amount", "product:price:amount")
	v.Price = now
	if now != nil && before != nil && before.Amount > now.Amount {
		v.Sale = &product.Sale{OriginalPrice: *before}
	}
	v.Availability = stockWord(f.meta("product:availability", "og:availability"))
	for i, ref := range f.Metas["og:image"] {
		img := product.Image{URL: ref}
		if alts := f.Metas["og:image:alt"]; i < len(alts) {
			img.Alt = short(alts[i])
		}
		v.Images = f.addImage(v.Images, img)
	}
	return v
}

func (f *finder) metaPrice(names ...string) *money.Price {
	for _, name := range names {
		s := f.meta(name)
		if name == "twitter:data1" && !strings.EqualFold(f.meta("twitter:label1"), "price") {
			continue
		}
		if p, ok := money.Value(s, f.Language); ok {
			p.Formatted = ""
			p.Currency = cmp.Or(f.metaCurrency(), p.Currency)
			return &p
		}
	}
	return nil
}

func (f *finder) metaCurrency() string {
	return money.Currency(f.meta("product:price:currency", "og:price:currency", "product:sale_price:currency", "og:currency"), f.Language)
}

// fillCurrencies gives prices without a currency the one that the page names.
func (f *finder) fillCurrencies(p *product.Product) {
	code := f.metaCurrency()
	for i := range p.Variants {
		v := &p.Variants[i]
		if v.Price != nil {
			v.Price.Currency = cmp.Or(v.Price.Currency, code)
		}
		if v.Sale != nil {
			v.Sale.OriginalPrice.Currency = cmp.Or(v.Sale.OriginalPrice.Currency, code)
		}
	}
}
