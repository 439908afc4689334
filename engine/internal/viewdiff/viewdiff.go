package viewdiff

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// maxEdits bounds the work: a page that changes in more lines is read as a whole.
const maxEdits = 600

// maxContext bounds a line that only says where a change is, in bytes.
const maxContext = 100

// Between describes how one snapshot became another: lines that begin with "+" have come, with "-" have gone, with "~" are what an element
// that was there, by its reference, looks like now; others say where: the elements around a change, and the line before it. All lines of
// after that are not in before are there in full, in their order. Of what has gone as a whole only the first line is there, with the number
// of lines in it. It is "" where nothing has changed, and false where that would be no shorter than half of after, or takes too much work:
// then after is to be read as a whole.
//
// A snapshot has an element in each line, indented by its depth, with its reference in brackets: see browser.Snapshot.
func Between(before, after string) (changes string, ok bool) {
	if before == after {
		return "", true
	}
	from, to := strings.Split(before, "\n"), strings.Split(after, "\n")
	list, ok := script(from, to, min(maxEdits, len(to)))
	if !ok {
		return "", false
	}
	w := writer{from: from, to: to}
	for _, e := range slices.Backward(list) {
		w.edit(e)
	}
	if w.out.Len() > len(after)/2 {
		return "", false
	}
	return w.out.String(), true
}

// writer writes edits in the order of the page.
type writer struct {
	from, to []string
	out      strings.Builder
	shown    int // the lines of to before it were written, or are not to be written any more
}

func (w *writer) edit(e edit) {
	w.where(e.y0, e)
	come := refs(w.to[e.y0:e.y1])
	for x := e.x0; x < e.x1; x++ {
		line := w.from[x]
		if ref := refOf(line); ref != "" && come[ref] {
			continue
		}
		inside := 0
		for x+1 < e.x1 && depth(w.from[x+1]) > depth(line) && !come[refOf(w.from[x+1])] {
			x, inside = x+1, inside+1
		}
		w.line("-", gone(line, inside))
	}
	was := refs(w.from[e.x0:e.x1])
	for _, line := range w.to[e.y0:e.y1] {
		mark := "+"
		if was[refOf(line)] {
			mark = "~"
		}
		w.line(mark, line)
	}
	w.shown = e.y1
}

func gone(line string, inside int) string {
	if inside == 0 {
		return clip(line)
	}
	return fmt.Sprintf("%s (and %d lines in it)", clip(line), inside)
}

// where writes the lines around line y that have not been written: what it is in, and what is before it there.
func (w *writer) where(y int, e edit) {
	var around []int
	deep := w.depth(e)
	if y > w.shown && depth(w.to[y-1]) >= deep {
		around = append(around, w.sibling(y, deep)...)
	}
	for i := y - 1; i >= w.shown && deep > 0; i-- {
		if d := depth(w.to[i]); d < deep {
			around, deep = append(around, i), d
		}
	}
	slices.Sort(around)
	for _, i := range around {
		w.line(" ", clip(w.to[i]))
	}
}

// sibling is the last line before y, of those that were not written, that is as deep.
func (w *writer) sibling(y, deep int) []int {
	for i := y - 1; i >= w.shown && depth(w.to[i]) >= deep; i-- {
		if depth(w.to[i]) == deep {
			return []int{i}
		}
	}
	return nil
}

// depth is that of the first line which comes or goes.
func (w *writer) depth(e edit) int {
	if e.y1 > e.y0 {
		return depth(w.to[e.y0])
	}
	return depth(w.from[e.x0])
}

func (w *writer) line(mark, line string) { w.out.WriteString(mark + line + "\n") }

func depth(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

func clip(line string) string {
	if len(line) <= maxContext {
		return line
	}
	return strings.ToValidUTF8(line[:maxContext], "") + "…"
}

// reference is that of an element behind its role and its name, which is quoted.
var reference = regexp.MustCompile(`^ *- [a-z]+(?: "(?:[^"\\]|\\.)*")? \[(e[0-9]+)\]`)

func refOf(line string) string {
	if m := reference.FindStringSubmatch(line); m != nil {
		return m[1]
	}
	return ""
}

func refs(lines []string) map[string]bool {
	set := map[string]bool{}
	for _, line := range lines {
		if ref := refOf(line); ref != "" {
			set[ref] = true
		}
	}
	return set
}
