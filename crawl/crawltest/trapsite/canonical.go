package trapsite

// canonical pages name another one as the original. They are pages all the same, and the original is one only if a link leads to it.
// A naive crawler drops them, or follows what isn't a link.
func canonical(b builder) {
	b.enter(link("/canonical/copy"))
	b.page("/canonical/copy", &node{title: "A copy", head: `<link rel="canonical" href="/canonical/original">`, links: links("/canonical/second")})
	b.page("/canonical/second", &node{title: "A second copy", head: `<link rel="canonical" href="/canonical/hidden">`,
		links: links("/canonical/original")})
	b.leaf("/canonical/original", "/canonical/hidden")
}
