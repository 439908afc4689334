package decode

import (
	"encoding/json"
	"maps"
	"strings"
	"time"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/formats"
)

// FormatsV1 are the formats of the first version: names, with their options beside them.
type FormatsV1 struct {
	names    []string
	json     modelV1 // options of json
	extract  modelV1 // and under its older name
	tracking trackingV1
	readsPDF *bool
}

// Extracts reports that the document has its data under the older name, extract.
func (v *FormatsV1) Extracts() bool {
	for _, name := range v.names {
		if name == formatExtract {
			return true
		}
	}
	return v.extract.given
}

const (
	formatExtract  = "extract"
	formatFullPage = "screenshot@fullPage"
)

// modelV1 are the options of what a language model makes.
type modelV1 struct {
	given          bool
	schema         json.RawMessage
	prompt, system string
}

func (m *modelV1) fields() Fields {
	return Fields{
		"schema": JSONObject(&m.schema), "prompt": Text(&m.prompt, 0, MaxPrompt), "systemPrompt": Text(&m.system, 0, MaxPrompt),
		"mode": Word(new(string), "llm", "llm-extraction"),
	}
}

func (m *modelV1) reader() Reader { return noted(&m.given, m.fields()) }

// format is the format json. There is one prompt now: instructions for the model stand at its head.
func (m *modelV1) format() formats.Format {
	prompt := strings.TrimSpace(m.system + "\n\n" + m.prompt)
	return formats.Format{Type: formats.JSON, Schema: m.schema, Prompt: prompt}
}

// trackingV1 are the options of changeTracking.
type trackingV1 struct {
	given  bool
	format formats.Format
	tag    string
}

func (t *trackingV1) reader() Reader {
	return noted(&t.given, Fields{
		"schema": JSONObject(&t.format.Schema), "prompt": Text(&t.format.Prompt, 0, MaxPrompt), "modes": Texts(&t.format.Modes, maxFormats),
		"tag": OrNull(Text(&t.tag, 0, MaxLabel)),
	})
}

// noted reads an object, and reports that there was one.
func noted(given *bool, f Fields) Reader {
	return Reader{f.Shape, func(raw json.RawMessage) []Issue {
		*given = true
		return f.Read(raw)
	}}
}

// ScrapeFieldsV1 are the scrape options of the first version. Those of the second that it hasn't are accepted too. Once they have been
// read, [FormatsV1.Apply] makes formats of them.
func ScrapeFieldsV1(o *engine.ScrapeOptions, v *FormatsV1) Fields {
	f := ScrapeFields(o)
	maps.Copy(f, Fields{
		"formats": List(&v.names, maxFormats, func(s *string) Reader {
			return Word(s, "markdown", "html", "rawHtml", "links", "screenshot", formatFullPage, formatExtract, "json", "changeTracking", "summary", "branding")
		}),
		"jsonOptions":           v.json.reader(),
		"extract":               v.extract.reader(),
		"changeTrackingOptions": v.tracking.reader(),
		"parsePDF":              flagOr(&v.readsPDF),
		"geolocation":           nested(&o.Location, locationFields),
		"agent":                 unsupported,
	})
	return f
}

// Apply makes the formats of o of what was read. Pages are fetched afresh unless maxAge says otherwise, as in the first version always.
func (v *FormatsV1) Apply(o *engine.ScrapeOptions) error {
	names := v.names
	if v.extract.given || v.json.given {
		names = with(names, "json", formatExtract)
	}
	if v.tracking.given {
		names = with(names, "changeTracking")
	}
	o.Formats = nil
	for _, name := range names {
		f, err := v.format(name)
		if err != nil {
			return refuse(below(optionIssues(err, wantFormat), "formats"))
		}
		o.Formats = append(o.Formats, f)
	}
	if v.readsPDF != nil && !*v.readsPDF {
		o.Parsers = []engine.Parser{}
	}
	if o.MaxAge == nil && o.MinAge == nil && !o.Lockdown {
		o.MaxAge = new(time.Duration)
	}
	return nil
}

