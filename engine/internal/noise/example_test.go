package noise_test

import (
	"fmt"
	"time"

	"github.com/winnow-go/winnow/engine/internal/noise"
)

func ExampleCompare() {
	monday := time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC)
	before := noise.Version{Text: "# Kettle\n\n€ 39.90\n\nReviewed 2 days ago · 118 views", Seen: monday}
	after := noise.Version{Text: "# Kettle\n\n€ 34.90\n\nReviewed 3 days ago · 131 views", Seen: monday.AddDate(0, 0, 1)}
	result := noise.Compare(before, after, nil)
	for _, b := range result.Blocks {
		fmt.Println("counts:", b.Before, "→", b.After)
	}
	for _, p := range result.Passed {
		fmt.Printf("%s: %s → %s\n", p.Kind, p.Before, p.After)
	}
	// Output:
	// counts: € 39.90 → € 34.90
	// relative date: 2 days ago → 3 days ago
	// counter: 118 views → 131 views
}

func ExampleLearnt_TakeBack() {
	monday := time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC)
	before, after := noise.Version{Text: "12 comments", Seen: monday}, noise.Version{Text: "13 comments", Seen: monday.AddDate(0, 0, 1)}
	learnt := noise.New()
	fmt.Println(learnt.Observe(before, after).Changed)
	for _, rule := range learnt.List() {
		fmt.Println(rule.ID, rule.Example, learnt.TakeBack(rule.ID))
	}
	fmt.Println(learnt.Observe(before, after).Changed)
	// Output:
	// false
	// counter/comments 12 comments → 13 comments <nil>
	// true
}
