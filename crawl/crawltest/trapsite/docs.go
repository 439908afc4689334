package trapsite

import (
	"fmt"
	"math/rand/v2"
)

const docsFanout = 3

// docs are ordinary pages: a tree below /docs/ with links up and sideways, each page one name deeper and one link further than
// its parent. A naive crawler comes to pages twice, and with the seed /docs/ takes /docs-old/ along, or goes up to the root.
//
// Links lead down by one level, to brothers, and to what is above: all known by then in a breadth-first crawl however many workers
// it has, so that the number of links to a page doesn't depend on luck.
func docs(b builder) {
	b.enter(links("/docs/", "/docs-old/")...)
	b.leaf("/docs-old/")
	random := rand.New(rand.NewPCG(b.site.o.Seed, textHash("docs")))
	paths := make([]string, b.site.o.Pages)
	for i := range paths {
		paths[i] = "/docs/"
		if i > 0 {
			paths[i] = fmt.Sprintf("%s%s-%d/", paths[(i-1)/docsFanout], words[random.IntN(len(words))], i)
		}
	}
	for i, path := range paths {
		n := page(fmt.Sprintf("Chapter %d", i), link("/docs-old/"))
		if i == 0 {
			n.links = append(n.links, link("/"))
		} else {
			n.links = append(n.links, link(paths[(i-1)/docsFanout]))
		}
		for child := i*docsFanout + 1; child <= (i+1)*docsFanout && child < len(paths); child++ {
			n.links = append(n.links, link(paths[child]))
		}
		n.links = append(n.links, docsCross(random, paths, i)...)
		b.page(path, n)
	}
}

// docsCross links to brothers, ancestors, and the brothers of those.
func docsCross(random *rand.Rand, paths []string, i int) (list []anchor) {
	for i > 0 {
		first := (i-1)/docsFanout*docsFanout + 1
		for to := first; to < first+docsFanout && to < len(paths); to++ {
			if random.IntN(2) == 0 {
				list = append(list, link(paths[to]))
			}
		}
		i = (i - 1) / docsFanout
	}
	return list
}
