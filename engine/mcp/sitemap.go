package mcp

import (
	"fmt"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/internal/decode"
)

type mapArguments struct {
	url, search string
	limit       int
	want        want
	o           engine.MapOptions
}

func mapTool() tool {
	return declare("map", "List the addresses of a site. With search, what is about it comes first.",
		func(s *server, a *mapArguments) []param {
			return append([]param{
				{"url", "", decode.URL(&a.url)},
				{"search", "", decode.Text(&a.search, 0, 1000)},
				{"limit", "of addresses", decode.Whole(&a.limit, 1, 100_000)},
				optionsOf("map", "POST /v2/map", mapOptions(&a.o).Read),
			}, pageParams(s, &a.want)...)
		}, mapSite).withOptions(func() decode.Fields { return mapOptions(&engine.MapOptions{}) })
}

func mapOptions(o *engine.MapOptions) decode.Fields {
	return without(decode.MapFields(new(string), o, true), "url", "search", "limit")
}

func mapSite(c *call, a *mapArguments) (*result, error) {
	if a.url == "" {
		return nil, decode.Required("url", decode.WantURL)
	}
	a.o.Owner, a.o.Search, a.o.Limit = c.o.Owner, a.search, a.limit
	found, err := c.engine.Map(c.ctx, a.url, a.o)
	if err != nil {
		return nil, err
	}
	r := c.result()
	r.line("%d addresses of %q", len(found.Links), found.URL)
	if found.Warning != "" {
		r.line("warning: %s", quoted(found.Warning))
	}
	var items []string
	for _, l := range found.Links {
		item := l.URL
		if l.Title != "" {
			item += " " + l.Title
		}
		items = append(items, item)
	}
	again := fmt.Sprintf(`map {"url": %q`, a.url)
	if a.search != "" {
		again += fmt.Sprintf(`, "search": %q`, a.search)
	}
	r.listed("addresses", items, a.want, again)
	return r, nil
}
