package trapsite

// schemes are links to no page of the web. A naive crawler requests "https://trap.example/mailto:…".
func schemes(b builder) {
	b.enter(link("/schemes/"))
	b.page("/schemes/", page("Other schemes", links("mailto:nobody@"+Main, "MAILTO:nobody@"+Main, "tel:+123", "javascript:void(0)",
		"JavaScript:alert(1)", "ftp://"+Main+"/schemes/ftp",
		"data:text/html,<a href=/schemes/data>x</a>", "file:///etc/hosts", "about:blank", "sms:+123", "/schemes/page")...))
	b.leaf("/schemes/page")
}

// fragments are parts of pages. A naive crawler fetches a page once for each of its headings.
func fragments(b builder) {
	b.enter(link("/fragments/"))
	b.page("/fragments/", page("Parts", links("#top", "#", "", "/fragments/#part", "/fragments/one#a", "/fragments/one#b", "/fragments/one",
		"/fragments/two", "/fragments/two#a/b",
		"/fragments/two#:~:text=word")...))
	b.leaf("/fragments/one", "/fragments/two")
}

// sections are parts of a page that nothing else leads to. The rules deny such a link on the crawl's own host (SECTION_LINK),
// whatever page it is a part of, so that page doesn't belong to the crawl.
func sections(b builder) {
	b.enter(link("/sections/"))
	b.page("/sections/", page("Only by a part", links("/sections/hidden#part")...))
	b.leaf("/sections/hidden")
}

// routes are pages that scripts make of one address, by a fragment with a slash. Each is a page to the crawl. A naive crawler delivers one.
func routes(b builder) {
	b.enter(link("/routes/"))
	b.page("/routes/", &node{title: "An application", often: true, links: []anchor{
		spelled("#/one", "/routes/#/one"), spelled("#!/two", "/routes/#!/two"), spelled("/routes/#/three?x=1", "/routes/#/three?x=1")}})
}

// base changes what relative links mean. A naive crawler fetches /base/page, which isn't there.
func base(b builder) {
	b.enter(link("/base/"))
	b.page("/base/", &node{title: "Another base", head: `<base href="/base/far/away/">`, links: []anchor{
		spelled("page", "/base/far/away/page"), spelled("../up", "/base/far/up"), spelled("?x=1", "/base/far/away/?x=1"), link("/base/root")}})
	b.leaf("/base/far/away/page", "/base/far/up", "/base/far/away/", "/base/root")
}

// relative links go up and down, past the root and nowhere.
func relative(b builder) {
	b.enter(link("/relative/a/b/"))
	b.page("/relative/a/b/", page("Here",
		spelled("c", "/relative/a/b/c"),
		spelled("./d", "/relative/a/b/d"),
		spelled("../e", "/relative/a/e"),
		spelled("../../f/", "/relative/f/"),
		spelled("../../../../../g", "/g"),
		spelled("c/../c", "/relative/a/b/c"),
		spelled(".", "/relative/a/b/"),
		spelled("?x=1", "/relative/a/b/?x=1"),
		spelled("c//h", "/relative/a/b/c//h")))
	b.page("/relative/a/b/?x=1", page("Here with a query"))
	b.page("/relative/f/", page("There", spelled("i", "/relative/f/i"), spelled("../a/e", "/relative/a/e")))
	b.leaf("/relative/a/b/c", "/relative/a/b/d", "/relative/a/e", "/g", "/relative/a/b/c//h", "/relative/f/i")
}

// spelling has links as people write them. Browsers understand them all; a naive crawler fetches other addresses, or none, or one page once
// for each way to encode its address.
func spelling(b builder) {
	b.enter(link("/spelling/"))
	b.page("/spelling/", page("Spelling",
		spelled("  /spelling/spaces  ", "/spelling/spaces"),
		spelled("/spelling/\n\tbreak", "/spelling/break"),
		spelled(`\spelling\backslash`, "/spelling/backslash"),
		spelled("/spelling/raw?a=1&b=2", "/spelling/raw?a=1&b=2"),
		spelled("/spelling/raw?a=1&amp;b=2", "/spelling/raw?a=1&b=2"),
		spelled("/spelling/&#x65;ntity", "/spelling/entity"),
		spelled("/spelling/%2E%2e/spelling/dots", "/spelling/dots"),
		spelled("/spelling/in side", "/spelling/in%20side"),
		spelled("/spelling/page-%C3%A9?q=~", "/spelling/page-%C3%A9?q=~"),
		spelled("/spelling/%70age%2d%c3%a9?%71=%7E", "/spelling/%70age%2d%c3%a9?%71=%7E"),
		spelled("/spelling/%2570age-%C3%A9?q=~", "/spelling/%2570age-%C3%A9?q=~"),
		spelled("HTTPS://TRAP.example:443/spelling/upper", "https://"+Main+"/spelling/upper")))
	b.leaf("/spelling/spaces", "/spelling/break", "/spelling/backslash", "/spelling/raw?a=1&b=2", "/spelling/entity", "/spelling/dots",
		"/spelling/in%20side", "/spelling/upper", "/spelling/page-%C3%A9?q=~", "/spelling/%2570age-%C3%A9?q=~")
}

// unicode paths are one page, whether the link is written in letters or in percent signs.
func unicode(b builder) {
	const zurich, tokyo = "/unicode/Z%C3%BCrich", "/unicode/%E6%9D%B1%E4%BA%AC/"
	b.enter(link("/unicode/"))
	b.page("/unicode/", page("Letters", spelled("/unicode/Zürich", zurich), link(zurich), spelled("/unicode/Z&uuml;rich", zurich),
		spelled("東京/", tokyo), link(tokyo),
		spelled("/unicode/search?q=ü", "/unicode/search?q=%C3%BC")))
	b.leaf(zurich, tokyo, "/unicode/search?q=%C3%BC")
}

// encoded paths mean what they say: a slash that is encoded is no slash. A naive crawler decodes them, and fetches other pages.
func encoded(b builder) {
	b.enter(link("/encoded/"))
	paths := []string{"/encoded/a%20b", "/encoded/100%25", "/encoded/a%2Fb", "/encoded/a/b", "/encoded/a%3Fb", "/encoded/a+b",
		"/encoded/a%23b", "/encoded/plus?q=a+b", "/encoded/plus?q=a%20b"}
	b.page("/encoded/", page("Signs", links(paths...)...))
	b.leaf(paths...)
}
