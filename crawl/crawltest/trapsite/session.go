package trapsite

import "fmt"

// session has an id in all links, another one on each page that is requested: no crawler ever sees an address twice. A naive crawler
// fetches the same three pages for ever; their texts differ in the id alone. The ids follow from the address, so that the list of them is
// known.
func session(b builder) {
	b.enter(link("/session/?sid=0"))
	paths := []string{"/session/", "/session/cart", "/session/help"}
	for _, path := range paths {
		b.below(path, func(at place) *node {
			if at.path != path {
				return nil
			}
			n := page("Your session " + at.query)
			n.words = path
			for i, to := range paths {
				n.links = append(n.links, link(fmt.Sprintf("%s?sid=%x", to, mix(b.site.o.Seed^textHash(at.path+"?"+at.query)+uint64(i)))))
			}
			return n
		})
	}
}
