package tracking

import (
	"iter"
	"strings"
)

// spans gives the parts of a text in order and says which are code: from a run of
// backticks to the next run of the same length (CommonMark 0.31, section 6.1).
func spans(text string) iter.Seq2[string, bool] {
	return func(yield func(string, bool) bool) {
		done := 0
		for _, s := range codeSpans(text) {
			if !yield(text[done:s.start], false) || !yield(text[s.start:s.end], true) {
				return
			}
			done = s.end
		}
		yield(text[done:], false)
	}
}

// stretch is a part of a text, in bytes.
type stretch struct{ start, end int }

// codeSpans finds the spans of code with one look at each run of backticks from the
// end, so that a text full of runs without a partner takes no longer than another.
func codeSpans(text string) []stretch {
	runs := backticks(text)
	partner, last := make([]int, len(runs)), map[int]int{}
	for i := len(runs) - 1; i >= 0; i-- {
		length := runs[i].end - runs[i].start
		partner[i] = last[length] // 0: none, as the first run is no run's partner
		last[length] = i
	}
	var found []stretch
	for i := 0; i < len(runs); i++ {
		escaped := runs[i].start > 0 && text[runs[i].start-1] == '\\'
		if partner[i] > 0 && !escaped {
			found = append(found, stretch{runs[i].start, runs[partner[i]].end})
			i = partner[i]
		}
	}
	return found
}

// backticks are the runs of backticks in text.
func backticks(text string) []stretch {
	var runs []stretch
	for at := 0; ; {
		next := strings.IndexByte(text[at:], '`')
		if next < 0 {
			return runs
		}
		start := at + next
		at = start + leading(text[start:], '`')
		runs = append(runs, stretch{start, at})
	}
}

// leading is how many bytes at the beginning of text are b.
func leading(text string, b byte) int {
	n := 0
	for n < len(text) && text[n] == b {
		n++
	}
	return n
}
