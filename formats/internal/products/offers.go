package products

import (
	"strings"
	"unicode"

	"github.com/winnow-go/winnow/formats/internal/structured"
	"github.com/winnow-go/winnow/formats/money"
	"github.com/winnow-go/winnow/formats/product"
)

// offersOf are the offers of an item, those within an aggregate instead of it. An item that has
// a price of its own is its own offer; so is one that an offer offers.
func offersOf(it *structured.Item) []*structured.Item {
	var list []*structured.Item
	for _, o := range it.Items("offers", "offer") {
		if inner := o.Items("offers"); len(inner) > 0 {
			list = append(list, inner...)
		} else {
			list = append(list, o)
		}
	}
	switch {
	case len(list) > 0:
		return list
	case it.Text("price", "lowPrice") != "":
		return []*structured.Item{it}
	case it.Via == "itemOffered" && it.Parent != nil:
		return []*structured.Item{it.Parent}
	}
	return nil
}

// bestOffer is the cheapest of the available ones, else the cheapest, else the first; nil of
// none.
func (f *finder) bestOffer(offers []*structured.Item) *structured.Item {
	var best *structured.Item
	var has product.Variant
	for _, o := range offers[:min(len(offers), maxVariants)] {
		v := f.offer(o)
		if best == nil || better(v, has) {
			best, has = o, v
		}
	}
	return best
}

func better(a, b product.Variant) bool {
	inStock := func(v product.Variant) bool { return v.Availability == nil || v.Availability.InStock }
	switch {
	case (a.Price == nil) != (b.Price == nil):
		return a.Price != nil
	case inStock(a) != inStock(b):
		return inStock(a)
	}
	return a.Price != nil && a.Price.Amount < b.Price.Amount
}

// offer reads price, sale, availability and number of an offer.
func (f *finder) offer(o *structured.Item) product.Variant {
	v := product.Variant{SKU: short(o.Text("sku")), ID: identity(o), Availability: availability(o)}
	v.Price = f.price(o, o, "price", "lowPrice")
	var list *money.Price
	for _, spec := range o.Items("priceSpecification") {
		p := f.price(spec, o, "price", "minPrice")
		switch kind := spec.Text("priceType"); {
		case p == nil || strings.Contains(kind, "Invoice") || spec.Text("referenceQuantity") != "" && kind == "":
		case isListPrice(kind):
			list = p
		case v.Price == nil:
			v.Price = p
		}
	}
	if v.Price == nil {
		v.Price, list = list, nil
	}
	if list != nil && list.Amount > v.Price.Amount {
		v.Sale = &product.Sale{OriginalPrice: *list}
	}
	if imgs := f.images(o); imgs != nil {
		v.Images = imgs
	}
	return v
}

// isListPrice reports the types of prices that are not charged now.
func isListPrice(kind string) bool {
	for _, word := range []string{"ListPrice", "StrikethroughPrice", "RegularPrice", "MSRP", "SRP", "ManufacturerSuggestedRetailPrice"} {
		if strings.HasSuffix(kind, word) {
			return true
		}
	}
	return false
}

// price reads a property of an item, whose currency may stand with the offer; nil for none.
func (f *finder) price(it, offer *structured.Item, names ...string) *money.Price {
	for _, v := range it.All(names...) {
		p, ok := money.Marked(v.Text, v.Shown, f.Language)
		if !ok || v.Item != nil {
			continue
		}
		for _, holder := range []*structured.Item{it, offer} {
			if code := money.Currency(holder.Text("priceCurrency", "currency"), f.Language); code != "" {
				p.Currency = code
				break
			}
		}
		return &p
	}
	return nil
}

// stock reports which words of the vocabulary mean that it is available now.
var stock = map[string]bool{
	"InStock": true, "LimitedAvailability": true, "OnlineOnly": true, "InStoreOnly": true, "MadeToOrder": true,
	"OutOfStock": false, "SoldOut": false, "Discontinued": false, "Reserved": false, "BackOrder": false, "PreOrder": false, "PreSale": false,
}

// availability of an offer, nil when it isn't given in known words.
func availability(o *structured.Item) *product.Availability {
	for _, v := range o.All("availability") {
		word := v.Text
		if v.Item != nil {
			word = v.Item.ID
		}
		if a := stockWord(word); a != nil {
			if shown := v.Shown; shown != "" && len(shown) < 200 && shown != word {
				a.Text = shown
			}
			return a
		}
	}
	return nil
}

// stockWord reads "https://schema.org/InStock", "instock", "in stock", "in_stock"; nil for all
// else.
func stockWord(s string) *product.Availability {
	s = strings.TrimSpace(s)
	plain := func(s string) string {
		return strings.ToLower(strings.NewReplacer(" ", "", "_", "", "-", "").Replace(s))
	}
	asked := plain(s[strings.LastIndexAny(s, "/#:")+1:])
	switch asked {
	case "available", "availablefororder":
		asked = "instock"
	case "oos", "unavailable", "notavailable":
		asked = "outofstock"
	}
	for word, has := range stock {
		if plain(word) == asked {
			return &product.Availability{InStock: has, Text: words(word)}
		}
	}
	return nil
}

// words makes "Out of stock" of OutOfStock.
func words(s string) string {
	var b strings.Builder
	for i, r := range s {
		if i > 0 && unicode.IsUpper(r) {
			b.WriteByte(' ')
		}
		if i > 0 {
			r = unicode.ToLower(r)
		}
		b.WriteRune(r)
	}
	return b.String()
}
