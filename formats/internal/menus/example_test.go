package menus_test

import (
	"fmt"

	"github.com/winnow-go/winnow/formats/internal/menus"
	"github.com/winnow-go/winnow/formats/internal/structured"
)

func ExampleFind() {
	data := `{"@type":"Restaurant","name":"The Mill","hasMenu":{"@type":"Menu","hasMenuSection":
		{"@type":"MenuSection","name":"Soups","hasMenuItem":{"@type":"MenuItem","name":"Barley soup","suitableForDiet":"https://schema.org/VeganDiet"}}}}`
	m := menus.Find(menus.Page{Graph: structured.Read(structured.Page{Scripts: [][]byte{[]byte(data)}}), URL: "https://example.com/menu"})
	for _, s := range m.Sections {
		for _, it := range s.Items {
			fmt.Println(m.Merchant.Name, s.Name, it.Name, it.Dietary)
		}
	}
	// Output: The Mill Soups Barley soup [vegan]
}
