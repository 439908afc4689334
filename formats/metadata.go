package formats

import (
	"cmp"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/winnow-go/winnow/formats/internal/lang"
	"github.com/winnow-go/winnow/formats/internal/nodes"
)

// Metadata is a page's description of itself. Missing values are empty. Values that a page gives in several ways are
// taken from the first of: an attribute or element of HTML, a meta element, JSON-LD, microdata.
type Metadata struct {
	// Title is the text of the title element, else of og:title, twitter:title, JSON-LD.
	Title string `json:"title,omitempty"`
	// Description is the content of the meta elements of this name, joined with ", ", else of og:description, twitter:description, JSON-LD.
	Description string `json:"description,omitempty"`
	// Language is the lang attribute of html or body as the page spells it, else the language of a header, meta element or JSON-LD,
	// else the language that was detected in the text (ISO 639-1 where there is such a code), where the detection is sure.
	Language string `json:"language,omitempty"`
	Keywords string `json:"keywords,omitempty"` // several joined with ", "
	Robots   string `json:"robots,omitempty"`   // several joined with ", "
	// Author are the names of the page's authors, without addresses. In JSON one is a string, several are an array.
	Author    Values   `json:"author,omitempty"`
	Favicon   string   `json:"favicon,omitempty"`   // absolute
	Canonical string   `json:"canonical,omitempty"` // absolute; of link rel=canonical, else of JSON-LD
	Feeds     []string `json:"feeds,omitempty"`     // RSS, Atom and JSON feeds that the page names, absolute, each once

	OGTitle           string   `json:"ogTitle,omitempty"`
	OGDescription     string   `json:"ogDescription,omitempty"`
	OGURL             string   `json:"ogUrl,omitempty"`
	OGImage           string   `json:"ogImage,omitempty"`
	OGAudio           string   `json:"ogAudio,omitempty"`
	OGDeterminer      string   `json:"ogDeterminer,omitempty"`
	OGLocale          string   `json:"ogLocale,omitempty"`
	OGLocaleAlternate []string `json:"ogLocaleAlternate,omitempty"`
	OGSiteName        string   `json:"ogSiteName,omitempty"`
	OGVideo           string   `json:"ogVideo,omitempty"`

	DCTermsCreated  string `json:"dcTermsCreated,omitempty"`
	DCDateCreated   string `json:"dcDateCreated,omitempty"`
	DCDate          string `json:"dcDate,omitempty"`
	DCTermsType     string `json:"dcTermsType,omitempty"`
	DCType          string `json:"dcType,omitempty"`
	DCTermsAudience string `json:"dcTermsAudience,omitempty"`
	DCTermsSubject  string `json:"dcTermsSubject,omitempty"`
	DCSubject       string `json:"dcSubject,omitempty"`
	DCDescription   string `json:"dcDescription,omitempty"`
	DCTermsKeywords string `json:"dcTermsKeywords,omitempty"`

	// ModifiedTime and PublishedTime are article:modified_time and article:published_time, else what other meta elements, JSON-LD,
	// microdata or a time element say: in ISO 8601, as precise as the page is, where they can be read; else, of the two
	// meta elements only, as the page spells them.
	ModifiedTime   string `json:"modifiedTime,omitempty"`
	PublishedTime  string `json:"publishedTime,omitempty"`
	ArticleTag     string `json:"articleTag,omitempty"`
	ArticleSection string `json:"articleSection,omitempty"`

	// ContentConfidence is the confidence that the main content is the content a reader came for, 0 to 1, to three places. It is 0 when the
	// main content has no markdown, so that the whole page is converted. Nil where no main content was looked for: without
	// onlyMainContent or a format that is made of it, for a body that is not HTML, for a page without words, and where the content
	// comes from the data of the page's scripts.
	ContentConfidence *float64 `json:"contentConfidence,omitempty"`

	// Extra holds every other meta element under its own name (name, else property, else itemprop), with its
	// values in order. Names for which Metadata or its users have a field are not in it.
	Extra map[string][]string `json:"-"`
}

// metadata is what the page says of itself, read once.
func (d *DOM) metadata() Metadata {
	if !d.isRead {
		d.said, d.isRead = d.readMetadata(), true
	}
	return d.said
}

