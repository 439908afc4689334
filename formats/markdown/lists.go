package markdown

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// taskBox is the element that stands for the check box of a task list.
const taskBox = "task-box"

// markTaskBoxes keeps the check boxes of list items; all other form fields are dropped by the writer.
func markTaskBoxes(root *html.Node) {
	walk(root, func(n *html.Node) bool {
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

// definitionLists writes terms in bold and definitions as paragraphs; Markdown has no such list.
func definitionLists(root *html.Node) {
	walk(root, func(n *html.Node) bool {
		switch n.DataAtom {
		case atom.Dt, atom.Summary:
			rename(n, atom.P)
			if !has(n, func(c *html.Node) bool { return isHeading(c) || isBlock(c) }) {
				wrapChildren(n, atom.Strong)
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

// unwrapContainers takes away elements that only group blocks, from the inside out: Markdown has nothing
// for them, and pages nest them deep.
func unwrapContainers(root *html.Node) {
	for c := root.FirstChild; c != nil; {
		next := c.NextSibling
		if c.Type == html.ElementNode && c.DataAtom != atom.Pre {
			unwrapContainers(c)
			if isContainer(c) && holdsOnlyBlocks(c) {
				unwrap(c)
			}
		}
		c = next
	}
}

func isContainer(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Div, atom.Section, atom.Article, atom.Main, atom.Header, atom.Footer, atom.Nav, atom.Aside, atom.Center, atom.Form, atom.Fieldset,
		atom.Figure, atom.Address, atom.Details, atom.Hgroup, atom.Search, atom.Span, atom.Font:
		return true
	}
	return false
}

// holdsOnlyBlocks reports an element without text or inline elements directly in it.
func holdsOnlyBlocks(n *html.Node) bool {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode && !isBlock(c) || c.Type == html.TextNode && !isBlank(c) {
			return false
		}
	}
	return true
}

// limitNesting takes away the containers and elements that are nested too deep; what they hold stays.
func limitNesting(root *html.Node) { limit(root, 0, 0) }

func limit(n *html.Node, containers, depth int) {
	for c := n.FirstChild; c != nil; {
		next := c.NextSibling
		if c.Type == html.ElementNode {
			limitElement(c, containers, depth)
		}
		c = next
	}
}

func limitElement(c *html.Node, containers, depth int) {
	switch c.DataAtom {
	case atom.Ul, atom.Ol, atom.Blockquote:
		if containers >= maxContainers {
			rename(c, atom.Div)
			renameItems(c)
			break
		}
		containers++
	}
	limit(c, containers, depth+1)
	if depth >= maxDepth && !isTablePart(c) && c.FirstChild != nil {
		unwrapSpaced(c)
	}
}

func renameItems(list *html.Node) {
	for c := list.FirstChild; c != nil; c = c.NextSibling {
		if c.DataAtom == atom.Li {
			rename(c, atom.P)
		}
	}
}

// unwrapSpaced unwraps n, with a space where a block would have kept words apart.
func unwrapSpaced(n *html.Node) {
	if isBlock(n) {
		n.Parent.InsertBefore(text(" "), n)
		n.AppendChild(text(" "))
	}
	unwrap(n)
}

func isTablePart(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Table, atom.Thead, atom.Tbody, atom.Tfoot, atom.Tr, atom.Td, atom.Th, atom.Caption, atom.Pre, atom.Code:
		return true
	}
	return false
}
