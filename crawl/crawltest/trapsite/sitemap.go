package trapsite

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"html"
	"net/http"
	"strings"
)

// siteMap is a sitemap, and what is in it.
type siteMap struct {
	index    bool     // of other sitemaps
	urls     []mapped // in order
	text     bool     // one URL a line
	packed   bool     // gzipped
	cut      bool     // ends in the middle of a tag, after all urls
	broken   int      // answers with this status
	notAtAll bool     // is a web page
}

// mapped is one entry of a sitemap.
type mapped struct {
	loc      string // a URL, or a path on the sitemap's origin
	priority string
	lastMod  string
}

func listed(locs ...string) (list []mapped) {
	for _, loc := range locs {
		list = append(list, mapped{loc: loc})
	}
	return list
}

func (m mapped) url(origin string) string {
	if strings.HasPrefix(m.loc, "/") {
		return origin + m.loc
	}
	return m.loc
}

func (m *siteMap) serve(w http.ResponseWriter, origin string) {
	switch {
	case m.broken != 0:
		http.Error(w, "This sitemap is away.", m.broken)
	case m.notAtAll:
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, "<!DOCTYPE html><title>No sitemap</title><p>This is <a href=\"/maps/no-sitemap\">a page</a>.")
	case m.packed:
		w.Header().Set("Content-Type", "application/gzip")
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		fmt.Fprint(z, m.body(origin))
		z.Close() // a buffer takes all
		w.Write(b.Bytes())
	case m.text:
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		fmt.Fprint(w, m.body(origin))
	default:
		w.Header().Set("Content-Type", "application/xml; charset=utf-8")
		fmt.Fprint(w, m.body(origin))
	}
}

func (m *siteMap) body(origin string) string {
	var b strings.Builder
	root, tag := "urlset", "url"
	if m.index {
		root, tag = "sitemapindex", "sitemap"
	}
	if !m.text {
		fmt.Fprintf(&b, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<%s xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n", root)
	}
	for _, u := range m.urls {
		if m.text {
			b.WriteString(u.url(origin) + "\n")
		} else {
			u.write(&b, tag, origin)
		}
	}
	switch {
	case m.cut:
		b.WriteString("<url><loc")
	case !m.text:
		fmt.Fprintf(&b, "</%s>\n", root)
	}
	return b.String()
}

func (m mapped) write(b *strings.Builder, tag, origin string) {
	fmt.Fprintf(b, "<%s><loc>%s</loc>", tag, html.EscapeString(m.url(origin)))
	if m.lastMod != "" {
		fmt.Fprintf(b, "<lastmod>%s</lastmod>", m.lastMod)
	}
	if m.priority != "" {
		fmt.Fprintf(b, "<priority>%s</priority>", m.priority)
	}
	fmt.Fprintf(b, "</%s>\n", tag)
}

// read lists the pages that a sitemap and those below it name, in order.
func (s *Site) read(at place, origin string, seen map[string]bool) (urls []string) {
	m := s.maps[at.host+at.path]
	if m == nil || seen[at.host+at.path] || m.broken != 0 || m.notAtAll {
		return nil
	}
	seen[at.host+at.path] = true
	for _, u := range m.urls {
		if m.index || strings.HasPrefix(u.loc, "/") && s.maps[at.host+u.loc] != nil {
			urls = append(urls, s.read(place{host: at.host, path: u.loc}, origin, seen)...)
		} else {
			urls = append(urls, u.url(origin))
		}
	}
	return urls
}
