package main

import (
	"context"
	"fmt"
	"regexp"

	"github.com/winnow-go/winnow/engine"
)

// flourPage has the prices of a mill that the bakery buys from.
const flourPage = "https://mill.example/prices"

var flourPrice = regexp.MustCompile(`Rye flour \| (\d+(?:\.\d+)?) €`)

// priceOfFlour reads what rye flour costs, in €.
func priceOfFlour(ctx context.Context, e *engine.Engine) (string, error) {
	doc, err := e.Scrape(ctx, flourPage, engine.ScrapeOptions{Render: engine.RenderAlways})
	if err != nil {
		return "", err
	}
	price := flourPrice.FindStringSubmatch(doc.Markdown)
	if price == nil {
		return "", fmt.Errorf("%s has no price of rye flour", flourPage)
	}
	return price[1], nil
}
