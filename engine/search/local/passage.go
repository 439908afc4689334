package local

import (
	"strings"
	"unicode/utf8"

	"github.com/blevesearch/bleve/v2/analysis"

	"github.com/winnow-go/winnow/engine/search"
)

// Sizes of a passage, in bytes.
const (
	passageBytes = 280
	leadBytes    = 60        // of it, before the first match
	readBytes    = 256 << 10 // of the text are looked through
	mostSpots    = 1000      // and so many places of terms
)

const ellipsis = "…"

// spot is a place in a text that fits the query.
type spot struct {
	search.Match
	term string
}

// passage is the part of the page's text that has most of what is looked for, and where; without
// any the page's own description, or its beginning.
func passage(s shown, a analysis.Analyzer, q asked) (string, []search.Match) {
	text := cut(s.Text, readBytes)
	spots := q.spots(text, a, s.Language)
	if len(spots) == 0 {
		if text = s.Description; text == "" {
			text = s.Text
		}
		text = cut(text, readBytes)
		spots = q.spots(text, a, s.Language)
	}
	start, end := window(text, spots)
	return clip(text, start, end, spots)
}

// spots are the places of the terms in a text.
func (q asked) spots(text string, a analysis.Analyzer, language string) (list []spot) {
	stem := stemmerOf(language)
	for _, t := range a.Analyze([]byte(text)) {
		if len(list) == mostSpots {
			break
		}
		term := string(t.Term)
		ok := q.terms[term] || q.single(term)
		if !ok && stem != nil {
			term = safeStem(stem, term)
			ok = q.stems[term]
		}
		if ok && t.Start >= 0 && t.Start < t.End && t.End <= len(text) {
			list = append(list, spot{search.Match{Start: t.Start, End: t.End}, term})
		}
	}
	return list
}

// single reports whether a pair of characters has one that is looked for by itself.
func (q asked) single(pair string) bool {
	r, size := utf8.DecodeRuneInString(pair)
	return size < len(pair) && unspaced(r) && (q.terms[pair[:size]] || q.terms[pair[size:]])
}

// window is the first part with the most different terms, then the most places.
func window(text string, spots []spot) (start, end int) {
	best := -1
	for i, s := range spots {
		different, n := map[string]bool{}, 0
		for _, t := range spots[i:] {
			if t.End > s.Start+passageBytes-leadBytes {
				break
			}
			different[t.term] = true
			n++
		}
		if score := len(different)*1000 + n; score > best {
			best, start = score, max(0, s.Start-leadBytes)
		}
	}
	end = min(len(text), start+passageBytes)
	start = max(0, min(start, end-passageBytes))
	return start, end
}

// clip cuts a part out of a text, at words where there are spaces, and moves the spots along.
func clip(text string, start, end int, spots []spot) (string, []search.Match) {
	front, back := "", ""
	if start > 0 {
		front = ellipsis
		for start < end && !utf8.RuneStart(text[start]) {
			start++
		}
		if i := strings.IndexByte(text[start:min(start+leadBytes/2, end)], ' '); i >= 0 {
			start += i + 1
		}
	}
	if end < len(text) {
		back = ellipsis
		for end > start && !utf8.RuneStart(text[end]) {
			end--
		}
		if i := strings.LastIndexByte(text[max(start, end-leadBytes/2):end], ' '); i >= 0 {
			end = max(start, end-leadBytes/2) + i
		}
	}
	var matches []search.Match
	for _, s := range spots {
		if s.Start < start || s.End > end {
			continue
		}
		m := search.Match{Start: s.Start - start + len(front), End: s.End - start + len(front)}
		if n := len(matches); n > 0 && m.Start < matches[n-1].End { // pairs of characters overlap
			matches[n-1].End = m.End
			continue
		}
		matches = append(matches, m)
	}
	return front + text[start:end] + back, matches
}
