// Package scope decides which links a crawl follows, and gives the reason for each denial. It may change without notice.
//
// It fetches nothing, remembers nothing and doesn't read robots.txt: the caller claims each URL once, counts the limit and checks
// robots.txt, under the reasons Limit and RobotsTxt of this package. Start from New and Scope.Judge.
//
//	scope.go      Scope, Link, Verdict, Judge
//	redirect.go   JudgeRedirect, JudgeHop, Rebase
//	reason.go     the reasons of denials
//	rules.go      the rules, in the order in which they count
//	options.go    Options, OptionError, validation
//	patterns.go   includePaths and excludePaths: limits and matching
//	area.go       the part of a site below the seed; depth of a path
//	site.go       hosts: the same one, the same registrable domain, social media
//	filetype.go   files that a crawl leaves out
//	address.go    the parts of a URL
//	key.go        Key: which URLs are one page
//	escapes.go    the normal form of what is percent-encoded
package scope
