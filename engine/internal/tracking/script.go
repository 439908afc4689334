package tracking

import (
	"fmt"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
)

const (
	previousName = "previous.md"
	currentName  = "current.md"
	contextLines = 3 // around a change
)

// script is how one text becomes another: lines of from that go and lines of to that
// come. The lines that stay are the same on both sides, in the same order. Lines have
// their line breaks.
type script struct {
	from, to  []string
	gone, new []bool
}

func newScript(from, to string) *script {
	s := &script{from: split(from), to: split(to)}
	s.gone, s.new = make([]bool, len(s.from)), make([]bool, len(s.to))
	return s
}

// split is the lines of a text that is empty or ends with a line break.
func split(text string) []string {
	all := strings.SplitAfter(text, "\n")
	return all[:len(all)-1]
}

// anchored is the script of an anchored diff: lines that occur once on both sides
// stay where they can all stay together, and so do the same lines around them. It takes
// time in proportion to the number of lines and its logarithm.
func anchored(from, to string) *script {
	s := newScript(from, to)
	x, y, inChunk := 0, 0, false
	for line := range strings.Lines(string(diff.Diff(previousName, []byte(from), currentName, []byte(to)))) {
		switch {
		case line[0] == '@':
			ranges := strings.Fields(line)
			x, y, inChunk = spanStart(ranges[1]), spanStart(ranges[2]), true
		case !inChunk: // the names
		case line[0] == '-':
			s.gone[x] = true
			x++
		case line[0] == '+':
			s.new[y] = true
			y++
		default:
			x, y = x+1, y+1
		}
	}
	return s
}

// spanStart is how many lines are before a span such as "-7,2".
func spanStart(text string) int {
	start, lines, _ := readSpan(text[1:])
	return start - min(lines, 1)
}

// whole is the script that takes out all between the common beginning and the common
// end and puts the other in.
func whole(from, to string) *script {
	s := newScript(from, to)
	head := 0
	for head < min(len(s.from), len(s.to)) && s.from[head] == s.to[head] {
		head++
	}
	x, y := len(s.from), len(s.to)
	for x > head && y > head && s.from[x-1] == s.to[y-1] {
		x, y = x-1, y-1
	}
	for i := head; i < x; i++ {
		s.gone[i] = true
	}
	for i := head; i < y; i++ {
		s.new[i] = true
	}
	return s
}

// region is a place where lines go and come: from[x0:x1] and to[y0:y1]. Either may be
// empty, not both.
type region struct{ x0, x1, y0, y1 int }

// next is the first region at or behind line x of from and line y of to, which must
// be as far; false when there is none.
func (s *script) next(x, y int) (region, bool) {
	for x < len(s.from) && y < len(s.to) && !s.gone[x] && !s.new[y] {
		x, y = x+1, y+1
	}
	r := region{x, x, y, y}
	for r.x1 < len(s.from) && s.gone[r.x1] {
		r.x1++
	}
	for r.y1 < len(s.to) && s.new[r.y1] {
		r.y1++
	}
	return r, r.x1 > r.x0 || r.y1 > r.y0
}

// unified writes the script as a unified diff.
func (s *script) unified() string {
	var out strings.Builder
	out.WriteString("--- " + previousName + "\n+++ " + currentName + "\n")
	for r, more := s.next(0, 0); more; {
		chunk := []region{r}
		last := r
		for {
			r, more = s.next(last.x1, last.y1)
			if !more || r.x0-last.x1 > 2*contextLines {
				break
			}
			chunk, last = append(chunk, r), r
		}
		s.writeChunk(&out, chunk)
	}
	return out.String()
}

// writeChunk writes regions that are near each other, and the lines around them.
func (s *script) writeChunk(out *strings.Builder, regions []region) {
	first, last := regions[0], regions[len(regions)-1]
	before := min(contextLines, first.x0)
	after := min(contextLines, len(s.from)-last.x1)
	x, y := first.x0-before, first.y0-before
	fmt.Fprintf(out, "@@ -%s +%s @@\n", span(x, last.x1+after), span(y, last.y1+after))
	for _, r := range regions {
		writeMarked(out, " ", s.from[x:r.x0])
		writeMarked(out, "-", s.from[r.x0:r.x1])
		writeMarked(out, "+", s.to[r.y0:r.y1])
		x = r.x1
	}
	writeMarked(out, " ", s.from[x:x+after])
}

// span is "start,lines" of the lines from start to end, counted from 0. An empty one
// starts at the line before it.
func span(start, end int) string {
	return fmt.Sprintf("%d,%d", start+min(end-start, 1), end-start)
}

func writeMarked(out *strings.Builder, mark string, lines []string) {
	for _, line := range lines {
		out.WriteString(mark)
		out.WriteString(line)
	}
}
