// Package folding learns which addresses of a site are one page. It may change without notice.
// Parameters for tracking and of sessions, the order of parameters and doubled slashes often make no difference; what holds on a host, its
// pages have to show.
//
//	fold.go     Fold, Group, Between: addresses by the rules
//	rule.go     Rule, and the lists of parameters, with their sources
//	address.go  the parts of an address
package folding
