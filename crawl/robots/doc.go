// Package robots reads robots.txt by RFC 9309 and tells whether a robot may fetch a URL.
//
// It fetches nothing, keeps nothing and has no clock: who fetches the file, how long it is kept and
// when an unreachable one is tried again is the caller's. Start from FromStatus, or from Parse
// when the text is at hand, and ask File.Allowed.
//
// temoto/robotstxt is used for what it does right: it merges and chooses the groups that
// Crawl-delay belongs to and collects the sitemaps. It sees a clean text of our writing, never the file.
// Its way with rules differs from the RFC where nothing outside it can help, so rules are matched here.
//
//	robots.go   File, Parse, FromStatus, Allowed, Rule
//	lines.go    the text as directives: line ends, comments, misspelt names, the size limit
//	groups.go   which rules are whose: groups as RFC 9309 forms them
//	agent.go    product tokens, in a file and in a User-Agent header
//	rule.go     one rule: its pattern and the linear matcher
//	octets.go   the spelling of paths: percent-encoding made comparable
//	temoto.go   the library: what it is given, what it is asked
package robots
