// Package weburl reads URLs and resolves references as browsers do, by the WHATWG URL standard. It may change without notice.
//
// It does not fetch or filter. Start from Target for an address that a person has written, from Parse for a URL that stands
// alone, and from NewBase for the links of a page.
//
//	target.go   Target: a web address as a person writes it
//	weburl.go   Parse, Base and its Resolve
//	parts.go    host, origin and other parts of a normalized URL
//	key.go      the key that all spellings of one page's URL share
//	template.go the common form of addresses of one layout
//	fast.go     the short way for plain ASCII references, equal to the standard's
package weburl
