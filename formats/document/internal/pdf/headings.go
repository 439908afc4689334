package pdf

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/winnow-go/winnow/formats/document/internal/pdf/reader"
)

// headings gives levels to the blocks that are headings: larger than the text or bold by themselves, or listed in
// the outline.
func (r *reading) headings() {
	body := r.bodySize()
	var sizes []float64
	least := 1.12
	if len(r.tags.Levels) > 1 {
		least = 1.3 // tags decide; without one, only much larger text is a heading
	}
	r.each(func(b *block) {
		if b.level == 0 && headingLike(b, body, r.outline) && b.size >= least*body {
			sizes = append(sizes, b.size)
		}
	})
	steps := clusters(sizes)
	step := func(b *block) int {
		return slices.IndexFunc(steps, func(s float64) bool { return math.Abs(s-b.size) <= 0.05*s })
	}
	whole := map[int]bool{} // steps with headings whose number has one part
	var found []*block
	r.each(func(b *block) {
		if b.level > 0 || !headingLike(b, body, r.outline) || least > 1.12 && b.size < least*body {
			return
		}
		found = append(found, b)
		whole[step(b)] = whole[step(b)] || wholeNumber.MatchString(b.marker+" "+b.text)
	})
	for _, b := range found {
		at := step(b)
		switch {
		case at < 0:
			at = len(steps) + max(0, numberDepth(b.text)-1)
		case whole[at]:
			at += numberDepth(b.text) // "2.1" is below "2", also in the same size
		}
		b.level = min(at+1, 6)
	}
	r.dropLoneBold()
}

func (r *reading) each(f func(*block)) {
	for i := range r.found {
		for j := range r.found[i].blocks {
			if b := &r.found[i].blocks[j]; b.kind == "text" || b.kind == "list" {
				f(b)
			}
		}
	}
}

// dropLoneBold takes headings back that aren't larger than the text and that nothing follows, and those of pages
// where most is bold.
func (r *reading) dropLoneBold() {
	body := r.bodySize()
	for i := range r.found {
		blocks := r.found[i].blocks
		for j := range blocks {
			b := &blocks[j]
			if contentsEntry(blocks, j, body) {
				b.kind, b.level, b.marker, b.indent = "list", 0, "", b.box.X0
			}
			if b.level == 0 || b.size >= 1.12*body || r.outline[reader.TitleKey(b.text)] > 0 {
				continue
			}
			next := j + 1
			for next < len(blocks) && blocks[next].level > 0 && blocks[next].size < 1.12*body && next-j < 3 {
				next++
			}
			if next-j >= 3 {
				for k := j; k < len(blocks) && blocks[k].level > 0 && blocks[k].size < 1.12*body; k++ {
					blocks[k].level = 0
				}
			}
		}
	}
}

// contentsEntry reports whether a heading is an entry of a table of contents that has no dots: entries stand beside it.
func contentsEntry(blocks []block, j int, body float64) bool {
	entry := func(k int) bool {
		return k >= 0 && k < len(blocks) && blocks[k].kind == "list" && blocks[k].marker == "" && blocks[k].level == 0
	}
	b := &blocks[j]
	return b.level > 0 && b.size < 1.3*body && b.lines == 1 && endNumber.MatchString(b.text) && (entry(j-1) || entry(j+1))
}

// headingLike reports whether a block looks like a heading.
func headingLike(b *block, body float64, outline map[string]int) bool {
	n := utf8.RuneCountInString(b.text)
	if b.lines > 4 || n > 240 || n < 2 || !strings.ContainsFunc(b.text, unicode.IsLetter) || b.kind == "list" && !numbered(b) || captionPattern.MatchString(b.text) {
		return false
	}
	if outline[reader.TitleKey(b.text)] > 0 && b.lines <= 3 && (b.bold || b.size > 1.02*body) {
		return true
	}
	if b.kind == "list" && b.size < 1.12*body && (!b.bold || b.lines > 1) {
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(b.text)
	if b.size >= 1.12*body {
		return !(last == '.' && n > 100) && last != ',' && (b.size >= 1.25*body || b.lines <= 2)
	}
	return b.bold && b.lines <= 2 && n <= 130 && b.size > 0.93*body && !strings.ContainsRune(".,;:", last)
}

func numbered(b *block) bool { return sectionNumber.MatchString(b.marker) }

var (
	sectionNumber  = regexp.MustCompile(`^(?:[0-9]{1,2}\.?|[IVX]{1,5}\.|[A-Z]\.)$`)
	captionPattern = regexp.MustCompile(`(?i)^(?:figure|fig\.|table|tab\.|abbildung|abb\.|tabelle|figura|tabla|tableau|listing|chart)\s*[0-9]+`)
	endNumber      = regexp.MustCompile(`\s[0-9]{1,4}$`)
	wholeNumber    = regexp.MustCompile(`^ ?[0-9]{1,2}\.? `)
	leadingNumber  = regexp.MustCompile(`^[0-9]{1,2}((?:\.[0-9]{1,2})*)`)
)

// numberDepth is how deep a section's number goes: 0 for "2 Methods", 1 for "2.1 Data".
func numberDepth(s string) int {
	m := leadingNumber.FindStringSubmatch(s)
	if m == nil {
		return 0
	}
	return strings.Count(m[1], ".")
}

// clusters are the sizes of headings from the largest down; those within 5 % are one.
func clusters(sizes []float64) []float64 {
	slices.SortFunc(sizes, func(a, b float64) int { return cmp.Compare(b, a) })
	var out []float64
	for _, s := range sizes {
		if n := len(out); n == 0 || out[n-1]-s > 0.05*out[n-1] {
			out = append(out, s)
		}
	}
	return out[:min(len(out), 5)]
}
