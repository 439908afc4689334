package pagedata

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/winnow-go/winnow/formats/internal/nodes"
	"golang.org/x/net/html"
)

// Bounds of what is read of JSON-LD.
const (
	maxItems     = 500 // objects
	maxItemDepth = 4   // of objects in @graph and mainEntity
	maxTexts     = 20  // of an array
)

// Item is a JSON-LD object, as far as it is read. The values are of any shape.
type Item struct {
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

// Linked reads the JSON-LD of the page, once. Scripts that can't be read are left out.
func (d *Data) Linked() []Item {
	if d.items != nil {
		return d.items
	}
	d.items = []Item{}
	for text := range d.LinkedTexts() {
		d.items = addItems(d.items, Repair(text), 0)
	}
	return d.items
}

// addItems appends the object, or those of an array, and what @graph and mainEntity of them hold.
func addItems(list []Item, raw json.RawMessage, depth int) []Item {
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
	var it Item
	if raw[0] != '{' || json.Unmarshal(raw, &it) != nil {
		return list
	}
	list = append(list, it)
	list = addItems(list, it.Graph, depth+1)
	return addItems(list, it.MainEntity, depth+1)
}

// Text is a string value, of an array the first one, of an object its name, value or address; "" for all else.
func Text(raw json.RawMessage) string {
	if list := Texts(raw, 0); len(list) > 0 {
		return list[0]
	}
	return ""
}

// Texts are the strings of a value.
func Texts(raw json.RawMessage, depth int) []string {
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
		for _, e := range entries[:min(len(entries), maxTexts)] {
			list = append(list, Texts(e, depth+1)...)
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
			if list := Texts(v, depth+1); len(list) > 0 {
				return list
			}
		}
	}
	return nil
}

// Answers are the texts of what was answered to an item, at most maxItems.
func (it *Item) Answers() []string {
	var out []string
	for _, raw := range []json.RawMessage{it.AcceptedAnswer, it.SuggestedAnswer, it.Comment} {
		raw = bytes.TrimSpace(raw)
		if len(raw) > 0 && raw[0] == '{' {
			raw = slices.Concat([]byte{'['}, raw, []byte{']'})
		}
		var list []Item
		_ = json.Unmarshal(raw, &list)
		for i := range list[:min(len(list), maxItems-len(out))] {
			if s := Text(list[i].Text); s != "" {
				out = append(out, s)
			}
		}
	}
	return out
}

// Title is an item's headline, else its name, white space folded.
func (it *Item) Title() string {
	if s := nodes.Fold(Text(it.Headline)); s != "" {
		return s
	}
	return nodes.Fold(Text(it.Name))
}
