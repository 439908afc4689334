package trapsite

// similar has pages under many addresses: http and https, with "www.", with a slash or an index file at the end. With
// DeduplicateSimilarURLs each is one page. A naive crawler delivers them many times, or takes names of different case for the same.
func similar(b builder) {
	b.enter(link("/similar/"))
	n := page("Many ways", link("/similar/"))
	for _, path := range []string{"/similar/one", "/similar/two"} {
		for _, origin := range []string{"", "http://" + Main, "https://" + Main, "http://www." + Main, "https://www." + Main} {
			for _, end := range []string{"", "/", "/index.html", "/index.php"} {
				b.leaf(path + end)
				n.links = append(n.links, link(origin+path+end))
			}
		}
	}
	n.links = append(n.links, links("/similar/One", "/similar/one?x=1", "/similar/one/?x=1", "/similar/index", "/similar/one/index.htm")...)
	b.leaf("/similar/One", "/similar/index", "/similar/one/index.htm")
	b.page("/similar/", n)
}
