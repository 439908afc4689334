package markdown

import "unicode/utf8"

// A mark is written as signs says, but not where Markdown would not read it as one.

// chooseMarks finds the emphasis that must be written in HTML. Marks of one sign that stand side by side are one
// run to a reader, so they share their fate, and so do both ends of a stretch.
func (l *line) chooseMarks() {
	l.useUnderscores()
	const rounds = 8
	for range rounds {
		if !l.failRuns() && l.matchRuns() {
			return
		}
	}
	for i := range l.notes {
		if l.notes[i].isMark() {
			l.notes[i].force = true
		}
	}
}

// isMark reports a mark that depends on what is beside it.
func (n *remark) isMark() bool {
	return (n.kind == noteOpen || n.kind == noteClose) && n.span <= struck
}

// failRuns looks at each run of marks and reports whether it found one that would not be read, and was not known to.
func (l *line) failRuns() (changed bool) {
	for i := 0; i < len(l.notes); {
		n := &l.notes[i]
		if !n.isMark() {
			i++
			continue
		}
		first, end := i, n.at+n.size
		for i++; i < len(l.notes) && l.notes[i].isMark() && l.notes[i].at == end && l.notes[i].char == n.char; i++ {
			end += l.notes[i].size
		}
		if l.runIsRead(l.notes[first:i], n.at, end) || first == i-1 && l.letOut(first) {
			continue
		}
		for k := first; k < i; k++ {
			changed = l.fail(k) || changed
		}
	}
	return changed
}

// letOut moves a mark past the punctuation on its inner side, when that makes it one that is read: "**Note:**text" is not
// bold to a reader, "**Note**:text" is.
func (l *line) letOut(i int) bool {
	n := &l.notes[i]
	was := n.at
	for !n.force && l.passSign(i) {
		if opens, closes := l.flanks(n.at, n.at+n.size, n.char); n.kind == noteOpen && opens || n.kind == noteClose && closes {
			return true
		}
	}
	for n.at < was {
		l.shift(n, 1)
	}
	for n.at > was {
		l.shift(n, -1)
	}
	return false
}

// passSign moves a mark inwards past one sign of the text, if there is one and more behind it.
func (l *line) passSign(i int) bool {
	n := &l.notes[i]
	if n.mate < 0 {
		return false
	}
	var inner []byte
	var r rune
	var size, step int
	if n.kind == noteOpen {
		inner, step = l.flat[n.at+n.size:l.notes[i+1].at], 1 // its mate comes later
		r, size = utf8.DecodeRune(inner)
	} else {
		before := l.notes[i-1]
		inner, step = l.flat[before.at+before.size:n.at], -1
		r, size = utf8.DecodeLastRune(inner)
	}
	if len(inner) <= size || !isPunct(r) {
		return false
	}
	for range size {
		l.shift(n, step)
	}
	return true
}

// shift exchanges a mark with the byte behind it, or, with step -1, before it.
func (l *line) shift(n *remark, step int) {
	if step > 0 {
		c := l.flat[n.at+n.size]
		copy(l.flat[n.at+1:], l.flat[n.at:n.at+n.size])
		l.flat[n.at] = c
	} else {
		c := l.flat[n.at-1]
		copy(l.flat[n.at-1:], l.flat[n.at:n.at+n.size])
		l.flat[n.at-1+n.size] = c
	}
	n.at += step
}

// runIsRead reports whether each mark of a run can do what it is for, and none of them has failed.
func (l *line) runIsRead(run []remark, at, end int) bool {
	opens, closes := l.flanks(at, end, run[0].char)
	if run[0].char == '~' && (l.runeBefore(at) == '~' || l.runeAfter(end) == '~') {
		return false // one of the text; escaped, it still confuses readers
	}
	for _, n := range run {
		if n.force || n.kind == noteOpen && !opens || n.kind == noteClose && !closes {
			return false
		}
	}
	return true
}

func (l *line) fail(i int) bool {
	n := &l.notes[i]
	if n.force || n.mate < 0 {
		return false
	}
	n.force, l.notes[n.mate].force = true, true
	return true
}

