package pdf

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/winnow-go/winnow/formats/document/internal/pdf/reader"
)

// chunk is how many pages are looked at together for running headers. Lines are kept for that long, blocks to the end.
const chunk = 48

// Read reads a PDF. Pages that can't be read are reported in their Status and in Warnings; an error means that there
// is nothing to show. Pages are read until most of the time to ctx's deadline is over: those that are missing then are
// named in a warning, and Document.Incomplete is set. Errors: *PasswordError, ErrTime, ErrTooLarge, ErrNoText, ctx's error, and
// for damage any other. It is safe for concurrent use.
func Read(ctx context.Context, body []byte, o Options) (*Document, error) {
	looking, stop := lookingTime(ctx)
	defer stop()
	return read(ctx, looking, body, o)
}

// lookingTime ends when four fifths of the time to ctx's deadline are over. The rest is for making HTML of the pages, and for what the
// caller makes of it: a fifth of the time that looking at the pages takes, at most.
func lookingTime(ctx context.Context) (context.Context, context.CancelFunc) {
	end, has := ctx.Deadline()
	if !has {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, time.Until(end)*4/5)
}

// read looks at pages until looking ends, which ends with ctx too, and makes a document of them.
func read(ctx, looking context.Context, body []byte, o Options) (doc *Document, err error) {
	defer func() {
		if p := recover(); p != nil {
			doc, err = nil, fmt.Errorf("reader failed: %v", p)
			if s, ok := p.(reader.Stopped); ok {
				err = s.Err
			}
		}
		if err != nil && looking.Err() != nil {
			err = cmp.Or(ctx.Err(), ErrTime)
		}
	}()
	o.Unpacked, o.Text = cmp.Or(max(o.Unpacked, 0), 256<<20), cmp.Or(max(o.Text, 0), 32<<20)
	b := &reader.Budget{Context: looking, Limit: o.Unpacked}
	f, leaves, err := reader.Open(b, body, o.Password)
	if errors.Is(err, reader.ErrUnpacked) {
		return nil, ErrTooLarge
	}
	if err != nil {
		return nil, err
	}
	r := &reading{file: f, options: o, doc: &Document{TotalPages: len(leaves), Info: f.Info()}}
	if o.MaxPages > 0 {
		leaves = leaves[:min(len(leaves), o.MaxPages)]
	}
	r.pages(leaves)
	r.keepPictures()
	b.Context = ctx
	if err := r.reached(len(leaves)); err != nil {
		return nil, err
	}
	return r.finish()
}

// reading is the state of one Read.
type reading struct {
	file    *reader.File
	options Options
	doc     *Document
	outline map[string]int
	tags    reader.Tags
	edge    furniture
	words   hyphens
	sizes   map[float64]int // letters by size
	mono    [2]int          // letters in other faces and in typewriter faces
	found   []found
	images  int // pages that show only images
	letters int
	unread  []int // pages whose glyphs can't be read
	shapes  []int // pages with shapes and no text
	ocrErr  error
	glyphs  []reader.Glyph // room that all pages use
}

// found is a page with its blocks.
type found struct {
	page   Page
	blocks []block
}

// shown is a page's lines, before its blocks are made.
type shown struct {
	leaf    reader.Leaf
	number  int
	w, h    float64
	main    int // direction of most of the text
	words   [4][]word
	objects []line    // tables and pictures
	lines   [4][]line // the words at the page's edges and between them, cut at wide gaps
	rules   []reader.Segment
	status  string
	unread  bool            // most of its glyphs can't be read
	scan    *reader.Picture // the image that the page consists of
	images  int             // that it has
	shapes  int             // that are painted
	texts   []block         // recognized
}

// pages looks at pages and arranges them, a chunk at a time, until the time to look is over. A page's blocks are made when the next
// one is arranged: a table may go on there.
func (r *reading) pages(leaves []reader.Leaf) {
	r.edge = furniture{seen: map[string][]int{}}
	r.words = hyphens{seen: map[string]bool{}}
	r.sizes = map[float64]int{}
	r.tags = r.file.ReadTags()
	var last *arranged
	for start := 0; start < len(leaves) && r.file.Budget.Err() == nil; start += chunk {
		for _, s := range r.group(leaves, start) {
			next := r.arrange(s, last)
			if last != nil {
				r.found = append(r.found, r.blocks(last))
			}
			last = next
		}
	}
	if last != nil {
		r.found = append(r.found, r.blocks(last))
	}
}

