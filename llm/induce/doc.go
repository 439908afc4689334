// Package induce has a model choose, once, where the data of a page is, so that pages of the same
// layout can be read without a model from then on. It knows neither pages nor selectors: it is
// given the skeleton of a page and a check, and gives rules as JSON that the check has accepted
// as far as possible.
//
// The skeleton is foreign: it stands in [llm.Fence], and the answer is as foreign as the page.
//
// Start with [Induce].
//
//   - induce.go — [Request] and Induce: ask, check, ask once more
//   - prompts.go — what the model is told
package induce
