// Package mixedsite generates a web site on which some pages need a browser and most do not. It may change without notice.
// It is for tests and benchmarks of the decision between plain HTTP and a browser.
//
// A Site has pages of many templates: most are whole in their HTML, whatever scripts they load; to some, scripts add a part of the text;
// and some are shells that scripts fill. A few templates change halfway. Some pages fail. Site.Page says what is true of a page: whether a
// browser shows more text than the HTML has, and which words only a browser shows. The package fetches nothing, knows no engine,
// and imports the standard library only.
//
// Start from New and Site.Pages. A Site is an http.Handler for one host:
//
//	site := mixedsite.New(mixedsite.Options{Seed: 1})
//	engine.Options{Hosts: map[string]http.Handler{mixedsite.Host: site}}
//
// Pages name scripts of other hosts below .example, which need not exist.
//
//	site.go      Options, New, Site: its pages
//	page.go      Page: what is true of a page
//	families.go  the templates, their kinds, and how they change
//	names.go     the paths of pages
//	sheet.go     what a template writes a page with
//	content.go   what scripts add
//	serve.go     answers
//	count.go     how often each page and file was requested
//	prose.go     text that looks like text, and the words it is known by
//
// The files of templates/static, scripted and shell are the templates, those of templates/parts what they share; files has what pages
// load. A template changes in one of these ways:
//
//	places    the HTML gets an empty place and one more script
//	episodes  the script has another address; the HTML is the same beside that
//	minutes   the HTML is the same; the script gets content where it got none
//	people    the page becomes a shell
//	events    the HTML has what a script added
//	portal    the server renders what was a shell
//
// Not all that scripts add is text of the page: a year, a banner that asks for consent and the labels of buttons are not. The script of
// one template (glossary) requests text and never gets any.
package mixedsite
