package content

// trimProduct takes the cards of other things off a page about one for sale.
func (p *page) trimProduct(stats []stat) {
	root := &stats[0]
	for _, r := range p.facts.runs.parts {
		s := &stats[r.at]
		if r.post || s.words == 0 || s.h1 > 0 || s.images == 0 || s.anchors == 0 || s.prose*2 > s.words || s.specs > 1 {
			continue
		}
		if !atLeast(s.words, root.words, tooMuch) {
			p.out[r.at] = true
		}
	}
}
