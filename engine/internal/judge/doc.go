// Package judge decides whether a browser would show more of a page than plain HTTP gave. It looks at the page and at what its
// scripts do, which are read and not run. It may change without notice.
//
//	verdict.go    Verdict, and how the evidence is weighed
//	library.go    reads the scripts of sites, and keeps what they do
//	evidence.go   what is known of a page
//	known.go      scripts of vendors count as nothing
//	vendors.go    who they are
//	frames.go     documents inside of a page
//	calibration.go  how often a verdict of some weight is right
//	signs.go      the pieces of evidence with their weights
package judge