// useUnderscores writes emphasis that fills strong emphasis with underscores: three stars would be read the other way round.
func (l *line) useUnderscores() {
	for i := 1; i < len(l.notes); i++ {
		inner, outer := &l.notes[i], &l.notes[i-1]
		if inner.kind != noteOpen || inner.span != emphasis || outer.kind != noteOpen || outer.span != strong ||
			outer.at+outer.size != inner.at || inner.char != '*' || outer.char != '*' {
			continue
		}
		innerEnd, outerEnd := inner.mate, outer.mate
		if innerEnd < 0 || outerEnd != innerEnd+1 || l.notes[innerEnd].at+1 != l.notes[outerEnd].at {
			continue
		}
		before, after := l.runeBefore(outer.at), l.runeAfter(l.notes[outerEnd].at+2)
		if isWord(before) || isWord(after) {
			continue
		}
		inner.char, l.notes[innerEnd].char = '_', '_'
		l.flat[inner.at], l.flat[l.notes[innerEnd].at] = '_', '_'
	}
}

func isWord(r rune) bool { return r != ' ' && !isPunct(r) }

// markOf is what is written for a mark.
func (l *line) markOf(n *remark) string {
	sign := signs[n.span]
	switch {
	case n.force && n.kind == noteOpen:
		return sign.open
	case n.force:
		return sign.close
	case n.span > struck && n.kind == noteClose:
		return sign.close
	case n.char == '_':
		return "__"[:n.size]
	}
	return sign.mark
}

// pairRuns forces an escape of those runs of signs in the text that would be read as marks: which can end what an
// earlier one begins, or begin what a later one ends.
func (l *line) pairRuns() {
	first, last := l.ends()
	for i := range l.notes {
		n := &l.notes[i]
		if n.kind != noteText || !isRun(n.char) || n.size == 0 {
			continue
		}
		if n.char == '~' && n.size > 2 {
			continue
		}
		opens, closes := l.flanksOf(n)
		n.force = n.force || closes && first[slot(n.char)] < n.at || opens && last[slot(n.char)] > n.at || l.touchesMark(i)
	}
}

func (l *line) flanksOf(n *remark) (opens, closes bool) {
	if n.char == '`' {
		return true, true
	}
	return l.flanks(n.at, n.at+n.size, n.char)
}

// ends are the places of the first sign that can begin emphasis and of the last one that can end it, by slot.
func (l *line) ends() (first, last [4]int) {
	for i := range first {
		first[i], last[i] = len(l.flat)+1, -1
	}
	see := func(at int, char byte, opens, closes bool) {
		if opens {
			first[slot(char)] = min(first[slot(char)], at)
		}
		if closes {
			last[slot(char)] = max(last[slot(char)], at)
		}
	}
	for i := range l.notes {
		switch n := &l.notes[i]; {
		case n.kind == noteCode:
			see(n.at, '`', true, true)
		case n.isMark() && !n.force:
			see(n.at, n.char, n.kind == noteOpen, n.kind == noteClose)
		case n.kind == noteText && isRun(n.char):
			opens, closes := l.flanksOf(n)
			see(n.at, n.char, opens, closes)
		}
	}
	return first, last
}

// slot numbers the signs of isRun.
func slot(c byte) int {
	switch c {
	case '*':
		return 0
	case '_':
		return 1
	case '~':
		return 2
	}
	return 3
}

// touchesMark reports a run directly beside a mark of the same sign.
func (l *line) touchesMark(i int) bool {
	n := &l.notes[i]
	for _, k := range []int{i - 1, i + 1} {
		if k < 0 || k >= len(l.notes) {
			continue
		}
		o := &l.notes[k]
		if (o.isMark() || o.kind == noteCode) && !(o.kind == noteCode && n.char != '`') &&
			(o.kind == noteCode || o.char == n.char) && (o.at+o.size == n.at || n.at+n.size == o.at) {
			return true
		}
	}
	return false
}
