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
//	brand.go       Brand, which package formats/brand judges
//	decode.go      Format from and to JSON, strictly
//	validate.go    Format.Validate, ValidateSet, OptionError
//	source.go      Source, Parse, detection of the kind of body
//	parse.go       HTML to a tree; pages that the parser refuses or could choke on
//	reveal.go      pictures and formulas that a page keeps in noscript and script elements
//	tame.go        the token filter for such pages
//	shadow.go      declared shadow trees, flattened
//	dom.go         DOM: one parsed page and its methods
//	signals.go     Signals: facts for the choice between plain HTTP and a browser
//	frameworks.go  marks of frameworks, walls and trackers
//	options.go     Options of Render
//	selectors.go   CSS selectors, which package formats/css matches, and *text* wildcards
//	render.go      Render: cleaning and the formats, in order
//	tree.go         the tree that main content is looked for in
//	maincontent.go  the main content, how sure it is, and what was left out
//	blank.go       whether there is anything to see
//	visible.go     the visible parts, for Options.OnlyVisible; style.go, sheet.go: declarations and rules that hide
//	fill.go        the content of data in scripts, where the page shows next to nothing
//	state.go       the texts in the states of frameworks
//	clean.go       the copy of the tree that formats are made of: absolute URLs, image sources
//	links.go       links
//	images.go      images
//	metadata.go    metadata: which parts of a page are read for it; metadata_*.go: names of meta elements, links, authors, times, JSON-LD
//	data.go        data in scripts and attributes
//	jsonld.go      JSON-LD: its objects and their values
//	things.go      products and menus, which packages formats/product and formats/menu find
//	layout.go      data by selectors, which package formats/recipe reads
//	subject.go     which of them is the subject of the page
//	jsonrepair.go  repairing JSON as pages break it
//	dates.go       dates as pages spell them, to ISO 8601
//	language.go    language tags, and the detection of a language
//	media.go       sounds and moving pictures; media_linked.go: those of JSON-LD; enclosures.go: those of feeds
//	text.go        bodies that are not HTML
//	textlinks.go   links and images of Markdown and plain text
//
// # Pages without content
//
// A page that shows next to nothing is filled from its JSON-LD or its framework's state. formats/markdown brings the
// tree into a shape that Markdown can hold (tables with spans, code with its language, footnotes, formulas as TeX,
// definition lists, figures, cards in links) and writes it with html-to-markdown.
package formats
