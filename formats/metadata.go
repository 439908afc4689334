package formats

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Metadata is what a page says of itself. Missing values are empty.
type Metadata struct {
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"` // several joined with ", "
	Language    string `json:"language,omitempty"`    // as the page spells it
	Keywords    string `json:"keywords,omitempty"`
	Robots      string `json:"robots,omitempty"`
	Favicon     string `json:"favicon,omitempty"`   // absolute
	Canonical   string `json:"canonical,omitempty"` // absolute

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

	ModifiedTime   string `json:"modifiedTime,omitempty"`
	PublishedTime  string `json:"publishedTime,omitempty"`
	ArticleTag     string `json:"articleTag,omitempty"`
	ArticleSection string `json:"articleSection,omitempty"`

	// Extra holds every other meta element under its own name (name, else property, else itemprop), with its
	// values in order. Names that Metadata or its users have a field for are not in it.
	Extra map[string][]string `json:"-"`
}

// metadata reads head and body alike: pages put meta elements anywhere.
func (d *DOM) metadata() Metadata {
	r := metaReader{dom: d, fields: make(map[string]*string)}
	r.bind()
	for n := range d.doc.Descendants() {
		if n.Type == html.ElementNode {
			r.read(n)
		}
	}
	return r.finish()
}

type metaReader struct {
	dom    *DOM
	meta   Metadata
	fields map[string]*string // by meta name in lower case
	twitterTitle,
	anyIcon,
	contentLanguage string
	description []string
}

// bind says which meta name fills which field.
func (r *metaReader) bind() {
	m := &r.meta
	r.fields = map[string]*string{
		"keywords": &m.Keywords, "robots": &m.Robots,
		"og:title": &m.OGTitle, "og:description": &m.OGDescription, "og:url": &m.OGURL, "og:image": &m.OGImage, "og:audio": &m.OGAudio,
		"og:determiner": &m.OGDeterminer, "og:locale": &m.OGLocale, "og:site_name": &m.OGSiteName, "og:video": &m.OGVideo,
		"dcterms.created": &m.DCTermsCreated, "dc.date.created": &m.DCDateCreated, "dc.date": &m.DCDate, "dcterms.type": &m.DCTermsType, "dc.type": &m.DCType,
		"dcterms.audience": &m.DCTermsAudience, "dcterms.subject": &m.DCTermsSubject, "dc.subject": &m.DCSubject, "dc.description": &m.DCDescription,
		"dcterms.keywords":       &m.DCTermsKeywords,
		"article:modified_time":  &m.ModifiedTime,
		"article:published_time": &m.PublishedTime, "article:tag": &m.ArticleTag, "article:section": &m.ArticleSection,
	}
}

func (r *metaReader) read(n *html.Node) {
	switch n.DataAtom {
	case atom.Html:
		r.meta.Language = strings.TrimSpace(attr(n, "lang"))
		if r.meta.Language == "" {
			r.meta.Language = strings.TrimSpace(attr(n, "xml:lang"))
		}
	case atom.Title:
		if r.meta.Title == "" && n.Namespace == "" && n.FirstChild != nil {
			r.meta.Title = fold(n.FirstChild.Data)
		}
	case atom.Link:
		r.readLink(n)
	case atom.Meta:
		r.readMeta(n)
	}
}

func (r *metaReader) readLink(n *html.Node) {
	href := strings.TrimSpace(attr(n, "href"))
	if href == "" {
		return
	}
	rel := strings.ToLower(strings.TrimSpace(attr(n, "rel")))
	switch {
	case rel == "canonical" && r.meta.Canonical == "":
		r.meta.Canonical = r.dom.absolute(href)
	case rel == "icon" && r.meta.Favicon == "":
		r.meta.Favicon = r.dom.absolute(href)
	case strings.Contains(rel, "icon") && r.anyIcon == "":
		r.anyIcon = r.dom.absolute(href)
	}
}

// metaKey is the name of a meta element: name, else property, else itemprop.
func metaKey(n *html.Node) string {
	for _, key := range []string{"name", "property", "itemprop"} {
		if v := strings.TrimSpace(attr(n, key)); v != "" {
			return v
		}
	}
	return ""
}

func (r *metaReader) readMeta(n *html.Node) {
	value, ok := lookup(n, "content")
	if !ok {
		return
	}
	if strings.EqualFold(attr(n, "http-equiv"), "content-language") {
		r.contentLanguage = strings.TrimSpace(value)
	}
	key := metaKey(n)
	lower := strings.ToLower(key)
	switch {
	case key == "":
		return
	case lower == "description":
		if value = fold(value); value != "" {
			r.description = append(r.description, value)
		}
	case lower == "og:locale:alternate":
		r.meta.OGLocaleAlternate = append(r.meta.OGLocaleAlternate, value)
	case lower == "twitter:title" && r.twitterTitle == "":
		r.twitterTitle = fold(value)
	}
	if field := r.fields[lower]; field != nil && *field == "" {
		*field = strings.TrimSpace(value)
	}
	if !ownKeys[key] && !ownKeys[lower] {
		if r.meta.Extra == nil {
			r.meta.Extra = make(map[string][]string)
		}
		r.meta.Extra[key] = append(r.meta.Extra[key], value)
	}
}

func (r *metaReader) finish() Metadata {
	m := r.meta
	m.Description = strings.Join(r.description, ", ")
	for _, title := range []string{m.OGTitle, r.twitterTitle} {
		if m.Title == "" {
			m.Title = title
		}
	}
	if m.Favicon == "" {
		m.Favicon = r.anyIcon
	}
	if m.Language == "" {
		m.Language = r.contentLanguage
	}
	return m
}

// ownKeys are the keys of a document's metadata that no meta element of a page may take.
var ownKeys = names("title", "description", "language", "keywords", "robots", "favicon", "canonical", "url", "sourceURL", "statusCode", "contentType",
	"scrapeId", "error", "proxyUsed", "cacheState", "cachedAt", "creditsUsed", "concurrencyLimited", "concurrencyQueueDurationMs", "timezone",
	"numPages", "totalPages", "postprocessorsUsed", "indexId", "renderedBy", "renderReason",
	"ogTitle", "ogDescription", "ogUrl", "ogImage", "ogAudio", "ogDeterminer", "ogLocale", "ogLocaleAlternate", "ogSiteName", "ogVideo",
	"dcTermsCreated", "dcDateCreated", "dcDate", "dcTermsType", "dcType", "dcTermsAudience", "dcTermsSubject", "dcSubject", "dcDescription",
	"dcTermsKeywords", "modifiedTime", "publishedTime", "articleTag", "articleSection")

// fold trims a text and folds its white space.
func fold(s string) string { return strings.Join(strings.Fields(s), " ") }
