// Package auditing keeps, for each job, how its pages were got, which of them were got both ways and compared, and which are to be got
// again since such a comparison has overturned the verdict that they were got by. It fetches and compares nothing itself. It may change
// without notice.
//
//	book.go     Book: of one job; which pages are got both ways
//	enter.go    what a page that is done adds to the book
//	checks.go   audits of pages that are done
//	again.go    pages that are got again
//	rows.go     what is kept, in which bucket
//	report.go   Report: what a job says of it
//	outcome.go  what a site made of a request, for its pace
package auditing
