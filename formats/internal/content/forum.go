package content

import "golang.org/x/net/html/atom"

// trimPosts takes out of a forum's posts what is not theirs: the card of the user, of which the name stays, and the signature.
func (p *page) trimPosts(stats []stat) {
	for _, r := range p.facts.runs.parts {
		if !r.post {
			continue
		}
		for i := r.at + 1; i < p.End(r.at); i++ {
			p.steps.Visit()
			if p.out[i] {
				i = p.End(i) - 1
				continue
			}
			e, s := &p.nodes[i], &stats[i]
			switch {
			case e.mark.signs&signSignature != 0:
				p.out[i] = true
			case e.mark.signs&signUser != 0 && s.prose == 0 && s.posts == 0 && !atLeast(s.words, stats[r.at].words, tooMuch):
				p.keepName(i)
			default:
				continue
			}
			i = p.End(i) - 1
		}
	}
}

// keepName leaves of a user's card only the first link, heading or bold text with words: the name.
func (p *page) keepName(card int) {
	for i := card + 1; i < p.End(card); i++ {
		p.steps.Visit()
		if p.out[i] || !isName(&p.nodes[i]) || p.WordsBelow(i) == 0 {
			continue
		}
		at := card
		for at != i {
			next := at
			for c := at + 1; c < p.End(at); c = p.End(c) {
				p.steps.Visit()
				if c <= i && i < p.End(c) {
					next = c
				} else {
					p.out[c] = true
				}
			}
			at = next
		}
		return
	}
}

func isName(e *node) bool {
	return e.DataAtom == atom.A || e.DataAtom == atom.B || e.DataAtom == atom.Strong || heading(e) || e.mark.signs&signName != 0
}
