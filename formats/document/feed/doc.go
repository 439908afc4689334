// Package feed reads news feeds into HTML: RSS of all versions, Atom and JSON Feed. The feed's title is
// a heading, and so is every item, with its link, date, author and text.
//
// It fetches nothing, not even what an item only links to, and tells apart no kinds of files but feeds.
// Start from Read; Is tells whether a body is a feed at all.
//
//	feed.go   Is, Read, Options: how feeds and items are written
//	xml.go    RSS and Atom
//	json.go   JSON Feed
package feed
