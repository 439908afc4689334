package traps

// Kind is what makes addresses a pattern.
type Kind string

// The kinds, from the most to the least particular.
const (
	Repeat   Kind = "repeat"   // a path whose parts repeat themselves: /a/b/b/b/…
	Calendar Kind = "calendar" // addresses that differ in a date: /events/{date}
	Query    Kind = "query"    // one path with two parameters or more: /list?…
	Template Kind = "template" // addresses of one layout, by weburl.Template: /p/{n}
	Circle   Kind = "circle"   // whatever is found on pages of a host that held nothing new
)

// Pattern is a group of addresses of one host, and what a crawl made of them.
type Pattern struct {
	Kind Kind `json:"kind"`
	// Name is the host and the form of the addresses: a.example/events/{date}. Of a circle it is the host.
	Name string `json:"pattern"`
	// Fetched is how many pages of it were fetched, New how many of these held something new.
	Fetched int `json:"fetched"`
	New     int `json:"new"`
	// Left is how many addresses were left out; one that is found on several pages counts each time.
	Left int `json:"left"`
}

// maxBlocks bounds the blocks of text and the links that are remembered of a pattern. One with more of them is rich.
const maxBlocks = 512

// pattern is a Pattern as the Guard knows it. Guarded by Guard.mu.
type pattern struct {
	Pattern
	run     int             // pages since the last one that held something new
	returns int             // runs that ended with a new page
	stale   int             // pages since the last one with a new text
	sampled int             // pages that were fetched after it was left
	blocks  map[uint32]bool // of its texts, where its kind compares them, and links out of it; of a circle, its pages
	rich    bool            // too many
	busy    int             // pages that are being fetched
	used    uint64          // when it was used last
}

// patience is how many pages in a row may hold nothing new, by kind: fewer where the address itself is a sign.
var patience = map[Kind]int{Repeat: 6, Query: 10, Calendar: 12, Template: 16, Circle: 24}

// limit of the run. What has held something gets more room, and as much again for each run that ended: where new pages are spread among
// others, long runs are luck.
func (p *pattern) limit() int { return patience[p.Kind]*(1+p.returns) + p.New/4 }

// minRun is the shortest run whose end shows that new pages are spread.
const minRun = 3

func (p *pattern) left() bool { return p.run >= p.limit() }

// doubtful patterns come after all others.
func (p *pattern) doubtful() bool { return p.Kind == Repeat || 2*p.run >= p.limit() }

// maySample reports whether an address of a pattern that was left is fetched all the same: one in 16, half as many as it took to leave it.
func (p *pattern) maySample(address string) bool {
	return 2*p.sampled < patience[p.Kind] && hash(address)%16 == 0
}

// note takes a page in.
func (p *pattern) note(isNew bool) {
	if p.left() {
		p.sampled++
	}
	p.Fetched++
	if !isNew {
		p.run++
		return
	}
	p.New++
	if p.run >= minRun {
		p.returns++
	}
	p.run, p.sampled = 0, 0
}

// compares reports whether the blocks of its pages' texts count, and not only whole texts.
func (k Kind) compares() bool { return k == Calendar || k == Query }

// adds takes blocks or links of a page in, and reports whether one was new. Of a pattern that has had too many of them all are: it is no
// trap, or one that can't be distinguished from what is none.
func (p *pattern) adds(blocks []uint32) (isNew bool) {
	if p.rich {
		return true
	}
	if p.blocks == nil {
		p.blocks = map[uint32]bool{}
	}
	for _, b := range blocks {
		isNew = isNew || !p.blocks[b]
		p.blocks[b] = true
	}
	if p.rich = len(p.blocks) > maxBlocks; p.rich {
		p.blocks = nil
	}
	return isNew
}
