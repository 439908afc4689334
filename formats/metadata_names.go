package formats

import (
	"cmp"

	"github.com/winnow-go/winnow/formats/internal/dates"
	"github.com/winnow-go/winnow/formats/internal/lang"
	"github.com/winnow-go/winnow/formats/internal/nodes"
)

// metaFields says which meta name, in lower case, fills which field.
var metaFields = map[string]func(*Metadata) *string{
	"og:title":               func(m *Metadata) *string { return &m.OGTitle },
	"og:description":         func(m *Metadata) *string { return &m.OGDescription },
	"og:url":                 func(m *Metadata) *string { return &m.OGURL },
	"og:image":               func(m *Metadata) *string { return &m.OGImage },
	"og:audio":               func(m *Metadata) *string { return &m.OGAudio },
	"og:determiner":          func(m *Metadata) *string { return &m.OGDeterminer },
	"og:locale":              func(m *Metadata) *string { return &m.OGLocale },
	"og:site_name":           func(m *Metadata) *string { return &m.OGSiteName },
	"og:video":               func(m *Metadata) *string { return &m.OGVideo },
	"dcterms.created":        func(m *Metadata) *string { return &m.DCTermsCreated },
	"dc.date.created":        func(m *Metadata) *string { return &m.DCDateCreated },
	"dc.date":                func(m *Metadata) *string { return &m.DCDate },
	"dcterms.type":           func(m *Metadata) *string { return &m.DCTermsType },
	"dc.type":                func(m *Metadata) *string { return &m.DCType },
	"dcterms.audience":       func(m *Metadata) *string { return &m.DCTermsAudience },
	"dcterms.subject":        func(m *Metadata) *string { return &m.DCTermsSubject },
	"dc.subject":             func(m *Metadata) *string { return &m.DCSubject },
	"dc.description":         func(m *Metadata) *string { return &m.DCDescription },
	"dcterms.keywords":       func(m *Metadata) *string { return &m.DCTermsKeywords },
	"article:modified_time":  func(m *Metadata) *string { return &m.ModifiedTime },
	"article:published_time": func(m *Metadata) *string { return &m.PublishedTime },
	"article:tag":            func(m *Metadata) *string { return &m.ArticleTag },
	"article:section":        func(m *Metadata) *string { return &m.ArticleSection },
}

// use is what a meta element without a field of its own is good for when the better one is missing.
type use uint8

const (
	useTitle use = iota
	useDescription
	useAuthor
	usePublished
	useModified
	useLanguage
	uses
)

// rank is a use and how soon a name is taken for it: the lowest first.
type rank struct {
	use  use
	rank uint8
}

// metaNames are the names of such meta elements in lower case, the ones with more meaning first.
var metaNames = rankNames(map[use][]string{
	useTitle:       {"twitter:title", "dc.title", "dcterms.title"},
	useDescription: {"twitter:description", "dc.description", "dcterms.description"},
	useAuthor:      {"author", "article:author", "dc.creator", "dcterms.creator", "citation_author", "parsely-author", "sailthru.author"},
	usePublished: {"datepublished", "publish-date", "publish_date", "publication_date", "publicationdate", "pubdate", "published_time", "og:published_time",
		"dc.date.issued", "dcterms.issued", "citation_publication_date", "citation_online_date", "citation_date", "parsely-pub-date", "sailthru.date",
		"dcterms.created", "dc.date.created", "dcterms.date", "dc.date", "date"},
	useModified: {"datemodified", "og:updated_time", "dcterms.modified", "dc.date.modified", "modified_time", "last-modified", "lastmod", "revised"},
	useLanguage: {"content-language", "inlanguage", "language", "dc.language", "dcterms.language"},
})

func rankNames(lists map[use][]string) map[string]rank {
	m := make(map[string]rank)
	for u, list := range lists {
		for i, name := range list {
			m[name] = rank{u, uint8(i)}
		}
	}
	return m
}

// maxFound bounds how many values are kept for one use.
const maxFound = 64

// findings are the values of the meta elements of metaNames, by use.
type findings [uses][]finding

type finding struct {
	rank  uint8
	value string
}

func (f *findings) add(r rank, value string) {
	if value = nodes.Fold(value); value != "" && len(f[r.use]) < maxFound {
		f[r.use] = append(f[r.use], finding{r.rank, value})
	}
}

// best returns the values of the name that comes first among those that accept lets through, and for which it is not "".
func (f *findings) best(u use, accept func(string) string) []string {
	var best []string
	rank := uint8(255)
	for _, v := range f[u] {
		value := ""
		if v.rank <= rank {
			value = accept(v.value)
		}
		if value == "" {
			continue
		}
		if v.rank < rank {
			best, rank = nil, v.rank
		}
		best = append(best, value)
	}
	return best
}

func (f *findings) first(u use) string { return firstOf(f.best(u, func(s string) string { return s })) }

func firstOf(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[0]
}

func (f *findings) language() string { return firstOf(f.best(useLanguage, lang.Tag)) }

// date reads own, and what can be read as a date instead where it is missing.
func (f *findings) date(own string, u use) string {
	if own != "" {
		return cmp.Or(dates.ISO(own), own)
	}
	return firstOf(f.best(u, dates.ISO))
}

// ownKeys are the keys of a document's metadata that no meta element of a page may take.
var ownKeys = nodes.Names("title", "description", "language", "keywords", "robots", "author", "favicon", "canonical", "feeds", "url", "sourceURL", "statusCode", "contentType",
	"scrapeId", "error", "proxyUsed", "cacheState", "cachedAt", "creditsUsed", "concurrencyLimited", "concurrencyQueueDurationMs", "timezone",
	"numPages", "totalPages", "postprocessorsUsed", "indexId", "renderedBy", "renderReason", "contentConfidence",
	"ogTitle", "ogDescription", "ogUrl", "ogImage", "ogAudio", "ogDeterminer", "ogLocale", "ogLocaleAlternate", "ogSiteName", "ogVideo",
	"dcTermsCreated", "dcDateCreated", "dcDate", "dcTermsType", "dcType", "dcTermsAudience", "dcTermsSubject", "dcSubject", "dcDescription",
	"dcTermsKeywords", "modifiedTime", "publishedTime", "articleTag", "articleSection")
