// Package robots reads robots.txt by RFC 9309 and reports whether a robot may fetch a URL. It may change without notice.
//
// It fetches nothing, keeps nothing and has no clock: the caller fetches the file, decides how long it is kept and
// when an unreachable one is retried. Start from FromStatus, or from Parse
// when the text is at hand, and call File.Allowed.
//
// temoto/robotstxt is used for what it does correctly: it merges and chooses the groups that
// Crawl-delay belongs to and collects the sitemaps. It sees a cleaned text, never the file.
// Its handling of rules differs from the RFC in ways that can't be fixed from outside, so rules are matched here.
//
//	robots.go   File, Parse, FromStatus, Allowed, Rule
//	lines.go    the text as directives: line ends, comments, misspelt names, the size limit
//	groups.go   which rules are whose: groups as RFC 9309 forms them
//	agent.go    product tokens, in a file and in a User-Agent header
//	rule.go     one rule: its pattern and the linear matcher
//	octets.go   the spelling of paths: percent-encoding made comparable
//	temoto.go   the library: its input, and what is read from it
package robots
