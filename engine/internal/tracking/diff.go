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

// Texts larger than this get a diff of one chunk. At the limit a diff takes some
// tenths of a second and some ten times the texts in memory.
const (
	maxLines = 100_000
	maxBytes = 8 << 20
)

// Diff is a unified diff with three lines of context from previous.md to current.md,
// of the two texts in their normalised form, so that a mere change of white space or of
// a tracking parameter isn't shown; "" when they are [Same]. Applied to the normalised
// form of previous it gives that of current. The first line is "--- previous.md"; all
// lines end with "\n".
//
// It is an anchored diff: lines that occur once in both texts are held together. A
// change between lines that all repeat elsewhere may be shown larger than need be.
// Where one of the normalised texts has more than 100,000 lines or 8 MiB, all that lies
// between their common beginning and end is shown as one change. Time and memory are in
// proportion to the texts, but for a factor of the logarithm of their lines.
func Diff(previous, current string) string {
	if previous == current {
		return ""
	}
	from, to := normal(previous), normal(current)
	if from == to {
		return ""
	}
	if large(from) || large(to) {
		return oneChunk(from, to)
	}
	_, unified, _ := strings.Cut(string(diff.Diff(previousName, []byte(from), currentName, []byte(to))), "\n")
	return unified
}

func large(text string) bool {
	return len(text) > maxBytes || strings.Count(text, "\n") > maxLines
}

// oneChunk is a unified diff that takes all between the common beginning and the
// common end out and puts the other in. Both texts are empty or end with "\n".
func oneChunk(from, to string) string {
	head := commonHead(from, to)
	tail := commonTail(from[head:], to[head:])
	lead, trail := lastLines(from[:head]), firstLines(from[len(from)-tail:])
	removed, added := from[head:len(from)-tail], to[head:len(to)-tail]

	around := strings.Count(lead, "\n") + strings.Count(trail, "\n")
	oldLines, newLines := around+strings.Count(removed, "\n"), around+strings.Count(added, "\n")
	before := strings.Count(from[:head-len(lead)], "\n")
	var out strings.Builder
	fmt.Fprintf(&out, "--- %s\n+++ %s\n@@ -%s +%s @@\n", previousName, currentName, span(before, oldLines), span(before, newLines))
	writeMarked(&out, " ", lead)
	writeMarked(&out, "-", removed)
	writeMarked(&out, "+", added)
	writeMarked(&out, " ", trail)
	return out.String()
}

// span is "start,lines" of a chunk; an empty one starts at the line before it.
func span(before, lines int) string {
	return fmt.Sprintf("%d,%d", before+min(lines, 1), lines)
}

func writeMarked(out *strings.Builder, mark, text string) {
	for line := range strings.Lines(text) {
		out.WriteString(mark)
		out.WriteString(line)
	}
}

// commonHead is the length of the whole lines that both texts begin with.
func commonHead(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return strings.LastIndexByte(a[:n], '\n') + 1
}

// commonTail is the length of the whole lines that both texts end with.
func commonTail(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	if n == len(a) && (n == len(b) || b[len(b)-1-n] == '\n') || n == len(b) && a[len(a)-1-n] == '\n' {
		return n // from the beginning of a line in both
	}
	same := a[len(a)-n:]
	return len(same) - 1 - strings.IndexByte(same, '\n')
}

// lastLines and firstLines are as many lines of a text as make the context.
func lastLines(text string) string {
	start := len(text)
	for range contextLines {
		start = strings.LastIndexByte(text[:max(start-1, 0)], '\n') + 1
	}
	return text[start:]
}

func firstLines(text string) string {
	end := 0
	for range contextLines {
		end += strings.IndexByte(text[end:], '\n') + 1
	}
	return text[:end]
}
