package passages

import (
	"cmp"
	"strings"
)

// What is repeated is at most this long, in bytes.
const (
	maxHead  = 16 << 10
	maxFence = 64
)

// splitter makes the passages of one text.
type splitter struct {
	text     string
	language string
	limit    int
	count    func(string) int
	times    map[string]int // of each id
	list     []Passage

	under path
	lead  int // where headings without text begin; -1: none
}

// run goes through the sections.
func (s *splitter) run(blocks []Block) {
	s.lead = -1
	for i := 0; i < len(blocks); {
		if b := blocks[i]; b.Level > 0 {
			s.under.enter(b)
			if i++; s.lead < 0 {
				s.lead = b.From
			}
			continue
		}
		end := i
		for end < len(blocks) && blocks[end].Level == 0 {
			end++
		}
		s.section(blocks[i:end])
		i, s.lead = end, -1
	}
	if s.lead >= 0 {
		s.trail(blocks[len(blocks)-1].To)
	}
}

// section makes passages of the blocks between two headings.
func (s *splitter) section(blocks []Block) {
	var whole []unit
	for i := range blocks {
		units := s.units(&blocks[i])
		if len(units) == 1 {
			whole = append(whole, units...)
			continue
		}
		s.pack(whole)
		whole = nil
		s.pack(units)
	}
	s.pack(whole)
}

// pack makes passages of units.
func (s *splitter) pack(units []unit) {
	for len(units) > 0 {
		room := s.limit
		if s.lead >= 0 {
			room -= s.count(s.text[s.lead:units[0].from])
		}
		n := s.take(units, room)
		s.add(units[:n], n < len(units))
		units, s.lead = units[n:], -1
	}
}

// take is how many units make the next passage: all where they have room; else the cut is, of those in the second half of the room, before
// the unit with the smallest hash, which is the same unit wherever the passage began.
func (s *splitter) take(units []unit, room int) int {
	room -= s.frame(units[0])
	sum, best, least := 0, 0, ^uint64(0)
	for i, u := range units {
		if i > 0 && sum >= room/2 {
			if h := s.hash(u); best == 0 || h < least {
				best, least = i, h
			}
		}
		if i > 0 {
			sum += s.count(s.text[units[i-1].to:u.from])
		}
		if sum += u.tokens; sum > room && i > 0 {
			return cmp.Or(best, i)
		}
	}
	return len(units)
}

// frame is what head and foot of a part have.
func (s *splitter) frame(u unit) int {
	if !u.part || u.block.Body == u.block.From {
		return 0
	}
	return s.count(s.headOf(u.block)+"\n") + s.count("\n"+u.block.Fence)
}

// hash is the same in all processes: FNV-1a of the text.
func (s *splitter) hash(u unit) uint64 {
	h := uint64(14695981039346656037)
	for _, c := range []byte(s.text[u.from:u.to]) {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return h
}

// headOf is what each part of a block has again; empty where that would take more than half of a passage: then no part has it.
func (s *splitter) headOf(b *Block) string {
	head := strings.TrimRight(s.text[b.From:b.Body], "\r\n")
	if len(head) > maxHead || s.count(head) > s.limit/2 {
		return ""
	}
	return head
}

// add makes a passage of units.
func (s *splitter) add(units []unit, more bool) {
	first, last := units[0], units[len(units)-1]
	p := Passage{From: first.from, Headings: s.under.list()}
	if s.lead >= 0 {
		p.From = s.lead
	}
	p.To = p.From + len(strings.TrimRight(s.text[p.From:last.to], " \t\r\n"))
	p.Text = s.text[p.From:p.To]
	if b := first.block; first.part && b.Body > b.From {
		if first.from > b.From {
			p.Head = s.headOf(b)
		}
		if more && len(b.close) <= maxFence {
			p.Foot = b.Fence
		}
	}
	p.Kind, p.Language = kindOf(units), s.language
	if p.Kind == Code {
		p.Language = languageOf(units)
	}
	p.ID, p.Tokens = s.id(p.Text), s.count(p.Markdown())
	s.list = append(s.list, p)
}

// kindOf is the kind of most bytes.
func kindOf(units []unit) (kind Kind) {
	bytes := map[Kind]int{}
	for _, u := range units {
		k := u.block.Kind
		if bytes[k] += u.to - u.from; kind == "" || bytes[k] > bytes[kind] {
			kind = k
		}
	}
	return kind
}

// languageOf is that of the first code that has one.
func languageOf(units []unit) string {
	for _, u := range units {
		if u.block.Language != "" {
			return u.block.Language
		}
	}
	return ""
}

// trail puts headings at the end into the last passage, or makes one of them where there is no text.
func (s *splitter) trail(end int) {
	if len(s.list) == 0 {
		b := Block{From: s.lead, To: end, Kind: Prose, Body: s.lead}
		s.add([]unit{s.unit(&b, b.From, b.To)}, false)
		return
	}
	p := &s.list[len(s.list)-1]
	p.To, p.Text = end, s.text[p.From:end]
	p.ID, p.Tokens = s.id(p.Text), s.count(p.Markdown())
}
