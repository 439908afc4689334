package content

import "golang.org/x/net/html/atom"

// unit is what is kept or left out as a whole: the cards of one list, a table, the lines of one name. What one line says by chance, or how
// long it is, decides nothing.
type unit struct {
	whole int32  // the element of a list or table; 0 for lines of one name
	name  uint64 // of the lines
	left  bool   // the rules leave it out
}

// tally sums up the blocks of a unit.
type tally struct{ likely, weight float64 }

func (t *tally) add(likely, weight float64) {
	t.likely += likely * weight
	t.weight += weight
}

// evened gives each block the likelihood of its unit.
func (v *view) evened(likely []float64) []float64 {
	units := v.units()
	byUnit, sums := make(map[unit]*tally), make([]*tally, len(units))
	for k, u := range units {
		switch {
		case k > 0 && u == units[k-1]:
			sums[k] = sums[k-1]
		case byUnit[u] == nil:
			sums[k] = new(tally)
			byUnit[u] = sums[k]
		default:
			sums[k] = byUnit[u]
		}
		sums[k].add(likely[k], float64(v.blocks[k].words+1))
	}
	even := make([]float64, len(likely))
	for k, sum := range sums {
		even[k] = sum.likely / sum.weight
	}
	return even
}

// units gives the unit of each block.
func (v *view) units() []unit {
	wholes := v.wholes()
	list := make([]unit, len(v.blocks))
	for k := range list {
		b := &v.blocks[k]
		list[k] = unit{whole: wholes[b.first], left: b.left != keptByAll}
		if list[k].whole == 0 {
			list[k].name = b.name
		}
	}
	return list
}

// wholes gives for each node the list of cards or posts, or else the outermost table or list, that it is in; 0 for none.
func (v *view) wholes() []int32 {
	v.steps.Add(len(v.nodes))
	in := make([]int32, len(v.nodes))
	parts := v.facts.runs.parts
	for i := 1; i < len(v.nodes); i++ {
		in[i] = in[v.parent(i)]
		for len(parts) > 0 && parts[0].at < i {
			parts = parts[1:]
		}
		switch {
		case len(parts) > 0 && parts[0].at == i:
			in[i] = int32(v.parent(i))
		case in[i] == 0 && isWhole(v.nodes[i].DataAtom) && !atLeast(v.stats[i].words, v.stats[0].words, tooMuch):
			in[i] = int32(i)
		}
	}
	return in
}

func isWhole(tag atom.Atom) bool {
	switch tag {
	case atom.Table, atom.Dl, atom.Ul, atom.Ol, atom.Pre, atom.Blockquote:
		return true
	}
	return false
}
