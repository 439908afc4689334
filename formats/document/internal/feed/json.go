package feed

import (
	"bytes"
	"cmp"
	"encoding/json"
	"html"
	"strings"
)

// jsonFeed is a feed of jsonfeed.org, versions 1 and 1.1.
type jsonFeed struct {
	Title, Description, Language string
	HomePageURL                  string `json:"home_page_url"`
	Author                       jsonAuthor
	Authors                      []jsonAuthor
	Items                        []jsonItem
}

type jsonAuthor struct{ Name string }

type jsonItem struct {
	URL           string
	ExternalURL   string `json:"external_url"`
	Title         string
	ContentHTML   string `json:"content_html"`
	ContentText   string `json:"content_text"`
	Summary       string
	DatePublished string `json:"date_published"`
	DateModified  string `json:"date_modified"`
	Author        jsonAuthor
	Authors       []jsonAuthor
	Attachments   []struct {
		URL      string
		MimeType string `json:"mime_type"`
	}
}

func (w *writer) readJSON(body []byte) error {
	var f jsonFeed
	if err := json.Unmarshal(bytes.TrimPrefix(body, []byte("\xEF\xBB\xBF")), &f); err != nil {
		return err
	}
	w.about = channel{html.EscapeString(f.Title), f.HomePageURL, html.EscapeString(f.Description)}
	w.doc.Meta.Language, w.doc.Meta.Author = f.Language, names(f.Author, f.Authors)
	for _, it := range f.Items {
		if !w.item(it.item()) || w.ctx.Err() != nil {
			break
		}
	}
	return nil
}

func (it jsonItem) item() item {
	out := item{
		title: html.EscapeString(it.Title), link: cmp.Or(it.URL, it.ExternalURL), author: html.EscapeString(names(it.Author, it.Authors)),
		date: cmp.Or(it.DatePublished, it.DateModified), content: it.ContentHTML, markup: true,
	}
	if out.content == "" {
		out.content, out.markup = html.EscapeString(cmp.Or(it.ContentText, it.Summary)), false
	}
	for _, a := range it.Attachments {
		out.enclosures = append(out.enclosures, enclosure{a.URL, a.MimeType})
	}
	return out
}

func names(one jsonAuthor, many []jsonAuthor) string {
	var out []string
	for _, a := range many {
		out = append(out, a.Name)
	}
	return cmp.Or(strings.Join(out, ", "), one.Name)
}
