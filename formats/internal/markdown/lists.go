package markdown

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// taskBox is the element that stands for the check box of a task list.
const taskBox = "task-box"

// keptEmpty is the attribute of an item that holds nothing in the page either.
const keptEmpty = "kept-empty"

// lastFilled is the last item that holds something: empty ones behind it mean nothing.
func (s *sheet) lastFilled(list *html.Node) *html.Node {
	for c := list.LastChild; c != nil; c = c.PrevSibling {
		s.steps.Visit()
		if c.DataAtom == atom.Li && s.holds(c)&(holdsContent|holdsRule) != 0 {
			return c
		}
	}
	return nil
}

// markTaskBoxes keeps the check boxes of list items; all other form fields are dropped by the writer. It also marks items that
// are empty in the page, which may be places in an order, from those that come to be empty.
func (w *work) markTaskBoxes(root *html.Node) {
	w.walk(root, func(n *html.Node) bool {
		if n.DataAtom == atom.Li && n.FirstChild == nil {
			setAttr(n, keptEmpty, "x")
		}
		if n.DataAtom != atom.Input || attr(n, "type") != "checkbox" || !inItem(n) {
			return true
		}
		checked := ""
		for _, a := range n.Attr {
			if a.Key == "checked" {
				checked = "x"
			}
		}
		n.DataAtom, n.Data, n.Attr = 0, taskBox, []html.Attribute{{Key: "checked", Val: checked}}
		return false
	})
}

// inItem reports whether n begins a list item, alone or in a label or paragraph.
func inItem(n *html.Node) bool {
	for p := n.Parent; p != nil; p = p.Parent {
		switch p.DataAtom {
		case atom.Li:
			return true
		case atom.Label, atom.P, atom.Span:
		default:
			return false
		}
	}
	return false
}

// repairLists puts what lies loose in a list into an item, a list into the item before it, and items that are in no list into one.
func (w *work) repairLists(root *html.Node) {
	w.walk(root, func(n *html.Node) bool {
		switch {
		case isList(n):
			for c := n.FirstChild; c != nil; {
				w.steps.Visit()
				next := c.NextSibling
				repairItem(n, c)
				c = next
			}
		case n.DataAtom == atom.Li && !isList(n.Parent):
			list := element(atom.Ul)
			n.Parent.InsertBefore(list, n)
			for c := n; c != nil && (c.DataAtom == atom.Li || isBlank(c)); c = list.NextSibling {
				remove(c)
				list.AppendChild(c)
			}
			w.repairLists(list)
		}
		return true
	})
}

func isList(n *html.Node) bool {
	return n.DataAtom == atom.Ul || n.DataAtom == atom.Ol || n.DataAtom == atom.Menu || n.DataAtom == atom.Dir
}

// repairItem makes sure that c, a child of list, is an item or in one.
func repairItem(list, c *html.Node) {
	switch {
	case c.DataAtom == atom.Li:
	case c.Type != html.ElementNode && isBlank(c):
		remove(c)
	default:
		item := c.PrevSibling
		if item == nil || c.Type == html.ElementNode && !isList(c) && isBlock(c) {
			item = element(atom.Li)
			list.InsertBefore(item, c)
		}
		remove(c)
		item.AppendChild(c)
	}
}

// isLoose reports a list whose items are written a blank line apart: which holds paragraphs, or an item with blocks
// that have to be apart. Markdown then makes paragraphs of the texts in all its items.
func (s *sheet) isLoose(list *html.Node) bool {
	for c := list.FirstChild; c != nil; c = c.NextSibling {
		f := follow{sheet: s}
		if f.blocks(c); f.loose {
			return true
		}
	}
	return false
}

// follow goes through the blocks of an item, and notes whether two have to be apart.
type follow struct {
	*sheet
	last   block
	inText bool
	breaks int
	loose  bool
}

func (f *follow) blocks(n *html.Node) {
	for c := n.FirstChild; c != nil && !f.loose; c = c.NextSibling {
		f.steps.Visit()
		f.node(c)
	}
}

func (f *follow) node(n *html.Node) {
	kind := blockKind(n)
	switch {
	case isBlank(n) || kind.canBeEmpty() && f.holds(n)&(holdsContent|holdsRule) == 0:
	case n.DataAtom == atom.Br:
		if f.breaks++; f.breaks > 1 {
			f.inText = false
		}
	case kind != blockNone:
		f.see(kind)
		f.inText = false
		f.loose = f.loose || n.DataAtom == atom.P
	case n.Type == html.ElementNode && (isBlock(n) || f.holds(n)&holdsBlock != 0):
		f.inText = false
		f.blocks(n)
		f.inText = false
	case n.Type == html.ElementNode && n.DataAtom != atom.A && f.holds(n)&holdsBreak != 0:
		f.blocks(n)
	case !f.inText:
		f.see(blockParagraph)
		f.inText = true
	default:
		f.breaks = 0
	}
}

// canBeEmpty reports blocks that are not written when nothing is in them.
func (b block) canBeEmpty() bool {
	return b == blockParagraph || b == blockHeading || b == blockQuote || b.isList() || b == blockOther
}

// holds is what there is below an element.
type holds uint8

