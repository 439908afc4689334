package noise

import (
	"cmp"
	"hash/fnv"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/winnow-go/winnow/engine/internal/tracking"
)

// Version is a page as a check saw it.
type Version struct {
	// Text is the page's Markdown.
	Text string
	// Seen is the time of the check, in the zone that the page is likely to be in. Zero: it isn't known, and dates that move with the
	// time of the check are not recognised.
	Seen time.Time
}

// block is a block of a page.
type block struct {
	kind   tracking.BlockKind
	source string // as the normalised form has it
	masked string
	marks  []mark
	ad     string // the rule by which it is an advertisement
	label  string // the nearest heading above, or the paragraph that introduces the block; masked
	path   uint64 // of all headings above, and the paragraph that introduces a list
	named  string // the nearest of the headings above, the title apart, or the introduction, that says that what is below it rotates
	header string // of a row: the first row of its table
	at     int    // in the page

	rotates bool // a heading says that what is below it rotates

	parts    []part // by split
	skeleton string
	values   []value // by valuesOf
	day      int8    // by namesADay: above zero, a day of the week is named; zero, it isn't known yet
}

// page is a version that has been read.
type page struct {
	version Version
	blocks  []block
	passed  []block // advertisements
}

// read splits a version into blocks and masks them. Texts in plain are known to hold nothing that any rule takes for noise; it adds to
// them.
func read(v Version, off func(rule string) bool, plain map[string]bool) *page {
	p := &page{version: v}
	for _, b := range tracking.Blocks(v.Text) {
		p.blocks = append(p.blocks, block{kind: b.Kind, source: b.Text})
	}
	p.markAds(off)
	for i := range p.blocks {
		b := &p.blocks[i]
		if plain[b.source] {
			b.masked = b.source
			continue
		}
		m := masker{version: v, off: off, kind: b.kind}
		b.masked = m.mask(b.source)
		if b.marks = m.marks; b.masked == b.source && !m.digits {
			plain[b.source] = true
		}
	}
	p.passed = slices.Collect(p.matching(func(b *block) bool { return b.ad != "" }))
	p.blocks = slices.DeleteFunc(p.blocks, func(b block) bool { return b.ad != "" })
	p.place()
	return p
}

func (p *page) matching(what func(*block) bool) func(func(block) bool) {
	return func(yield func(block) bool) {
		for i := range p.blocks {
			if what(&p.blocks[i]) && !yield(p.blocks[i]) {
				return
			}
		}
	}
}

var introduces = regexp.MustCompile(`^(?:.{0,200}:|\*\*[^*]{1,100}\*\*:?)$`)

// place notes of each block what stands above it.
func (p *page) place() {
	var path headings
	intro, header := "", ""
	for i := range p.blocks {
		b := &p.blocks[i]
		b.at = i
		if b.kind != tracking.Row {
			header = ""
		} else if header == "" {
			header = b.masked
		}
		b.header = header
		if b.kind == tracking.Heading {
			path, intro = path.below(b), ""
			b.path = hash(path.texts()...)
			b.label, b.named = path.nearest(), path.named()
			b.rotates = b.level() > 1 && len(b.masked) < maxName && rotates.MatchString(b.masked)
			path = append(path, b)
			continue
		}
		b.label, b.named = cmp.Or(intro, path.nearest()), path.named()
		if intro != "" && len(intro) < maxName && rotates.MatchString(intro) {
			b.named = intro
		}
		b.path = hash(append(path.texts(), intro)...)
		if b.kind == tracking.Paragraph && introduces.MatchString(b.masked) {
			intro = b.masked
		}
	}
}

// headings are those above a place, outermost first.
type headings []*block

// below returns the headings that another one stands below.
func (h headings) below(b *block) headings {
	for len(h) > 0 && h[len(h)-1].level() >= b.level() {
		h = h[:len(h)-1]
	}
	return h
}

func (h headings) nearest() string {
	if len(h) == 0 {
		return ""
	}
	return h[len(h)-1].masked
}

// named is the nearest that says that what is below it rotates: not the title of a page, which says so of its subject.
func (h headings) named() string {
	for _, b := range slices.Backward(h) {
		if b.rotates {
			return b.masked
		}
	}
	return ""
}

func (h headings) texts() (texts []string) {
	for _, b := range h {
		texts = append(texts, b.masked)
	}
	return texts
}

// level is that of a heading.
func (b *block) level() int {
	text := strings.TrimLeft(b.source, "> ")
	return len(text) - len(strings.TrimLeft(text, "#"))
}

func hash(parts ...string) uint64 {
	h := fnv.New64a()
	for _, p := range parts {
		h.Write([]byte(p))
		h.Write([]byte{0})
	}
	return h.Sum64()
}

// unit is what keeps together when a page is in another order: a heading, an item, a row or a paragraph with links, and what follows it.
type unit struct {
	key    uint64
	blocks []*block
}

func (u *unit) add(b *block) {
	u.key = u.key*1099511628211 ^ hash(b.masked)
	u.blocks = append(u.blocks, b)
}

// units splits a page into its units. What follows the last of several items or cards is no part of it, but for as many blocks as follow
// the one before; they are a unit of their own.
func (p *page) units() (all []unit) {
	rest := false // the last unit is of blocks that follow the last of several
	for i := range p.blocks {
		b := &p.blocks[i]
		begins := len(all) == 0 || b.begins()
		if over := !begins && !rest && isFull(all); begins || over {
			all, rest = append(all, unit{key: b.path}), over
		}
		all[len(all)-1].add(b)
	}
	return all
}

// isFull reports whether the last unit has as many blocks as the one before, of the same kind. A row is one block.
func isFull(all []unit) bool {
	last := &all[len(all)-1]
	head := last.blocks[0]
	if head.kind == tracking.Row {
		return true
	}
	if len(all) < 2 || head.kind == tracking.Heading {
		return false
	}
	before := &all[len(all)-2]
	return before.blocks[0].kind == head.kind && before.blocks[0].begins() && len(last.blocks) >= len(before.blocks)
}

// begins reports a block that others may follow: nested items belong to the item around them.
func (b *block) begins() bool {
	switch b.kind {
	case tracking.Heading, tracking.Row:
		return true
	case tracking.Item:
		return !strings.HasPrefix(b.source, " ")
	case tracking.Paragraph:
		return strings.Contains(b.masked, "](")
	}
	return false
}