// group looks at a chunk of pages. A page that the end of the time has interrupted is none of them.
func (r *reading) group(leaves []reader.Leaf, start int) []*shown {
	var out []*shown
	for i := start; i < min(start+chunk, len(leaves)); i++ {
		s := r.look(leaves[i], i+1)
		r.learn(s)
		if r.file.Budget.Err() != nil {
			return out
		}
		out = append(out, s)
		if r.options.Progress != nil {
			r.options.Progress(i+1, len(leaves))
		}
	}
	return out
}

// reached says how many of all pages were read: none is an error, too few a warning.
func (r *reading) reached(all int) error {
	if err := r.file.Budget.Err(); err != nil {
		return err
	}
	read := len(r.found)
	switch {
	case read == all:
		return nil
	case read == 0:
		return ErrTime
	}
	var missing []int
	for n := read + 1; n <= all; n++ {
		missing = append(missing, n)
	}
	r.doc.Incomplete = true
	r.doc.Warnings = append(r.doc.Warnings, "the time was over before "+pageNames(missing)+" could be read")
	return nil
}

// look reads one page. A panic is that page's failure.
func (r *reading) look(l reader.Leaf, number int) (s *shown) {
	s = &shown{leaf: l, number: number, status: "ok"}
	s.w, s.h = l.Size()
	defer func() {
		if p := recover(); p != nil {
			if _, ok := p.(reader.Stopped); ok {
				return // group drops the page
			}
			s.status = "failed"
			r.warn("page %d could not be read: %v", number, p)
		}
	}()
	content, err := l.Content()
	if errors.Is(err, reader.ErrUnpacked) {
		s.status = "failed"
		r.warn("page %d is left out: the file unpacks to too much", number)
		return s
	}
	if err != nil {
		s.status = "partial"
		r.warn("page %d: %v", number, err)
	}
	sheet := r.interpret(l, content)
	if sheet.Err != nil {
		s.status = "partial"
		r.warn("page %d: %v", number, sheet.Err)
	}
	r.place(s, sheet)
	return s
}

func (r *reading) interpret(l reader.Leaf, content []byte) *reader.Sheet {
	in := reader.NewInterpreter(r.file, l.Matrix())
	in.Out.Glyphs = r.glyphs[:0]
	in.Run(content, l.Resources)
	in.CloseMarks()
	l.Notes(in)
	r.glyphs = in.Out.Glyphs // words take nothing of it but text
	return in.Out
}

// place turns what a page shows into lines.
func (r *reading) place(s *shown, sheet *reader.Sheet) {
	visible := reader.Rect{X0: -2, Y0: -2, X1: s.w + 2, Y1: s.h + 2}
	glyphs := sheet.Glyphs[:0]
	for _, g := range sheet.Glyphs {
		if visible.Contains(g.X, g.Y) {
			glyphs = append(glyphs, g)
		}
	}
	r.countUnread(s, glyphs)
	words := wordsOf(glyphs)
	r.linkWords(s.leaf.Links(), &words)
	for d := range words {
		if len(words[d]) > len(words[s.main]) {
			s.main = d
		}
	}
	s.rules, s.shapes = sheet.Lines, sheet.Shapes
	words[0] = withBullets(words[0], sheet.Dots)
	if s.main == 0 {
		words[0] = r.takeTables(s, r.takeTagged(s, words[0]))
	}
	s.words = words
	s.pictures(sheet, &r.tags, r.options.Pictures.Wanted())
	for d := range words {
		s.lines[d] = pieces(words[d])
	}
	s.lines[0] = append(s.lines[0], s.objects...)
	sortLines(s.lines[0])
}

// takeTables moves the words of ruled tables into lines that stand for the tables.
func (r *reading) takeTables(s *shown, words []word) []word {
	for _, t := range ruled(s.rules) {
		box := t.box()
		var inside, rest []word
		for _, w := range words {
			if box.Contains((w.x0+w.x1)/2, w.base-0.3*w.size) {
				inside = append(inside, w)
			} else {
				rest = append(rest, w)
			}
		}
		if len(inside) == 0 {
			continue
		}
		g := t.fill(inside)
		if g == nil {
			continue
		}
		words = rest
		s.objects = append(s.objects, line{table: g, box: g.box, base: g.box.Y0 + 8, size: inside[0].size})
	}
	return words
}

