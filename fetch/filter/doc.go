// Package filter decides which requests of a web page are advertisements or trackers. It may change without notice.
// It also decides which elements of the page to hide. It reads the common EasyList syntax and has a short host list
// of its own. It only decides: it opens no connection, reads no file, starts no goroutine and keeps no global
// state.
//
// Start from [New], which makes a [Set], and [Set.Match].
//
//	doc.go       this page
//	filter.go    Options, New and the Set
//	builder.go   from lines to the Set
//	match.go     Match: one request against the rules
//	tunnel.go    MatchHost, MatchWholeHost: a CONNECT tunnel, of which only the host is known
//	blocked.go   URLPatterns: the host rules as a list for the browser itself
//	suspect.go   Suspects: which requests of a page need Match
//	cover.go     a few texts that stand for many rules
//	hiding.go    Hiding: the selectors for one page
//	resource.go  Type, what a request loads
//	report.go    Report, what was skipped of a list and why
//	builtin.go   the built-in hosts, builtin.txt
//	reader.go    a list, line by line, within bounds
//	line.go      what a line is: comment, hiding rule or request rule
//	rule.go      a request rule, read and applied
//	option.go    what stands behind the $ of a rule
//	pattern.go   the pattern of a rule, compared with a URL
//	regex.go     a pattern that is a regular expression
//	element.go   a hiding rule, read
//	selector.go  which selectors are safe to put into a style sheet
//	domain.go    the pages that a rule is for
//	probe.go     a request, taken apart for matching
//	host.go      host names, their labels and sites
//	gram.go      a quick no for rules that no index helps
//	index.go     from the words of a URL to the few rules that can match it
package filter
