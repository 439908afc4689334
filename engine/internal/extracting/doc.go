// Package extracting finds which pages to read for data, and puts together what they give. [Choose] takes the given pages, those of
// whole sites and those that searches find, lets a model choose where there are more than are read, and fixes the form of the data.
// [Merge] makes one result of what single pages gave, with the sources of each value. The pages are read in between, by the caller.
//
//   - choose.go — [Choose], [Request], [Means], [Selection]
//   - pick.go — the choice among a site's pages
//   - queries.go — what the web is searched for
//   - form.go — the form of the data where no schema is given
//   - merge.go — [Merge], [Piece], [Result], and the warnings of a result
//   - nulls.go — data without nulls, where the schema takes it only so
//   - sources.go — from which pages each value comes
package extracting
