// Package recipe reads data out of a page by selectors that were chosen, mostly by a model, once. It may change without notice.
// A recipe says where each field of a JSON Schema is on pages of one layout. Reading by a recipe costs no model,
// gives the same data for the same page, and reports which fields it didn't find, so that a changed layout is
// noticed.
//
// It calls no model and keeps nothing. A recipe is as foreign as a page: selectors that could be
// slow are refused, and what one may find is bounded.
//
// Start with [Decode] and [Apply]; [Sample] is the text from which selectors are chosen.
//
//   - recipe.go — [Recipe], [Rule], [Transform], Decode
//   - selector.go — which selectors are accepted
//   - path.go — paths of fields; rules as a tree
//   - shape.go — the types of fields in a schema
//   - apply.go — Apply: from elements to JSON
//   - convert.go — from texts to values
//   - report.go — [Report]: what was found of each field, and [Report.Problems]
//   - sample.go — Sample: the skeleton of a page
package recipe
