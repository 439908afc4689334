// Package script reads what a page's script does, without running it. It may change without notice.
//
// It finds the places of the page that the script writes to, whether it requests data, and whether it leads to another address.
//
// Only what happens by itself counts: code that a click, a key or another act of a reader starts is left out. The answer is an
// estimate for deciding whether a page needs a browser, not a proof: scripts compute what they do.
//
//	facts.go     Facts, and Read
//	data.go      scripts that only hold data
//	bind.go      what variables stand for, and which functions run by themselves
//	reader.go    the walk over the syntax tree
//	calls.go     what the calls mean
//	place.go     which element an expression stands for
//	timers.go    what runs later: timers, and what awaits them
//	methods.go   which methods run by themselves
//	unit.go      code that runs as one, and what it leads to
//	tokens.go    what is read of a script that does not parse
//	names.go     the names of browsers' and libraries' functions
package script
