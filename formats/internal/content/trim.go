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
	flow  int // the element whose own paragraphs are most of it
	first int // the first paragraph in the text
	last  int // the last one
	metas int // lines about who and when that have been left out
	sure  sureness

	texts    []int32 // for each node the first text with words from there on
	lineAt   int32   // the text that the last line read begins with, as do those of all that begins with it; -1 for none
	lineRead string  // that line
}

// sureness is what must be known of a page before a rule is applied.
type sureness uint8

const (
	anyProse   sureness = iota // manuals as well, where a paragraph may be one link or a line without a sentence
	noManual                   // any other page of prose
	oneArticle                 // one text for sure
)

// trimRule is one reason to leave an element out of a text. Rules are applied to the elements of the text in document
// order, outermost first.
type trimRule struct {
	name  string
	needs sureness
	drops func(t *trimmer, i int, n *html.Node, s *stat) bool
}

// trimRules are all of them.
var trimRules = []trimRule{
	{"section about something else", anyProse, (*trimmer).isForeign},
	{"caption", noManual, (*trimmer).isCaption},
	{"call to follow a link", oneArticle, (*trimmer).isCall},
	{"lines before the first paragraph", oneArticle, (*trimmer).isBeforeText},
	{"author and date", oneArticle, (*trimmer).isMeta},
	{"note or pointer", oneArticle, (*trimmer).isNote},
	{"links after the last paragraph", oneArticle, (*trimmer).isAfterText},
}

