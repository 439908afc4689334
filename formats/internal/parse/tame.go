package parse

import (
	"bytes"
	"context"

	"golang.org/x/net/html"

	"github.com/winnow-go/winnow/formats/internal/nodes"
	"github.com/winnow-go/winnow/formats/internal/walk"
)

const (
	longTag       = 4 << 10 // bytes from which a tag is looked at for its number of attributes
	maxAttributes = 64      // of one tag, in a body that goes through the filter
	maxUnclosed   = 24      // formatting elements of one name left open at a time
	maxReopened   = 4       // formatting elements that are open at a tag, on average
	fewReopened   = 1000    // of them in a row of tags, whatever the average
	maxKept       = 3       // formatting elements around a text, in a body that would open too many again
	maxRepeats    = 16      // further html and body tags, whose attributes the parser merges
)

// costly scans a body for what makes the parser's work or its tree grow faster than the body:
// formatting elements left open, which it opens again in every paragraph, many at once or a few very often; tags with hundreds of
// attributes, which it then copies; html and body tags by the hundred, which it merges.
func costly(body []byte) bool {
	s := scanTags(body)
	return s.costly || s.reopens
}

// scanTags looks at the beginnings of all tags, and of what may be tags in scripts.
func scanTags(body []byte) *tagScan {
	s := &tagScan{}
	for i := bytes.IndexByte(body, '<'); i >= 0 && i < len(body)-2 && !s.reopens; {
		rest := body[i+1:]
		next := bytes.IndexByte(rest, '<')
		tag := rest
		if next >= 0 {
			tag = rest[:next]
		}
		s.costly = s.costly || len(tag) > longTag && manyAttributes(tag)
		s.add(tag)
		if next < 0 {
			break
		}
		i += 1 + next
	}
	return s
}

// tagScan is what is known of a body up to a tag.
type tagScan struct {
	costly  bool
	reopens bool // the formatting elements left open would be opened again too often

	open     [1 << 8]int // formatting elements by first letter: names that share one share a count
	repeats  int
	raw      uint8 // the element that is open whose text is no HTML, by its number in tagKinds: there are no tags in it
	unclosed int   // formatting elements, but for links: they end one another
	reopened int   // how many more than maxReopened were open at tags
}

func (s *tagScan) add(tag []byte) {
	closing := len(tag) > 1 && tag[0] == '/'
	if closing {
		tag = tag[1:]
	}
	name := shortName(tag)
	if name == 0 {
		return
	}
	kind, first := kindOf(name), byte(name)
	switch {
	case kind.page && !closing:
		s.repeats++
	case kind.formatting && closing:
		s.open[first] = max(0, s.open[first]-1)
	case kind.formatting:
		s.open[first]++
		s.costly = s.costly || s.open[first] > maxUnclosed
	}
	s.costly = s.costly || s.repeats > maxRepeats
	s.addOpen(kind, closing)
}

// addOpen counts what is open.
func (s *tagScan) addOpen(kind tagKind, closing bool) {
	switch {
	case s.raw != 0:
		if closing && kind.raw == s.raw {
			s.raw = 0
		}
	case kind.raw != 0 && !closing:
		s.raw = kind.raw
	case kind.adds && closing:
		s.unclosed = max(0, s.unclosed-1)
	case kind.adds:
		s.unclosed++
	case !closing && s.unclosed+s.reopened > 0:
		s.reopened = max(0, s.reopened+s.unclosed-maxReopened)
		s.reopens = s.reopens || s.reopened > fewReopened
	}
}

// tagKind is what matters of a name to a scan.
type tagKind struct {
	name             uint64 // see shortName
	formatting, page bool
	adds             bool  // one in another is opened again as well: links end one another
	raw              uint8 // which of rawElement
}

// kindSlots is such that no two of the names have the same rest: looking one up in a map would take longer than all else of a scan.
const kindSlots = 110

