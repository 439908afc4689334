package trapsite

import "strings"

// spiral has the same text on each page, and a relative link that a page too many was given, so that each page lies below the one before. A
// naive crawler never ends, until addresses are too long.
func spiral(b builder) {
	b.enter(link("/spiral/"))
	b.below("/spiral/", func(at place) *node {
		if strings.ReplaceAll(strings.TrimPrefix(at.path, "/spiral/"), "deeper/", "") != "" {
			return nil
		}
		n := page("A turn of the spiral", spelled("deeper/", at.path+"deeper/"))
		n.words = "spiral"
		return n
	})
}
