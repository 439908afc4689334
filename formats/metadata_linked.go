package formats

import (
	"encoding/json"

	"github.com/winnow-go/winnow/fetch/weburl"
)

// addLinkedData fills from JSON-LD what the page's elements left open. It is not read where they left nothing.
func (r *metaReader) addLinkedData() {
	m := &r.meta
	if m.Title != "" && m.Description != "" && m.Language != "" && m.Author != nil && m.PublishedTime != "" && m.ModifiedTime != "" && m.Canonical != "" {
		return
	}
	if subject := r.dom.subject(first(m.Title, m.OGTitle)); subject != nil {
		r.addItem(subject)
	}
	if page := r.dom.webPage(); page != nil {
		r.addItem(page)
	}
}

func (r *metaReader) addItem(it *item) {
	m := &r.meta
	m.Title = first(m.Title, fold(jsonText(it.Headline)), fold(jsonText(it.Name)))
	m.Description = first(m.Description, fold(jsonText(it.Description)))
	m.Language = first(m.Language, language(jsonText(it.InLanguage)))
	if m.Author == nil {
		m.Author = r.linkedAuthors(it)
	}
	m.PublishedTime = firstDate(m.PublishedTime, it.DatePublished, it.UploadDate, it.DateCreated)
	m.ModifiedTime = firstDate(m.ModifiedTime, it.DateModified)
	if m.Canonical == "" {
		r.linkedCanonical(it)
	}
}

func firstDate(date string, list ...json.RawMessage) string {
	for _, raw := range list {
		if date == "" {
			date = isoDate(jsonText(raw))
		}
	}
	return date
}

// linkedAuthors are the names of an item's authors. One may be a reference to another item.
func (r *metaReader) linkedAuthors(it *item) Values {
	var list Values
	for _, raw := range []json.RawMessage{it.Author, it.Creator} {
		for _, name := range jsonTexts(raw, 0) {
			list = addAuthor(list, r.named(name))
		}
		if list != nil {
			break
		}
	}
	return list
}

// named is the name of the item with that id, else the id itself.
func (r *metaReader) named(id string) string {
	items := r.dom.linkedData()
	for i := range items {
		if jsonText(items[i].ID) == id {
			return jsonText(items[i].Name)
		}
	}
	return id
}

// linkedCanonical takes the address that an item gives for its page, when it is on the page's own host: an item may be about
// something else.
func (r *metaReader) linkedCanonical(it *item) {
	for _, raw := range []json.RawMessage{it.MainEntityOfPage, it.URL} {
		if address := jsonText(raw); address != "" {
			if abs := r.webAddress(address); abs != "" && weburl.Host(abs) == weburl.Host(r.dom.src.URL) {
				r.meta.Canonical = abs
				return
			}
		}
	}
}
