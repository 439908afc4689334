// Package fasttree makes the tree of a page in a fraction of the time that the parser of golang.org/x/net/html takes: the same tree, node
// by node, or none. It follows that parser's rules and leaves to it the pages on which its rules move nodes or are seldom met: text and
// elements that stand between the parts of a table, framesets, HTML
// within pictures and formulas, markup that breaks off. Start from Tree. Each text and value has memory of its own, so that what is
// kept of a page doesn't keep the page.
//
//	tree.go        Tree and the builder
//	modes.go       the parts of a page, and what a token does in each
//	body.go        start tags in the body
//	bodyend.go     end tags in the body
//	tables.go      tables
//	templates.go   templates
//	inline.go      parts of a line of text
//	adoption.go    formatting elements that end after a block that began in them
//	formatting.go  formatting elements, which go on in the next block where they are left open
//	nodes.go       nodes made of tokens
//	foreign.go     SVG and MathML
//	stack.go       the elements that are open
//	tokens.go      the scanner: texts, comments, raw texts
//	tags.go        tags and their attributes
//	texts.go       character references; strings that occur often
//	elements.go    what is known of each element
package fasttree
