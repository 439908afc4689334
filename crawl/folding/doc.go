// Package folding knows which parts of addresses often make no difference: parameters for tracking and of sessions, the order of
// parameters, doubled slashes. It may change without notice.
//
//	fold.go     Fold, Group, Between: addresses by the rules
//	rule.go     Rule, and the lists of parameters, with their sources
//	address.go  the parts of an address
package folding
