package content

// trimProse cuts a page of prose down to the text itself.
func (p *page) trimProse() {
	stats := p.measure(p.out)
	p.narrow(stats)
}

// proseShare is the share of the prose, in percent, that the block with the text holds.
const proseShare = 90

// narrow goes down from the root to the smallest element that holds nearly all prose, and keeps it with the title.
func (p *page) narrow(stats []stat) {
	at := 0
	for {
		next := p.heaviest(stats, at)
		if next < 0 || !atLeast(stats[next].prose, stats[0].prose, proseShare) {
			break
		}
		at = next
	}
	if at == 0 || stats[0].prose == 0 {
		return
	}
	p.focus(p.out, at, stats)
}

// heaviest is the child with most prose; -1 when none has any.
func (p *page) heaviest(stats []stat, parent int) int {
	best, most := -1, int32(0)
	for c := parent + 1; c < p.End(parent); c = p.End(c) {
		if !p.out[c] && stats[c].prose > most {
			best, most = c, stats[c].prose
		}
	}
	return best
}
