package trapsite

import "fmt"

// slow pages take their time. A naive crawler waits for each before it goes on.
func slow(b builder) {
	b.enter(link("/slow/"))
	list := links("/slow/1", "/slow/2", "/slow/3")
	b.page("/slow/", &node{title: "Patience", slow: true, links: list})
	for _, a := range list {
		b.page(a.to, &node{title: "Still here", slow: true})
	}
}

// huge is a page of megabytes with a link at its end. A naive crawler cuts it off and misses the link.
func huge(b builder) {
	b.enter(link("/huge/"))
	text := newStock(32 << 10).text
	body := make([]byte, 0, b.site.o.HugeBytes+len(text))
	body = append(body, "<!DOCTYPE html><title>A long read</title><main><h1>A long read</h1>\n"...)
	for len(body) < b.site.o.HugeBytes {
		body = append(body, text...)
	}
	body = append(body, `<p><a href="/huge/end">The end</a></p></main>`...)
	b.page("/huge/", &node{kind: "text/html; charset=utf-8", raw: body, links: links("/huge/end")})
	b.leaf("/huge/end")
}

// many is a page of 5000 links: most of them are of no use, or the same again. A naive crawler keeps all of them in memory, or
// needs a transaction for each.
func many(b builder) {
	const pages, all = 50, 5000
	b.enter(link("/many/"))
	n := page("Five thousand links")
	for i := range all {
		path := fmt.Sprintf("/many/%d", i%pages)
		switch i % 3 {
		case 0:
			b.leaf(path)
			n.links = append(n.links, link(path))
		case 1:
			n.links = append(n.links, link(fmt.Sprintf("/many/picture-%d.png", i)))
		case 2:
			n.links = append(n.links, link(fmt.Sprintf("mailto:nobody-%d@%s", i, Main)))
		}
	}
	b.page("/many/", n)
}

// shortcut is a slow page with a short way to where fast pages lead by a longer one. A naive crawler that keeps the way that it
// found first counts too many links, and with a MaxDiscoveryDepth of 4 misses /shortcut/goal.
func shortcut(b builder) {
	b.enter(link("/shortcut/"))
	b.page("/shortcut/", page("Two ways", links("/shortcut/slow", "/shortcut/fast-1")...))
	b.page("/shortcut/slow", &node{title: "The short way", slow: true, links: links("/shortcut/crossing")})
	b.page("/shortcut/fast-1", page("The long way", links("/shortcut/fast-2")...))
	b.page("/shortcut/fast-2", page("The long way still", links("/shortcut/crossing")...))
	b.page("/shortcut/crossing", page("Where the ways meet", links("/shortcut/goal")...))
	b.leaf("/shortcut/goal")
}
