package llm

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// Split cuts text into parts of at most tokens each by [Tokens], at the best place there is: before a
// markdown heading, else after a paragraph, a line, a sentence, a word, else anywhere between two
// runes. A fenced code block stays whole where it fits. Each part but the first begins with the
// end of the one before, up to overlap tokens (at most a half of tokens), so that nothing is lost
// at the edges. Without overlap the parts put together are the text. Empty text has no parts;
// tokens below 16 count as 16.
func Split(text string, tokens, overlap int) []string {
	tokens = max(tokens, 16)
	overlap = min(max(overlap, 0), tokens/2)
	if text == "" {
		return nil
	}
	if Tokens(text) <= tokens {
		return []string{text}
	}
	return overlapped(packed(pieces(text, tokens-overlap, cutters), tokens-overlap), overlap)
}

// cutters from the best place to the worst. Their pieces, put together, are the text.
var cutters = []func(string) []string{bySections, byParagraphs, byLines, bySentences, byWords}

// pieces cuts what is too long, and only that, with ever worse cutters.
func pieces(text string, limit int, cutters []func(string) []string) []string {
	if Tokens(text) <= limit {
		return []string{text}
	}
	if len(cutters) == 0 {
		return byRunes(text, limit)
	}
	var all []string
	for _, part := range cutters[0](text) {
		all = append(all, pieces(part, limit, cutters[1:])...)
	}
	return all
}

// packed joins neighbors as long as they fit.
func packed(pieces []string, limit int) []string {
	var parts []string
	start, at, sum := 0, 0, 0
	joined := strings.Join(pieces, "")
	for _, piece := range pieces {
		n := Tokens(piece)
		if at > start && (sum+n > limit || inWord(joined, at)) {
			parts = append(parts, joined[start:at])
			start, sum = at, 0
		}
		at, sum = at+len(piece), sum+n
	}
	return append(parts, joined[start:])
}

// inWord reports whether a cut at a place goes through a word, of which [Tokens] can't be summed up.
func inWord(text string, at int) bool {
	return at < len(text) && isLetter(text[at-1]) && isLetter(text[at])
}

func isLetter(c byte) bool { return kindOf(rune(c)) == kindLower || kindOf(rune(c)) == kindUpper }

// overlapped puts the end of each part before the next.
func overlapped(parts []string, overlap int) []string {
	if overlap == 0 {
		return parts
	}
	all := parts[:1:1]
	for i, part := range parts[1:] {
		before := parts[i]
		if !inWord(before+part[:1], len(before)) {
			part = tail(before, overlap) + part
		}
		all = append(all, part)
	}
	return all
}

// tail returns the end of text, up to n tokens, from the beginning of a sentence, else of a word.
func tail(text string, n int) string {
	const bytesPerToken = 16 // more than any text has by Tokens
	from := max(len(text)-n*bytesPerToken, 0)
	for from < len(text) && !utf8.RuneStart(text[from]) {
		from++
	}
	end := text[from:]
	for _, cut := range []func(string) []string{bySentences, byWords} {
		if kept := lastPieces(cut(end), n); kept != "" {
			return kept
		}
	}
	return ""
}

// lastPieces are the last whole ones of up to n tokens together.
func lastPieces(pieces []string, n int) string {
	i := len(pieces)
	for i > 0 && Tokens(pieces[i-1]) <= n {
		i--
		n -= Tokens(pieces[i])
	}
	return strings.Join(pieces[i:], "")
}

// bySections cuts before headings.
func bySections(text string) []string {
	return cutBlocks(text, func(_, next string) bool { return heading.MatchString(next) })
}

// byParagraphs cuts after empty lines.
func byParagraphs(text string) []string {
	return cutBlocks(text, func(line, next string) bool {
		return strings.TrimSpace(line) == "" && strings.TrimSpace(next) != ""
	})
}

var heading = regexp.MustCompile(`^ {0,3}#{1,6}[ \t]`)

// cutBlocks cuts between two lines where cut says so, and round fenced code, never inside it.
func cutBlocks(text string, cut func(line, next string) bool) []string {
	var all []string
	fence, before, start, at := "", "", 0, 0
	for i, line := range strings.SplitAfter(text, "\n") {
		closes := fence != "" && closesFence(line, fence)
		opens := fence == "" && fenceOf(line) != ""
		if i > 0 && fence == "" && at > start && (opens || cut(before, line)) {
			all, start = append(all, text[start:at]), at
		}
		at += len(line)
		switch {
		case opens:
			fence = fenceOf(line)
		case closes:
			fence = ""
			all, start = append(all, text[start:at]), at
		}
		before = line
	}
	if start < len(text) {
		all = append(all, text[start:])
	}
	return all
}

// fenceOf returns the marker of a line that opens a code block.
func fenceOf(line string) string {
	line = strings.TrimLeft(line, " ")
	for _, mark := range []string{"`", "~"} {
		if n := len(line) - len(strings.TrimLeft(line, mark)); n >= 3 {
			return line[:n]
		}
	}
	return ""
}

func closesFence(line, fence string) bool {
	line = strings.TrimSpace(line)
	return len(line) >= len(fence) && strings.Trim(line, fence[:1]) == ""
}

func byLines(text string) []string { return strings.SplitAfter(text, "\n") }

func bySentences(text string) []string { return cutAfter(text, sentenceEnd) }

func byWords(text string) []string { return cutAfter(text, wordEnd) }

var (
	sentenceEnd = regexp.MustCompile(`[.!?…]["'”’)\]]*\s+|[。！？]["'”’」』）]*`)
	wordEnd     = regexp.MustCompile(`\s+`)
)

func cutAfter(text string, end *regexp.Regexp) []string {
	var all []string
	start := 0
	for _, at := range end.FindAllStringIndex(text, -1) {
		all, start = append(all, text[start:at[1]]), at[1]
	}
	if start < len(text) {
		all = append(all, text[start:])
	}
	return all
}

// byRunes cuts by counting; a rune of many tokens is a piece of its own.
func byRunes(text string, limit int) []string {
	var all []string
	start, sum, run := 0, 0, tokenRun{}
	for at, r := range text {
		sum += run.add(r)
		if (sum+run.end()+unitsPerToken-1)/unitsPerToken > limit && at > start {
			all, start = append(all, text[start:at]), at
			sum, run = 0, tokenRun{}
			run.add(r)
		}
	}
	return append(all, text[start:])
}