// trimText leaves out what stands between the paragraphs of a text without belonging to it.
func (p *page) trimText(text int, stats []stat) {
	t := &trimmer{page: p, stats: stats, text: text, texts: p.nextTexts(), lineAt: -1}
	t.findFlow()
	t.sure = t.howSure()
	for i := text + 1; i < p.End(text); i++ {
		p.steps.Visit()
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

// muchOfText is the share of a text's prose, in percent, that is never left out at once.
const muchOfText = 30

func (t *trimmer) drops(i int, n *html.Node) bool {
	s := &t.stats[i]
	if t.sure >= oneArticle && t.isByline(i, s) {
		return true
	}
	if s.h1 > 0 || s.specs > 0 || s.weight > 0 && atLeast(s.weight, t.stats[t.text].weight, muchOfText) {
		return false
	}
	for k := range trimRules {
		if r := &trimRules[k]; t.sure >= r.needs && r.drops(t, i, n, s) {
			return true
		}
	}
	return false
}

// findFlow finds the element whose children are most of the text, and the first and the last paragraph of all.
func (t *trimmer) findFlow() {
	t.flow = t.text
	for i := t.text; i < t.End(t.text); i++ {
		t.steps.Visit()
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

// howSure recognizes a page that is one text for sure: paragraph after paragraph, or enough of it on a page that says so.
func (t *trimmer) howSure() sureness {
	if t.kind == Documentation {
		return anyProse
	}
	text, flow := &t.stats[t.text], &t.stats[t.flow]
	if flow.run >= runOfParagraphs || flow.run >= shortRun && atLeast(flow.runWeight, text.weight, shareOfRun) ||
		text.weight >= longText && t.facts.schema[schemaArticle] > 0 {
		return oneArticle
	}
	return noManual
}

const (
	runOfParagraphs = 5   // sentences in so many children of one element are an article
	shortRun        = 3   // so few are one when they are
	shareOfRun      = 60  // this share of all prose, in percent
	longText        = 300 // weight of the prose of a page that calls itself an article
)

// isForeign reports a section whose first line says that it is about something else: the author, ways to share, comments.
func (t *trimmer) isForeign(i int, n *html.Node, s *stat) bool {
	if s.headings == 0 && n.DataAtom != atom.P && n.DataAtom != atom.Div || atLeast(s.words, t.stats[t.text].words, foreignShare) {
		return false
	}
	if t.beginsLong(i) {
		return false
	}
	line := trimMarks(t.line(i))
	return foreignHeadings[line] && !(moreHeadings[line] && s.prose*2 > s.words && s.linkWords*2 < s.words)
}

// beginsLong reports that the first text of an element, which a line begins with, has more words than any foreign heading.
func (t *trimmer) beginsLong(i int) bool {
	if int(t.texts[i]) >= len(t.nodes) {
		return false
	}
	first := &t.nodes[t.texts[i]]
	return first.words > foreignWords && len(first.Data) <= 4*longLine
}

// foreignShare is the share of a text's words, in percent, from which a section is of it, whatever its heading.
const foreignShare = 25

// isCaption reports the line below a picture: the text says what it shows, and who took it is not of the text.
func (t *trimmer) isCaption(_ int, n *html.Node, _ *stat) bool {
	if n.DataAtom == atom.Figcaption {
		return true
	}
	for token := range strings.FieldsSeq(attr(n, "class")) {
		if captionNames[token] {
			return true
		}
	}
	return false
}

// captionNames are the class names of captions where there is no element for them.
var captionNames = set("wp-caption-text", "caption", "image-caption", "figure-caption", "photo-caption", "image-credit", "photo-credit")

// titleWords is the number of words of a paragraph that is the title of another page.
const titleWords = 30

// isCall reports a box that is nothing but links. A paragraph that is one link is of the text: what there is to load down.
func (t *trimmer) isCall(_ int, n *html.Node, s *stat) bool {
	if s.words != s.linkWords || s.images > 0 {
		return false
	}
	switch n.DataAtom {
	case atom.P:
		return s.anchors > 1 && s.words <= s.anchors*shortAnchor
	case atom.Div, atom.Center, atom.Section, atom.Aside:
		return s.words <= callWords*max(s.anchors, 1)
	}
	return false
}

// callWords bounds the words of a link that is a button.
const callWords = 6

// lineWords is the number of words of a line that is no sentence.
const lineWords = 12

// isLine reports a short block without sentences and headings.
func isLine(s *stat, words int32) bool {
	return s.words <= words && s.prose == 0 && s.headings == 0
}

// isBeforeText reports what leads away from the text above its first paragraph: the way through the site, ways to share, sections.
// A line without links is of the text, however short.
func (t *trimmer) isBeforeText(i int, n *html.Node, s *stat) bool {
	if t.End(i) > t.first || s.marks > 0 || s.prose > 0 || s.headings > 0 || s.linkWords*2 < s.words {
		return false
	}
	switch n.DataAtom {
	case atom.P, atom.Div, atom.Ul, atom.Ol, atom.Address:
		return s.anchors > 1 || n.DataAtom != atom.P
	}
	return false
}

const (
	metaWords = 25
	fewMetas  = 4 // more such lines are a list of events or the like
)

// isByline reports a line that is itself named after who wrote the text, and when. How long it is says nothing: names are long and short.
func (t *trimmer) isByline(i int, s *stat) bool {
	return t.nodes[i].mark.signs&signMeta != 0 && s.direct == s.words && s.h1 == 0 && s.headings == 0 && t.metas < fewMetas && t.counted()
}

// counted counts one more line about who and when.
func (t *trimmer) counted() bool {
	t.metas++
	return true
}

// isMeta reports a line that markup marks as about who wrote the text, and when.
func (t *trimmer) isMeta(_ int, n *html.Node, s *stat) bool {
	if s.metas == 0 || s.marks > 1 || t.metas >= fewMetas || !isLine(s, metaWords) {
		return false
	}
	switch n.DataAtom {
	case atom.P, atom.Div, atom.Ul, atom.Address, atom.Section, atom.Header, atom.Dl:
		return t.counted()
	}
	return false
}

// isNote reports a short paragraph that begins like a note about the page, or like a pointer to another.
func (t *trimmer) isNote(i int, n *html.Node, s *stat) bool {
	if s.direct != s.words || s.words > titleWords {
		return false
	}
	switch n.DataAtom {
	case atom.P, atom.Div, atom.Address, atom.H6, atom.Blockquote:
		return opens(t.line(i))
	}
	return false
}

// isAfterText reports a line below the last paragraph that is mostly links.
func (t *trimmer) isAfterText(i int, n *html.Node, s *stat) bool {
	if i < t.last || s.marks > 0 || s.linkWords*2 < s.words || !isLine(s, lineWords) {
		return false
	}
	switch n.DataAtom {
	case atom.P:
		return s.anchors > 1
	case atom.Div, atom.Address:
		return true
	}
	return false
}

const (
	longLine = 60  // bytes of a line that rules by phrases look at
	farOff   = 300 // nodes after which no line is looked for
)

// line is the beginning of the first line of text below i, in lower case, white space folded.
func (t *trimmer) line(i int) string {
	first := t.texts[i]
	if int(first) >= min(t.End(i), i+farOff) {
		return ""
	}
	if first != t.lineAt { // elements are looked at in the order of the page
		t.lineAt, t.lineRead = first, t.lineFrom(int(first))
	}
	return t.lineRead
}

// lineFrom is the beginning of the line that a text begins.
func (t *trimmer) lineFrom(first int) string {
	block := t.nodes[first].block
	var f folder
	for k := first; k < min(t.End(int(block)), first+farOff) && len(f.b) <= longLine; k++ {
		t.steps.Visit()
		e := &t.nodes[k]
		if t.out[k] {
			k = t.End(k) - 1
			continue
		}
		if e.Type != html.TextNode {
			continue
		}
		if e.block != block {
			break
		}
		f.text(e.Data[:min(len(e.Data), 4*longLine)])
	}
	f.lower()
	return f.String()
}

// nextTexts gives for each node the index of the first text with words from there on that is not left out, the number of nodes for none.
func (p *page) nextTexts() []int32 {
	kept := p.kept(p.out)
	p.steps.Add(len(p.nodes))
	texts := make([]int32, len(p.nodes))
	next := int32(len(p.nodes))
	for i := len(p.nodes) - 1; i >= 0; i-- {
		if e := &p.nodes[i]; kept[i] && e.Type == html.TextNode && e.words > 0 {
			next = int32(i)
		}
		texts[i] = next
	}
	return texts
}
