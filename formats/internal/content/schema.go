package content

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// schema counts what a page declares itself and its parts to be, in schema.org's or Open Graph's words.
type schema [schemaTypes]int32

const (
	schemaArticle = iota
	schemaForum
	schemaProduct
	ogArticle
	ogProduct
	schemaTypes
)

// declaredTypes are the types that show a kind.
var declaredTypes = map[string]int{
	"article": schemaArticle, "newsarticle": schemaArticle, "blogposting": schemaArticle, "reportagenewsarticle": schemaArticle,
	"opinionnewsarticle": schemaArticle, "analysisnewsarticle": schemaArticle, "scholarlyarticle": schemaArticle, "recipe": schemaArticle,
	"discussionforumposting": schemaForum, "qapage": schemaForum,
	"product": schemaProduct, "productgroup": schemaProduct,
}

// aFew is the number of things of one sort up to which a page is about one of them, and not about their list.
const aFew = 3

// about reports that a page is about one thing of a type.
func (s *schema) about(t int) bool { return s[t] > 0 && s[t] <= aFew }

// schema reads microdata types, og:type and the types in JSON-LD, seen or not.
func schemaOf(t *Tree) schema {
	var s schema
	for i := range t.nodes {
		t.steps.Visit()
		n := t.nodes[i].Node
		if n.Type != html.ElementNode {
			continue
		}
		switch n.DataAtom {
		case atom.Meta:
			if attr(n, "property") == "og:type" {
				s.openGraph(strings.ToLower(attr(n, "content")))
			}
		case atom.Script:
			if attr(n, "type") == "application/ld+json" && n.FirstChild != nil {
				s.declared(n.FirstChild.Data)
			}
		default:
			if v := attr(n, "itemtype"); v != "" {
				s.count(v[strings.LastIndexByte(v, '/')+1:])
			}
		}
	}
	return s
}

func (s *schema) openGraph(kind string) {
	switch {
	case kind == "article":
		s[ogArticle]++
	case kind == "product" || strings.HasPrefix(kind, "product.") || kind == "og:product":
		s[ogProduct]++
	}
}

func (s *schema) count(name string) {
	if t, ok := declaredTypes[strings.ToLower(name)]; ok {
		s[t]++
	}
}

// declared counts the types that a JSON-LD text names.
func (s *schema) declared(text string) {
	for {
		_, rest, found := strings.Cut(text, `"@type"`)
		if !found {
			return
		}
		text = rest
		value := strings.TrimLeft(rest, " \t\r\n:[")
		if after, ok := strings.CutPrefix(value, `"`); ok {
			name, _, _ := strings.Cut(after[:min(len(after), 40)], `"`)
			s.count(name)
		}
	}
}
