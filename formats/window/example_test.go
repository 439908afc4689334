package window_test

import (
	"fmt"
	"strings"

	"github.com/winnow-go/winnow/formats/window"
)

func ExampleRead() {
	md := "# Mill\n\nIt stands by the brook.\n\n" + strings.Repeat("## Grain\n\nBarley, oats and rye are brought by the farmers.\n\n", 6)
	for b := (window.Budget{Tokens: 70}); ; {
		part, w := window.Read(md, b, window.Options{})
		fmt.Println(w.From, w.To, strings.Count(part, "## Grain"), len(w.Outline))
		if b.From = w.Next; b.From == 0 {
			break
		}
	}
	// Output:
	// 0 153 2 4
	// 153 333 3 4
	// 333 393 1 6
}
