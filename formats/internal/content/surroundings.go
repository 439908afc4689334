package content

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// surroundings are what is known of an element from what it is inside of, itself included.
type surroundings struct {
	within uint32    // a bit for each of withinNames
	hints  [2]uint64 // bits for hintNames: of the nearest elements around that have any, nearest first
	depth  int32
	item   bool // in a card
	post   bool // in a post
}

// withinNames are the sorts of elements that a text can be inside of.
var withinNames = []string{
	"nav", "footer", "header", "aside", "form", "article", "main", "table", "list", "figure", "button", "heading", "quote", "pre", "paragraph", "strong", "definition",
	"frame", "box", "comment", "review", "action", "control", "hidden", "user", "written", "meta", "price", "goods",
}

var withinBits = bitsOf(withinNames)

// hintNames are parts of the values of class and id. They are evidence only together with much else.
var hintNames = []string{
	"comment", "related", "share", "social", "sidebar", "foot", "nav", "menu", "head", "promo", "advert", "banner", "meta", "breadcrumb", "author", "widget", "cookie", "modal", "popup",
	"card", "title", "content", "article", "post", "entry", "body", "text", "desc", "review", "price", "product", "list", "item", "grid", "tag", "date", "caption", "button", "btn",
	"search", "filter", "login", "user", "reply", "signature", "quote", "newsletter", "subscribe", "recommend", "teaser", "intro", "hero", "testimonial", "feature", "cta", "tab",
	"accordion", "faq", "hidden", "mobile", "copyright", "pag", "top", "bottom",
}

func bitsOf(names []string) map[string]uint32 {
	bits := make(map[string]uint32)
	for i, name := range names {
		bits[name] = 1 << i
	}
	return bits
}

// withinTags are the bits of elements.
var withinTags = map[atom.Atom]uint32{
	atom.Nav: withinBits["nav"], atom.Footer: withinBits["footer"], atom.Header: withinBits["header"], atom.Aside: withinBits["aside"], atom.Form: withinBits["form"],
	atom.Article: withinBits["article"], atom.Main: withinBits["main"], atom.Table: withinBits["table"], atom.Ul: withinBits["list"], atom.Ol: withinBits["list"],
	atom.Figure: withinBits["figure"], atom.Button: withinBits["button"], atom.Select: withinBits["button"], atom.Option: withinBits["button"],
	atom.Textarea: withinBits["button"], atom.H1: withinBits["heading"], atom.H2: withinBits["heading"], atom.H3: withinBits["heading"], atom.H4: withinBits["heading"],
	atom.H5: withinBits["heading"], atom.H6: withinBits["heading"], atom.Blockquote: withinBits["quote"], atom.Pre: withinBits["pre"], atom.P: withinBits["paragraph"],
	atom.Strong: withinBits["strong"], atom.B: withinBits["strong"], atom.Dl: withinBits["definition"],
}

// withinRoles are the bits of roles.
var withinRoles = map[string]uint32{
	"main": withinBits["main"], "navigation": withinBits["nav"], "contentinfo": withinBits["footer"], "complementary": withinBits["aside"], "banner": withinBits["header"],
	"article": withinBits["article"],
}

// withinKinds are the bits of names that mark boilerplate.
var withinKinds = map[kind]uint32{
	frame: withinBits["frame"], box: withinBits["box"], comment: withinBits["comment"], review: withinBits["review"], action: withinBits["action"], control: withinBits["control"],
}

// withinSigns are the bits of names that are other evidence.
var withinSigns = []struct {
	sign signs
	bit  uint32
}{
	{signUser, withinBits["user"]}, {signPost, withinBits["written"]}, {signMeta, withinBits["meta"]}, {signPrice, withinBits["price"]}, {signGoods, withinBits["goods"]},
}

// surroundings lists them for all nodes. The answer holds until the next call.
func (p *page) surroundings() []surroundings {
	p.steps.Add(len(p.nodes))
	list := p.memory.around
	hints := make(map[string]uint64)
	parts, end, post := p.facts.runs.parts, 0, false
	for i := range p.nodes {
		e, s := &p.nodes[i], &list[i]
		if *s = (surroundings{}); e.parent >= 0 {
			*s = list[e.parent]
			s.depth++
		}
		if e.Type != html.ElementNode || e.DataAtom == atom.Body || e.DataAtom == atom.Html {
			continue
		}
		for len(parts) > 0 && parts[0].at <= i {
			end, post, parts = p.End(parts[0].at), parts[0].post, parts[1:]
		}
		s.item, s.post = i < end && !post, i < end && post
		s.within |= withinOf(e)
		if h := hintsOf(e.Node, hints); h != 0 {
			s.hints = [2]uint64{h, s.hints[0]}
		}
	}
	return list
}

func withinOf(e *node) uint32 {
	bits := withinTags[e.DataAtom] | withinKinds[e.mark.kind]
	for i := range e.Attr {
		switch a := &e.Attr[i]; a.Key {
		case "role":
			bits |= withinRoles[a.Val]
		case "style":
			if hides(a.Val) {
				bits |= withinBits["hidden"]
			}
		}
	}
	if e.mark.signs != 0 {
		for _, s := range withinSigns {
			if e.mark.signs&s.sign != 0 {
				bits |= s.bit
			}
		}
	}
	return bits
}

// maxName is the length up to which the value of a class or id is looked at.
const maxName = 200

// hintsOf finds the hints in the class and id of an element; known are those of values that were looked at before.
func hintsOf(n *html.Node, known map[string]uint64) uint64 {
	var bits uint64
	for i := range n.Attr {
		if a := &n.Attr[i]; a.Key == "class" || a.Key == "id" {
			h, ok := known[a.Val]
			if !ok {
				h = hintsIn(strings.ToLower(a.Val[:min(len(a.Val), maxName)]))
				known[a.Val] = h
			}
			bits |= h
		}
	}
	return bits
}

func hintsIn(name string) uint64 {
	var bits uint64
	for at := range len(name) {
		for _, h := range hintsByStart[name[at]] {
			if strings.HasPrefix(name[at:], hintNames[h]) {
				bits |= 1 << h
			}
		}
	}
	return bits
}

// hintsByStart are the indexes of hintNames by their first byte.
var hintsByStart = func() (by [256][]uint8) {
	for i, hint := range hintNames {
		by[hint[0]] = append(by[hint[0]], uint8(i))
	}
	return by
}()
