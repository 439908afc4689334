package demo

import (
	"fmt"
	"net/http"
)

// dish is one of a menu. The price is in cents.
type dish struct {
	Name, Text string
	Cents      int
	Diet       string // empty, "vegetarian" or "vegan"
	Calories   int
}

// Price is spelt as on a menu.
func (d dish) Price() string { return euros(d.Cents) }

// course is a part of a menu.
type course struct {
	Name   string
	Dishes []dish
}

var menu = []course{
	{"Breakfast", []dish{{"Rye porridge", "With plums and a spoon of cream", 620, "vegetarian", 410}, {"Bread and butter", "Two slices, from the oven of this morning", 380, "vegetarian", 330}}},
	{"Lunch", []dish{{"Barley soup", "Roots, marjoram, smoked salt", 790, "vegan", 290}, {"Spelt risotto", "Pumpkin, sage and old cheese", 1240, "vegetarian", 560}, {"Trout", "From the mill race, with potatoes", 1680, "", 520}}},
	{"Cake", []dish{{"Poppy seed cake", "Not too sweet", 430, "vegetarian", 380}, {"Pear tart", "While there are pears", 460, "vegetarian", 350}}},
	{"Drinks", []dish{{"Malt coffee", "Barley, roasted here", 320, "vegan", 8}, {"Apple juice", "From the lane", 340, "vegan", 95}}},
}

// menuData is the menu in the words of schema.org.
func menuData() map[string]any {
	var sections []any
	for _, c := range menu {
		var items []any
		for _, d := range c.Dishes {
			item := map[string]any{
				"@type": "MenuItem", "name": d.Name, "description": d.Text,
				"offers":    map[string]string{"@type": "Offer", "price": fmt.Sprintf("%d.%02d", d.Cents/100, d.Cents%100), "priceCurrency": "EUR"},
				"nutrition": map[string]string{"@type": "NutritionInformation", "calories": fmt.Sprintf("%d calories", d.Calories)},
			}
			switch d.Diet {
			case "vegetarian":
				item["suitableForDiet"] = "https://schema.org/VegetarianDiet"
			case "vegan":
				item["suitableForDiet"] = "https://schema.org/VeganDiet"
			}
			items = append(items, item)
		}
		sections = append(sections, map[string]any{"@type": "MenuSection", "name": c.Name, "hasMenuItem": items})
	}
	return map[string]any{
		"@context": "https://schema.org", "@type": "Restaurant", "name": "The Mill Café", "servesCuisine": "Regional", "url": "https://cafe.example/",
		"address": map[string]string{"@type": "PostalAddress", "streetAddress": "Mühlweg 3", "addressLocality": "Kornbach", "addressCountry": "DE"},
		"hasMenu": map[string]any{"@type": "Menu", "name": "Menu", "hasMenuSection": sections},
	}
}

func cafe() http.Handler {
	p, mux := open("cafe"), http.NewServeMux()
	mux.HandleFunc("/", p.serve)
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		p.show(w, http.StatusOK, "menu.view", map[string]any{"Courses": menu, "Data": menuData()})
	})
	return mux
}
