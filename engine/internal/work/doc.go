// Package work runs jobs: it starts, stops and resumes them, works off the line of pages of those that are one, and keeps
// what a job leaves beside its record: results, events, credits, notes. It knows no page, no scrape and no kind of job:
// kinds come as a table ([Kind]), and what it needs of its owner are the functions of [Options].
//
// Start with [Open].
//
//   - runner.go — [Runner], [Options], [Kind]: jobs are started, stopped, resumed and ended
//   - store.go — [DB], the frontiers of jobs, how far a job is, what is forgotten
//   - job.go — [Job]: a job as its kind sees it
//   - read.go — what a job's pages gave, for readers
//   - notes.go — what a job keeps under names: its result, a warning, the usage of models
//   - line.go — [Line], [Task]: jobs that are a line of pages, and their workers
//   - outcome.go — [Outcome]: one page, from its lease to what came of it
//   - complete.go — the one transaction in which a page ends
//   - elsewhere.go — [Elsewhere]: jobs that are spread over machines, and
//   - mirror.go — what is kept here of them
//   - part.go — [Part]: the pages of such a job that are worked on here
//   - moving.go — jobs that are done as a whole, on one machine after the other
//   - moment.go — [Moment]: what a job keeps in one transaction
//   - again.go — [Correction], [Corrections]: pages that are got again
//   - beside.go — requests beside those of pages, at their hosts' pace
//   - tries.go — attempts at a page, and the pauses between them
//   - payload.go — what a webhook carries of an event
package work
