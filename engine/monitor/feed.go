package monitor

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"iter"
	"time"
)

// Feed is what an Atom feed says of itself.
type Feed struct {
	// ID of the monitor, a UUID.
	ID string
	// Name is the title.
	Name string
	// URL of the feed itself; may be empty.
	URL string
	// Updated is when something changed last.
	Updated time.Time
}

type atomFeed struct {
	XMLName xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
	ID      string      `xml:"id"`
	Title   string      `xml:"title"`
	Updated string      `xml:"updated"`
	Author  atomAuthor  `xml:"author"`
	Links   []atomLink  `xml:"link"`
	Entries []atomEntry `xml:"entry"`
}

type atomAuthor struct {
	Name string `xml:"name"`
}

type atomLink struct {
	Rel  string `xml:"rel,attr,omitempty"`
	Href string `xml:"href,attr"`
}

type atomEntry struct {
	ID      string   `xml:"id"`
	Title   string   `xml:"title"`
	Updated string   `xml:"updated"`
	Link    atomLink `xml:"link"`
	Content atomText `xml:"content"`
}

type atomText struct {
	Type string `xml:"type,attr"`
	Text string `xml:",chardata"`
}

// WriteAtom writes changes as an Atom feed (RFC 4287), in the order in which they are given: the newest first is usual. Texts are
// texts: no HTML of a page is in it. Characters that XML can't have are replaced.
func WriteAtom(w io.Writer, f Feed, changes []Change) error {
	feed := atomFeed{
		ID: "urn:uuid:" + f.ID, Title: f.Name, Updated: f.Updated.UTC().Format(time.RFC3339), Author: atomAuthor{"winnow"},
	}
	if f.URL != "" {
		feed.Links = []atomLink{{Rel: "self", Href: f.URL}}
	}
	for _, c := range changes {
		feed.Entries = append(feed.Entries, entryOf(f, c))
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	return xml.NewEncoder(w).Encode(feed)
}

func entryOf(f Feed, c Change) atomEntry {
	title := c.Title
	if title == "" {
		title = c.URL
	}
	text := reasonOf(c.Page)
	if c.Diff != nil && c.Diff.Text != "" {
		text = c.Diff.Text
		if c.Judgment != nil {
			text = c.Judgment.Reason + "\n\n" + text
		}
	}
	return atomEntry{
		ID: fmt.Sprintf("urn:uuid:%s#%d", f.ID, c.Seq), Title: fmt.Sprintf("%s: %s", c.Status, title),
		Updated: c.At.UTC().Format(time.RFC3339), Link: atomLink{Href: c.URL}, Content: atomText{"text", text},
	}
}

// WriteNDJSON writes changes, each as one line of JSON, and ends with the first error.
func WriteNDJSON(w io.Writer, changes iter.Seq2[Change, error]) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	for c, err := range changes {
		if err != nil {
			return err
		}
		if err := e.Encode(c); err != nil {
			return err
		}
	}
	return nil
}
