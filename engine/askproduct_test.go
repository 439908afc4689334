package engine

import (
	"strings"
	"testing"

	"github.com/winnow-go/winnow/formats"
)

var (
	productFormat = formats.Format{Type: formats.Product}
	menuFormat    = formats.Format{Type: formats.Menu}
)

const soldVase = `<html lang=en><title>Vase</title><script type="application/ld+json">{"@type":"Product","name":"Vase","offers":{"price":"19.00","priceCurrency":"EUR"%s}}</script>
<main><h1>Vase</h1><p>A vase of clay for €19.00. Ships tomorrow.</p></main></html>`

func vasePage(more string) string { return strings.Replace(soldVase, "%s", more, 1) }

func TestAskProduct_wholeDataAsksNobody(t *testing.T) {
	m := says("{}")
	e := cachingEngine(t, newGranary(vasePage(`,"availability":"InStock"`)), withModel(m))
	doc := scrapeOK(t, e, "https://granary.example/", asks(productFormat))
	if doc.Product == nil || doc.Product.Title != "Vase" || doc.Product.Variants[0].Price.Formatted != "€19.00" || doc.Warning != "" {
		t.Errorf("%+v, %q", doc.Product, doc.Warning)
	}
	wantAsked(t, m, 0)
	doc.Product.Variants[0].Price.Amount = 1
	if again := scrapeOK(t, e, "https://granary.example/", asks(productFormat)); again.Product.Variants[0].Price.Amount != 19 {
		t.Error("two documents share a price")
	}
}

func TestAskProduct_onlyForWhatIsMissing(t *testing.T) {
	m := says(`{"data":{"availability":"Ships tomorrow","inStock":true},"evidence":[{"path":"/availability","quote":"Ships tomorrow"},{"path":"/inStock","quote":"Ships tomorrow"}]}`)
	e := cachingEngine(t, newGranary(vasePage("")), withModel(m))
	doc := scrapeOK(t, e, "https://granary.example/", asks(productFormat))
	v := doc.Product.Variants[0]
	if v.Availability == nil || !v.Availability.InStock || v.Availability.Text != "Ships tomorrow" || v.Price.Amount != 19 || doc.Warning != "" {
		t.Errorf("%+v, %q", v, doc.Warning)
	}
	asked := string(m.requests()[0].Schema) + m.heard()
	if !strings.Contains(asked, "inStock") || strings.Contains(asked, `"title"`) || strings.Contains(asked, "originalPrice") {
		t.Errorf("it was asked for more: %s", asked)
	}
	if again := scrapeOK(t, e, "https://granary.example/", asks(productFormat)); again.Product.Variants[0].Availability == nil {
		t.Error("the second time it isn't completed")
	}
}

func TestAskProduct_whatThePageDoesNotSayIsLeftOut(t *testing.T) {
	m := says(`{"data":{"title":"Vase","price":"$5","availability":"Sold out","inStock":false},"evidence":[{"path":"/title","quote":"A vase of clay"},{"path":"/price","quote":"for $5"},{"path":"/availability","quote":"Sold out"},{"path":"/inStock","quote":"Sold out"}]}`)
	e := cachingEngine(t, newGranary(`<title>x</title><main><h1>Vase</h1><p>A vase of clay. Call us for prices.</p></main>`), withModel(m))
	doc := scrapeOK(t, e, "https://granary.example/", asks(productFormat))
	if doc.Product == nil || doc.Product.Title != "Vase" || len(doc.Product.Variants) != 0 {
		t.Errorf("%+v", doc.Product)
	}
	if !strings.Contains(doc.Warning, "price, currency, availability") {
		t.Errorf("warning %q", doc.Warning)
	}
}

func TestAskProduct_withoutAModelTheWarningSaysWhatIsMissing(t *testing.T) {
	for body, want := range map[string]string{vasePage(""): "product: availability", barley: "There is no product"} {
		doc := scrapeOK(t, cachingEngine(t, newGranary(body)), "https://granary.example/", asks(productFormat))
		if !strings.Contains(doc.Warning, want) {
			t.Errorf("warning %q, want %q", doc.Warning, want)
		}
	}
}

func TestAskMenu_readsWhatThePageOnlyShows(t *testing.T) {
	m := says(`{"merchant":{"name":"The Mill","type":"Restaurant","location":"Mars"},"sections":[{"name":"Soups","items":[
		{"name":"Barley soup","description":"with bread","price":"€6.50","dietary":["vegan"]},{"name":"Caviar","price":"€90"}]},{"name":"Made up","items":[]}]}`)
	e := cachingEngine(t, newGranary(`<html lang=en><title>The Mill</title><main><h1>Menu</h1><h2>Soups</h2><p><b>Barley soup</b>, with bread (vegan) … €6.50</p></main></html>`), withModel(m))
	doc := scrapeOK(t, e, "https://granary.example/", asks(menuFormat))
	got := doc.Menu
	if got == nil || !got.IsMenu || got.Confidence != 0.7 || got.Merchant.Name != "The Mill" || got.Merchant.Location != "" || got.Currency != "EUR" || len(got.Sections) != 1 {
		t.Fatalf("%+v, %q", got, doc.Warning)
	}
	if items := got.Sections[0].Items; len(items) != 1 || items[0].Price.Amount != 6.5 || items[0].Dietary[0] != "vegan" || items[0].Description != "with bread" {
		t.Errorf("%+v", items)
	}
	if !strings.Contains(doc.Warning, "3 values") { // Mars, caviar and what is made up
		t.Errorf("warning %q", doc.Warning)
	}
}

func TestAskMenu_dataOfThePageAsksNobody(t *testing.T) {
	m := says("{}")
	e := cachingEngine(t, newGranary(`<script type="application/ld+json">{"@type":"Restaurant","name":"R","hasMenu":{"@type":"Menu","hasMenuItem":{"@type":"MenuItem","name":"Soup"}}}</script><p>Soup`), withModel(m))
	doc := scrapeOK(t, e, "https://granary.example/", asks(menuFormat))
	if doc.Menu == nil || doc.Menu.Sections[0].Items[0].Name != "Soup" || doc.Warning != "" {
		t.Errorf("%+v, %q", doc.Menu, doc.Warning)
	}
	wantAsked(t, m, 0)
	doc.Menu.Sections[0].Items[0].Name = "changed"
	if again := scrapeOK(t, e, "https://granary.example/", asks(menuFormat)); again.Menu.Sections[0].Items[0].Name != "Soup" {
		t.Error("two documents share a dish")
	}
}
