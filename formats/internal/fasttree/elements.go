package fasttree

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// element is what is known of the elements of a name.
type element struct {
	atom  atom.Atom
	name  string
	is    flags
	start rule
	end   rule
}

// flags are kinds of elements. The names of scopes are those of the HTML standard.
type flags uint16

const (
	special   flags = 1 << iota
	stops           // the default scope
	stopsItem       // the scope of list items too
	stopsP          // the scope of buttons too
	stopsTable
	ends      // with the element around it
	passed    // special, but the scope of an item goes on
	headless  // stands in the head wherever it is
	tablePart // only tables are for it: what else comes there is moved
	raw       // tags in it are text
)

func (e element) isRaw() bool { return e.is&raw != 0 }

// rule is what is done about a tag in the body.
type rule uint8

const (
	anyElement rule = iota
	refused
	ignored
	block
	heading
	pre
	form
	item
	term
	button
	link
	formatting
	nobr
	object
	table
	void
	voidPart
	input
	line
	image
	textarea
	rawElement
	xmp
	selection
	option
	optgroup
	rubyBase
	rubyText
	svg
	math
	ofHead
	root
	body
	paragraph
	lineBreak
	rules
)

// elements by name.
var elements = func() map[string]element {
	m := make(map[string]element)
	for _, g := range groups {
		for name := range strings.FieldsSeq(g.names) {
			e := m[name]
			e.atom, e.name = atom.Lookup([]byte(name)), name
			e.is |= g.is
			e.start, e.end = max(e.start, g.start), max(e.end, g.end)
			m[name] = e
		}
	}
	return m
}()

const slotCount = 512

// slots find most elements without a hash of their whole name.
var slots = func() (list [slotCount]element) {
	for name, e := range elements {
		list[slotOf([]byte(name))] = e
	}
	return list
}()

func slotOf(name []byte) uint {
	n := len(name)
	return (uint(name[0])*31 + uint(name[n-1])*7 + uint(name[n/2])*3 + uint(n)) % slotCount
}

// known is the element of a name, without a name where it isn't listed.
func known(name []byte) element {
	if e := &slots[slotOf(name)]; e.name == string(name) {
		return *e
	}
	return elements[string(name)]
}

// groups say what holds of several elements, and what their tags do.
var groups = []struct {
	is         flags
	start, end rule
	names      string
}{
	{special, anyElement, anyElement, `address applet area article aside base basefont bgsound blockquote body br button caption center col
		colgroup dd details dir div dl dt embed fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup
		hr html iframe img input keygen li link listing main marquee menu meta nav noembed noframes noscript object ol p param plaintext
		pre script section select source style summary table tbody td template textarea tfoot th thead title tr track ul wbr xmp`},
	{0, anyElement, anyElement, "span label time abbr sub sup cite picture video audio canvas figure ins del mark q var kbd samp data ruby path g"},
	{stops, anyElement, anyElement, "applet caption html table td th marquee object template select"},
	{stopsItem, anyElement, anyElement, "ol ul"},
	{stopsP, anyElement, anyElement, "button"},
	{stopsTable, anyElement, anyElement, "html table template"},
	{ends, anyElement, anyElement, "dd dt li optgroup option p rb rp rt rtc"},
	{passed, anyElement, anyElement, "address div p"},
	{tablePart, anyElement, anyElement, "table tbody tfoot thead tr"},
	{raw, anyElement, anyElement, "iframe noembed noframes noscript script style textarea title xmp plaintext"},

	{0, block, block, `address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer header hgroup
		main menu nav ol search section summary ul`},
	{0, block, paragraph, "p"},
	{0, heading, heading, "h1 h2 h3 h4 h5 h6"},
	{0, pre, block, "pre listing"},
	{0, form, form, "form"},
	{0, item, item, "li"},
	{0, term, term, "dd dt"},
	{0, button, block, "button"},
	{0, link, formatting, "a"},
	{0, formatting, formatting, "b big code em font i s small strike strong tt u"},
	{0, nobr, formatting, "nobr"},
	{0, object, object, "applet marquee object"},
	{0, table, anyElement, "table"},
	{0, void, anyElement, "area embed img keygen wbr"},
	{0, void, lineBreak, "br"},
	{0, voidPart, anyElement, "param source track"},
	{0, input, anyElement, "input"},
	{0, line, anyElement, "hr"},
	{0, image, anyElement, "image"},
	{0, textarea, anyElement, "textarea"},
	{0, rawElement, anyElement, "iframe noembed noscript"},
	{0, xmp, anyElement, "xmp"},
	{0, selection, block, "select"},
	{0, option, anyElement, "option"},
	{0, optgroup, anyElement, "optgroup"},
	{0, rubyBase, anyElement, "rb rtc"},
	{0, rubyText, anyElement, "rp rt"},
	{0, svg, anyElement, "svg"},
	{0, math, anyElement, "math"},
	{headless, ofHead, anyElement, "base basefont bgsound link meta noframes script style title"},
	{headless, ofHead, ofHead, "template"},
	{0, root, root, "html"},
	{0, body, body, "body"},
	{0, ignored, anyElement, "caption col colgroup head tbody td tfoot th thead tr"},
	{0, refused, refused, "frameset frame plaintext"},
}

// flagsOf are those of a node that is open.
func flagsOf(n *html.Node) flags {
	if n.Namespace == "" {
		return elements[n.Data].is
	}
	is := elements[n.Data].is & (ends | tablePart) // for which the other parser doesn't look at namespaces
	if isIntegrationPoint(n) || n.Data == "annotation-xml" && n.Namespace == "math" {
		is |= special | stops
	}
	return is
}
