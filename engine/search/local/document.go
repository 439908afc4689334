package local

import (
	"encoding/json"
	"net/url"
	"strings"
	"time"

	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/analysis/tokenizer/single"
	"github.com/blevesearch/bleve/v2/document"
	api "github.com/blevesearch/bleve_index_api"

	"github.com/winnow-go/winnow/engine/search"
)

// The fields of a document, whose id is the key of its page.
const (
	inTitle    = "title"
	inHeadings = "headings"
	inText     = "text"
	inURL      = "url"
	inStems    = "stems" // of title, headings and text, by the page's language
	byHost     = "host"  // the host and the domains above it
	byLanguage = "lang"  // primary subtag
	byKind     = "kind"  // "pdf"
	byDate     = "date"  // published, else stored; ms since 1970
	byVersion  = "version"
	shownField = "shown" // a shown in JSON
)

// How fields are stored.
const (
	searchable = api.IndexField | api.IncludeTermVectors
	countable  = api.IndexField
	exact      = api.IndexField | api.SkipFreqNorm
	sortable   = api.IndexField | api.DocValues | api.SkipFreqNorm
)

// Limits of a page in the index, in bytes.
const (
	maxText     = 1 << 20
	maxShort    = 4 << 10
	maxHeadings = 200 // headings, not bytes
)

// shown is the part of a page that results show.
type shown struct {
	URL         string    `json:"u"`
	Title       string    `json:"t,omitempty"`
	Description string    `json:"d,omitempty"`
	Text        string    `json:"x,omitempty"`
	Language    string    `json:"l,omitempty"`
	Image       string    `json:"i,omitempty"`
	Date        time.Time `json:"p"`
}

// newDocument returns the document of a page.
func newDocument(key string, p *search.Page, plain, folded analysis.Analyzer) (*document.Document, error) {
	d := document.NewDocument(key)
	text := func(name, value string, options api.FieldIndexingOptions, a analysis.Analyzer) {
		if value != "" && a != nil {
			d.AddField(document.NewTextFieldCustom(name, nil, []byte(value), options, a))
		}
	}
	title, body := oneLine(p.Title, maxShort), oneLine(p.Text, maxText)
	description := oneLine(p.Description, maxShort)
	headings := cut(strings.Join(p.Headings[:min(len(p.Headings), maxHeadings)], "\n"), maxText)
	text(inTitle, title, searchable, folded)
	text(inHeadings, headings, searchable, folded)
	text(inText, join(description, body), searchable, folded)
	text(inURL, urlText(p.URL), countable, folded)
	text(inStems, join(title, headings, body), countable, stemmed(p.Language))
	for _, host := range hostsOf(p.URL) {
		text(byHost, host, exact, plain)
	}
	text(byLanguage, primary(p.Language), exact, plain)
	text(byKind, kindOf(p), exact, plain)
	text(byVersion, p.Version, sortable, plain)
	date := dateOf(p)
	d.AddField(document.NewNumericFieldWithIndexingOptions(byDate, nil, float64(date.UnixMilli()), sortable))
	blob, err := json.Marshal(shown{
		URL: p.URL, Title: title, Description: description, Text: body,
		Language: p.Language, Image: cut(p.Image, maxShort), Date: date,
	})
	if err != nil {
		return nil, err
	}
	d.AddField(document.NewTextFieldCustom(shownField, nil, blob, api.StoreField, nil))
	return d, nil
}

// plainTerms returns an analyzer that makes one term of a text.
func plainTerms() analysis.Analyzer {
	return &analysis.DefaultAnalyzer{Tokenizer: single.NewSingleTokenTokenizer()}
}

// dateOf returns the date by which results are filtered and sorted. A date in the future is ignored.
func dateOf(p *search.Page) time.Time {
	if p.Published.IsZero() || p.Published.After(p.Stored) {
		return p.Stored
	}
	return p.Published
}

func kindOf(p *search.Page) string {
	if p.MediaType == "application/pdf" || search.PDF.Holds(p.URL) {
		return string(search.PDF)
	}
	return ""
}

// hostsOf returns a URL's host and all its parent domains.
func hostsOf(href string) (hosts []string) {
	u, err := url.Parse(href)
	if err != nil {
		return nil
	}
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	for host != "" {
		hosts = append(hosts, host)
		_, host, _ = strings.Cut(host, ".")
	}
	return hosts
}

// urlText returns the words of a URL, without its scheme.
func urlText(href string) string {
	_, rest, _ := strings.Cut(href, "://")
	if plain, err := url.PathUnescape(rest); err == nil {
		rest = plain
	}
	return cut(strings.NewReplacer("/", " ", ".", " ", "_", " ", "-", " ", "?", " ", "&", " ", "=", " ", "#", " ", "+", " ").Replace(rest), maxShort)
}

func primary(language string) string {
	p, _, _ := strings.Cut(strings.ToLower(language), "-")
	return cut(p, 8)
}

func join(parts ...string) string {
	var kept []string
	for _, p := range parts {
		if p != "" {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, "\n\n")
}

// oneLine shortens a text and replaces each run of white space by one space.
func oneLine(text string, limit int) string {
	return strings.Join(strings.Fields(cut(text, limit)), " ")
}

// cut shortens a text to at most limit bytes, at a character.
func cut(text string, limit int) string {
	if len(text) > limit {
		text = text[:limit]
	}
	return strings.ToValidUTF8(text, "")
}
