package trapsite

import "net/http"

// robots.txt forbids a part of the site, but for one page in it, and parts more to one agent ("trapbot"), which may see what others
// may not. A naive crawler takes the first rule that fits, or claims a forbidden address and thereby loses the allowed one that is
// the same page without its query.
func robots(b builder) {
	b.enter(link("/robots/"))
	b.page("/robots/", page("Forbidden", links("/private/page", "/private/open", "/robots/public?secret=1", "/robots/public", "/agents/page")...))
	b.leaf("/private/page", "/private/open", "/robots/public", "/agents/page")
	b.site.robots[Main].groups = []robotsGroup{
		{"*", []robotsRule{disallow("/private/"), allow("/private/open"), disallow("/*?secret=")}},
		{"trapbot", []robotsRule{disallow("/agents/")}},
	}
	b.site.robots[otherHost].groups = []robotsGroup{{"*", []robotsRule{disallow("/closed")}}}
}

// foreign links lead to other sites. They are followed with AllowExternalLinks only, one link far, not to bare home pages, and never to
// social networks. A naive crawler crawls the web.
func foreign(b builder) {
	b.enter(link("/foreign/"))
	b.page("/foreign/", page("Elsewhere", links("https://"+otherHost+"/", "https://"+otherHost+"/page", "http://"+otherHost+"/plain",
		"https://"+otherHost+"/page#part", "https://"+otherHost+"/closed",
		"https://github.com/trap/example", "https://www.linkedin.com/company/trap", "https://m.facebook.com/trap", "/foreign/home")...))
	b.leaf("/foreign/home")
	other := b.on(otherHost)
	other.page("/", page("Another site", links("/one")...))
	other.page("/page", page("A page of another site", links("/two", "https://"+Main+"/foreign/home", "https://"+Main+"/foreign/")...))
	other.leaf("/plain", "/one", "/two", "/closed")
}

// subdomains are hosts of the same owner: crawled whole with AllowSubdomains. A naive crawler compares hosts by how their names end.
func subdomains(b builder) {
	b.enter(links("https://"+blogHost+"/", "https://"+blogHost+"/first")...)
	blog := b.on(blogHost)
	blog.page("/", page("The blog", links("/first", "/second")...))
	blog.page("/first", page("First post", links("/second", "/")...))
	blog.page("/second", page("Second post", links("https://"+Main+"/subdomains/back", "/third")...))
	blog.leaf("/third")
	b.leaf("/subdomains/back")
}

// slowHosts take long and require a pause between two requests. A naive crawler holds the others up, or doesn't wait.
func slowHosts(b builder) {
	for _, host := range []string{"slow." + Main, "slow.example"} {
		b.enter(link("https://" + host + "/start"))
		h := b.on(host)
		h.page("/start", &node{title: "A slow host", slow: true, links: links("/a", "/b")})
		h.page("/a", &node{title: "Slow a", slow: true})
		h.page("/b", &node{title: "Slow b", slow: true})
		b.site.robots[host].delay = slowHostDelay
	}
}

// failingHosts close every connection. A naive crawler tries each of their pages, for long.
func failingHosts(b builder) {
	for _, host := range []string{"failing." + Main, "failing.example"} {
		b.enter(links("https://"+host+"/a", "https://"+host+"/b")...)
		b.site.robots[host].fails = true
		b.on(host).below("/", func(place) *node { return &node{fails: true} })
	}
}

// noRobots is a host whose robots.txt can't be read, because of an error of the server: then nothing may be fetched there. A naive
// crawler takes that for a site without rules.
func noRobots(b builder) {
	const host = "noentry." + Main
	b.enter(link("https://" + host + "/page"))
	b.on(host).leaf("/page")
	b.site.robots[host].broken = http.StatusServiceUnavailable
}
