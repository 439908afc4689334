package crawltest

import (
	"fmt"
	"math/rand/v2"
)

// page of a random site.
type page struct {
	url   string
	links []int
	dead  bool // never answers
	flaky int  // attempts that fail first
}

// randomSite has up to size pages on a few hosts; page 0 is the seed and lives.
func randomSite(random *rand.Rand, size int) []page {
	site := make([]page, 1+random.IntN(size))
	hosts := 1 + random.IntN(5)
	fanout := 1 + random.IntN(8)
	for i := range site {
		site[i].url = fmt.Sprintf("http://h%d.example/%d", random.IntN(hosts), i)
		for range random.IntN(fanout + 1) {
			site[i].links = append(site[i].links, random.IntN(len(site)))
		}
		site[i].dead = i > 0 && random.IntN(12) == 0
		if random.IntN(8) == 0 {
			site[i].flaky = random.IntN(3)
		}
	}
	return site
}

// reachable is the model: what a crawl from page 0 must complete, and with which outcome. true: it lives.
func reachable(site []page) map[string]bool {
	found, queue := map[string]bool{site[0].url: true}, []int{0}
	for len(queue) > 0 {
		at := site[queue[0]]
		queue = queue[1:]
		if at.dead {
			continue
		}
		for _, to := range at.links {
			if _, known := found[site[to].url]; !known {
				found[site[to].url] = !site[to].dead
				queue = append(queue, to)
			}
		}
	}
	return found
}