const (
	holdsContent holds = 1 << iota // text or something to look at: the element is not void
	holdsBlock
	holdsRule
	holdsBreak
)

// holds reports what is below n. It is remembered, as the items of a list in a list are looked at for both: the tree no longer changes
// when it is written.
func (s *sheet) holds(n *html.Node) holds {
	if n.FirstChild == nil {
		return 0
	}
	h, known := s.held[n]
	if known {
		return h
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		s.steps.Visit()
		if c.Type == html.ElementNode {
			h |= heldBy(c) | s.holds(c)
		} else if c.Type == html.TextNode && !isBlank(c) {
			h |= holdsContent
		}
	}
	if s.held == nil {
		s.held = make(map[*html.Node]holds)
	}
	s.held[n] = h
	return h
}

// heldBy is what an element adds to what the one around it holds.
func heldBy(n *html.Node) holds {
	var h holds
	if isSeen(n) {
		h |= holdsContent
	}
	if isBlock(n) {
		h |= holdsBlock
	}
	switch n.DataAtom {
	case atom.Hr:
		h |= holdsRule
	case atom.Br:
		h |= holdsBreak
	}
	return h
}

func (f *follow) see(b block) {
	f.loose = f.loose || f.last != blockNone && apart(f.last, b)
	f.last, f.breaks = b, 0
}

// blockKind is the kind of block that n is written as, blockNone for text and for elements that only group.
func blockKind(n *html.Node) block {
	switch n.DataAtom {
	case atom.P:
		return blockParagraph
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		return blockHeading
	case atom.Pre:
		return blockCode
	case atom.Hr:
		return blockDivider
	case atom.Blockquote:
		return blockQuote
	case atom.Table:
		return blockTable
	case atom.Ul, atom.Menu, atom.Dir:
		return blockBullets
	case atom.Ol:
		if startNumber(n) != 1 {
			return blockOther
		}
		return blockNumbers
	case 0:
		if n.Type == html.ElementNode && n.Data == verbatimBlock {
			return blockOther
		}
	}
	return blockNone
}

// definitionLists writes terms in bold and definitions as paragraphs; Markdown has no such list.
func (w *work) definitionLists(root *html.Node) {
	w.walk(root, func(n *html.Node) bool {
		switch n.DataAtom {
		case atom.Dt, atom.Summary:
			rename(n, atom.P)
			if !w.has(n, func(c *html.Node) bool { return isHeading(c) || isBlock(c) }) {
				wrapChildren(n, atom.B)
			}
		case atom.Dd:
			rename(n, atom.Div)
		}
		return true
	})
}

func isHeading(n *html.Node) bool {
	switch n.DataAtom {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		return true
	}
	return false
}

// wrapChildren puts a new element between n and its children.
func wrapChildren(n *html.Node, a atom.Atom) {
	w := element(a)
	for c := n.FirstChild; c != nil; c = n.FirstChild {
		n.RemoveChild(c)
		w.AppendChild(c)
	}
	n.AppendChild(w)
}

// The writer's cost multiplies with each list or quotation around a text, and Markdown deeper than
// this is not read any more.
const (
	maxContainers = 8   // lists and quotations around a text
	maxDepth      = 120 // elements of any kind
)

// unwrapContainers takes away elements that only group blocks: Markdown has nothing for them, and pages nest them deep.
func (w *work) unwrapContainers(root *html.Node) {
	w.markContainers(root)
	w.unwrapMarked(root)
}

func isContainer(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Div, atom.Section, atom.Article, atom.Main, atom.Header, atom.Footer, atom.Nav, atom.Aside, atom.Center,
		atom.Form, atom.Fieldset,
		atom.Figure, atom.Address, atom.Details, atom.Hgroup, atom.Search, atom.Span, atom.Font:
		return true
	}
	return false
}

// limitNesting takes away the containers and elements that are nested too deep; what they hold stays.
func (w *work) limitNesting(root *html.Node) {
	if w.limit(root, 0, 0) {
		w.unwrapMarked(root)
	}
}

// limit reports whether it has marked elements to be unwrapped.

func (w *work) limit(n *html.Node, containers, depth int) (marked bool) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		w.steps.Visit()
		if c.Type == html.ElementNode && w.limitElement(c, containers, depth) {
			marked = true
		}
	}
	return marked
}

func (w *work) limitElement(c *html.Node, containers, depth int) (marked bool) {
	switch {
	case isList(c), c.DataAtom == atom.Blockquote, c.DataAtom == 0 && c.Data == footnote:
		if containers >= maxContainers {
			rename(c, atom.Div)
			renameItems(c)
			break
		}
		containers++
	}
	marked = w.limit(c, containers, depth+1)
	if depth < maxDepth || isTablePart(c) || c.FirstChild == nil {
		return marked
	}
	leaveSpaced(c)
	return true
}

func renameItems(list *html.Node) {
	for c := list.FirstChild; c != nil; c = c.NextSibling {
		if c.DataAtom == atom.Li {
			rename(c, atom.P)
		}
	}
}

func isTablePart(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Table, atom.Thead, atom.Tbody, atom.Tfoot, atom.Tr, atom.Td, atom.Th, atom.Caption, atom.Pre, atom.Code:
		return true
	}
	return false
}
