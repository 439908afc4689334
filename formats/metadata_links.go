package formats

import (
	"path"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/winnow-go/winnow/formats/internal/nodes"
)

// maxFeeds bounds how many feeds of a page are named.
const maxFeeds = 50

func (r *metaReader) readLink(n *html.Node) {
	href := strings.TrimSpace(nodes.Attr(n, "href"))
	if href == "" {
		return
	}
	rel := strings.ToLower(strings.TrimSpace(nodes.Attr(n, "rel")))
	switch {
	case r.meta.Canonical == "" && hasToken(rel, "canonical"):
		r.meta.Canonical = r.webAddress(href)
	case rel == "icon" && r.meta.Favicon == "":
		r.meta.Favicon = r.dom.absolute(href)
	case strings.Contains(rel, "icon") && r.anyIcon == "":
		r.anyIcon = r.dom.absolute(href)
	case len(r.meta.Feeds) < maxFeeds && isFeed(rel, strings.ToLower(nodes.Attr(n, "type")), href):
		if feed := r.webAddress(strings.TrimPrefix(href, "feed:")); feed != "" && !slices.Contains(r.meta.Feeds, feed) {
			r.meta.Feeds = append(r.meta.Feeds, feed)
		}
	}
}

// webAddress is the absolute address of a page or file of the web, "" for all others.
func (r *metaReader) webAddress(href string) string {
	if abs := r.dom.absolute(repairScheme(href)); isWeb(abs) {
		return abs
	}
	return ""
}

func hasToken(list, token string) bool {
	for t := range strings.FieldsSeq(list) {
		if t == token {
			return true
		}
	}
	return false
}

// isFeed goes by the types that feed readers look for. Plain JSON is mostly something else: there the file's name must say it.
func isFeed(rel, mediaType, href string) bool {
	if hasToken(rel, "feed") {
		return true
	}
	if !hasToken(rel, "alternate") {
		return false
	}
	mediaType, _, _ = strings.Cut(mediaType, ";")
	switch strings.TrimSpace(mediaType) {
	case "application/rss+xml", "application/atom+xml", "application/feed+json", "application/rdf+xml":
		return true
	case "application/json", "application/xml", "text/xml":
		file, _, _ := strings.Cut(href, "?")
		return strings.Contains(strings.ToLower(path.Base(file)), "feed")
	}
	return false
}
