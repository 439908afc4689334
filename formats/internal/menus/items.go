package menus

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/winnow-go/winnow/formats/internal/structured"
	"github.com/winnow-go/winnow/formats/menu"
	"github.com/winnow-go/winnow/formats/money"
)

// item reads a dish; ok is false for one without a name.
func (f *finder) item(d *structured.Item, madeID string) (_ menu.Item, ok bool) {
	name := cut(d.Text("name"))
	if name == "" {
		return menu.Item{}, false
	}
	f.seen[d] = true
	f.items++
	own := d.Text("identifier", "sku", "productID")
	it := menu.Item{
		ID:           f.id(cmp.Or(own, d.ID), madeID),
		Name:         name,
		Description:  cut(d.Text("description")),
		Images:       f.images(d),
		Availability: menu.Availability{InStock: true},
		Dietary:      diets(d),
		Calories:     f.calories(d),
		OptionGroups: []menu.OptionGroup{},
		Identifiers:  menu.Identifiers{MerchantItemID: cut(own)},
		SourceURL:    f.URL,
	}
	if ref := d.Text("url"); ref != "" {
		it.URL = f.Absolute(ref)
	}
	f.addOffers(&it, d)
	f.addExtras(&it, d)
	return it, true
}

// addOffers takes the price of the only offer, or the lowest of several, which are a choice then.
func (f *finder) addOffers(it *menu.Item, d *structured.Item) {
	group := menu.OptionGroup{Name: "Sizes"}
	for _, o := range d.Items("offers") {
		p := f.price(o)
		if p != nil && (it.Price == nil || p.Amount < it.Price.Amount) {
			it.Price = p
		}
		if name := cut(o.Text("name", "description", "eligibleQuantity")); name != "" && len(group.Options) < maxPer {
			group.Options = append(group.Options, menu.Option{Name: name, Price: f.price(o)})
		}
		if word := o.Text("availability"); strings.HasSuffix(word, "OutOfStock") || strings.HasSuffix(word, "SoldOut") || strings.HasSuffix(word, "Discontinued") {
			it.Availability = menu.Availability{Text: "Out of stock"}
		}
	}
	if it.Price == nil {
		it.Price = f.price(d)
	}
	if len(group.Options) > 1 {
		it.OptionGroups = append(it.OptionGroups, group)
	}
}

// addExtras takes what can be added to a dish: one dish at a time, or sections of them.
func (f *finder) addExtras(it *menu.Item, d *structured.Item) {
	single := menu.OptionGroup{Name: "Add-ons"}
	for _, extra := range d.Items("menuAddOn") {
		if !extra.Is("MenuSection") {
			single.Options = f.addOption(single.Options, extra)
			continue
		}
		f.seen[extra] = true
		group := menu.OptionGroup{Name: cut(extra.Text("name"))}
		for _, in := range extra.Items("hasMenuItem") {
			group.Options = f.addOption(group.Options, in)
		}
		if len(group.Options) > 0 && len(it.OptionGroups) < maxPer {
			it.OptionGroups = append(it.OptionGroups, group)
		}
	}
	if len(single.Options) > 0 {
		it.OptionGroups = append(it.OptionGroups, single)
	}
}

func (f *finder) addOption(list []menu.Option, d *structured.Item) []menu.Option {
	f.seen[d] = true
	name := cut(d.Text("name"))
	if name == "" || len(list) >= maxPer {
		return list
	}
	o := menu.Option{Name: name, Price: f.price(d)}
	for _, offer := range d.Items("offers") {
		o.Price = f.price(offer)
	}
	return append(list, o)
}

// price of an offer, or of a dish that is its own; nil for none.
func (f *finder) price(o *structured.Item) *money.Price {
	for _, holder := range append([]*structured.Item{o}, o.Items("priceSpecification")...) {
		code := money.Currency(cmp.Or(holder.Text("priceCurrency"), o.Text("priceCurrency")), f.Language)
		for _, v := range holder.All("price", "lowPrice") {
			if p, ok := money.Marked(v.Text, v.Shown, f.Language); ok && v.Item == nil {
				p.Currency = cmp.Or(code, p.Currency)
				return &p
			}
		}
	}
	return nil
}

func (f *finder) images(d *structured.Item) []menu.Image {
	list := []menu.Image{}
	for _, v := range d.All("image", "photo") {
		img := menu.Image{URL: v.Text}
		if v.Item != nil {
			img = menu.Image{URL: cmp.Or(v.Item.Text("contentUrl", "url"), v.Item.ID), Alt: cut(v.Item.Text("caption", "name"))}
		}
		img.URL = f.Absolute(strings.TrimSpace(img.URL))
		known := func(other menu.Image) bool { return other.URL == img.URL }
		if img.URL != "" && len(img.URL) < 10_000 && len(list) < maxPer && !slices.ContainsFunc(list, known) {
			list = append(list, img)
		}
	}
	return list
}

// diets are the ones that a dish suits: of VeganDiet, "vegan".
func diets(d *structured.Item) []string {
	list := []string{}
	for _, v := range d.All("suitableForDiet") {
		word := v.Text
		if v.Item != nil {
			word = cmp.Or(v.Item.ID, v.String())
		}
		word = cut(words(strings.TrimSuffix(word[strings.LastIndexAny(word, "/#:")+1:], "Diet")))
		if word != "" && len(list) < maxPer && !slices.Contains(list, word) {
			list = append(list, word)
		}
	}
	return list
}

// words makes "gluten free" of GlutenFree.
func words(s string) string {
	var b strings.Builder
	for _, r := range s {
		if unicode.IsUpper(r) {
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// calories of a dish: "250 calories", "250 kcal", or kilojoules, which are turned into them.
func (f *finder) calories(d *structured.Item) int {
	for _, n := range d.Items("nutrition") {
		s := n.Text("calories")
		p, ok := money.Value(s, f.Language)
		if !ok || p.Amount <= 0 || p.Amount > 100_000 {
			continue
		}
		unit := strings.ToLower(s)
		if strings.Contains(unit, "kj") && !strings.Contains(unit, "kcal") {
			return int(math.Round(p.Amount / 4.184))
		}
		return int(math.Round(p.Amount))
	}
	return 0
}
