package menus

import (
	"strings"

	"github.com/winnow-go/winnow/formats/internal/structured"
	"github.com/winnow-go/winnow/formats/menu"
)

// places are the types of those who have menus, the special ones first.
var places = []string{"Restaurant", "FoodEstablishment", "CafeOrCoffeeShop", "BarOrPub", "Bakery", "Brewery", "Distillery", "FastFoodRestaurant", "IceCreamShop", "Winery",
	"NightClub", "Hotel", "LocalBusiness", "Store", "Organization"}

// merchant is the place that declares the menu, else the one that the menu names, else the first place.
func (f *finder) merchant() menu.Merchant {
	for _, it := range f.Graph.Items {
		for _, m := range it.Items("hasMenu", "menu") {
			if m.Is("Menu") && it.Text("name") != "" {
				return merchant(it)
			}
		}
	}
	for _, m := range f.Graph.Of("Menu") {
		for _, who := range m.Items("provider", "offeredBy") {
			return merchant(who)
		}
	}
	for _, kind := range places {
		for _, it := range f.Graph.Of(kind) {
			if it.Text("name") != "" {
				return merchant(it)
			}
		}
	}
	return menu.Merchant{}
}

func merchant(it *structured.Item) menu.Merchant {
	m := menu.Merchant{Name: cut(it.Text("name"))}
	if len(it.Types) > 0 {
		m.Type = cut(it.Types[0])
	}
	if list := it.Items("address"); len(list) > 0 {
		var parts []string
		for _, name := range []string{"streetAddress", "postalCode", "addressLocality", "addressRegion", "addressCountry"} {
			if s := list[0].Text(name); s != "" {
				parts = append(parts, s)
			}
		}
		m.Location = cut(strings.Join(parts, ", "))
		return m
	}
	m.Location = cut(it.Text("address", "location"))
	return m
}
