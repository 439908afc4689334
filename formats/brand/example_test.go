package brand_test

import (
	"fmt"

	"github.com/winnow-go/winnow/formats/brand"
)

// What brand.Script gave for a page is decoded and judged.
func ExampleJudge() {
	answer := `{"url": "https://bakery.example/", "title": "Bread | Bakery",
		"ground": [{"tag": "html"}, {"tag": "body", "background": "rgb(255, 250, 240)", "color": "rgb(41, 37, 36)"}],
		"looks": [{"kind": "button", "tag": "a", "label": "Order now", "background": "oklch(0.553 0.195 38.402)", "color": "rgb(255, 255, 255)", "w": 140, "h": 48}]}`
	samples, err := brand.Decode([]byte(answer))
	if err != nil {
		fmt.Println(err)
		return
	}
	b := brand.Judge(samples)
	fmt.Println(b.BrandName, b.ColorScheme, b.Colors["background"], b.Colors["primary"], b.Components.ButtonPrimary.TextColor)
	// Output: Bakery light #fffaf0 #ca3500 #ffffff
}
