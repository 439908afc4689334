package recipe_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"golang.org/x/net/html"

	"github.com/winnow-go/winnow/formats/recipe"
)

func ExampleApply() {
	page, err := html.Parse(strings.NewReader(`<ul><li><b>Vase</b> €19.00</li><li><b>Bowl</b> €7.50</li></ul>`))
	if err != nil {
		panic(err)
	}
	r, err := recipe.Decode(json.RawMessage(`{"rules":[
		{"path":"items[]","selector":"li"},
		{"path":"items[].name","selector":"b"},
		{"path":"items[].price","transform":"number"}]}`))
	if err != nil {
		panic(err)
	}
	data, report, err := recipe.Apply(context.Background(), recipe.Page{Root: page}, r, nil)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(data), report.Found)
	// Output: {"items":[{"name":"Vase","price":19},{"name":"Bowl","price":7.5}]} 4
}
