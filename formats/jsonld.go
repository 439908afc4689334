package formats

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// Bounds of what is read of JSON-LD.
const (
	maxItems     = 500 // objects
	maxItemDepth = 4   // of objects in @graph and mainEntity
)

// item is a JSON-LD object, as far as it is read. The values are of any shape.
type item struct {
	Type             json.RawMessage `json:"@type"`
	ID               json.RawMessage `json:"@id"`
	Graph            json.RawMessage `json:"@graph"`
	MainEntity       json.RawMessage `json:"mainEntity"`
	MainEntityOfPage json.RawMessage `json:"mainEntityOfPage"`
	URL              json.RawMessage `json:"url"`
	Headline         json.RawMessage `json:"headline"`
	Name             json.RawMessage `json:"name"`
	Description      json.RawMessage `json:"description"`
	ArticleBody      json.RawMessage `json:"articleBody"`
	Text             json.RawMessage `json:"text"`
	Author           json.RawMessage `json:"author"`
	Creator          json.RawMessage `json:"creator"`
	DatePublished    json.RawMessage `json:"datePublished"`
	DateCreated      json.RawMessage `json:"dateCreated"`
	UploadDate       json.RawMessage `json:"uploadDate"`
	DateModified     json.RawMessage `json:"dateModified"`
	InLanguage       json.RawMessage `json:"inLanguage"`
	Comment          json.RawMessage `json:"comment"`
	AcceptedAnswer   json.RawMessage `json:"acceptedAnswer"`
	SuggestedAnswer  json.RawMessage `json:"suggestedAnswer"`
}

// linkedData reads the JSON-LD of the page, once. Scripts that can't be read are left out.
func (d *DOM) linkedData() []item {
	if d.linked != nil {
		return d.linked
	}
	d.linked = []item{}
	for _, s := range d.data {
		if s.linked {
			d.linked = addItems(d.linked, repairJSON(s.text), 0)
		}
	}
	return d.linked
}

// addItems appends the object, or those of an array, and what @graph and mainEntity of them hold.
func addItems(list []item, raw json.RawMessage, depth int) []item {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || depth > maxItemDepth || len(list) >= maxItems {
		return list
	}
	if raw[0] == '[' {
		var entries []json.RawMessage
		_ = json.Unmarshal(raw, &entries)
		for _, e := range entries {
			list = addItems(list, e, depth+1)
		}
		return list
	}
	var it item
	if raw[0] != '{' || json.Unmarshal(raw, &it) != nil {
		return list
	}
	list = append(list, it)
	list = addItems(list, it.Graph, depth+1)
	return addItems(list, it.MainEntity, depth+1)
}

// jsonText is a string value, of an array the first one, of an object its name, value or address; "" for all else.
func jsonText(raw json.RawMessage) string {
	if list := jsonTexts(raw, 0); len(list) > 0 {
		return list[0]
	}
	return ""
}

// jsonTexts are the strings of a value.
func jsonTexts(raw json.RawMessage, depth int) []string {
	if len(raw) == 0 || depth > 2 {
		return nil
	}
	switch raw[0] {
	case '"':
		var s string
		if json.Unmarshal(raw, &s) == nil && strings.TrimSpace(s) != "" {
			return []string{html.UnescapeString(html.UnescapeString(s))} // often escaped twice
		}
	case '[':
		var entries []json.RawMessage
		_ = json.Unmarshal(raw, &entries)
		var list []string
		for _, e := range entries[:min(len(entries), maxAuthors)] {
			list = append(list, jsonTexts(e, depth+1)...)
		}
		return list
	case '{':
		var o struct {
			Name    json.RawMessage `json:"name"`
			Value   json.RawMessage `json:"@value"`
			ID      json.RawMessage `json:"@id"`
			Address json.RawMessage `json:"url"`
		}
		_ = json.Unmarshal(raw, &o)
		for _, v := range []json.RawMessage{o.Name, o.Value, o.ID, o.Address} {
			if list := jsonTexts(v, depth+1); len(list) > 0 {
				return list
			}
		}
	}
	return nil
}

// answers are the texts of what was answered to an item, at most maxItems.
func (it *item) answers() []string {
	var out []string
	for _, raw := range []json.RawMessage{it.AcceptedAnswer, it.SuggestedAnswer, it.Comment} {
		raw = bytes.TrimSpace(raw)
		if len(raw) > 0 && raw[0] == '{' {
			raw = slices.Concat([]byte{'['}, raw, []byte{']'})
		}
		var list []item
		_ = json.Unmarshal(raw, &list)
		for i := range list[:min(len(list), maxItems-len(out))] {
			if s := jsonText(list[i].Text); s != "" {
				out = append(out, s)
			}
		}
	}
	return out
}
