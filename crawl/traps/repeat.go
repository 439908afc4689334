package traps

import (
	"slices"
	"strings"
)

const (
	minRepeats = 3 // of a part, or of several in a row, to be a sign
	maxCycle   = 4 // parts of what is repeated in a row
)

// repetition reports whether a path repeats itself: the same part or parts three times in a row (/a/b/a/b/a/b), or the same part three
// times anywhere. Numbers are no sign: /genesis/1/1/1 is a place in a book. The pattern is the path before the first part that comes again.
func repetition(parts []string) (pattern string, found bool) {
	if !cycles(parts) && !scattered(parts) {
		return "", false
	}
	at := 0
	for at < len(parts)-1 && (isNumber(parts[at]) || !slices.Contains(parts[at+1:], parts[at])) {
		at++
	}
	return "/" + strings.Join(append(slices.Clone(parts[:at]), "(…)"), "/"), true
}

// repeatsIn reports an address whose path repeats itself.
func repeatsIn(href string) bool {
	if strings.Count(href, "/") < 2+minRepeats {
		return false
	}
	path, _, _ := strings.Cut(href, "?")
	parts := strings.Split(strings.TrimSuffix(path, "/"), "/")
	_, found := repetition(parts[min(3, len(parts)):])
	return found
}

// cycles finds parts that follow each other three times.
func cycles(parts []string) bool {
	for cycle := 1; cycle <= maxCycle; cycle++ {
		for at := 0; at+cycle*minRepeats <= len(parts); at++ {
			one := parts[at : at+cycle]
			same := slices.Equal(one, parts[at+cycle:at+2*cycle]) && slices.Equal(one, parts[at+2*cycle:at+3*cycle])
			if same && slices.ContainsFunc(one, func(s string) bool { return !isNumber(s) }) {
				return true
			}
		}
	}
	return false
}

// scattered finds a part that comes three times, with others in between.
func scattered(parts []string) bool {
	times := map[string]int{}
	for _, part := range parts {
		if times[part]++; times[part] == minRepeats && !isNumber(part) {
			return true
		}
	}
	return false
}

func isNumber(part string) bool { return strings.Trim(part, "0123456789") == "" }
