package formats

import (
	"maps"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	unsafe "github.com/yuin/goldmark/renderer/html"
	"golang.org/x/net/html"

	"github.com/winnow-go/winnow/formats/internal/content/sample"
)

// shownMarkdown is the tree that a reader of GFM makes of Markdown. Bare addresses do not become links, so that it has the page's own links alone.
func shownMarkdown(md string) (*html.Node, error) {
	reader := goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.TaskList), goldmark.WithRendererOptions(unsafe.WithUnsafe()))
	var b strings.Builder
	if err := reader.Convert([]byte(md), &b); err != nil {
		return nil, err
	}
	return html.Parse(strings.NewReader(b.String()))
}

var (
	unseenTags = nameSet("head iframe noscript script style template")
	blockTags  = nameSet(`address article aside blockquote body br caption center dd details dialog dir div dl dt fieldset figcaption figure footer form
		h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li main menu nav ol option p pre search section summary table tbody td tfoot th thead tr ul`)
)

func nameSet(names string) map[string]bool {
	set := map[string]bool{}
	for _, name := range strings.Fields(names) {
		set[name] = true
	}
	return set
}

// textOfBlocks is the text of a tree with line breaks around blocks. It asks no style sheet.
func textOfBlocks(n *html.Node) string {
	var b strings.Builder
	writeVisible(&b, n)
	return b.String()
}

func writeVisible(b *strings.Builder, n *html.Node) {
	if n.Type == html.TextNode {
		b.WriteString(n.Data)
	}
	if n.Type == html.ElementNode && unseenTags[n.Data] {
		return
	}
	edge := ""
	if n.Type == html.ElementNode && blockTags[n.Data] {
		edge = "\n"
	}
	b.WriteString(edge)
	for c := range n.ChildNodes() {
		writeVisible(b, c)
	}
	b.WriteString(edge)
}

// share is how many of something were found.
type share struct{ found, of int }

func (s share) plus(other share) share { return share{s.found + other.found, s.of + other.of} }

func (s share) value() float64 { return float64(s.found) / float64(max(s.of, 1)) }

// oneIf is one thing that was found or not.
func oneIf(found bool) share {
	if found {
		return share{1, 1}
	}
	return share{0, 1}
}

// snippetsIn counts the snippets that a text has, whatever their case and white space.
func snippetsIn(text string, snippets []string) (found share) {
	plain := func(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }
	text = plain(text)
	for _, snippet := range snippets {
		found = found.plus(oneIf(strings.Contains(text, plain(snippet))))
	}
	return found
}

// structures are the kinds of element that Markdown can keep, each with the words that one must have to be looked for:
// shorter ones are found by chance.
var structures = []struct {
	name  string
	words int
	is    func(*html.Node) bool
}{
	{"headings", 2, tagged("h1 h2 h3 h4 h5 h6")},
	{"code blocks", 3, tagged("pre")},
	{"list items", 4, tagged("li")},
	{"table rows", 3, tagged("tr")},
	{"links", 3, isLink},
}

func tagged(names string) func(*html.Node) bool {
	set := nameSet(names)
	return func(n *html.Node) bool { return set[n.Data] }
}

func isLink(n *html.Node) bool {
	return n.Data == "a" && slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "href" && a.Val != "" })
}

// structureKept counts for each kind the elements of page whose words are in the reference text in one piece, and those of them
// whose words an element of the same kind has in out.
func structureKept(page, out *html.Node, reference string) map[string]share {
	kept, text := map[string]share{}, wordLine(reference)
	want, got := wordsByKind(page), wordsByKind(out)
	for kind, elements := range want {
		all := strings.Join(slices.Collect(maps.Keys(got[kind])), "|")
		for words := range elements {
			if strings.Contains(text, words) {
				kept[kind] = kept[kind].plus(oneIf(strings.Contains(all, words)))
			}
		}
	}
	return kept
}

// wordsByKind are the different texts of the elements of each kind.
func wordsByKind(doc *html.Node) map[string]map[string]bool {
	found := map[string]map[string]bool{}
	for _, s := range structures {
		found[s.name] = map[string]bool{}
	}
	addWords(found, doc)
	return found
}

func addWords(found map[string]map[string]bool, n *html.Node) {
	if n.Type == html.ElementNode && unseenTags[n.Data] {
		return
	}
	for _, s := range structures {
		if n.Type != html.ElementNode || !s.is(n) {
			continue
		}
		if text := textOfBlocks(n); len(sample.Tokens(text)) >= s.words {
			found[s.name][wordLine(text)] = true
		}
	}
	for c := range n.ChildNodes() {
		addWords(found, c)
	}
}

// wordLine is the words of a text with a space before and after each, so that whole words are found in it.
func wordLine(text string) string { return " " + strings.Join(sample.Tokens(text), " ") + " " }
