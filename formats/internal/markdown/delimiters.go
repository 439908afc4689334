package markdown

// The rules by which a reader finds emphasis (CommonMark, "process emphasis"), to see whether it finds what was meant.

// delimiterRun is a run of marks of one sign.
type delimiterRun struct {
	char          byte
	size          int   // bytes of the whole run
	marks         []int // the notes of those not matched yet
	opens, closes bool
}

// matchRuns goes through the marks as a reader does. It reports false when one is matched with another than its mate,
// which then will be written in HTML.
func (l *line) matchRuns() bool {
	var open []delimiterRun
	for i := 0; i < len(l.notes); {
		if !l.isStar(i) {
			i++
			continue
		}
		var run delimiterRun
		if run, i = l.runAt(i); run.closes {
			var ok bool
			if open, ok = l.closeRun(open, &run); !ok {
				return false
			}
		}
		switch {
		case len(run.marks) == 0:
		case run.opens && l.notes[run.marks[0]].kind == noteOpen:
			open = append(open, run)
		default:
			return !l.fail(run.marks[0])
		}
	}
	return len(open) == 0 || !l.fail(open[len(open)-1].marks[0])
}

// isStar reports a mark that is matched by these rules: all but those of struck text.
func (l *line) isStar(i int) bool {
	n := &l.notes[i]
	return n.isMark() && n.span != struck && !n.force
}

// runAt collects the marks that stand side by side from note i on, and returns the note behind them.
func (l *line) runAt(i int) (delimiterRun, int) {
	first := &l.notes[i]
	run := delimiterRun{char: first.char}
	end := first.at
	for ; i < len(l.notes) && l.isStar(i) && l.notes[i].at == end && l.notes[i].char == run.char; i++ {
		run.marks = append(run.marks, i)
		end += l.notes[i].size
	}
	run.size = end - first.at
	run.opens, run.closes = l.flanks(first.at, end, run.char)
	return run, i
}

// closeRun matches what it can of a run with those that are open. It reports false when that is not what was meant.
func (l *line) closeRun(open []delimiterRun, run *delimiterRun) ([]delimiterRun, bool) {
	for len(run.marks) > 0 {
		at := len(open) - 1
		for at >= 0 && !matches(&open[at], run) {
			at--
		}
		if at < 0 {
			return open, true
		}
		opener := &open[at]
		a, b := opener.marks[len(opener.marks)-1], run.marks[0]
		size := min(2, l.left(opener), l.left(run))
		if l.notes[b].mate != a || l.notes[b].size != size {
			failed := l.fail(a)
			return open, !l.fail(b) && !failed
		}
		run.marks = run.marks[1:]
		open = open[:at+1]
		if opener.marks = opener.marks[:len(opener.marks)-1]; len(opener.marks) == 0 {
			open = open[:at]
		}
	}
	return open, true
}

// matches reports whether two runs may belong together ("rule of three").
func matches(opener, closer *delimiterRun) bool {
	if opener.char != closer.char {
		return false
	}
	both := opener.closes || closer.opens
	return !both || (opener.size+closer.size)%3 != 0 || opener.size%3 == 0 && closer.size%3 == 0
}

// left is how many bytes of a run are not matched yet.
func (l *line) left(run *delimiterRun) int {
	n := 0
	for _, i := range run.marks {
		n += l.notes[i].size
	}
	return n
}
