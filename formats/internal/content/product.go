package content

// tooManyCards is the share of a page's words, in percent, that cards of other things do not hold: a page with more is their
// list, whatever else it says it is.
const tooManyCards = 60

// trimProduct takes the cards of other things off a page about one for sale.
func (p *page) trimProduct(stats []stat) {
	var cards []int
	words := int32(0)
	for _, r := range p.facts.runs.parts {
		if !r.post && isOther(&stats[r.at]) {
			cards = append(cards, r.at)
			words += stats[r.at].words
		}
	}
	if atLeast(words, stats[0].words, tooManyCards) {
		return
	}
	for _, i := range cards {
		p.out[i] = true
	}
}

// isOther reports a card of another thing: a picture and a link, no text about it.
func isOther(s *stat) bool {
	return s.words > 0 && s.h1 == 0 && s.images > 0 && s.anchors > 0 && s.prose*2 <= s.words && s.specs <= 1
}
