package content

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// trimmer looks at what stands between the paragraphs of a text.
type trimmer struct {
	*page
	stats []stat
	text  int // the element with the text; 0 is the whole page
	metas int // lines about who and when so far
	flow  int // the element whose own paragraphs are most of it
	first int // the first paragraph in it
	last  int // the last
	sure  sureness
}

// sureness is what must be known of a page before a rule is asked.
type sureness uint8

const (
	anyProse   sureness = iota // manuals as well, where a paragraph may be one link or a line without a sentence
	noManual                   // any other page of prose
	oneArticle                 // one text for sure
)

// trimRule is one reason to leave an element out of a text. Rules are asked for the elements of the text in document
// order, outermost first.
type trimRule struct {
	name  string
	needs sureness
	drops func(t *trimmer, i int, n *html.Node, s *stat) bool
}

// trimRules are all of them.
var trimRules = []trimRule{
	{"caption", noManual, (*trimmer).isCaption},
	{"heading", anyProse, (*trimmer).isForeignSection},
	{"call", oneArticle, (*trimmer).isCall},
	{"byline", oneArticle, (*trimmer).isByline},
	{"meta", oneArticle, (*trimmer).isMeta},
	{"opener", oneArticle, (*trimmer).isPointer},
	{"tail", oneArticle, (*trimmer).isTail},
}

// trimText leaves out what stands between the paragraphs of a text without belonging to it.
func (p *page) trimText(text int, stats []stat) {
	t := &trimmer{page: p, stats: stats, text: text}
	t.findFlow()
	t.sure = t.howSure()
	for i := text + 1; i < p.End(text); i++ {
		n := p.nodes[i].Node
		switch {
		case p.out[i]:
			i = p.End(i) - 1
		case n.Type == html.ElementNode && stats[i].words > 0 && isBlock(n) && t.drops(i, n):
			p.out[i] = true
			i = p.End(i) - 1
		}
	}
}

const muchOfText = 30 // percent of a text's prose that is never left out at once

func (t *trimmer) drops(i int, n *html.Node) bool {
	s := &t.stats[i]
	if s.h1 > 0 || atLeast(s.weight, t.stats[t.text].weight, muchOfText) && s.weight > 0 {
		return false
	}
	for k := range trimRules {
		r := &trimRules[k]
		if t.sure >= r.needs && r.drops(t, i, n, s) {
			return true
		}
	}
	return false
}

// findFlow finds the element whose children are most of the text, and the first and the last paragraph of all.
func (t *trimmer) findFlow() {
	t.flow = t.text
	for i := t.text; i < t.End(t.text); i++ {
		if t.out[i] {
			i = t.End(i) - 1
			continue
		}
		s := &t.stats[i]
		if s.runWeight > t.stats[t.flow].runWeight {
			t.flow = i
		}
		if s.reads {
			if t.first == 0 {
				t.first = i
			}
			t.last = i
		}
	}
}

// howSure tells a page that is one text for sure: paragraph after paragraph, or enough of it on a page that says so.
func (t *trimmer) howSure() sureness {
	if t.kind == Documentation {
		return anyProse
	}
	if t.stats[t.flow].run >= runOfParagraphs || t.stats[t.text].weight >= longText && t.facts.schema[schemaArticle] > 0 {
		return oneArticle
	}
	return noManual
}

const (
	runOfParagraphs = 5   // sentences in so many children of one element are an article
	longText        = 300 // weight of the prose of a page that calls itself an article
)

func (t *trimmer) isCaption(_ int, n *html.Node, _ *stat) bool {
	return n.DataAtom == atom.Figcaption || hasToken(n, captionNames)
}

var captionNames = set("wp-caption-text", "caption", "image-caption", "figure-caption", "photo-caption", "image-credit", "photo-credit")

func hasToken(n *html.Node, names map[string]bool) bool {
	for token := range strings.FieldsSeq(attr(n, "class")) {
		if names[token] {
			return true
		}
	}
	return false
}

const callWords = 6

func (t *trimmer) isCall(i int, n *html.Node, s *stat) bool {
	if s.words != s.linkWords || s.images > 0 {
		return false
	}
	switch n.DataAtom {
	case atom.P:
		return s.direct == s.words && s.words <= 30
	case atom.Div, atom.Center, atom.Section, atom.Aside:
		return s.words <= callWords*max(s.anchors, 1)
	}
	return false
}

const bylineWords = 12

func (t *trimmer) isByline(i int, n *html.Node, s *stat) bool {
	if t.End(i) > t.first || s.words > bylineWords || s.marks > 0 || s.prose > 0 || s.headings > 0 {
		return false
	}
	switch n.DataAtom {
	case atom.P, atom.Div, atom.Ul, atom.Address:
		return !strings.HasSuffix(t.line(i), ":")
	}
	return false
}

const (
	metaWords = 25
	fewMetas  = 4 // more such lines are a list of events or the like
)

// isMeta reports a line that markup tells to be about who wrote the text, and when.
func (t *trimmer) isMeta(i int, n *html.Node, s *stat) bool {
	if s.words > metaWords || s.marks > 1 || s.prose > 0 || s.headings > 0 || t.metas >= fewMetas {
		return false
	}
	switch n.DataAtom {
	case atom.P, atom.Div, atom.Ul, atom.Address, atom.Section, atom.Header, atom.Dl:
	default:
		return false
	}
	if s.metas == 0 {
		return false
	}
	t.metas++
	return true
}

func (t *trimmer) isTail(i int, n *html.Node, s *stat) bool {
	if i < t.last || s.words > bylineWords || s.marks > 0 || s.prose > 0 || s.headings > 0 || t.End(i) < t.End(t.text)-100 {
		return false
	}
	switch n.DataAtom {
	case atom.P, atom.Div, atom.Address:
		return s.linkWords*2 >= s.words
	}
	return false
}

const asideWords = 30

// isPointer reports a short line that begins like a note about the page, or like a pointer to another.
func (t *trimmer) isPointer(i int, n *html.Node, s *stat) bool {
	if s.direct != s.words || s.words > asideWords {
		return false
	}
	switch n.DataAtom {
	case atom.P, atom.Div, atom.Address, atom.H6, atom.Blockquote:
	default:
		return false
	}
	line := t.line(i)
	for _, o := range openers {
		if strings.HasPrefix(line, o) {
			return true
		}
	}
	return false
}

const foreignShare = 25

// isForeignSection reports a section that its heading tells to be about something else.
func (t *trimmer) isForeignSection(i int, n *html.Node, s *stat) bool {
	if atLeast(s.words, t.stats[t.text].words, foreignShare) || s.headings == 0 && n.DataAtom != atom.P && n.DataAtom != atom.Div {
		return false
	}
	if !foreignHeadings[strings.Trim(t.line(i), " :.!?…")] {
		return false
	}
	return true
}

// longLine is the number of bytes of a line that rules by phrases look at.
const longLine = 60

// line is the beginning of the first line of text below i, in lower case.
func (t *trimmer) line(i int) string {
	block := int32(-1)
	var f folder
	for k := i; k < t.End(i) && f.b.Len() <= longLine; k++ {
		e := &t.nodes[k]
		if t.out[k] {
			k = t.End(k) - 1
			continue
		}
		if e.Type != html.TextNode || e.words == 0 && block < 0 {
			continue
		}
		if block < 0 {
			block = e.block
		}
		if e.block != block {
			break
		}
		f.text(e.Data[:min(len(e.Data), 4*longLine)])
	}
	return strings.ToLower(f.b.String())
}
