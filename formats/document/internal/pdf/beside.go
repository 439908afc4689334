package pdf

import "math"

// columnPlace is where a block stands among the columns of its page and the next.
type columnPlace struct {
	region int     // of the page, from 1 on; 0 if it is of none
	rest   []block // of the same column on the next page, where it goes on beside another
	taken  bool    // it is the rest of a block of the page before
}

// besideOthers joins the columns that go on beside each other from page to page, as notes beside the text do: the last sentence of one
// goes on in the same place on the next page, and that of the page's last column not where the next page begins.
func besideOthers(pages []found) {
	for i := 1; i < len(pages); i++ {
		before, after := regionsOf(pages[i-1].blocks), regionsOf(pages[i].blocks)
		if len(before) == 0 || len(after) == 0 || goesOnIn(lastBlock(before[len(before)-1]), &after[0][0]) {
			continue
		}
		for _, a := range before {
			last := lastBlock(a)
			for _, b := range after {
				if !b[0].taken && goesOnIn(last, &b[0]) && inPlaceOf(last, &b[0]) {
					last.rest = b
					for n := range b {
						b[n].taken = true
					}
					break
				}
			}
		}
	}
}

func lastBlock(blocks []block) *block { return &blocks[len(blocks)-1] }

// goesOnIn reports whether a sentence goes on in another block.
func goesOnIn(last, first *block) bool {
	return last.open && continuesText(first.text) && last.kind == "text" && first.kind == "text" && last.level+first.level == 0 &&
		math.Abs(last.size-first.size) < 0.1*last.size
}

// inPlaceOf reports whether text stands in the column that a block of the page before has stood in.
func inPlaceOf(last, first *block) bool {
	return math.Abs(last.box.X0-first.box.X0) < 0.5*last.size && (last.lines == 1 || first.box.X1 < last.box.X1+first.size)
}

// regionsOf are the blocks of a page's regions.
func regionsOf(blocks []block) (out [][]block) {
	start := 0
	for i := range blocks {
		if i+1 == len(blocks) || blocks[i+1].region != blocks[i].region {
			if blocks[i].region > 0 {
				out = append(out, blocks[start:i+1])
			}
			start = i + 1
		}
	}
	return out
}

// inReading are a page's blocks as they are read: without those that were read with the page before, and with those of the next pages
// that are read with this one.
func (h *hyphens) inReading(blocks []block) (out []block) {
	for _, b := range blocks {
		if isFurniture(b.kind) || b.taken {
			continue
		}
		out = append(out, b)
		for rest := b.rest; len(rest) > 0; rest = rest[len(rest)-1].rest {
			first := rest[0]
			if h.goesOn(&out[len(out)-1], &first) {
				out = append(out, rest[1:]...)
			} else {
				out = append(out, rest...)
			}
		}
	}
	return out
}
