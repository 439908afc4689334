package products

import (
	"cmp"
	"strings"

	"github.com/winnow-go/winnow/formats/internal/structured"
	"github.com/winnow-go/winnow/formats/product"
)

// axes are the properties that variants differ by, where the page names no others.
var axes = []string{"color", "size", "material", "pattern", "width", "height", "depth", "weight", "suggestedGender", "suggestedAge"}

// addVariants adds the variants that an item has, or fills the only one of p with what it says
// more.
func (f *finder) addVariants(p *product.Product, it *structured.Item) {
	var list []product.Variant
	if members := f.members(it); len(members) > 0 {
		list = f.groupVariants(it, members)
	} else {
		list = f.itemVariants(it)
	}
	switch {
	case len(p.Variants) == 0:
		p.Variants = list
	case len(p.Variants) == 1 && len(list) == 1:
		fill(&p.Variants[0], list[0])
	}
}

// members are the variants of a group: those that it names, and those that name it.
func (f *finder) members(group *structured.Item) []*structured.Item {
	list := group.Items("hasVariant", "model")
	if id := group.Text("productGroupID"); id != "" || group.Is("ProductGroup") {
		for _, it := range f.Graph.Of(productTypes...) {
			of := it.Items("isVariantOf")
			if it != group && (len(of) > 0 && of[0] == group || id != "" && it.Text("inProductGroupWithID") == id) {
				list = append(list, it)
			}
		}
	}
	list = distinct(list)
	return list[:min(len(list), maxVariants)]
}

func (f *finder) groupVariants(group *structured.Item, members []*structured.Item) []product.Variant {
	shared := f.itemVariants(group)
	keys := variesBy(group)
	var list []product.Variant
	for _, it := range members {
		v := product.Variant{}
		if of := f.itemVariants(it); len(of) > 0 {
			v = of[0]
		}
		v.Values = valuesOf(it, keys)
		v.Title = short(plainText(it.Text("name")))
		if len(shared) > 0 {
			fill(&v, product.Variant{Price: shared[0].Price, Sale: shared[0].Sale, Availability: shared[0].Availability, Images: shared[0].Images})
		}
		list = append(list, v)
	}
	return list
}

// itemVariants are those of a product's offers: one for each where they differ by a number or
// name, else one at the best of them.
func (f *finder) itemVariants(it *structured.Item) []product.Variant {
	base := product.Variant{ID: identity(it), SKU: short(it.Text("sku")), Values: valuesOf(it, axes), Images: f.images(it)}
	offers := offersOf(it)
	if apart := f.perOffer(base, it, offers); len(apart) > 1 {
		return apart
	}
	if best := f.bestOffer(offers); best != nil {
		o := f.offer(best)
		fill(&base, o)
	}
	if isEmpty(&base) {
		return nil
	}
	return []product.Variant{base}
}

// perOffer makes a variant of each offer that names its variant.
func (f *finder) perOffer(base product.Variant, it *structured.Item, offers []*structured.Item) []product.Variant {
	var list []product.Variant
	seen := map[string]bool{}
	name := it.Text("name")
	for _, o := range offers[:min(len(offers), maxVariants)] {
		v := f.offer(o)
		v.Title, v.Values = o.Text("name"), valuesOf(o, axes)
		for _, of := range o.Items("itemOffered") {
			fill(&v, product.Variant{ID: identity(of), SKU: of.Text("sku"), Title: of.Text("name"), Values: valuesOf(of, axes), Images: f.images(of)})
		}
		if strings.EqualFold(v.Title, name) {
			v.Title = ""
		}
		mark := v.ID + "\x00" + v.SKU + "\x00" + v.Title
		if mark == "\x00\x00" || seen[mark] {
			continue
		}
		seen[mark] = true
		v.Title, v.SKU = short(v.Title), short(v.SKU)
		if v.Images == nil {
			v.Images = base.Images
		}
		list = append(list, v)
	}
	return list
}

// fill takes from other what v lacks.
func fill(v *product.Variant, other product.Variant) {
	v.ID, v.SKU, v.Title = cmp.Or(v.ID, other.ID), cmp.Or(v.SKU, other.SKU), cmp.Or(v.Title, other.Title)
	if v.Values == nil {
		v.Values = other.Values
	}
	if v.Price == nil {
		v.Price, v.Sale = other.Price, other.Sale
	}
	if v.Availability == nil {
		v.Availability = other.Availability
	}
	if v.Images == nil {
		v.Images = other.Images
	}
}

func isEmpty(v *product.Variant) bool {
	return v.ID == "" && v.SKU == "" && v.Price == nil && v.Availability == nil && v.Images == nil && v.Values == nil
}

// identity is the best of the numbers that an item is known by, beside the seller's own.
func identity(it *structured.Item) string {
	return short(it.Text("productID", "gtin13", "gtin14", "gtin12", "gtin8", "gtin", "isbn", "mpn", "identifier"))
}

// variesBy are the properties that a group says its variants differ by, else axes.
func variesBy(group *structured.Item) []string {
	var keys []string
	for _, v := range group.All("variesBy") {
		key := v.Text
		if v.Item != nil {
			key = v.Item.ID
		}
		if key = key[strings.LastIndexAny(key, "/#:")+1:]; key != "" && len(keys) < 20 {
			keys = append(keys, key)
		}
	}
	if keys == nil {
		return axes
	}
	return keys
}

// valuesOf are an item's values of these properties, additional ones included; nil for none.
func valuesOf(it *structured.Item, keys []string) map[string]string {
	values := map[string]string{}
	for _, key := range keys {
		if s := it.Text(key); s != "" {
			values[key] = short(s)
		}
	}
	for _, extra := range it.Items("additionalProperty") {
		name, value := extra.Text("name"), extra.Text("value")
		if name != "" && value != "" && len(values) < 20 && len(name) < 100 && values[name] == "" {
			values[name] = short(value)
		}
	}
	if len(values) == 0 {
		return nil
	}
	return values
}
