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
	readBytes    = 256 << 10 // of the text are searched
	maxSpots     = 1000      // places of terms
)

const ellipsis = "…"

// spot is a place in a text that matches the query.
type spot struct {
	search.Match
	term string
}

// passage returns the part of the page's text with the most matches, and their places; if there are
// none, the page's own description or the beginning of its text.
func passage(s shown, a analysis.Analyzer, q compiled) (string, []search.Match) {
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

// spots returns the places of the query's terms in a text.
func (q compiled) spots(text string, a analysis.Analyzer, language string) (list []spot) {
	stem := stemmerOf(language)
	for _, t := range a.Analyze([]byte(text)) {
		if len(list) == maxSpots {
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

// single reports whether one of a pair of characters is a term of the query by itself.
func (q compiled) single(pair string) bool {
	r, size := utf8.DecodeRuneInString(pair)
	return size < len(pair) && unspaced(r) && (q.terms[pair[:size]] || q.terms[pair[size:]])
}

// window returns the first part with the most different terms, then the most places.
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

// clip returns a part of a text, cut at words if it has spaces, and the spots within it.
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
