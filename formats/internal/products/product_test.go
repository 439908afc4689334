package products

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/winnow-go/winnow/formats/internal/structured"
	"github.com/winnow-go/winnow/formats/product"
)

func find(t testing.TB, body string, scripts ...string) *product.Product {
	t.Helper()
	root, err := html.Parse(strings.NewReader(body))
	if err != nil {
		t.Skip("the parser refuses this page")
	}
	p := structured.Page{Root: root}
	for _, s := range scripts {
		p.Scripts = append(p.Scripts, []byte(s))
	}
	return Find(Page{Graph: structured.Read(p), Root: root, URL: "https://example.com/p", Title: "Thing | Shop", Language: "en"})
}

func TestFind_whatIsMissingIsTold(t *testing.T) {
	for _, c := range []struct {
		script string
		want   []string
	}{
		{`{"@type":"Product","name":"Thing","offers":{"price":1,"priceCurrency":"EUR","availability":"InStock"}}`, nil},
		{`{"@type":"Product","name":"Thing","offers":{"price":1}}`, []string{"currency", "availability"}},
		{`{"@type":"Product","name":"Thing"}`, []string{"price", "currency", "availability"}},
		{`{"@type":"Thing","name":"Thing"}`, []string{"title", "price", "currency", "availability"}},
	} {
		if got := find(t, "", c.script).Missing(); !slices.Equal(got, c.want) {
			t.Errorf("%s: missing %v, want %v", c.script, got, c.want)
		}
	}
}

func TestFind_prices(t *testing.T) {
	for _, c := range []struct{ offers, want string }{
		{`{"price":"19.99","priceCurrency":"EUR"}`, `19.99 EUR`},
		{`{"price":"19,99 €"}`, `19.99 EUR`},
		{`{"price":"1.299","priceCurrency":"EUR"}`, `1.299 EUR`},
		{`{"price":"call","priceCurrency":"EUR"}`, `none`},
		{`{"priceSpecification":{"price":5,"priceCurrency":"GBP"}}`, `5 GBP`},
		{`{"priceCurrency":"GBP","priceSpecification":[{"priceType":"ListPrice","price":9},{"priceType":"SalePrice","price":5}]}`, `5 GBP was 9`},
		{`{"price":9,"priceCurrency":"GBP","priceSpecification":{"priceType":"ListPrice","price":5}}`, `9 GBP`},
		{`[{"price":9,"priceCurrency":"USD"},{"price":7,"priceCurrency":"USD"},{"price":5,"priceCurrency":"USD","availability":"OutOfStock"}]`, `7 USD`},
		{`{"@type":"AggregateOffer","lowPrice":3,"highPrice":8,"priceCurrency":"USD"}`, `3 USD`},
	} {
		p := find(t, "", `{"@type":"Product","name":"Thing","offers":`+c.offers+`}`)
		got := "none"
		if len(p.Variants) == 1 && p.Variants[0].Price != nil {
			v := p.Variants[0]
			got = fmt.Sprint(v.Price.Amount, " ", v.Price.Currency)
			if v.Sale != nil {
				got += fmt.Sprint(" was ", v.Sale.OriginalPrice.Amount)
			}
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.offers, got, c.want)
		}
	}
}

func TestFind_theSameInTwoNotationsIsOne(t *testing.T) {
	p := find(t, `<div itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">Thing</h1><p itemprop="offers" itemscope><b itemprop="price" content="5">$5</b><link itemprop="availability" href="InStock"></p></div>`,
		`{"@type":"Product","name":"thing","brand":"B","sku":"S"}`)
	if len(p.Variants) != 1 || p.Brand != "B" || p.Variants[0].SKU != "S" || p.Variants[0].Price.Formatted != "$5" || len(p.Missing()) != 0 {
		t.Errorf("got %+v", p)
	}
}

func TestFind_relatedProductsAreNotThePages(t *testing.T) {
	p := find(t, "", `{"@type":"Product","name":"Thing","isRelatedTo":[{"@type":"Product","name":"Other","offers":{"price":1}}],"review":{"itemReviewed":{"@type":"Product","name":"Third"}}}`)
	if p == nil || p.Title != "Thing" || slices.Contains(p.Missing(), product.FieldTitle) || !slices.Contains(p.Missing(), product.FieldPrice) {
		t.Errorf("got %+v", p)
	}
}

func TestFind_circlesOfGroupsEnd(t *testing.T) {
	p := find(t, "", `{"@graph":[{"@id":"#g","@type":"ProductGroup","name":"G","productGroupID":"1","hasVariant":[{"@id":"#v"},{"@id":"#g"}]},
		{"@id":"#v","@type":"Product","name":"V","isVariantOf":{"@id":"#g"},"hasVariant":{"@id":"#g"},"offers":{"price":2,"itemOffered":{"@id":"#v"}}}]}`)
	if p == nil || p.Title != "G" || len(p.Variants) == 0 || p.Variants[0].Price == nil {
		t.Errorf("got %+v", p)
	}
}

func TestFind_boundsVariants(t *testing.T) {
	var list []string
	for i := range 1000 {
		list = append(list, fmt.Sprintf(`{"@type":"Product","name":"V%d","sku":"%d","offers":{"price":%d}}`, i, i, i+1))
	}
	p := find(t, "", `{"@type":"ProductGroup","name":"G","hasVariant":[`+strings.Join(list, ",")+`]}`)
	if n := len(p.Variants); n != maxVariants {
		t.Errorf("%d variants, want %d", n, maxVariants)
	}
}

func TestProduct_cloneSharesNothing(t *testing.T) {
	p := find(t, "", `{"@type":"Product","name":"Thing","color":"red","image":"a.png","offers":{"price":1,"availability":"InStock","priceSpecification":{"priceType":"ListPrice","price":2}}}`)
	before, _ := json.Marshal(p)
	v := &p.Clone().Variants[0]
	v.Price.Amount, v.Sale.OriginalPrice.Amount, v.Availability.Text, v.Values["color"], v.Images[0].URL = 9, 9, "x", "x", "x"
	if after, _ := json.Marshal(p); string(after) != string(before) {
		t.Errorf("changed with its clone: %s", after)
	}
	if (*product.Product)(nil).Clone() != nil {
		t.Error("the clone of nil is something")
	}
}

func FuzzFind(f *testing.F) {
	f.Add(`<div itemscope itemtype="x/Product"><b itemprop="price">$5</b></div>`, `{"@type":"ProductGroup","@id":"a","hasVariant":{"@id":"a"},"variesBy":"x/size"}`)
	f.Add(``, `{"@type":"Product","name":"x","offers":[{"price":"1,2","itemOffered":{"@type":"Product"}}],"image":[{"url":{}}],"category":["a > b"]}`)
	f.Fuzz(func(t *testing.T, body, script string) {
		p := find(t, body, script)
		if p == nil {
			return
		}
		if len(p.Variants) > maxVariants {
			t.Fatalf("%d variants", len(p.Variants))
		}
		if _, err := json.Marshal(p); err != nil {
			t.Fatal(err)
		}
	})
}
