package passages_test

import (
	"fmt"
	"strings"

	"github.com/winnow-go/winnow/formats/passages"
)

func ExampleSplit() {
	const md = "# Mill\n\n## Hours\n\nOpen at dawn.\n\n## Prices\n\n| Grain | Coins |\n| --- | --- |\n| Oats | 3 |\n| Rye | 4 |\n"
	for _, p := range passages.Split(md, passages.Options{}) {
		fmt.Println(p.Kind, strings.Join(p.Headings, " > "), p.From, p.To, md[p.From:p.To] == p.Text)
	}
	// Output:
	// prose Mill > Hours 0 31 true
	// table Mill > Prices 33 100 true
}
