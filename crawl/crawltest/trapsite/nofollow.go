package trapsite

// nofollow links are for search engines: who crawls a site for its content follows them. A naive crawler misses pages.
func nofollow(b builder) {
	b.enter(with(` rel="nofollow"`, link("/nofollow/"))...)
	b.page("/nofollow/", page("Don't rank these", with(` rel="ugc nofollow noopener" target="_blank"`, links("/nofollow/one", "/nofollow/two")...)...))
	b.leaf("/nofollow/one", "/nofollow/two")
}
