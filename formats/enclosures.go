package formats

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"strings"

	"golang.org/x/net/html/charset"

	"github.com/winnow-go/winnow/fetch/weburl"
	"github.com/winnow-go/winnow/formats/internal/nodes"
	"github.com/winnow-go/winnow/formats/internal/walk"
)

// Enclosure is a file attached to an entry of a feed.
type Enclosure struct {
	// Page is the entry's own address, Home that of the feed's site. Both are absolute, or empty.
	Page, Home string
	// Medium is the file. Its SourceURL is the feed.
	Medium
}

// Bounds of a feed.
const (
	maxEnclosures = 10_000
	maxFeedTokens = 5_000_000
)

// Enclosures reads the sounds and moving pictures of a feed in its order: RSS enclosures and media:content, Atom links with
// rel="enclosure", attachments of a JSON feed. If a feed is damaged it returns those before the damage. The error is the context's.
func Enclosures(ctx context.Context, feedURL string, body []byte) (_ []Enclosure, err error) {
	base, err := weburl.NewBase(feedURL)
	if err != nil {
		return nil, nil
	}
	r := feedReader{steps: walk.New(ctx), base: base, feed: feedURL, known: make(map[string]bool)}
	defer r.steps.Catch(&err)
	if trimmed := bytes.TrimSpace(bytes.TrimPrefix(body, utf8BOM)); len(trimmed) > 0 && trimmed[0] == '{' {
		r.readJSON(trimmed)
	} else {
		r.readXML(body)
	}
	return r.found, nil
}

type feedReader struct {
	steps *walk.Steps
	base  *weburl.Base
	feed  string

	home, page, title string
	inEntry           bool
	entry             int             // index in found of the entry's first
	known             map[string]bool // addresses of the entry
	found             []Enclosure
}

func (r *feedReader) absolute(href string) string {
	if abs, err := r.base.Resolve(strings.TrimSpace(href)); err == nil && isWeb(abs) {
		return abs
	}
	return ""
}

func (r *feedReader) add(href, mediaType, duration string) {
	mediaType = plainType(mediaType)
	if mediaType == "" {
		mediaType = mediaTypes[extensionOf(href)]
	}
	if href = r.absolute(href); href == "" || !IsMedia(mediaType) || len(r.found) >= maxEnclosures {
		return
	}
	if r.known[href] {
		return
	}
	r.known[href] = true
	m := Medium{URL: href, SourceURL: r.feed, Source: "feed", Kind: mediumFile, Provider: hostOf(href), MimeType: mediaType, Duration: duration}
	r.found = append(r.found, Enclosure{Medium: m})
}

// begin and end an entry. What stands in it in any order belongs to all its files.
func (r *feedReader) begin() {
	r.inEntry, r.page, r.title, r.entry, r.known = true, "", "", len(r.found), make(map[string]bool)
}

func (r *feedReader) end() {
	for i := r.entry; i < len(r.found); i++ {
		r.found[i].Page, r.found[i].Home, r.found[i].Title = r.page, r.home, nodes.Fold(r.title)
	}
	r.inEntry, r.entry, r.known = false, len(r.found), make(map[string]bool)
}

// readXML walks the tokens. No entity beyond those of XML is expanded, and nothing is fetched.
func (r *feedReader) readXML(body []byte) {
	d := xml.NewDecoder(walk.NewReader(r.steps, bytes.NewReader(body)))
	d.Strict = false
	d.CharsetReader = charset.NewReaderLabel
	for range maxFeedTokens {
		r.steps.Visit()
		t, err := d.RawToken()
		if err != nil {
			break
		}
		switch t := t.(type) {
		case xml.StartElement:
			r.open(d, t)
		case xml.EndElement:
			if name := t.Name.Local; name == "item" || name == "entry" {
				r.end()
			}
		}
	}
	r.end()
}

func (r *feedReader) open(d *xml.Decoder, t xml.StartElement) {
	attrs := map[string]string{}
	for _, a := range t.Attr {
		attrs[a.Name.Local] = a.Value
	}
	switch name := t.Name.Local; {
	case name == "item" || name == "entry":
		r.begin()
	case name == "link" && attrs["href"] != "":
		r.atomLink(attrs)
	case name == "link" && t.Name.Space == "":
		r.link(r.absolute(textWithin(d)))
	case name == "title" && t.Name.Space == "" && r.inEntry && r.title == "":
		r.title = textWithin(d)
	case name == "enclosure":
		r.add(attrs["url"], attrs["type"], "")
	case name == "content" && attrs["url"] != "":
		r.add(attrs["url"], attrs["type"], attrs["duration"])
	}
}

func (r *feedReader) atomLink(attrs map[string]string) {
	switch attrs["rel"] {
	case "", "alternate":
		r.link(r.absolute(attrs["href"]))
	case "enclosure":
		r.add(attrs["href"], attrs["type"], "")
	}
}

func (r *feedReader) link(href string) {
	switch {
	case r.inEntry && r.page == "":
		r.page = href
	case !r.inEntry && r.home == "":
		r.home = href
	}
}

// textWithin is the text up to the next tag.
func textWithin(d *xml.Decoder) string {
	var b strings.Builder
	for {
		t, err := d.RawToken()
		if err != nil {
			return b.String()
		}
		switch t := t.(type) {
		case xml.CharData:
			b.Write(t)
		case xml.StartElement, xml.EndElement:
			return b.String()
		}
	}
}

func (r *feedReader) readJSON(body []byte) {
	var feed struct {
		Home  string `json:"home_page_url"`
		Items []struct {
			URL, Title  string
			Attachments []struct {
				URL      string
				MimeType string      `json:"mime_type"`
				Seconds  json.Number `json:"duration_in_seconds"`
			}
		}
	}
	d := json.NewDecoder(bytes.NewReader(body))
	if err := d.Decode(&feed); err != nil && !errors.Is(err, io.EOF) {
		return
	}
	r.home = r.absolute(feed.Home)
	for _, it := range feed.Items {
		r.steps.Visit()
		r.begin()
		r.page, r.title = r.absolute(it.URL), it.Title
		for _, a := range it.Attachments {
			r.add(a.URL, a.MimeType, a.Seconds.String())
		}
		r.end()
	}
}
