package formats

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	unsafe "github.com/yuin/goldmark/renderer/html"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// specExample is the HTML of an example of a Markdown specification.
type specExample struct{ section, html string }

var specPart = regexp.MustCompile("(?ms)^#+ ([^\n]*)$|^`{32} example[^\n]*\n(?:.*?)^\\.\n(.*?)^`{32}$")

// specExamples reads the text of a specification of Markdown. Sections about raw HTML are left out: Markdown has no syntax for what is in them.
func specExamples(spec string) (all []specExample) {
	section := ""
	for _, m := range specPart.FindAllStringSubmatch(spec, -1) {
		if m[1] != "" {
			section = m[1]
			continue
		}
		if !strings.Contains(section, "HTML") {
			all = append(all, specExample{section, strings.ReplaceAll(m[2], "→", "\t")})
		}
	}
	return all
}

// cameBack compares the HTML of examples with what a reader of GFM makes of the Markdown that was made of it.
func cameBack(examples []specExample, markdown []string) (strict, lenient share, _ error) {
	reader := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(unsafe.WithUnsafe()))
	for i, e := range examples {
		var back strings.Builder
		if err := reader.Convert([]byte(markdown[i]), &back); err != nil {
			return strict, lenient, err
		}
		same, err := alike(e.html, back.String(), false)
		if err != nil {
			return strict, lenient, err
		}
		alsoLenient, err := alike(e.html, back.String(), true)
		if err != nil {
			return strict, lenient, err
		}
		strict, lenient = strict.plus(oneIf(same)), lenient.plus(oneIf(same || alsoLenient))
	}
	return strict, lenient, nil
}

// alike reports whether two fragments of HTML have the same canonical form.
func alike(a, b string, lenient bool) (bool, error) {
	first, err := canonical(a, lenient)
	if err != nil {
		return false, err
	}
	second, err := canonical(b, lenient)
	return first == second, err
}

// canonical is a form of HTML in which pages that a browser shows alike are equal: white space that shows nothing, the order of
// attributes and the escaping of addresses do not count. The lenient form leaves out what Markdown can't hold as well: paragraphs
// in list items, boxes without a meaning, emphasis in the same emphasis, and elements with nothing in them.
func canonical(fragment string, lenient bool) (string, error) {
	nodes, err := html.ParseFragment(strings.NewReader(fragment), &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body})
	if err != nil {
		return "", err
	}
	f := form{lenient: lenient, within: map[string]int{}}
	for _, n := range nodes {
		f.write(n, "", false)
	}
	f.endLine()
	return strings.Join(f.lines, "\n"), nil
}

// form is a canonical form that is being written: a line for each edge of a block and for the text between two of them.
type form struct {
	lenient bool
	lines   []string
	line    string
	within  map[string]int // how many elements of that name are open
}

var codeSpace = strings.NewReplacer(" ", "␠", "\n", "␊", "\t", "␉")

func (f *form) write(n *html.Node, parent string, code bool) {
	switch {
	case n.Type == html.TextNode && code:
		f.line += codeSpace.Replace(n.Data)
	case n.Type == html.TextNode:
		f.line += n.Data
	case n.Type == html.ElementNode && !(f.lenient && lenientEmpty[n.Data] && showsNothing(n)):
		f.element(n, parent, code)
	}
}

func (f *form) element(n *html.Node, parent string, code bool) {
	tag := n.Data
	if same := sameTag[tag]; same != "" {
		tag = same
	}
	hidden := f.lenient && f.leavesOut(tag, parent)
	if !hidden {
		parent = tag
	}
	block := blockTags[tag] && tag != "br"
	f.mark(tag, strings.Join(append([]string{tag}, attributesOf(tag, n)...), " "), block, hidden)
	f.within[tag]++
	for c := range n.ChildNodes() {
		f.write(c, parent, code || tag == "pre")
	}
	f.within[tag]--
	f.mark(tag, "/"+tag, block, hidden || voidTags[tag])
}

var (
	sameTag  = map[string]string{"i": "em", "b": "strong", "s": "del", "strike": "del"}
	voidTags = nameSet("br hr img input")
)

// mark writes a tag, in brackets that no text of the specification has. White space beside a line break shows nothing, nor does the last line break of code.
func (f *form) mark(tag, name string, block, hidden bool) {
	if block {
		f.endLine()
	}
	switch {
	case hidden:
	case block:
		f.lines = append(f.lines, "⟨"+name+"⟩")
	case tag == "br":
		f.line = strings.TrimRight(f.line, " \n\t") + "⟨br⟩ "
	case name == "/code":
		f.line = strings.TrimRight(f.line, "␊") + "⟨/code⟩"
	default:
		f.line += "⟨" + name + "⟩"
	}
}

func (f *form) endLine() {
	if line := strings.Join(strings.Fields(f.line), " "); line != "" {
		f.lines = append(f.lines, line)
	}
	f.line = ""
}

var (
	meaningless  = nameSet("abbr article div figure font header section small span sub sup tbody thead u")
	lenientEmpty = nameSet("a blockquote h1 h2 h3 h4 h5 h6 li ol ul")
)

func (f *form) leavesOut(tag, parent string) bool {
	switch tag {
	case "p":
		return parent == "li" || parent == "dd" || parent == "td"
	case "em", "strong":
		return f.within[tag] > 0
	}
	return meaningless[tag]
}

var showsItself = nameSet("hr img input pre")

func showsNothing(n *html.Node) bool {
	for c := range n.ChildNodes() {
		if c.Type == html.TextNode && strings.TrimSpace(c.Data) != "" || showsItself[c.Data] || c.Type == html.ElementNode && !showsNothing(c) {
			return false
		}
	}
	return true
}

func attributesOf(tag string, n *html.Node) (all []string) {
	for _, a := range n.Attr {
		if value, counts := attributeValue(tag, a); counts {
			all = append(all, value)
		}
	}
	slices.Sort(all)
	return all
}

// attributeValue is an attribute as it is compared, if it counts.
func attributeValue(tag string, a html.Attribute) (text string, counts bool) {
	value := strings.Join(strings.Fields(a.Val), " ")
	switch a.Key {
	case "alt", "align", "checked":
		return a.Key + "=" + value, true
	case "href", "src":
		if plain, err := url.PathUnescape(value); err == nil {
			value = plain
		}
		return a.Key + "=" + value, true
	case "title":
		return a.Key + "=" + value, value != ""
	case "start":
		return a.Key + "=" + value, value != "1"
	case "style":
		align, found := strings.CutPrefix(value, "text-align:")
		return "align=" + strings.Trim(align, " ;"), found
	case "class":
		language, _, _ := strings.Cut(value, " ")
		return a.Key + "=" + language, tag == "code"
	}
	return "", false
}
