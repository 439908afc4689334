package products_test

import (
	"fmt"

	"github.com/winnow-go/winnow/formats/internal/products"
	"github.com/winnow-go/winnow/formats/internal/structured"
)

func ExampleFind() {
	data := `{"@type":"Product","name":"Vase","offers":{"price":"19.00","priceCurrency":"EUR"}}`
	page := structured.Page{Scripts: [][]byte{[]byte(data)}}
	p := products.Find(products.Page{Graph: structured.Read(page), URL: "https://example.com/vase"})
	fmt.Println(p.Title, p.Variants[0].Price.Amount, p.Variants[0].Price.Currency)
	fmt.Println("missing:", p.Missing())
	// Output:
	// Vase 19 EUR
	// missing: [availability]
}