// linkWords gives words under link annotations their URL.
func (r *reading) linkWords(links []reader.Link, words *[4][]word) {
	for _, l := range links {
		url := l.URL
		if r.options.ResolveURL != nil {
			url = r.options.ResolveURL(url)
		}
		if url == "" {
			continue
		}
		for d := range words {
			for i := range words[d] {
				w := &words[d][i]
				box := turnBack(d, reader.Rect{X0: w.x0, Y0: w.top(), X1: w.x1, Y1: w.bottom()})
				if l.Area.Contains((box.X0+box.X1)/2, (box.Y0+box.Y1)/2) {
					w.link = url
				}
			}
		}
	}
}

// learn counts what the whole document is made of.
func (r *reading) learn(s *shown) {
	r.edge.learn(s.lines[s.main], s.h, s.number)
	for _, lines := range s.lines {
		for i := range lines {
			l := &lines[i]
			r.words.learn(l)
			for _, w := range l.words {
				n := len(w.text)
				r.letters += n
				r.sizes[math.Round(w.size*2)/2] += n
				r.mono[bit(w.face != nil && w.face.Mono)] += n
			}
			if l.table != nil {
				r.letters++
			}
		}
	}
	r.recognize(s)
}

// bodySize is the size of most of the text.
func (r *reading) bodySize() float64 {
	best, most := 0.0, 0
	for size, n := range r.sizes {
		if n > most || n == most && size < best {
			best, most = size, n
		}
	}
	return best
}

// arranged is a page whose words stand in regions.
type arranged struct {
	*shown
	edges []block
	all   [4]region    // by the direction of the text
	by    [4]*arranger // nil from the direction on in which it failed
}

// arrange parts a page into regions. Last is the page before, nil for none.
func (r *reading) arrange(s *shown, last *arranged) (out *arranged) {
	out = &arranged{shown: s}
	defer r.recovered(out)
	if s.main == 0 {
		out.edges = r.takeFurniture(s)
	}
	for d := range out.by {
		out.all[d] = region{words: s.words[d]}
		a := &arranger{typed: r.typed()}
		if d == 0 {
			a.rules, out.all[d].objects = s.rules, s.objects
		}
		a.cut(out.all[d], 0)
		for i := range a.out[min(1, len(a.out)):] {
			cutOffRows(a.out[:i+1], a.out[i+1:])
		}
		out.by[d] = a
	}
	if last != nil && last.by[0] != nil && last.main == 0 && s.main == 0 {
		cutOffRows(last.by[0].out, out.by[0].out)
	}
	return out
}

// blocks makes those of a page.
func (r *reading) blocks(s *arranged) (out found) {
	defer func() { out.page = Page{Number: s.number, Width: s.w, Height: s.h, Status: s.status} }()
	defer r.recovered(s)
	r.words.typed = r.typed()
	b := &builder{hyphens: r.words, body: r.bodySize(), tags: &r.tags, page: s.leaf.Ref}
	for i := range 4 {
		b.dir = (s.main + i) % 4
		a := s.by[b.dir]
		if a != nil && (b.dir > 0 || !b.follow(a, s.all[0])) {
			b.regions(a.out)
		}
	}
	out.blocks = append(append(b.out, s.texts...), s.edges...)
	return out
}

// typed reports whether the whole document is typewritten.
func (r *reading) typed() bool { return r.mono[1] > r.mono[0] }

// recovered turns a panic into the page's failure.
func (r *reading) recovered(s *arranged) {
	if p := recover(); p != nil {
		s.status = "failed"
		r.warn("page %d could not be arranged: %v", s.number, p)
	}
}

// maxWarnings bounds the warnings of a file.
const maxWarnings = 50

func (r *reading) warn(format string, args ...any) {
	if len(r.doc.Warnings) < maxWarnings {
		r.doc.Warnings = append(r.doc.Warnings, fmt.Sprintf(format, args...))
	}
}