var tagKinds = func() (kinds [kindSlots]tagKind) {
	put := func(name string, k tagKind) {
		k.name = shortName([]byte(name))
		kinds[k.name%kindSlots] = k
	}
	put("html", tagKind{page: true})
	put("body", tagKind{page: true})
	for name := range formatting {
		put(name, tagKind{formatting: true, adds: name != "a" && name != "nobr"})
	}
	number := uint8(0)
	for name := range rawElement {
		number++
		put(name, tagKind{raw: number})
	}
	return kinds
}()

func kindOf(name uint64) tagKind {
	if k := &tagKinds[name%kindSlots]; k.name == name {
		return *k
	}
	return tagKind{}
}

// shortName has the letters of the tag's name in lower case, the first in the lowest byte; 0 for none, and for more than eight.
func shortName(tag []byte) (name uint64) {
	for n, c := range tag {
		c |= 0x20
		if c < 'a' || c > 'z' {
			break
		}
		if n == 8 {
			return 0
		}
		name |= uint64(c) << (8 * n)
	}
	return name
}

// formatting are the elements that the parser opens again after a block has closed them.
var formatting = map[string]bool{
	"a": true, "b": true, "big": true, "code": true, "em": true, "font": true, "i": true, "nobr": true, "s": true,
	"small": true, "strike": true, "strong": true, "tt": true, "u": true,
}

// manyAttributes reports a tag of more than maxAttributes attributes, or what may be one. What begins like no tag may
// be the rest of one that has a "<" in a value: there every gap counts, also those in values.
func manyAttributes(tag []byte) bool {
	if c := tag[0] | 0x20; c < 'a' || c > 'z' {
		end := bytes.IndexByte(tag, '>')
		if end < 0 {
			end = len(tag)
		}
		return end > longTag && bytes.Count(tag[:end], []byte(" "))+bytes.Count(tag[:end], []byte("\n"))+bytes.Count(tag[:end], []byte("/")) > 4*maxAttributes
	}
	count, gap := 0, false
	for i := 0; i < len(tag); i++ {
		switch c := tag[i]; {
		case c == '>':
			return false
		case c <= ' ' || c == '/':
			gap = true
		case (c == '"' || c == '\'') && i > 0 && tag[i-1] == '=':
			end := bytes.IndexByte(tag[i+1:], c)
			if end < 0 {
				return false // the rest is looked at by itself
			}
			i += 1 + end
		default:
			if gap {
				count++
			}
			gap = false
		}
		if count > maxAttributes {
			return true
		}
	}
	return false
}

// tamer rewrites the tokens of a body so that the parser gets a page of bounded depth: beyond half the
// depth elements that only group are dropped, beyond the depth all are. Their texts stay. It also
// drops end tags that close nothing, surplus formatting elements and surplus attributes. It works
// in one pass, in time linear in the body.
type tamer struct {
	depth   int
	strict  bool // of formatting elements few are kept, and all of these are closed
	stack   []openTag
	kept    int // tags of the stack that were written
	formats int // formatting elements of these
	repeats map[string]bool
	out     bytes.Buffer
}

type openTag struct {
	name string
	kept bool
}

func newTamer(depth int, strict bool) *tamer {
	return &tamer{depth: depth, strict: strict, repeats: make(map[string]bool)}
}

func (t *tamer) run(ctx context.Context, body []byte) []byte {
	t.out.Grow(len(body))
	z := html.NewTokenizer(walk.NewReader(ctx, bytes.NewReader(body)))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return t.out.Bytes()
		case html.TextToken:
			t.out.Write(z.Raw())
		case html.StartTagToken:
			t.start(z, false)
		case html.SelfClosingTagToken:
			t.start(z, true)
		case html.EndTagToken:
			name, _ := z.TagName()
			t.end(string(name))
		}
	}
}

