package trapsite

import "net/http"

// redirects lead on: in chains, in circles, to other hosts, to pages that are known and to what no crawl may have. The page at the end
// counts, once, if it belongs to the crawl. A naive crawler goes round for ever, delivers the end twice, or follows a redirect out of
// what it may see.
func redirects(b builder) {
	b.enter(link("/redirect/"))
	b.page("/redirect/", page("Ways that lead on", links(
		"/redirect/chain", "/redirect/loop", "/redirect/self", "/redirect/known", "/redirect/target", "/redirect/twin-a", "/redirect/twin-b",
		"/redirect/abroad", "/redirect/blog", "/redirect/private", "/redirect/picture", "/redirect/slash", "/redirect/part", "/redirect/nowhere",
		"/redirect/query")...))

	b.page("/redirect/chain", redirect(http.StatusMovedPermanently, link("/redirect/chain-2")))
	b.page("/redirect/chain-2", redirect(http.StatusFound, spelled("chain-3?x=1", "/redirect/chain-3?x=1")))
	b.page("/redirect/chain-3", redirect(http.StatusTemporaryRedirect, spelled("../redirect/end/", "/redirect/end/")))
	b.page("/redirect/end/", &node{title: "The end of the chain", links: links("/redirect/beyond"), often: true})
	b.leaf("/redirect/beyond")

	b.page("/redirect/loop", loop("/redirect/loop-2"))
	b.page("/redirect/loop-2", loop("/redirect/loop"))
	b.page("/redirect/self", loop("/redirect/self"))

	b.page("/redirect/known", redirect(http.StatusSeeOther, link("/redirect/target")))
	b.page("/redirect/twin-a", redirect(http.StatusFound, link("/redirect/both")))
	b.page("/redirect/twin-b", redirect(http.StatusPermanentRedirect, link("/redirect/both")))
	b.page("/redirect/slash", redirect(http.StatusMovedPermanently, link("/redirect/slash/")))
	b.page("/redirect/part", redirect(http.StatusFound, link("/redirect/whole#part")))
	b.page("/redirect/query", redirect(http.StatusFound, spelled("?x=1", "/redirect/query?x=1")))
	b.page("/redirect/query?x=1", &node{title: "With a query", often: true})
	b.target("/redirect/target", "/redirect/both", "/redirect/slash/", "/redirect/whole")

	b.page("/redirect/abroad", redirect(http.StatusFound, link("https://"+otherHost+"/landed")))
	b.page("/redirect/blog", redirect(http.StatusFound, link("https://"+blogHost+"/landed")))
	b.page("/redirect/private", redirect(http.StatusFound, link("/private/by-redirect")))
	b.page("/redirect/picture", redirect(http.StatusFound, link("/files/picture.jpg")))
	b.page("/redirect/nowhere", redirect(http.StatusFound, link("/redirect/lost")))
	b.page("/redirect/lost", &node{status: http.StatusNotFound, title: "Lost", often: true})
	b.on(otherHost).target("/landed")
	b.on(blogHost).target("/landed")
	b.target("/private/by-redirect")
}

func loop(to string) *node {
	n := redirect(http.StatusFound, link(to))
	n.often = true // clients turn round a few times
	return n
}

// moved is a site that has moved to this one: the crawl goes on here. A naive crawler takes all links of the new host for foreign ones.
func moved(b builder) {
	b.on("old.example").below("/", func(at place) *node {
		n := redirect(http.StatusMovedPermanently, link("https://"+Main+at.path))
		n.often = true
		return n
	})
}
