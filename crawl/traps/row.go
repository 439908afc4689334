package traps

import (
	"encoding/json"
	"maps"
	"slices"
)

// Row is a pattern as it is stored, under its key.
type Row struct {
	Key   string
	Value []byte
}

// stored is the JSON of a row.
type stored struct {
	Pattern
	Run     int      `json:"run,omitempty"`
	Returns int      `json:"returns,omitempty"`
	Stale   int      `json:"stale,omitempty"`
	Sampled int      `json:"sampled,omitempty"`
	Rich    bool     `json:"rich,omitempty"`
	Blocks  []uint32 `json:"blocks,omitempty"`
}

// Changed are the rows of a page's patterns as they are now, and of those of links that it left, as far as they are worth storing: what
// holds something new each time needs no row but now and then. They are to be stored in the order of the calls.
func (g *Guard) Changed(href, from string, left ...string) (rows []Row) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, f := range g.touched(href, from, left) {
		if p := g.patterns[f]; p != nil && p.worthStoring() {
			rows = append(rows, p.row())
		}
	}
	return rows
}

// touched are the patterns of a page and of links, each once.
func (g *Guard) touched(href, from string, left []string) []form {
	a := readAddress(href)
	forms := a.forms
	if p := g.patterns[a.circle()]; p != nil && (p.blocks[a.hash] || p.blocks[uint32(hash(from))]) {
		forms = append(forms, a.circle())
	}
	for _, link := range left {
		for _, f := range readAddress(link).forms {
			if !slices.Contains(forms, f) {
				forms = append(forms, f)
			}
		}
	}
	return forms
}

// worthStoring: a run, or an end of one, what is compared, and each doubling of what was new.
func (p *pattern) worthStoring() bool {
	return p.Fetched > p.New || len(p.blocks) > 0 || p.New&(p.New-1) == 0
}

func (p *pattern) row() Row {
	value, err := json.Marshal(stored{p.Pattern, p.run, p.returns, p.stale, p.sampled, p.rich, slices.Sorted(maps.Keys(p.blocks))})
	if err != nil { // numbers and texts only
		panic(err)
	}
	return Row{string(p.Kind) + " " + p.Name, value}
}

// Restore takes in a stored row. One that can't be read is skipped: what it says is learnt again.
func (g *Guard) Restore(value []byte) {
	g.mu.Lock()
	defer g.mu.Unlock()
	var s stored
	if json.Unmarshal(value, &s) != nil || len(s.Blocks) > maxBlocks {
		return
	}
	p := g.pattern(form{s.Kind, s.Name})
	g.doubts -= doubt(p)
	p.Pattern, p.run, p.returns, p.stale, p.sampled, p.rich = s.Pattern, s.Run, s.Returns, s.Stale, s.Sampled, s.Rich
	for _, b := range s.Blocks {
		p.adds([]uint32{b})
	}
	g.doubts += doubt(p)
}

// Read returns the pattern of a stored row, if addresses of it were left out.
func Read(value []byte) (p Pattern, left bool) {
	var s stored
	if json.Unmarshal(value, &s) != nil {
		return p, false
	}
	return s.Pattern, s.Left > 0
}
