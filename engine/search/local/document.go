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
	shownField = "shown" // what results are made of
)

// How fields are kept.
const (
	searchable = api.IndexField | api.IncludeTermVectors
	countable  = api.IndexField
	exact      = api.IndexField | api.SkipFreqNorm
	sortable   = api.IndexField | api.DocValues | api.SkipFreqNorm
)

// Bounds of a page in the index, in bytes.
const (
	mostText    = 1 << 20
	mostShort   = 4 << 10
	mostHeading = 200 // of them
)

// shown is what is kept of a page to be shown.
type shown struct {
	URL         string    `json:"u"`
	Title       string    `json:"t,omitempty"`
	Description string    `json:"d,omitempty"`
	Text        string    `json:"x,omitempty"`
	Language    string    `json:"l,omitempty"`
	Image       string    `json:"i,omitempty"`
	Date        time.Time `json:"p"`
}

// newDocument makes a document of a page.
func newDocument(key string, p *search.Page, plain, folded analysis.Analyzer) (*document.Document, error) {
	d := document.NewDocument(key)
	text := func(name, value string, options api.FieldIndexingOptions, a analysis.Analyzer) {
		if value != "" && a != nil {
			d.AddField(document.NewTextFieldCustom(name, nil, []byte(value), options, a))
		}
	}
	title, body := oneLine(p.Title, mostShort), oneLine(p.Text, mostText)
	description := oneLine(p.Description, mostShort)
	headings := cut(strings.Join(p.Headings[:min(len(p.Headings), mostHeading)], "\n"), mostText)
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
	blob, err := json.Marshal(shown{URL: p.URL, Title: title, Description: description, Text: body, Language: p.Language, Image: cut(p.Image, mostShort), Date: date})
	if err != nil {
		return nil, err
	}
	d.AddField(document.NewTextFieldCustom(shownField, nil, blob, api.StoreField, nil))
	return d, nil
}

// plainTerms takes a text as one term.
func plainTerms() analysis.Analyzer {
	return &analysis.DefaultAnalyzer{Tokenizer: single.NewSingleTokenTokenizer()}
}

// dateOf is what results are narrowed and ordered by. A page can't be of the future.
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

// hostsOf are a URL's host and all domains above it.
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

// urlText is what of a URL is text.
func urlText(href string) string {
	_, rest, _ := strings.Cut(href, "://")
	if plain, err := url.PathUnescape(rest); err == nil {
		rest = plain
	}
	return cut(strings.NewReplacer("/", " ", ".", " ", "_", " ", "-", " ", "?", " ", "&", " ", "=", " ", "#", " ", "+", " ").Replace(rest), mostShort)
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

// oneLine shortens a text and makes one space of all white space between words.
func oneLine(text string, most int) string { return strings.Join(strings.Fields(cut(text, most)), " ") }

// cut shortens a text at a character.
func cut(text string, most int) string {
	if len(text) > most {
		text = text[:most]
	}
	return strings.ToValidUTF8(text, "")
}