// with adds the first name, unless one of them is there.
func with(names []string, any ...string) []string {
	for _, name := range names {
		for _, one := range any {
			if name == one {
				return names
			}
		}
	}
	return append(names[:len(names):len(names)], any[0])
}

// format is one format with its options.
func (v *FormatsV1) format(name string) (f formats.Format, err error) {
	switch name {
	case formatFullPage:
		f = formats.Format{Type: formats.Screenshot, FullPage: true}
	case formatExtract:
		f = v.model().format()
	case "json":
		f = v.model().format()
	case "changeTracking":
		f = v.tracking.format
		f.Type = formats.ChangeTracking
		if v.tracking.tag != "" {
			f.Tag = &v.tracking.tag
		}
	default:
		f = formats.Format{Type: formats.Type(name)}
	}
	return f, f.Validate()
}

// model are the options that are given, under either name.
func (v *FormatsV1) model() *modelV1 {
	if v.extract.given {
		return &v.extract
	}
	return &v.json
}

// scrapeOptionsV1 reads the scrape options of another body.
func scrapeOptionsV1(o *engine.ScrapeOptions) Reader {
	var v FormatsV1
	f := ScrapeFieldsV1(o, &v)
	return Reader{f.Shape, func(raw json.RawMessage) []Issue {
		if issues := f.Read(raw); issues != nil {
			return issues
		}
		if err, ok := v.Apply(o).(*Error); ok {
			return err.Issues
		}
		return nil
	}}
}

// ScrapePageFieldsV1 are those of one page.
func ScrapePageFieldsV1(url *string, o *engine.ScrapeOptions, v *FormatsV1, zdr bool) Fields {
	f := ScrapeFieldsV1(o, v)
	f["url"] = URL(url)
	f["zeroDataRetention"] = retention(&o.ZeroDataRetention, zdr)
	return f
}

// BatchFieldsV1 are those of a batch.
func BatchFieldsV1(urls *[]string, o *engine.BatchOptions, v *FormatsV1, zdr bool) Fields {
	f := BatchFields(urls, o, zdr)
	maps.Copy(f, ScrapeFieldsV1(&o.Scrape, v))
	return f
}

// CrawlFieldsV1 are those of a crawl. allowBackwardLinks is an older name of crawlEntireDomain.
func CrawlFieldsV1(url *string, o *engine.CrawlOptions, zdr bool) Fields {
	f := CrawlFields(url, o, zdr)
	delete(f, "prompt")
	delete(f, "sitemap")
	f["ignoreSitemap"] = either(func(yes bool) {
		if yes {
			o.Sitemap = engine.SitemapSkip
		}
	})
	f["allowBackwardLinks"] = either(func(yes bool) { o.CrawlEntireDomain = o.CrawlEntireDomain || yes })
	f["crawlEntireDomain"] = f["allowBackwardLinks"]
	f["scrapeOptions"] = scrapeOptionsV1(&o.Scrape)
	return f
}

// either reads a flag and passes it on.
func either(take func(bool)) Reader {
	return Reader{flagSchema, func(raw json.RawMessage) []Issue {
		var yes bool
		issues := Flag(&yes).Read(raw)
		if issues == nil {
			take(yes)
		}
		return issues
	}}
}

// SearchFieldsV1 are those of a search, of the web alone. Pages are scraped where scrapeOptions has formats.
func SearchFieldsV1(query *string, o *engine.SearchOptions, zdr bool) Fields {
	f := SearchFields(query, o, new(bool), zdr)
	delete(f, "sources")
	scrape := &engine.ScrapeOptions{}
	options := scrapeOptionsV1(scrape)
	f["scrapeOptions"] = Reader{options.Shape, func(raw json.RawMessage) []Issue {
		issues := options.Read(raw)
		if issues == nil && len(scrape.Formats) > 0 {
			o.Scrape = scrape
		}
		return issues
	}}
	return f
}

// ExtractFieldsV1 are those of an extraction.
func ExtractFieldsV1(o *engine.ExtractOptions, zdr bool) Fields {
	f := ExtractFields(o, zdr)
	f["scrapeOptions"] = scrapeOptionsV1(&o.Scrape)
	return f
}
