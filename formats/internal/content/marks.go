package content

import (
	"strings"

	"golang.org/x/net/html"
)

// mark is what the names of an element say about it: the words of its class and id, its role and its schema.org markup. It is
// read once, when the tree is made.
type mark struct {
	kind  kind  // the boilerplate that a class or id names
	signs signs // other evidence
}

// signs is a set of evidence about one element.
type signs uint8

const (
	signApart signs = 1 << iota // a consent box
	signUser                    // who wrote a post: a user's card, with name, rank or picture
	signPost                    // what a user wrote: a comment, answer or reply
	signPrice
	signSignature // what a user's posts all end with
	signName      // a user's name
	signGoods     // the one thing for sale that a page is about
	signMeta      // who wrote the text, and when
)

// markOf reads the names of an element; classes are those of classes that were read before. Whole words count, never parts of words:
// "header" is one, "subheader-free" is not.
func markOf(n *html.Node, classes map[string]mark) mark {
	var m mark
	for i := range n.Attr {
		switch a := &n.Attr[i]; a.Key {
		case "class":
			c, known := classes[a.Val]
			if !known {
				c.name(a.Val)
				classes[a.Val] = c
			}
			if m.kind == none {
				m.kind = c.kind
			}
			m.signs |= c.signs
		case "id":
			m.name(a.Val)
		case "rel":
			if a.Val == "author" {
				m.signs |= signMeta
			}
		case "itemprop", "itemtype":
			m.signs |= schemaSigns[strings.ToLower(a.Val[strings.LastIndexByte(a.Val, '/')+1:])]
		}
	}
	return m
}

// name adds what the words of a class or id say. The first kind counts.
func (m *mark) name(value string) {
	for token := range strings.FieldsSeq(value) {
		t, known := names[strings.ToLower(token)]
		if !known {
			continue
		}
		if m.kind == none {
			m.kind = t.kind
		}
		m.signs |= t.signs
	}
}
