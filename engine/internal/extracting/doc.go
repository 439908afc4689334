// Package extracting is the task of an extraction: it finds which pages to read for data, has a model read each, and merges
// what they give. It fetches nothing itself: [Pages] and [Web] do.
//
// Start with [Open]. [Choose] takes the given pages, those of whole sites and those that searches find, has a model choose
// where there are more than are read, and fixes the form of the data. [Merge] makes one result of what single pages gave, with
// the sources of each value.
//
//   - task.go — [Open], [Options]: the task, and what it needs of pages
//   - end.go — the result of the whole
//   - trace.go — [Traces]: what became of each page
//   - choose.go — [Choose], [Request], [Means], [Selection]
//   - pick.go — the choice among a site's pages
//   - queries.go — what the web is searched for
//   - form.go — the form of the data where no schema is given
//   - merge.go — [Merge], [Piece], [Result], and the warnings of a result
//   - nulls.go — data without nulls, where the schema takes it only so
//   - sources.go — from which pages each value comes
package extracting
