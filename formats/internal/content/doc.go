// Package content separates the main content of a page from its boilerplate: navigation, banners,
// side bars, share buttons and the like.
//
// It works on a parsed page, never changes it, asks no language model and gives the same answer for the same
// page every time. It neither fetches nor renders. Each rule goes through the list of nodes a fixed number of times. Start from NewTree and
// Tree.Find, or Tree.WithoutOverlays for a whole page.
//
//	tree.go      Tree: the nodes of a page in document order, and Mask: which of them are left out
//	words.go     counting words and folding white space, in any script
//	marks.go     what the names of an element say about it, read once
//	stats.go     what each node holds: words, link words, prose, headings
//	main.go      Find: the steps from the whole page to its main content
//	leftout.go   LeftOut: what was left out, summed up by kind; firstline.go: how it begins
//	blockkind.go  BlockKind: what a block beside the content is for, by its tag, role, names and style
//	apart.go     what stands apart from the page: consent boxes, dialogs, the footer
//	overlays.go  what lies over a whole page: boxes for consent, newsletters, ages; overlaynames.go: how they are called
//	concealed.go what a style hides: layers, copies and data, but not tabs
//	root.go      the element that clearly holds the content, and the heading before it
//	kind.go      Kind: what sort of page it is, found from its structure; the table of signals
//	schema.go    what the page declares itself to be
//	runs.go      blocks that come again and again: cards and posts
//	remove.go    removal of boilerplate by tag, role and name, each behind a guard
//	links.go     removal of lists of links
//	tokens.go    roles, and the words of class and id that have a meaning
//	names.go     those that mark boilerplate, a table for each sort of it
//	sections.go  sections whose heading says that they are about something else
//	titles.go    what such headings begin with, in many languages
//	accounts.go  invitations to sign in
//	twice.go     sections that a page holds twice, one for wide screens and one for narrow ones
//	prose.go     articles and manuals: down to the text itself
//	trim.go      what stands between the paragraphs of a text without belonging to it
//	phrases.go   what such lines begin with, in many languages
//	blocks.go    all other pages: down to the element with the blocks
//	lines.go     lines that most cards or posts have in common
//	forum.go     posts: users' cards and signatures
//	product.go   cards of other things beside the one for sale
//	learnt.go    what was learnt leaves out, last of all, of what the rules keep, and how sure it is of the whole
//	learntfile.go  the file learnt.json: two models of package trees, which the command in train fits from samples
//	textblocks.go  the blocks of text of a page, and which step has left each of them out
//	features.go  what is known of a block of text, as numbers with names
//	surroundings.go  what an element is inside of
//	units.go     what is kept or left out as a whole: lists, tables, lines of one name
//	examples.go  pages for training
package content
