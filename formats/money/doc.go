// Package money reads prices as pages write them: "1.299,00 €", "$1,299", "CHF 1'299.–",
// "₹1,29,900". It knows how amounts and currencies are spelled, not what they are for; it
// converts nothing and rounds nothing.
//
// Start with [Parse] for a text that is a price, [Find] for the prices in a text, and [Value]
// for a value in a page's data.
//
//   - money.go — [Price], Parse, Find, Value, Marked
//   - amount.go — digits and separators
//   - currency.go — currencies by sign, code and language
package money
