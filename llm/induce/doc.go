// Package induce makes a model choose, once, where the data of a page is. It may change without notice.
// Its choice is kept, so that pages of the same layout can then be read without a model. It knows neither pages nor
// selectors: it takes the skeleton of a page and a check, and returns rules as JSON that the check has accepted as
// far as possible.
//
// The skeleton is foreign: it stands in [llm.Fence], and the answer is as foreign as the page.
//
// Start with [Induce].
//
//   - induce.go — [Request] and Induce: call, check, retry once
//   - prompts.go — the prompts
package induce
