// Package folding learns which addresses of a site are one page. It may change without notice.
// Parameters for tracking and of sessions, the order of parameters and doubled slashes often make no difference; what holds on a host, its
// pages have to show. Addresses are given as keys: in normal form, as package scope makes them. It fetches nothing.
//
// Start with Open, and Fold for a single address.
//
//	fold.go      Fold, Group, Between: addresses by the rules
//	rule.go      Rule, and the lists of parameters, with their sources
//	address.go   the parts of an address
//	book.go      Book, Open: what a job learns, host by host
//	place.go     Links, Leave: what is left out
//	learn.go     Fetched, Led, Failed: what pages show
//	standing.go  how a rule stands, and which addresses are to show whether it holds
//	back.go      what was left out, and is fetched after all
//	end.go       Last: what is fetched in the end
//	rows.go      what is kept, and its bounds; Drop
package folding
