// Package feed reads news feeds into HTML: RSS of all versions, Atom and JSON Feed.
// The feed's title is a heading, and so is every item, with its link, date, author and text.
//
// It fetches nothing, not even the targets of an item's links, and detects no kinds of files but feeds.
// Start from Read; Is reports whether a body is a feed at all.
//
//	feed.go   Is, Read, Options: how feeds and items are written
//	xml.go    RSS and Atom
//	json.go   JSON Feed
package feed
