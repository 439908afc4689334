package money

import (
	"math"
	"strings"
	"testing"
)

func TestParse_pricesAsPagesWriteThem(t *testing.T) {
	for _, c := range []struct {
		text, lang string
		want       Price
	}{
		{"$19.99", "", Price{19.99, "USD", "$19.99"}},
		{"1.299,00 €", "de", Price{1299, "EUR", "1.299,00 €"}},
		{"1.299 €", "de", Price{1299, "EUR", "1.299 €"}},
		{"€ 12,50 per stuk", "nl", Price{12.5, "EUR", "€ 12,50"}},
		{"1 234,56 kr", "sv", Price{1234.56, "SEK", "1 234,56 kr"}},
		{"1\u202f234,56\u00a0€", "fr", Price{1234.56, "EUR", "1 234,56 €"}},
		{"499 kr.", "da", Price{499, "DKK", "499 kr."}},
		{"CHF 1'299.50", "de-CH", Price{1299.5, "CHF", "CHF 1'299.50"}},
		{"₹1,29,900.00", "en-IN", Price{129900, "INR", "₹1,29,900.00"}},
		{"R$ 1.234,56", "pt-BR", Price{1234.56, "BRL", "R$ 1.234,56"}},
		{"12,- €", "de", Price{12, "EUR", "12,- €"}},
		{"$1,299", "en-AU", Price{1299, "AUD", "$1,299"}},
		{"KWD 1.250", "", Price{1.25, "KWD", "KWD 1.250"}},
		{"￥１２００", "ja", Price{1200, "JPY", "¥1200"}},
		{"now 5 apples", "", Price{5, "", "5"}},
		{"0.125 USD", "", Price{0.125, "USD", "0.125 USD"}},
		{"from 3 items", "", Price{3, "", "3"}},
		{"THE 5 ABC", "", Price{5, "", "5"}},
		{"1,234,567", "", Price{1234567, "", "1,234,567"}},
	} {
		if got, ok := Parse(c.text, c.lang); !ok || got != c.want {
			t.Errorf("Parse(%q, %q) = %+v, %t; want %+v", c.text, c.lang, got, ok, c.want)
		}
	}
}

func TestParse_noAmount(t *testing.T) {
	for _, text := range []string{"", "free", "€", "call us", "99999999999999999999999"} {
		if got, ok := Parse(text, ""); ok {
			t.Errorf("Parse(%q) = %+v, want none", text, got)
		}
	}
}

func TestFind_onlyWithCurrency(t *testing.T) {
	got := Find("4 of 5 stars, was $30.00 now $19.99 (US$ 2 off), 12 pieces, word5kr", "en", 10)
	var texts []string
	for _, p := range got {
		texts = append(texts, p.Formatted)
	}
	if s := strings.Join(texts, "|"); s != "$30.00|$19.99|US$ 2|5kr" {
		t.Errorf("found %q", s)
	}
	if got := Find("$1 $2 $3", "", 2); len(got) != 2 {
		t.Errorf("bound: %v", got)
	}
}

func TestValue_dotIsThePoint(t *testing.T) {
	for text, want := range map[string]float64{"1.299": 1.299, "1299.00": 1299, "19,99": 19.99, "1.299,00": 1299, "20.": 20} {
		if got, ok := Value(text, "de"); !ok || got.Amount != want {
			t.Errorf("Value(%q) = %v, %t; want %v", text, got.Amount, ok, want)
		}
	}
	for _, text := range []string{"NaN", "-", "1e999", strings.Repeat("9", 100)} {
		if got, ok := Value(text, ""); ok && (math.IsInf(got.Amount, 0) || got.Amount >= maxAmount) {
			t.Errorf("Value(%q) = %v", text, got)
		}
	}
}

func TestCurrency(t *testing.T) {
	for _, c := range [][3]string{{"eur", "", "EUR"}, {"€", "", "EUR"}, {"kr", "nb", "NOK"}, {"xyz", "", ""}, {" USD ", "", "USD"}, {"$", "en-CA", "CAD"}} {
		if got := Currency(c[0], c[1]); got != c[2] {
			t.Errorf("Currency(%q, %q) = %q, want %q", c[0], c[1], got, c[2])
		}
	}
}

func FuzzFind(f *testing.F) {
	for _, s := range []string{"$19.99", "1.299,00 €", "kr 5,-", "٣٫٥ €", "\xff$1"} {
		f.Add(s, "de")
	}
	f.Fuzz(func(t *testing.T, text, lang string) {
		for _, p := range Find(text, lang, 20) {
			if p.Amount < 0 || p.Amount > maxAmount || math.IsNaN(p.Amount) || p.Currency == "" || p.Formatted == "" {
				t.Fatalf("%q: %+v", text, p)
			}
		}
		Parse(text, lang)
		Value(text, lang)
	})
}

func BenchmarkFind(b *testing.B) {
	for name, text := range map[string]string{
		"prose":  strings.Repeat("A vase of clay in blue, made by hand in the old town. ", 2000),
		"prices": strings.Repeat("Vase $19.99, bowl 1.299,00 €, 12 pieces. ", 2500),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Find(text, "en", 2000)
			}
		})
	}
}
