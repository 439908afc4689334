package products

import (
	"cmp"

	"github.com/winnow-go/winnow/formats/internal/structured"
	"github.com/winnow-go/winnow/formats/money"
	"github.com/winnow-go/winnow/formats/product"
)

// Bounds of the search for prices in the page's text.
const (
	shownText   = 300_000 // bytes
	shownPrices = 2000
)

// showPrices adds to the prices how the page writes them, and the currency where only that
// shows it.
func (f *finder) showPrices(p *product.Product) {
	if f.Root == nil {
		return
	}
	var shown map[float64][]money.Price
	look := func(price *money.Price) {
		if price.Formatted != "" {
			return
		}
		if shown == nil {
			shown = f.shown()
		}
		for _, s := range shown[price.Amount] {
			if price.Currency == "" || s.Currency == price.Currency || ambiguous(s.Formatted) {
				price.Formatted, price.Currency = s.Formatted, cmp.Or(price.Currency, s.Currency)
				return
			}
		}
	}
	for i := range p.Variants {
		v := &p.Variants[i]
		if v.Price != nil {
			look(v.Price)
		}
		if v.Sale != nil {
			look(&v.Sale.OriginalPrice)
		}
	}
}

// shown are the prices in the page's text by amount.
func (f *finder) shown() map[float64][]money.Price {
	m := map[float64][]money.Price{}
	for _, p := range money.Find(structured.Text(f.Steps, f.Root, shownText), f.Language, shownPrices) {
		if len(m[p.Amount]) < 10 {
			m[p.Amount] = append(m[p.Amount], p)
		}
	}
	return m
}

// ambiguous reports signs that several currencies share.
func ambiguous(s string) bool {
	for _, r := range s {
		switch r {
		case '$', '¥', 'k', 'R', '£':
			return true
		}
	}
	return false
}
