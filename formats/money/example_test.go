package money_test

import (
	"fmt"

	"github.com/winnow-go/winnow/formats/money"
)

func ExampleFind() {
	for _, p := range money.Find("Statt 1.299,00 € nur 999 €", "de", 10) {
		fmt.Println(p.Amount, p.Currency, p.Formatted)
	}
	// Output:
	// 1299 EUR 1.299,00 €
	// 999 EUR 999 €
}
