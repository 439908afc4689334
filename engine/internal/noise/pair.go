package noise

import (
	"regexp"
	"strings"

	"github.com/winnow-go/winnow/engine/internal/tracking"
)

// maxPaired bounds the blocks of a region that are compared with each other; in larger ones they are paired in order.
const maxPaired = 60

// alike is how much of their words two blocks share that are one block, changed.
const alike = 0.5

// pairBlocks finds which of the blocks that went and came at one place belong together: the same but for their values, then alike ones,
// then those in order.
func (c *comparison) pairBlocks(left, right []*block) {
	partner := make([]int, len(left)) // from 1
	taken := make([]bool, len(right))
	if len(left) <= maxPaired && len(right) <= maxPaired {
		match(left, right, partner, taken, func(a, b *block) bool { _, ok := differing(a, b); return ok })
		match(left, right, partner, taken, func(a, b *block) bool { return a.kind == b.kind && likeness(a.masked, b.masked) >= alike })
	}
	match(left, right, partner, taken, func(a, b *block) bool { return a.kind == b.kind && a.label == b.label })
	for i, b := range left {
		if partner[i] == 0 {
			c.alone(b, nil)
		} else if !c.becameDate(b, right[partner[i]-1]) {
			c.differences = append(c.differences, difference{before: b, after: right[partner[i]-1]})
		}
	}
	for i, b := range right {
		if !taken[i] {
			c.alone(nil, b)
		}
	}
}

func match(left, right []*block, partner []int, taken []bool, fits func(a, b *block) bool) {
	next := 0
	for i, a := range left {
		if partner[i] > 0 {
			continue
		}
		for j := range min(len(right), maxPaired) {
			if at := (next + j) % len(right); !taken[at] && fits(a, right[at]) {
				partner[i], taken[at], next = at+1, true, at+1
				break
			}
		}
	}
}

// likeness is the share of their words that the beginnings of two texts have in common.
func likeness(a, b string) float64 {
	words := map[string]int{}
	from := strings.FieldsFunc(strings.ToLower(a[:min(len(a), maxRead)]), notInWord)
	to := strings.FieldsFunc(strings.ToLower(b[:min(len(b), maxRead)]), notInWord)
	for _, w := range from {
		words[w]++
	}
	common := 0
	for _, w := range to {
		if words[w]--; words[w] >= 0 {
			common++
		}
	}
	return 2 * float64(common) / float64(max(1, len(from)+len(to)))
}

func notInWord(r rune) bool { return !inWord(r) }

// alone takes a block that came or went. One that says nothing but a counter, as of people who look at the page, is noise.
func (c *comparison) alone(before, after *block) {
	b := before
	if b == nil {
		b = after
	}
	for _, k := range b.marks {
		if kindOf(k.rule) == Counter && b.kind == tracking.Paragraph && len(wordsOutside(b.masked)) <= maxBeside {
			c.passed = append(c.passed, Passed{Counter, source(before), source(after), k.rule})
			return
		}
	}
	c.differences = append(c.differences, difference{before: before, after: after})
}

// maxBeside is how many words a block may have beside a counter to be nothing but a counter.
const maxBeside = 2

func wordsOutside(masked string) []string {
	return strings.FieldsFunc(marked.ReplaceAllString(masked, " "), notInWord)
}

var writtenDates = []*regexp.Regexp{isoDate, dayFirst, monthDay, numbered}

// becameDate passes over a time that was relative to the check and is a date now, as “6 days ago” becomes “20 November”, where both mean
// one day; and the other way round.
func (c *comparison) becameDate(from, to *block) bool {
	sign := opening + relativeSign + closing
	switch {
	case strings.Contains(from.masked, sign) && !strings.Contains(to.masked, sign):
		return c.sameDay(from, to, to)
	case strings.Contains(to.masked, sign) && !strings.Contains(from.masked, sign):
		return c.sameDay(to, from, to)
	}
	return false
}

func (c *comparison) sameDay(relative, absolute, after *block) bool {
	k, ok := relativeMark(relative.marks)
	if !ok || k.moment.IsZero() {
		return false
	}
	reader := masker{version: Version{Seen: k.moment}}
	for i, pattern := range writtenDates {
		for _, at := range pattern.FindAllStringSubmatchIndex(absolute.masked, -1) {
			masked := absolute.masked[:at[0]] + opening + relativeSign + closing + absolute.masked[at[1]:]
			if !sameButPreposition(masked, relative.masked) || !reader.near(dateForms[i].read(absolute.masked, at), k.slack) {
				continue
			}
			before, now := k.text, absolute.masked[at[0]:at[1]]
			if after == relative {
				before, now = now, before
			}
			c.passed = append(c.passed, Passed{RelativeDate, before, now, k.rule})
			return true
		}
	}
	return false
}

var onADay = regexp.MustCompile(`(?i)\b(?:on|am|le|el|il|em)\s+` + opening)

// sameButPreposition compares “posted 6 days ago” with “posted on 20 November”.
func sameButPreposition(a, b string) bool {
	return onADay.ReplaceAllString(a, opening) == onADay.ReplaceAllString(b, opening)
}

func relativeMark(marks []mark) (found mark, ok bool) {
	for _, k := range marks {
		if kindOf(k.rule) == RelativeDate {
			if ok {
				return mark{}, false // which of them became a date isn't known
			}
			found, ok = k, true
		}
	}
	return found, ok
}
