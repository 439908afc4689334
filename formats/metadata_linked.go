package formats

import (
	"cmp"
	"encoding/json"

	"github.com/winnow-go/winnow/fetch/weburl"
	"github.com/winnow-go/winnow/formats/internal/dates"
	"github.com/winnow-go/winnow/formats/internal/lang"
	"github.com/winnow-go/winnow/formats/internal/nodes"
	"github.com/winnow-go/winnow/formats/internal/pagedata"
)

// addLinkedData fills from JSON-LD what the page's elements left open. It is not read where they left nothing.
func (r *metaReader) addLinkedData() {
	m := &r.meta
	if m.Title != "" && m.Description != "" && m.Language != "" && m.Author != nil && m.PublishedTime != "" && m.ModifiedTime != "" && m.Canonical != "" {
		return
	}
	if subject := r.dom.data.Subject(cmp.Or(m.Title, m.OGTitle), r.dom.isSelf); subject != nil {
		r.addItem(subject)
	}
	if page := r.dom.data.WebPage(); page != nil {
		r.addItem(page)
	}
}

func (r *metaReader) addItem(it *pagedata.Item) {
	m := &r.meta
	m.Title = cmp.Or(m.Title, it.Title())
	m.Description = cmp.Or(m.Description, nodes.Fold(pagedata.Text(it.Description)))
	m.Language = cmp.Or(m.Language, lang.Tag(pagedata.Text(it.InLanguage)))
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
			date = dates.ISO(pagedata.Text(raw))
		}
	}
	return date
}

// linkedAuthors are the names of an item's authors. One may be a reference to another item.
func (r *metaReader) linkedAuthors(it *pagedata.Item) Values {
	var list Values
	for _, raw := range []json.RawMessage{it.Author, it.Creator} {
		for _, name := range pagedata.Texts(raw, 0) {
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
	items := r.dom.data.Linked()
	for i := range items {
		if pagedata.Text(items[i].ID) == id {
			return pagedata.Text(items[i].Name)
		}
	}
	return id
}

// linkedCanonical takes the address that an item gives for its page, when it is on the page's own host: an item may be about
// something else.
func (r *metaReader) linkedCanonical(it *pagedata.Item) {
	for _, raw := range []json.RawMessage{it.MainEntityOfPage, it.URL} {
		if address := pagedata.Text(raw); address != "" {
			if abs := r.webAddress(address); abs != "" && weburl.Host(abs) == weburl.Host(r.dom.src.URL) {
				r.meta.Canonical = abs
				return
			}
		}
	}
}
