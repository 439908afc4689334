// Package learnt remembers, for each template of a site, whether its pages need a browser: what comparisons of pages that were got by
// HTTP and in a browser have shown. It fetches and compares nothing itself. It may change without notice.
//
//	template.go  Template: what pages have in common that are made in one way
//	counts.go    Counts: what comparisons have shown, and how they are weighed with the evidence of a page
//	memory.go    Memory: keeps the counts
//	audit.go     how often a page of a proven template is compared again
package learnt
