package judge

// reliability is how often pages of a score need a browser, as counted on the mixed local site (BenchmarkMixedSite of the engine). It is
// more careful than the last count, since the judge has been improved on that site: of the pages whose scripts say nothing, a score of -9,
// 6 in 100 needed a browser at first, and none of 1181 in the end. Those from -5 to 11 are taken together, 472 of 580: the lower ones of
// them were right more often. Between the scores of the table it is linear.
var reliability = []struct {
	score int
	needs float64
}{{-20, 0.01}, {-9, 0.03}, {-6, 0.15}, {-5, 0.79}, {5, 0.8}, {11, 0.8}, {16, 0.93}, {22, 0.99}, {40, 0.995}}

// probability of a score: that a page needs a browser.
func probability(score int) float64 {
	first, last := reliability[0], reliability[len(reliability)-1]
	switch {
	case score <= first.score:
		return first.needs
	case score >= last.score:
		return last.needs
	}
	i := 1
	for reliability[i].score < score {
		i++
	}
	low, high := reliability[i-1], reliability[i]
	part := float64(score-low.score) / float64(high.score-low.score)
	return low.needs + part*(high.needs-low.needs)
}
