package formats

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
)

// Bounds of what is read from data in scripts.
const (
	maxData      = 100     // scripts
	maxDataBytes = 4 << 20 // of one script
	maxItems     = 500     // JSON-LD objects
	maxItemDepth = 4       // of objects in @graph and mainEntity
)

// dataScript is data for scripts: a script element that holds it, or an attribute.
type dataScript struct {
	linked bool // JSON-LD
	text   string
}

// noteData keeps a script element when it holds JSON.
func (d *DOM) noteData(n *html.Node) {
	if n.FirstChild == nil || len(n.FirstChild.Data) > maxDataBytes || len(d.data) >= maxData {
		return
	}
	mediaType, _, _ := strings.Cut(strings.ToLower(attr(n, "type")), ";")
	switch text := n.FirstChild.Data; strings.TrimSpace(mediaType) {
	case "application/ld+json":
		d.data = append(d.data, dataScript{true, text})
	case "application/json", "text/json":
		d.data = append(d.data, dataScript{false, text})
	case "", "text/javascript", "application/javascript":
		if assignsState(text) {
			d.data = append(d.data, dataScript{false, text})
		}
	}
}

// noteState keeps an attribute that hands a state to scripts.
func (d *DOM) noteState(key, value string) {
	const least = 1000
	if len(value) >= least && len(value) <= maxDataBytes && (value[0] == '{' || value[0] == '[') && len(d.data) < maxData && (strings.HasPrefix(key, "data-") || key == "props") {
		d.data = append(d.data, dataScript{false, value})
	}
}

// assignsState tells whether a script begins by giving a variable a large object, as the state of a framework is handed over.
func assignsState(script string) bool {
	const least, window = 1000, 100
	if script = strings.TrimSpace(script); len(script) < least {
		return false
	}
	name, value, found := strings.Cut(script[:window], "=")
	value = strings.TrimSpace(value)
	return found && !strings.ContainsAny(name, "(){};,") && (strings.HasPrefix(value, "{") || strings.HasPrefix(value, "[") || strings.HasPrefix(value, "JSON.parse("))
}

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

// types are the names of an item's types, without the vocabulary's address.
func (it *item) types() []string {
	list := jsonTexts(it.Type, 0)
	for i, t := range list {
		list[i] = t[strings.LastIndexAny(t, "/#:")+1:]
	}
	return list
}

// is tells whether an item is of one of the types.
func (it *item) is(match func(string) bool) bool {
	for _, t := range it.types() {
		if match(t) {
			return true
		}
	}
	return false
}

func isArticleType(t string) bool {
	return strings.HasSuffix(t, "Article") || strings.HasSuffix(t, "Posting") && t != "JobPosting" || t == "Report"
}

func isPageType(t string) bool { return strings.HasSuffix(t, "Page") }

// isThreadType tells of what the answers belong to the content.
func isThreadType(t string) bool {
	return t == "DiscussionForumPosting" || t == "SocialMediaPosting" || t == "Question"
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

// thingTypes are the types of what a page is about, beside articles.
var thingTypes = names("Product", "ProductGroup", "Recipe", "Event", "Book", "Course", "Movie", "TVEpisode", "TVSeries", "PodcastEpisode", "MusicRecording", "MusicAlbum",
	"VideoObject", "JobPosting", "SoftwareApplication", "MobileApplication", "WebApplication", "SoftwareSourceCode", "Dataset", "HowTo", "Question", "Review",
	"CreativeWork", "ClaimReview", "Thesis", "Chapter", "Quiz", "Game", "VideoGame", "Service", "Place", "LocalBusiness", "Restaurant", "Hotel", "MedicalWebPage")

// subject is what the page of that title is about: its article, else its thing; nil when there is none, or several of which none names the
// page's address or title.
func (d *DOM) subject(title string) *item {
	items := d.linkedData()
	for _, match := range []func(string) bool{isArticleType, func(t string) bool { return thingTypes[t] }} {
		var found []*item
		for i := range items {
			if items[i].is(match) {
				found = append(found, &items[i])
			}
		}
		if len(found) == 1 {
			return found[0]
		}
		for _, it := range found {
			if d.isSelf(jsonText(it.MainEntityOfPage)) || d.isSelf(jsonText(it.URL)) || d.isSelf(jsonText(it.ID)) {
				return it
			}
		}
		for _, it := range found {
			if name := first(fold(jsonText(it.Headline)), fold(jsonText(it.Name))); name != "" && strings.HasPrefix(title, name) {
				return it
			}
		}
	}
	return nil
}

// isSelf tells whether an address is that of the page, whatever its fragment.
func (d *DOM) isSelf(address string) bool {
	if address == "" {
		return false
	}
	plain := func(s string) string {
		s, _, _ = strings.Cut(s, "#")
		return strings.TrimSuffix(s, "/")
	}
	return plain(d.absolute(address)) == plain(d.absolute(d.src.URL))
}

// webPage is what JSON-LD says of the page itself, nil when it says nothing.
func (d *DOM) webPage() *item {
	items := d.linkedData()
	for i := range items {
		if items[i].is(isPageType) {
			return &items[i]
		}
	}
	return nil
}

// repairJSON gives JSON that can be read. Pages break it by comments around it, line breaks within strings, and commas before closing
// brackets; what is broken otherwise comes out as it is.
func repairJSON(s string) []byte {
	s = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(s), "\uFEFF"))
	for _, mark := range [][2]string{{"<!--", "-->"}, {"//<![CDATA[", "//]]>"}, {"/*<![CDATA[*/", "/*]]>*/"}, {"<![CDATA[", "]]>"}} {
		s = strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(s, mark[0]), mark[1]))
	}
	s = strings.TrimRight(s, "; \t\r\n")
	if json.Valid([]byte(s)) {
		return []byte(s)
	}
	return mendJSON(s)
}

func mendJSON(s string) []byte {
	out := make([]byte, 0, len(s)+64)
	inside := false
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case inside && c == '\\' && i+1 < len(s):
			out = appendEscape(out, s[i+1])
			i++
			continue
		case c == '"':
			inside = !inside
		case inside && c < ' ':
			out = append(out, ' ')
			continue
		case !inside && (c == '}' || c == ']'):
			out = dropComma(out)
		}
		out = append(out, c)
	}
	return out
}

// appendEscape keeps an escape that JSON knows; of all others the character stays.
func appendEscape(out []byte, c byte) []byte {
	switch {
	case strings.IndexByte(`"\/bfnrtu`, c) >= 0:
		return append(out, '\\', c)
	case c < ' ':
		return append(out, ' ')
	case c < utf8.RuneSelf:
		return append(out, c)
	}
	return append(out, c)
}

func dropComma(out []byte) []byte {
	trimmed := bytes.TrimRight(out, " \t\r\n")
	if len(trimmed) > 0 && trimmed[len(trimmed)-1] == ',' {
		return trimmed[:len(trimmed)-1]
	}
	return out
}
