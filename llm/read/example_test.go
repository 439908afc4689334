package read_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/winnow-go/winnow/llm"
	"github.com/winnow-go/winnow/llm/llmtest"
	"github.com/winnow-go/winnow/llm/read"
)

// A price with the words of the page that it was taken from. What the page doesn't say is null,
// whatever the model answers.
func ExampleExtract() {
	server, err := llmtest.Start(llmtest.JSON(map[string]any{
		"data":     map[string]any{"price": 49, "colour": "green"},
		"evidence": []map[string]string{{"path": "/price", "quote": "now for 49,00 €"}, {"path": "/colour", "quote": "It is green."}},
	}))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer server.Close()

	schema, err := llm.CompileSchema(json.RawMessage(`{"type":"object","properties":{"price":{"type":"number"},"colour":{"type":"string"}}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	page := read.Page{Title: "A chair", Text: "# A chair\n\nMade of wood, **now** for 49,00 €."}
	got, err := read.Extract(context.Background(), server.Model(), page, read.Fields{Schema: schema, Evidence: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	var data struct {
		Price  float64
		Colour *string
	}
	if err := json.Unmarshal(got.JSON, &data); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(data.Price, data.Colour)
	fmt.Println(got.Evidence["/price"])
	fmt.Println(got.Warnings[0])
	// Output:
	// 49 <nil>
	// **now** for 49,00 €
	// no words of the page support the value at /colour
}
