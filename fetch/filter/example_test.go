package filter_test

import (
	"fmt"
	"strings"

	"github.com/winnow-go/winnow/fetch/filter"
)

func ExampleSet_Match() {
	list := strings.NewReader("||ads.example^$third-party\n@@||ads.example/player.js\nnews.example##.banner")
	set, err := filter.New(filter.Options{Lists: []filter.List{{Name: "my list", Source: list}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, url := range []string{"https://x.ads.example/1.gif", "https://ads.example/player.js", "https://cdn.example/1.gif"} {
		blocked, rule := set.Match(filter.Request{URL: url, PageHost: "news.example", Type: filter.Image})
		fmt.Printf("%v %q\n", blocked, rule)
	}
	fmt.Println(set.Hiding("www.news.example"))
	// Output:
	// true "||ads.example^$third-party"
	// false "@@||ads.example/player.js"
	// false ""
	// [.banner]
}
