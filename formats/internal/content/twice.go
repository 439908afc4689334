package content

import "golang.org/x/net/html"

// Many pages hold the same section twice, for wide screens and for narrow ones, and show one of them by a style sheet.

// A section that stands twice has at least this many words in two blocks or more; less may well be said twice.
const twiceWords = 12

// removeTwice leaves out sections whose whole text has stood on the page before.
func (p *page) removeTwice(stats []stat) {
	texts := p.fingerprints()
	seen := make(map[uint64]bool)
	for i := 1; i < len(p.nodes); i++ {
		p.steps.Visit()
		n := p.nodes[i].Node
		if p.out[i] {
			i = p.End(i) - 1
			continue
		}
		s := &stats[i]
		if n.Type != html.ElementNode || !isBlock(n) || s.words < twiceWords || s.direct == s.words || texts[i].sum == texts[p.parent(i)].sum {
			continue
		}
		if seen[texts[i].sum] {
			p.out[i] = true
			i = p.End(i) - 1
			continue
		}
		seen[texts[i].sum] = true
	}
}

// fingerprint stands for a text without its white space. Those of parts can be put together.
type fingerprint struct {
	sum   uint64
	shift uint64 // the factor of a text before this one
}

const fingerprintBase = 0x9E3779B97F4A7C15 // odd, so that multiplying loses nothing

func (f fingerprint) then(g fingerprint) fingerprint {
	return fingerprint{f.sum*g.shift + g.sum, f.shift * g.shift}
}

// fingerprints are those of the texts of all nodes that are not left out. The answer holds until the next call.
func (p *page) fingerprints() []fingerprint {
	p.steps.Add(2 * len(p.nodes))
	all := p.memory.prints
	kept := p.kept(p.out)
	for i := range all {
		all[i] = fingerprint{shift: 1}
		if e := &p.nodes[i]; kept[i] && e.words > 0 {
			all[i] = fingerprintOf(e.Data)
		}
	}
	for i := len(all) - 1; i > 0; i-- {
		if kept[i] {
			parent := p.parent(i)
			all[parent] = all[i].then(all[parent])
		}
	}
	return all
}

func fingerprintOf(s string) fingerprint {
	f := fingerprint{shift: 1}
	for i := 0; i < len(s); i++ {
		if s[i] > ' ' {
			f.sum = f.sum*fingerprintBase + uint64(s[i])
			f.shift *= fingerprintBase
		}
	}
	return f
}
