package tracking

import (
	"context"
	"fmt"
)

func Example() {
	previous := "* Oak,  90 €\n* Pine, 60 €\n* [Shop](https://shop.example/?utm_source=may)"
	current := "- Oak, 95 €\n- Pine, 60 €\n- [Shop](https://shop.example/?utm_source=june)"

	fmt.Println(Same(previous, current))
	unified, err := Diff(context.Background(), previous, current)
	if err != nil {
		panic(err)
	}
	fmt.Print(unified)

	parsed, err := Parse(unified)
	if err != nil {
		panic(err)
	}
	for _, change := range parsed.Files[0].Chunks[0].Changes {
		fmt.Println(change.Type, change.Content)
	}
	// Output:
	// false
	// --- previous.md
	// +++ current.md
	// @@ -1,3 +1,3 @@
	// -- Oak, 90 €
	// +- Oak, 95 €
	//  - Pine, 60 €
	//  - [Shop](https://shop.example/)
	// del -- Oak, 90 €
	// add +- Oak, 95 €
	// normal  - Pine, 60 €
	// normal  - [Shop](https://shop.example/)
}
