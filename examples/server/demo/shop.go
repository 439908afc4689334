package demo

import (
	"fmt"
	"image/color"
	"net/http"
	"slices"
)

// product is one thing that the shop sells. Prices are in cents.
type product struct {
	Slug, Name, Maker, Category, Text string
	Cents, Was                        int // Was 0: never dearer
	Stock                             int
	Sizes                             []string
	Hue                               color.RGBA
}

var products = []product{
	{"winnowing-fan", "Winnowing fan", "Halm", "Tools", "A shallow basket of peeled willow. Toss the grain against the wind: the chaff flies, the grain falls back.", 5400, 6200, 14, []string{"40 cm", "55 cm"}, color.RGBA{0xc9, 0x8f, 0x3a, 0xff}},
	{"grain-sieve", "Grain sieve", "Halm", "Tools", "Beech rim, steel mesh. Large seeds stay above, dust and small weeds fall through.", 3850, 0, 31, []string{"2 mm", "4 mm", "6 mm"}, color.RGBA{0x7a, 0x8b, 0x4f, 0xff}},
	{"hand-mill", "Hand mill", "Mühlbach", "Tools", "Two stones of basalt and a handle of ash. It grinds a pound of rye in six minutes.", 18900, 0, 3, nil, color.RGBA{0x5b, 0x66, 0x70, 0xff}},
	{"rye-seed", "Winter rye seed", "Halm", "Seeds", "Tall, hardy, content with sand. Sow at the end of September.", 720, 0, 240, []string{"1 kg", "5 kg", "25 kg"}, color.RGBA{0xb0, 0x7d, 0x4a, 0xff}},
	{"spelt-seed", "Spelt seed", "Halm", "Seeds", "Keeps its husk until it is milled; birds leave it alone.", 890, 990, 0, []string{"1 kg", "5 kg"}, color.RGBA{0xd8, 0xb4, 0x6a, 0xff}},
	{"linen-sack", "Linen sack", "Weberei Ost", "Storage", "Woven close enough for millet, open enough to breathe.", 1450, 0, 86, []string{"small", "large"}, color.RGBA{0xd9, 0xcd, 0xb4, 0xff}},
}

// Price is spelt as on a label.
func (p product) Price() string { return euros(p.Cents) }

// Before is the former price.
func (p product) Before() string { return euros(p.Was) }

// Stocked is the text for the number in stock.
func (p product) Stocked() string {
	if p.Stock == 0 {
		return "Sold out"
	}
	return fmt.Sprintf("In stock: %d", p.Stock)
}

func euros(cents int) string { return fmt.Sprintf("€%d.%02d", cents/100, cents%100) }

// Data is the product in the words of schema.org.
func (p product) Data() map[string]any {
	availability := "https://schema.org/InStock"
	if p.Stock == 0 {
		availability = "https://schema.org/OutOfStock"
	}
	home := "https://shop.example"
	return map[string]any{
		"@context": "https://schema.org", "@type": "Product", "name": p.Name, "sku": p.Slug, "category": p.Category, "description": p.Text,
		"brand": map[string]string{"@type": "Brand", "name": p.Maker}, "image": []string{home + "/pictures/" + p.Slug + ".png"},
		"offers": map[string]string{
			"@type": "Offer", "price": fmt.Sprintf("%d.%02d", p.Cents/100, p.Cents%100), "priceCurrency": "EUR", "availability": availability,
			"url": home + "/products/" + p.Slug,
		},
	}
}

func shop() http.Handler {
	p, mux := open("shop"), http.NewServeMux()
	mux.HandleFunc("/", p.serve)
	mux.HandleFunc("GET /products", func(w http.ResponseWriter, r *http.Request) {
		category := r.FormValue("category")
		list := slices.DeleteFunc(slices.Clone(products), func(p product) bool { return category != "" && p.Category != category })
		p.show(w, http.StatusOK, "products.view", map[string]any{"Category": category, "Products": list})
	})
	mux.HandleFunc("GET /products/{slug}", func(w http.ResponseWriter, r *http.Request) {
		i := slices.IndexFunc(products, func(p product) bool { return p.Slug == r.PathValue("slug") })
		if i < 0 {
			p.show(w, http.StatusNotFound, "missing.view", r)
			return
		}
		p.show(w, http.StatusOK, "product.view", products[i])
	})
	mux.HandleFunc("GET /pictures/{name}", picture)
	return mux
}

// picture draws a product.
func picture(w http.ResponseWriter, r *http.Request) {
	for i, p := range products {
		if r.PathValue("name") == p.Slug+".png" {
			send(w, "image/png", draw(480, 360, p.Hue, i))
			return
		}
	}
	http.NotFound(w, r)
}
