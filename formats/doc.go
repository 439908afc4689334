// Package formats turns a fetched page into the requested formats: markdown, cleaned html, links, images,
// attributes, metadata. A page is parsed once and every format is made from that one tree.
//
// It fetches nothing, runs no script and calls no model: formats that need a browser or a model are
// declared here as options (Format) and made elsewhere. Start from Parse and DOM.Render.
//
// Pages are untrusted: every walk of one visits its nodes a bounded number of times, however they nest, and all of them
// count these visits in walk.Steps, by which they also end with their context.
//
//	format.go      Format and its options, the names of all formats
//	decode.go      Format from and to JSON, strictly
//	validate.go    Format.Validate, ValidateSet, OptionError
//	source.go      Source, Parse, detection of the kind of body
//	dom.go         DOM: one parsed page and its methods
//	signals.go     Signals: facts for the choice between plain HTTP and a browser
//	frames.go      Frames: documents inside of a page
//	holes.go       Holes: places that scripts could fill
//	shape.go       Shape: the layout that pages of a template have in common
//	frameworks.go  marks of frameworks, walls and trackers
//	options.go     Options of Render
//	selectors.go   CSS selectors, and *text* wildcards
//	render.go      Render: cleaning and the formats, in order
//	long.go        RenderLong: long files, in pieces
//	maincontent.go  the main content, and how sure it is; whether the page is an article
//	leftout.go     LeftOut: what was left out beside it
//	visible.go     the visible text, and whether there is anything to see
//	fill.go        the content of data in scripts, where the page shows next to nothing
//	clean.go       the copy of the tree that formats are made of: absolute URLs, image sources
//	links.go       links
//	images.go      images
//	pictures.go    images with what the page says of them
//	metadata.go    metadata: which parts of a page are read for it; metadata_*.go: names of meta elements, links, authors, times, JSON-LD
//	things.go      products and menus; Brand, which package formats/brand judges
//	layout.go      data by selectors, which package formats/recipe reads
//	media.go       sounds and moving pictures; media_linked.go: those of JSON-LD; enclosures.go: those of feeds
//	text.go        bodies that are not HTML
//	notebook.go    notebooks as Markdown
//	textlinks.go   links and images of Markdown and plain text
//
// What is a subject of its own lies below internal: parse makes the tree, content finds the main content in it, hidden
// what readers don't see, pagedata what a page holds for machines, markdown writes.
//
// # Pages without content
//
// A page that shows next to nothing is filled from its JSON-LD or its framework's state. The tree is
// brought into a shape that Markdown can hold (tables with spans, code with its language, footnotes, formulas as TeX,
// definition lists, figures, cards in links) and written with html-to-markdown.
//
// # What is left out
//
// OnlyMainContent (the default) leaves out what isn't the page's content, by rules and a small learnt part (boosted
// trees over named features, 34 kB in the library, fitted by formats/internal/content/train): no language model, no list of
// sites, the same bytes give the same document. It counts words, link words, sentences, headings, cards
// and posts of every node in one pass; finds the element that holds the content; detects from structure whether the
// page is an article, documentation, a product, a listing, a forum, a table page or a home page; removes boilerplate
// by tag, role and whole class names, each behind a guard; and trims inside by the rules of the page's kind. Where
// the rules would take nearly all, gentler ones are tried: if in doubt it keeps. Without it the markdown is the
// whole page, but for overlays that certainly ask for consent, an address for a newsletter or the reader's age, and
// notices about old browsers. Nothing is removed silently: metadata.contentConfidence says how sure it is, 0 to 1,
// that this is what a reader came for, and with LeftOut the document lists all that was left out, by kind
// (navigation, header, footer, sidebar, related, comments, reviews, form, controls, newsletter, share, overlay,
// advert, hidden, byline, caption, links, text), so that a program can ask again with OnlyMainContent: false or a
// model.
//
// # Speed
//
// Main content, links and texts share one list of the tree's nodes, made when it is first needed; links of the whole page, metadata and
// mostly Signals need none. What Markdown and HTML show is copied once, since the passes before writing change it. Copies lie in memory
// that serves the next page, and so do the tree and the list of a page that is freed: see DOM.Free. Making the tree takes 4.8 times as
// long as scanning its tokens, and 3.4 times where pages are freed. From a body of 43 kB to the Markdown of its main content, parsing
// takes some 14 % of the processor time, the list 7 %, finding the main content 43 %, the copy 6 %, the passes 10 % and writing 13 %, of
// which html-to-markdown, which walks from element to element, has 4. TestBudget bounds the allocations of each.
//
// Links alone are read from the tree as well. The tokens would do for a page on which no script runs, nothing is moved or opened for
// readers, and nothing gets its meaning from what it stands in: at most 122 of the 697 pages of WCXB's samples. Of the others, the
// choice between HTTP and a browser reads the tree in any case.
//
// # The benchmark
//
// How well that works is measured by a benchmark, on pages of seven kinds whose main content is known; the pages are
// two development samples of WCXB, which aren't part of this repository. For winnow, and for the bare converter on
// the whole page, it prints the F1 of words (also by kind of page), the pages under 0.5, the snippets and the
// structure that are kept, pages a second and MB allocated a page; RoundTrip prints how many examples of GFM's
// specification come back the same from HTML → Markdown → HTML. The times are by the clock, in one process, so they
// hold for a machine that does nothing else.
//
//	WINNOW_CORPUS=FOLDER go test -run='^$' -bench='MainContent|RoundTrip' ./formats
//	go test -run='^$' -bench='Convert|Bare' ./formats/internal/markdown
//
// FOLDER holds wcxb-dev, wcxb-dev2 and markdown/gfm-spec.txt; with WINNOW_IDS=FILE only the pages of these ids are
// measured. The second command measures the writer against the bare converter on the same tree.
package formats
