package traps

import (
	"slices"
	"strings"
)

const (
	minRepeats = 3 // of a part, or of several in a row, to be a sign
	maxCycle   = 4 // parts of what is repeated in a row
)

// repetition finds what a path repeats: the same part or parts three times in a row (/a/b/a/b/a/b), or the same part three times
// anywhere. The pattern is the path as far as the first of them, times how often it comes; 0: it repeats nothing. Numbers are no sign:
// /genesis/1/1/1 is a place in a book.
func repetition(parts []string) (pattern string, times int) {
	for at := range parts {
		for cycle := 1; cycle <= maxCycle && at+cycle*minRepeats <= len(parts); cycle++ {
			if times := inRow(parts[at:], cycle); times >= minRepeats && !numeric(parts[at:at+cycle]) {
				return repeated(parts[:at], parts[at:at+cycle]), times
			}
		}
	}
	return scattered(parts)
}

// inRow is how often the first parts follow each other.
func inRow(parts []string, cycle int) int {
	times := 1
	for at := cycle; at+cycle <= len(parts) && slices.Equal(parts[at:at+cycle], parts[:cycle]); at += cycle {
		times++
	}
	return times
}

// scattered finds a part that comes three times, with others in between.
func scattered(parts []string) (pattern string, times int) {
	for at, part := range parts {
		times := 0
		for _, other := range parts[at:] {
			if other == part {
				times++
			}
		}
		if times >= minRepeats && !numeric(parts[at:at+1]) {
			return repeated(parts[:at], parts[at:at+1]), times
		}
	}
	return "", 0
}

func repeated(before, cycle []string) string {
	path := "/" + strings.Join(before, "/")
	if len(before) > 0 {
		path += "/"
	}
	return path + "(" + strings.Join(cycle, "/") + ")" + rest
}

// numeric reports parts of digits alone.
func numeric(parts []string) bool {
	return !slices.ContainsFunc(parts, func(s string) bool { return strings.Trim(s, "0123456789") != "" })
}
