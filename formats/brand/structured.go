package brand

import (
	"encoding/json"
	"slices"
	"strings"
)

// structured is what JSON-LD says of who runs the site.
type structured struct {
	name string
	logo string // as written
}

// organizations are the types of schema.org that run sites, beside those that end in Organization, Business or Store.
var organizations = []string{"Corporation", "Brand", "WebSite", "Restaurant", "Hotel", "LocalBusiness"}

// maxNodes bounds the objects that are looked at.
const maxNodes = 2000

// structured reads the page's JSON-LD: the name and logo of the first organization, else of its web site.
func (j *judgement) structured() {
	for _, text := range j.Data {
		var v any
		if len(text) > 1<<17 || json.Unmarshal([]byte(text), &v) != nil {
			continue
		}
		left := maxNodes
		j.said.walk(v, &left)
	}
}

func (s *structured) walk(v any, left *int) {
	if *left--; *left <= 0 {
		return
	}
	switch v := v.(type) {
	case []any:
		for _, part := range v {
			s.walk(part, left)
		}
	case map[string]any:
		if isOrganization(v["@type"]) {
			s.take(v)
		}
		for _, key := range []string{"@graph", "publisher", "mainEntity", "brand", "isPartOf"} {
			if inner, ok := v[key]; ok {
				s.walk(inner, left)
			}
		}
	}
}

func (s *structured) take(v map[string]any) {
	if name, _ := v["name"].(string); s.name == "" {
		s.name = tidy(name)
	}
	if s.logo == "" {
		s.logo = imageURL(v["logo"])
	}
}

func isOrganization(kind any) bool {
	switch kind := kind.(type) {
	case string:
		kind = kind[strings.LastIndexByte(kind, '/')+1:]
		return slices.Contains(organizations, kind) || strings.HasSuffix(kind, "Organization") || strings.HasSuffix(kind, "Business") || strings.HasSuffix(kind, "Store")
	case []any:
		return slices.ContainsFunc(head(kind, 20), isOrganization)
	}
	return false
}

// imageURL of an ImageObject, a list of such, or a text.
func imageURL(v any) string {
	for range 5 {
		switch inner := v.(type) {
		case string:
			return strings.TrimSpace(inner)
		case []any:
			if len(inner) == 0 {
				return ""
			}
			v = inner[0]
		case map[string]any:
			next, ok := inner["url"]
			if !ok {
				next = inner["contentUrl"]
			}
			v = next
		}
	}
	return ""
}