func (t *tamer) start(z *html.Tokenizer, closed bool) {
	raw := z.Raw()
	few := len(raw) < longTag
	nameBytes, hasAttr := z.TagName()
	name := string(nameBytes)
	switch {
	case name == "plaintext":
		return
	case name == "html" || name == "body" || name == "head":
		if t.repeats[name] {
			return
		}
		t.repeats[name] = true
		t.write(z, raw, name, hasAttr, few)
		return
	case voidElement[name] || rawElement[name] || closed && t.kept < t.depth:
		t.write(z, raw, name, hasAttr, few)
		return
	case optionalEnd[name] && len(t.stack) > 0 && t.stack[len(t.stack)-1].name == name:
		t.pop()
	}
	keep := t.kept < t.depth && (t.kept < t.depth/2 || !grouping[name]) && !t.surplus(name)
	t.stack = append(t.stack, openTag{name, keep})
	if !keep {
		t.gap(name)
		return
	}
	t.kept++
	if formatting[name] {
		t.formats++
	}
	t.write(z, raw, name, hasAttr, few)
}

// surplus reports a formatting element of which many are open: looking at the top of the stack is enough.
func (t *tamer) surplus(name string) bool {
	if !formatting[name] {
		return false
	}
	if t.strict && t.formats >= maxKept {
		return true
	}
	count := 0
	for i := len(t.stack) - 1; i >= 0 && i > len(t.stack)-searchDepth; i-- {
		if t.stack[i].name == name && t.stack[i].kept {
			count++
		}
	}
	return count >= 3
}

// write copies a tag, or rewrites it with fewer attributes.
func (t *tamer) write(z *html.Tokenizer, raw []byte, name string, hasAttr, few bool) {
	if few {
		t.out.Write(raw)
		return
	}
	tok := html.Token{Type: html.StartTagToken, Data: name}
	for range maxAttributes {
		if !hasAttr {
			break
		}
		var key, val []byte
		key, val, hasAttr = z.TagAttr()
		tok.Attr = append(tok.Attr, html.Attribute{Key: string(key), Val: string(val)})
	}
	t.out.WriteString(tok.String())
}

// gap keeps the words around a dropped block apart.
func (t *tamer) gap(name string) {
	if !formatting[name] && name != "span" {
		t.out.WriteByte(' ')
	}
}

// searchDepth is how far up the stack an end tag is matched; further would cost more than linear time.
const searchDepth = 64

func (t *tamer) end(name string) {
	if rawElement[name] || name == "html" || name == "body" || name == "head" {
		if rawElement[name] {
			t.out.WriteString("</" + name + ">")
		}
		return
	}
	for i := len(t.stack) - 1; i >= 0 && i > len(t.stack)-searchDepth; i-- {
		if t.stack[i].name != name {
			continue
		}
		kept := t.stack[i].kept
		for len(t.stack) > i+1 {
			if top := t.stack[len(t.stack)-1]; t.strict && top.kept && formatting[top.name] {
				t.out.WriteString("</" + top.name + ">") // or the parser would open it again
			}
			t.pop()
		}
		t.pop()
		if kept {
			t.out.WriteString("</" + name + ">")
		} else {
			t.gap(name)
		}
		return
	}
}

func (t *tamer) pop() {
	top := len(t.stack) - 1
	if t.stack[top].kept {
		t.kept--
		if formatting[t.stack[top].name] {
			t.formats--
		}
	}
	t.stack = t.stack[:top]
}

var (
	voidElement = nodes.Names("area", "base", "br", "col", "embed", "hr", "img", "input", "keygen", "link", "meta", "param", "source", "track", "wbr")
	rawElement  = nodes.Names("script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes", "noscript")
	optionalEnd = nodes.Names("p", "li", "dt", "dd", "tr", "td", "th", "option", "optgroup")
	grouping    = nodes.Names("div", "span", "section", "font", "center", "b", "i", "u", "s", "small", "big", "form", "fieldset", "article", "main",
		"header", "footer", "aside", "nav", "bdo", "bdi", "label", "tt", "nobr", "details", "figure", "object", "button", "svg", "g")
)
