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

// The fields of documents. A page is a document whose id is the page's key; each of its images and passages is one too, see
// imageID and passageID.
const (
	inTitle    = "title"
	inHeadings = "headings"
	inText     = "text"
	inURL      = "url"
	inStems    = "stems" // of title, headings and text, by the page's language

	bySource   = "source" // "web", "news" too for a news story; "images"; "passages"
	byPage     = "page"   // of its images and passages: the page's key
	byDigest   = "digest" // of the page and its passages: the page in the table of vectors
	byHost     = "host"   // the page's host and the domains above it
	byLanguage = "lang"   // primary subtag of the page
	byKind     = "kind"   // "pdf"
	byDate     = "date"   // of the page: published, else stored; ms since 1970
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

// shown is the part of a page or an image that results show.
type shown struct {
	URL         string    `json:"u"`
	Title       string    `json:"t,omitempty"`
	Description string    `json:"d,omitempty"`
	Text        string    `json:"x,omitempty"`
	Language    string    `json:"l,omitempty"`
	Image       string    `json:"i,omitempty"`
	Width       int       `json:"w,omitempty"`
	Height      int       `json:"h,omitempty"`
	Date        time.Time `json:"p"`
}

// fieldsOf builds a document.
type fieldsOf struct{ *document.Document }

func (d fieldsOf) text(name, value string, options api.FieldIndexingOptions, a analysis.Analyzer) {
	if value != "" && a != nil {
		d.AddField(document.NewTextFieldCustom(name, nil, []byte(value), options, a))
	}
}

// common adds what all documents of a page can be restricted by.
func (d fieldsOf) common(p *search.Page, date time.Time, plain analysis.Analyzer) {
	for _, host := range hostsOf(p.URL) {
		d.text(byHost, host, exact, plain)
	}
	d.text(byLanguage, primary(p.Language), exact, plain)
	d.text(byKind, kindOf(p), exact, plain)
	d.AddField(document.NewNumericFieldWithIndexingOptions(byDate, nil, float64(date.UnixMilli()), sortable))
}

// show adds what results show.
func (d fieldsOf) show(s any) error {
	blob, err := json.Marshal(s)
	if err != nil {
		return err
	}
	d.AddField(document.NewTextFieldCustom(shownField, nil, blob, api.StoreField, nil))
	return nil
}

// newDocument returns the document of a page.
func newDocument(key string, p *search.Page, plain, folded analysis.Analyzer) (*document.Document, error) {
	d := fieldsOf{document.NewDocument(key)}
	title, body := oneLine(p.Title, maxShort), oneLine(p.Text, maxText)
	description := oneLine(p.Description, maxShort)
	headings := cut(strings.Join(p.Headings[:min(len(p.Headings), maxHeadings)], "\n"), maxText)
	d.text(inTitle, title, searchable, folded)
	d.text(inHeadings, headings, searchable, folded)
	d.text(inText, join(description, body), searchable, folded)
	d.text(inURL, urlText(p.URL), countable, folded)
	d.text(inStems, join(title, headings, body), countable, stemmed(p.Language))
	d.text(byVersion, p.Version, sortable, plain)
	d.text(bySource, string(search.Web), sortable, plain)
	if isNews(p) {
		d.text(bySource, string(search.News), sortable, plain)
	}
	date := dateOf(p)
	d.common(p, date, plain)
	d.text(byDigest, digestOf(key), exact, plain)
	return d.Document, d.show(shown{
		URL: p.URL, Title: title, Description: description, Text: body,
		Language: p.Language, Image: cut(p.Image, maxShort), Date: date,
	})
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

// isNews reports an article with a date that can be true: clocks and time zones differ by a day at most.
func isNews(p *search.Page) bool {
	return p.Article && !p.Published.IsZero() && !p.Published.After(p.Stored.Add(24*time.Hour))
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
