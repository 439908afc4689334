package formats

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/winnow-go/winnow/formats/internal/nodes"
	"github.com/winnow-go/winnow/formats/internal/pagedata"
)

// Bounds of the search for media in JSON-LD.
const (
	maxLinkedDepth = 12
	maxLinkedNodes = 20_000
)

// addLinked takes the AudioObject and VideoObject of JSON-LD (schema.org/MediaObject), wherever in it they are, and what names its file
// by contentUrl or its player by embedUrl.
func (f *mediaFinder) addLinked() {
	for text := range f.dom.data.LinkedTexts() {
		if !strings.Contains(text, "contentUrl") && !strings.Contains(text, "embedUrl") {
			continue
		}
		var v any
		if json.Unmarshal(pagedata.Repair(text), &v) == nil {
			left := maxLinkedNodes
			f.search(v, "", maxLinkedDepth, &left)
		}
	}
}

// search goes through all values; under is the property that led to one. Properties go in the order of their
// names: a map has none.
func (f *mediaFinder) search(v any, under string, depth int, left *int) {
	if *left--; *left < 0 || depth < 0 {
		return
	}
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			f.search(e, under, depth-1, left)
		}
	case map[string]any:
		f.object(v, under)
		names := make([]string, 0, len(v))
		for name := range v {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			f.search(v[name], name, depth-1, left)
		}
	}
}

func (f *mediaFinder) object(o map[string]any, under string) {
	file, player := linkedText(o["contentUrl"]), linkedText(o["embedUrl"])
	if file == "" && player == "" {
		return
	}
	kinds := linkedText(o["@type"]) + " " + under
	isVideo := strings.Contains(strings.ToLower(kinds), "video") || strings.Contains(kinds, "Clip")
	isAudio := strings.Contains(strings.ToLower(kinds), "audio") || strings.Contains(kinds, "Podcast") || strings.Contains(kinds, "Music")
	mediaType := plainType(linkedText(o["encodingFormat"]))
	if !isVideo && !isAudio && !IsMedia(mediaType) && !IsMedia(mediaTypes[extensionOf(file)]) {
		return // a picture, a data set
	}
	m := Medium{
		Source: "json-ld", Title: nodes.Fold(linkedText(o["name"])), Description: nodes.Fold(linkedText(o["description"])), Duration: linkedText(o["duration"]),
		Thumbnail: linkedText(o["thumbnailUrl"]), Width: pixels(linkedText(o["width"])), Height: pixels(linkedText(o["height"])),
	}
	if file != "" {
		m.URL, m.MimeType = file, mediaType
		f.add(m, isVideo)
	}
	if player != "" {
		m.URL, m.MimeType, m.Kind = player, "", mediumEmbed
		f.add(m, isVideo)
	}
}

// linkedText is a value as a text: of a list the first, of an object its value, name or address.
func linkedText(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case float64:
		return fmt.Sprint(v)
	case []any:
		if len(v) > 0 {
			return linkedText(v[0])
		}
	case map[string]any:
		for _, key := range []string{"value", "@value", "name", "url", "@id"} {
			if s, ok := v[key].(string); ok {
				return s
			}
		}
	}
	return ""
}
