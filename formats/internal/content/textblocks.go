package content

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// textBlock is a run of text in one block element, without what the blocks inside of that hold.
type textBlock struct {
	at          int32 // the block element
	first, last int32 // its texts lie from the first to the last of these; those between them of other elements are not its own
	words       int32
	linkWords   int32
	links       int32
	marks       int32
	before      int32  // words of the blocks before it
	text        uint64 // what it says, white space and case aside
	name        uint64 // the names of its element and of those around
	line        string // how it begins, in lower case, white space folded
	chars       chars
	left        stage // the step that has left it out
}

// chars sums up the characters of a text.
type chars struct {
	seen                           int32
	letters, upper, digits, others int32
	first, last                    rune
}

// stage is a step of the search for main content.
type stage uint8

const (
	keptByAll stage = iota
	stageRoot
	stageNames
	stageLinks
	stageSections
	stageAccounts
	stageTrim
	stages
)

// maxChars is how many characters of a block are distinguished.
const maxChars = 400

// textBlocks lists the blocks of text that the page has, in document order.
func (p *page) textBlocks() []textBlock {
	p.steps.Add(len(p.nodes))
	list := make([]textBlock, 0, len(p.nodes)/8)
	kept := p.kept(p.all)
	words := int32(0)
	link := int32(-1)
	for i := range p.nodes {
		e := &p.nodes[i]
		if e.DataAtom == atom.A {
			link = int32(i)
		}
		if !kept[i] || e.Type != html.TextNode || e.words == 0 {
			continue
		}
		if len(list) == 0 || list[len(list)-1].at != e.block {
			list = append(list, textBlock{at: e.block, first: int32(i), before: words, text: hashStart, name: p.nameOf(int(e.block))})
		}
		list[len(list)-1].add(e, int32(i), link)
		words += e.words
	}
	p.readLines(list)
	return list
}

// add counts one more text; link is the last link that began before it.
func (b *textBlock) add(e *node, i, link int32) {
	if e.inLink {
		b.linkWords += e.words
		if b.linkWords == e.words || link > b.last {
			b.links++
		}
	}
	b.last = i
	b.words += e.words
	b.marks += e.marks
	b.read(e.Data)
}

// read adds the characters of a text.
func (b *textBlock) read(s string) {
	for i := 0; i < len(s); {
		if k := asciiKinds[s[i]]; k != 0 {
			if k != asciiSpace {
				b.text = (b.text ^ uint64(s[i]|byte(k&asciiUpper))) * hashPrime
				b.chars.addASCII(s[i], k)
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		if !unicode.IsSpace(r) {
			b.text = (b.text ^ uint64(unicode.ToLower(r))) * hashPrime
			b.chars.add(r)
		}
	}
}

// asciiKind is what an ASCII character is; 0 for all other bytes.
type asciiKind uint8

const (
	asciiSpace asciiKind = 1 << iota
	asciiDigit
	asciiLower
	asciiOther
	_
	asciiUpper // the bit by which letters of both cases differ
)

var asciiKinds = func() (kinds [256]asciiKind) {
	for c := range rune(utf8.RuneSelf) {
		switch {
		case unicode.IsSpace(c):
			kinds[c] = asciiSpace
		case unicode.IsUpper(c):
			kinds[c] = asciiUpper
		case unicode.IsLetter(c):
			kinds[c] = asciiLower
		case unicode.IsDigit(c):
			kinds[c] = asciiDigit
		default:
			kinds[c] = asciiOther
		}
	}
	return kinds
}()

// addASCII is add for ASCII characters.
func (c *chars) addASCII(r byte, k asciiKind) {
	c.last = rune(r)
	if c.seen == 0 {
		c.first = rune(r)
	}
	if c.seen++; c.seen >= maxChars {
		return
	}
	switch k {
	case asciiLower:
		c.letters++
	case asciiUpper:
		c.letters++
		c.upper++
	case asciiDigit:
		c.digits++
	default:
		c.others++
	}
}

func (c *chars) add(r rune) {
	c.last = r
	if c.seen == 0 {
		c.first = r
	}
	if c.seen++; c.seen >= maxChars {
		return
	}
	switch {
	case unicode.IsLetter(r):
		c.letters++
		if unicode.IsUpper(r) {
			c.upper++
		}
	case unicode.IsDigit(r):
		c.digits++
	default:
		c.others++
	}
}

// readLines reads how the blocks begin, all into one text.
func (p *page) readLines(list []textBlock) {
	f := folder{b: p.memory.lines[:0]}
	ends := make([]int, len(list))
	for k := range list {
		f.next()
		p.readLine(&list[k], &f)
		f.lower()
		ends[k] = len(f.b)
	}
	p.memory.lines = f.b
	all, from := f.String(), 0
	for k, end := range ends {
		list[k].line = all[from:end]
		from = end
	}
}

func (p *page) readLine(b *textBlock, f *folder) {
	for i := b.first; i <= b.last && len(f.b)-f.from <= longLine; i++ {
		p.steps.Visit()
		if e := &p.nodes[i]; e.block == b.at && e.words > 0 {
			f.text(e.Data[:min(len(e.Data), 4*longLine)])
		}
	}
}

// The numbers of FNV-1a.
const (
	hashStart = 14695981039346656037
	hashPrime = 1099511628211
)

// nameOf stands for the tags and first classes of an element and of the two around it.
func (p *page) nameOf(i int) uint64 {
	h := uint64(hashStart)
	for level := 0; level < 3 && i > 0; level++ {
		e := &p.nodes[i]
		h = hashText(hashText(h, e.Data), firstClass(e.Node))
		i = p.parent(i)
	}
	return h
}

func hashText(h uint64, s string) uint64 {
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * hashPrime
	}
	return (h ^ ' ') * hashPrime
}

// note remembers which blocks a step has left out.
func (p *page) note(s stage) {
	kept := p.kept(p.out)
	for k := range p.blocks {
		if b := &p.blocks[k]; b.left == keptByAll && !kept[b.first] {
			b.left = s
		}
	}
}

// forget takes back what steps from one on have left out.
func (p *page) forget(from stage) {
	for k := range p.blocks {
		if p.blocks[k].left >= from {
			p.blocks[k].left = keptByAll
		}
	}
}
