// Package weburl reads URLs and resolves references as browsers do, by the WHATWG URL standard.
//
// It does not fetch, filter or compare URLs. Start from Parse for a URL that stands alone
// and from NewBase for the links of a page.
//
//	weburl.go   Parse, Base and its Resolve
//	template.go what addresses of one layout have in common
//	fast.go     the short way for plain ASCII references, equal to the standard's
package weburl
