package trapsite

// query has a list that is sorted and filtered by parameters. Each address is a page of its own, also where only the order of the
// parameters differs or one of them is for statistics; with IgnoreQueryParameters they all are one. A naive crawler drops
// queries, or sorts them, without being configured to.
func query(b builder) {
	variants := []string{"/query/list", "/query/list?a=1", "/query/list?a=1&b=2", "/query/list?b=2&a=1", "/query/list?a=1&b=2&utm_source=x",
		"/query/list?b=2&a=2"}
	b.enter(link("/query/list"))
	for _, v := range variants {
		b.page(v, page("A list", links(variants...)...))
	}
}
