package menus

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/formats/internal/structured"
	"github.com/winnow-go/winnow/formats/menu"
)

func find(script string) *menu.Menu {
	return Find(Page{Graph: structured.Read(structured.Page{Scripts: [][]byte{[]byte(script)}}), URL: "https://example.com/m", Language: "en"})
}

func TestFind_confidence(t *testing.T) {
	for script, want := range map[string]float64{
		`{"@type":"Menu","hasMenuItem":{"@type":"MenuItem","name":"a","offers":{"price":1}}}`: surePriced,
		`{"@type":"Menu","hasMenuItem":{"@type":"MenuItem","name":"a"}}`:                      sureItems,
		`{"@type":"MenuItem","name":"a"}`:                                                     loose,
		`{"@type":"MenuSection","name":"a"}`:                                                  sureHeading,
		`{"@type":"Restaurant","name":"a","hasMenu":"https://example.com/menu.pdf"}`:          0,
	} {
		got := 0.0
		if m := find(script); m != nil {
			got = m.Confidence
		}
		if got != want {
			t.Errorf("%s: %v, want %v", script, got, want)
		}
	}
}

func TestFind_circlesOfSectionsEnd(t *testing.T) {
	m := find(`{"@graph":[{"@id":"#a","@type":"MenuSection","name":"A","hasMenuSection":{"@id":"#b"},"hasMenuItem":{"@id":"#i"}},
		{"@id":"#b","@type":"MenuSection","name":"B","hasMenuSection":{"@id":"#a"},"hasMenuItem":{"@id":"#i"}},
		{"@id":"#i","@type":"MenuItem","name":"I","menuAddOn":{"@id":"#i"}}]}`)
	if len(m.Sections) != 2 || m.Sections[1].Name != "A / B" || len(m.Sections[0].Items)+len(m.Sections[1].Items) != 1 {
		t.Errorf("got %+v", m)
	}
}

func TestFind_idsAreUnique(t *testing.T) {
	m := find(`{"@type":"Menu","hasMenuItem":[{"@type":"MenuItem","name":"a","identifier":"x"},{"@type":"MenuItem","name":"b","identifier":"x"}]}`)
	if a, b := m.Sections[0].Items[0], m.Sections[0].Items[1]; a.ID != "x" || b.ID == "x" || b.Identifiers.MerchantItemID != "x" {
		t.Errorf("got %+v and %+v", a, b)
	}
}

func TestFind_caloriesOfKilojoules(t *testing.T) {
	m := find(`{"@type":"MenuItem","name":"a","nutrition":{"calories":"1046 kJ"}}`)
	if n := m.Sections[0].Items[0].Calories; n != 250 {
		t.Errorf("%d kcal, want 250", n)
	}
}

func TestFind_boundsItems(t *testing.T) {
	m := find(`{"@type":"Menu","hasMenuItem":[` + strings.Repeat(`{"@type":"MenuItem","name":"a"},`, 4000) + `{}]}`)
	if n := len(m.Sections[0].Items); n != maxItems {
		t.Errorf("%d items, want %d", n, maxItems)
	}
}

func TestMenu_missing(t *testing.T) {
	if got := (*menu.Menu)(nil).Missing(); !slices.Equal(got, []string{menu.FieldSections, menu.FieldMerchant}) {
		t.Errorf("of nil: %v", got)
	}
	m := find(`{"@type":"Restaurant","name":"R","hasMenu":{"@type":"Menu","hasMenuItem":{"@type":"MenuItem","name":"a"}}}`)
	if got := m.Missing(); got != nil {
		t.Errorf("of a whole one: %v", got)
	}
}

func TestMenu_cloneSharesNothing(t *testing.T) {
	m := find(`{"@type":"MenuItem","name":"a","image":"i","suitableForDiet":"VeganDiet","offers":[{"name":"s","price":1},{"name":"l","price":2}]}`)
	before, _ := json.Marshal(m)
	it := &m.Clone().Sections[0].Items[0]
	it.Name, it.Price.Amount, it.Images[0].URL, it.Dietary[0], it.OptionGroups[0].Options[0].Price.Amount = "x", 9, "x", "x", 9
	if after, _ := json.Marshal(m); string(after) != string(before) {
		t.Errorf("changed with its clone: %s", after)
	}
}

func FuzzFind(f *testing.F) {
	f.Add(`{"@type":"Menu","hasMenuSection":[{"@type":"MenuSection","name":"x","hasMenuItem":{"@type":"MenuItem","name":"y","menuAddOn":{"@type":"MenuSection"}}}]}`)
	f.Add(`{"@type":["Menu","MenuItem"],"@id":"a","name":"x","hasMenuItem":{"@id":"a"},"nutrition":{"calories":"-1 kJ"}}`)
	f.Fuzz(func(t *testing.T, script string) {
		m := find(script)
		if m == nil {
			return
		}
		if len(m.Sections) > maxSections {
			t.Fatalf("%d sections", len(m.Sections))
		}
		if _, err := json.Marshal(m); err != nil {
			t.Fatal(err)
		}
	})
}
