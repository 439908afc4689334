package mcp

import (
	"fmt"
	"strings"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/internal/decode"
)

type findArguments struct {
	query string
	limit int
	want  want
	o     engine.SearchOptions
}

func findTool() tool {
	return declare("find", "Search the web, or what is stored. options.scrapeOptions {} also reads the parts of the hits that fit the query.",
		func(s *server, a *findArguments) []param {
			return append([]param{
				{"query", "", decode.Text(&a.query, 1, maxQuery)},
				{"limit", "of hits, 1 to 100", decode.Whole(&a.limit, 1, 100)},
				optionsOf("find", "POST /v2/search", findOptions(&a.o).Read),
			}, pageParams(s, &a.want)...)
		}, find).withOptions(func() decode.Fields { return findOptions(&engine.SearchOptions{}) })
}

const maxQuery = 10_000

func findOptions(o *engine.SearchOptions) decode.Fields {
	f := decode.WithUnsupported(decode.SearchFields(new(string), o, new(bool), true))
	return without(f, "query", "limit", "highlights", "toolDetail")
}

func find(c *call, a *findArguments) (*result, error) {
	if a.query == "" {
		return nil, decode.Required("query", "what to search for")
	}
	a.o.Owner, a.o.Limit = c.o.Owner, a.limit
	found, err := c.engine.Search(c.ctx, a.query, a.o)
	if err != nil {
		return nil, err
	}
	r := c.result()
	if found.Warning != "" {
		r.line("warning: %s", quoted(found.Warning))
	}
	hits := hitsOf(found.Data)
	if len(hits) == 0 {
		r.line("Nothing was found. Next: fewer or other words.")
		return r, nil
	}
	if a.o.Scrape != nil {
		return r, r.hits(hits, a)
	}
	var items []string
	for i, h := range hits {
		items = append(items, fmt.Sprintf("%d. %s\n   %s\n   %s", i+1, h.title, h.url, strings.TrimSpace(h.text)))
	}
	r.listed("hits", items, a.want, fmt.Sprintf(`find {"query": %q`, a.query))
	return r, nil
}

// hit is a page, story or picture that was found.
type hit struct {
	title, url, text string
	doc              *engine.Document
	problem          string
}

func hitsOf(d engine.SearchData) (list []hit) {
	for _, h := range d.Web {
		list = append(list, hit{h.Title, h.URL, h.Description, h.Document, h.Error})
	}
	for _, h := range d.News {
		list = append(list, hit{h.Title, h.URL, h.Snippet + " " + h.Date, h.Document, h.Error})
	}
	for _, h := range d.Images {
		list = append(list, hit{title: h.Title, url: h.URL, text: h.ImageURL})
	}
	return list
}

// hits gives each page an equal share of the budget, for what fits the query best.
func (r *result) hits(hits []hit, a *findArguments) error {
	share := want{tokens: max(r.c.budget(a.want)/len(hits), 64), query: a.query}
	for _, h := range hits {
		switch {
		case h.doc != nil:
			if err := r.document(h.doc, h.doc.Metadata.ScrapeID, share); err != nil {
				return err
			}
		case h.problem != "":
			r.line("%q was not read: %s", h.url, quoted(h.problem))
		default:
			r.foreign("hit", h.title+"\n"+h.url+"\n"+h.text)
		}
	}
	return nil
}
