// Package recipe reads data out of a page by selectors that somebody, mostly a model, has chosen
// once: where each field of a JSON Schema is on pages of one layout. Reading by a recipe costs no
// model, gives the same data for the same page, and tells which fields it didn't find, so that a
// changed layout is noticed.
//
// It asks no model and keeps nothing. A recipe is as foreign as a page: selectors that could be
// slow are refused, and what one may find is bounded.
//
// Start with [Decode] and [Apply]; [Sample] is what to show to whoever chooses selectors.
//
//   - recipe.go — [Recipe], [Rule], [Transform], Decode
//   - selector.go — which selectors are taken
//   - path.go — paths of fields; rules as a tree
//   - shape.go — what a schema says of the fields' types
//   - apply.go — Apply: from elements to JSON
//   - convert.go — from texts to values
//   - report.go — [Report]: what was found of each field, and [Report.Problems]
//   - sample.go — Sample: the skeleton of a page
package recipe