// readMetadata reads head and body alike: pages put meta elements anywhere.
func (d *DOM) readMetadata() Metadata {
	r := metaReader{dom: d}
	d.data.Reset()
	for n := range d.nodes() {
		if n.Type == html.ElementNode {
			r.read(n)
		}
	}
	return r.finish()
}

type metaReader struct {
	dom         *DOM
	meta        Metadata
	found       findings
	anyIcon     string
	language    string // of body
	description []string
	lists       [2]joined // keywords and robots
	times       timeReader
	byline      string // the first author that the visible page marks by microdata or rel
	credit      string // by class
	tries       int
}

func (r *metaReader) read(n *html.Node) {
	switch n.DataAtom {
	case atom.Html:
		r.meta.Language = lang.Of(n)
	case atom.Body:
		r.language = lang.Of(n)
	case atom.Title:
		if r.meta.Title == "" && n.Namespace == "" && n.FirstChild != nil {
			r.meta.Title = nodes.Fold(n.FirstChild.Data)
		}
	case atom.Link:
		r.readLink(n)
	case atom.Meta:
		r.readMeta(n)
	case atom.Script:
		r.dom.data.Note(n)
	case atom.Time:
		r.times.read(n)
	}
	r.readMarks(n)
}

// metaKey is the name of a meta element: name, else property, else itemprop.
func metaKey(n *html.Node) string {
	for _, key := range []string{"name", "property", "itemprop"} {
		if v := strings.TrimSpace(nodes.Attr(n, key)); v != "" {
			return v
		}
	}
	return ""
}

func (r *metaReader) readMeta(n *html.Node) {
	value, ok := nodes.Lookup(n, "content")
	if !ok {
		return
	}
	if strings.EqualFold(nodes.Attr(n, "http-equiv"), "content-language") {
		r.found.add(metaNames["content-language"], value)
	}
	key := metaKey(n)
	if key == "" {
		return
	}
	lower := strings.ToLower(key)
	switch {
	case lower == "description":
		if value = nodes.Fold(value); value != "" {
			r.description = append(r.description, value)
		}
	case lower == "og:locale:alternate":
		r.meta.OGLocaleAlternate = append(r.meta.OGLocaleAlternate, value)
	}
	r.put(lower, strings.TrimSpace(value))
	if use, ok := metaNames[lower]; ok {
		r.found.add(use, value)
	}
	if !ownKeys[key] && !ownKeys[lower] {
		if r.meta.Extra == nil {
			r.meta.Extra = make(map[string][]string)
		}
		r.meta.Extra[key] = append(r.meta.Extra[key], value)
	}
}

// put fills a field once; keywords and robots add up.
func (r *metaReader) put(name, value string) {
	switch field := metaFields[name]; {
	case name == "keywords":
		r.lists[0].add(value)
	case name == "robots":
		r.lists[1].add(value)
	case field != nil && *field(&r.meta) == "":
		*field(&r.meta) = value
	}
}

// joined is a list of values with commas between.
type joined struct{ strings.Builder }

// add appends a value that is not all there is.
func (j *joined) add(value string) {
	if value == "" || value == j.String() {
		return
	}
	if j.Len() > 0 {
		j.WriteString(", ")
	}
	j.WriteString(value)
}

func (r *metaReader) finish() Metadata {
	m := &r.meta
	m.Keywords, m.Robots = r.lists[0].String(), r.lists[1].String()
	m.Description = strings.Join(r.description, ", ")
	m.Title = cmp.Or(m.Title, nodes.Fold(m.OGTitle), r.found.first(useTitle))
	m.Description = cmp.Or(m.Description, nodes.Fold(m.OGDescription), r.found.first(useDescription))
	m.Favicon = cmp.Or(m.Favicon, r.anyIcon)
	m.Author = r.authors()
	m.PublishedTime = r.found.date(m.PublishedTime, usePublished)
	m.ModifiedTime = r.found.date(m.ModifiedTime, useModified)
	m.Language = cmp.Or(m.Language, r.language, lang.Tag(r.dom.src.Language), r.found.language())
	r.addLinkedData()
	r.addTimes()
	if m.Language == "" {
		m.Language = cmp.Or(lang.Tag(m.OGLocale), lang.Detect(r.dom.steps, r.dom.doc))
	}
	return *m
}
