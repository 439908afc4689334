package actions_test

import (
	"context"
	"fmt"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/actions/actionstest"
)

// The list of a request is decoded and checked, then run on a page: here a fake one whose button is covered.
func ExampleRun() {
	list, err := actions.Decode([]byte(`[{"type": "scrape"}, {"type": "click", "selector": "#buy"}]`))
	if err != nil {
		fmt.Println(err)
		return
	}
	page := &actionstest.Fake{HTML: "<h1>Shop</h1>", Elements: []*actionstest.Element{
		{Selectors: []string{"#buy"}, CoveredBy: `<div id="banner">`},
	}}
	out, err := actions.Run(context.Background(), page, list, actions.Options{ElementTimeout: 1})
	fmt.Println(out.Scrapes[0].HTML)
	fmt.Println(err)
	// Output:
	// <h1>Shop</h1>
	// action 1 (click "#buy"): covered by <div id="banner">
}

func ExampleValidate() {
	fmt.Println(actions.Validate([]actions.Action{{Type: actions.Scrape}, {Type: actions.PDF, Scale: 3}}, 0))
	// Output: actions[1].scale is 3: want a number from 0.1 to 2
}
