package filter

import "strings"

// pattern is the pattern of a rule without its anchors. In glob, '*' stands for
// anything and '^' for one separator or the end of the URL; there is no '*' beside
// another.
type pattern struct {
	glob  string
	start anchor
	end   bool // must match up to the end of the URL
}

// anchor says where a pattern begins to match.
type anchor uint8

const (
	anywhere anchor = iota
	urlStart        // "|"
	hostPart        // "||": at the host or at one of its labels
)

const (
	maxPattern = 1024
	// maxSeparated bounds a piece with '^' between two stars: a search for one
	// may take its length times the URL's.
	maxSeparated = 128
)

// parsePattern reads the pattern of a rule; it is matched against URLs in lower
// case unless the caller keeps their case.
func parsePattern(text string) (pattern, Reason) {
	var p pattern
	if len(text) > maxPattern {
		return p, PatternTooLong
	}
	if rest, ok := strings.CutPrefix(text, "||"); ok {
		text, p.start = rest, hostPart
	} else if rest, ok := strings.CutPrefix(text, "|"); ok {
		text, p.start = rest, urlStart
	}
	text, p.end = strings.CutSuffix(text, "|")
	p.glob = joinStars(text)
	p.dropIdleAnchors()
	if hasLongSeparated(p.glob) {
		return p, PatternTooLong
	}
	return p, ""
}

// joinStars makes one star of several side by side.
func joinStars(s string) string {
	if !strings.Contains(s, "**") {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := range len(s) {
		if s[i] != '*' || i == 0 || s[i-1] != '*' {
			b = append(b, s[i])
		}
	}
	return string(b)
}

// dropIdleAnchors removes anchors that have a star beside them, and the stars at
// ends that have no anchor.
func (p *pattern) dropIdleAnchors() {
	if rest, ok := strings.CutPrefix(p.glob, "*"); ok && p.start != hostPart {
		p.glob, p.start = rest, anywhere
	}
	if rest, ok := strings.CutSuffix(p.glob, "*"); ok {
		p.glob, p.end = rest, false
	}
}

func hasLongSeparated(glob string) bool {
	for piece := range strings.SplitSeq(glob, "*") {
		if len(piece) > maxSeparated && strings.Contains(piece, "^") {
			return true
		}
	}
	return false
}

// host returns the host name that a pattern begins with, and whether it is all of
// the host: "||a.com/x" and "||a.com^" are whole, "||a.com" and "||a.*" are not.
func (p pattern) host() (name string, whole bool) {
	glob := p.glob
	switch {
	case p.start == urlStart:
		_, rest, ok := strings.Cut(glob, "://")
		if !ok {
			return "", false
		}
		glob = rest
	case p.start == anywhere:
		return "", false
	}
	n := 0
	for n < len(glob) && isHostByte(glob[n]) {
		n++
	}
	whole = n > 0 && n < len(glob) && strings.IndexByte("/^:?", glob[n]) >= 0
	return glob[:n], whole
}

// hostWide reports whether the pattern is a host and nothing else: "||a.com^".
func (p pattern) hostWide() bool {
	name, whole := p.host()
	return whole && p.start == hostPart && !p.end && p.glob[len(name):] == "^" && isHostName(name)
}

// literals counts the bytes of the pattern that stand for themselves.
func (p pattern) literals() int {
	return len(p.glob) - strings.Count(p.glob, "*") - strings.Count(p.glob, "^")
}

// match compares the pattern with a URL whose host is url[hostAt:hostEnd].
func (p pattern) match(url string, hostAt, hostEnd int) bool {
	switch p.start {
	case urlStart:
		return p.matchAt(url, 0)
	case hostPart:
		return p.matchLabels(url, hostAt, hostEnd)
	}
	return matchAfterStar(url, 0, p.glob, p.end)
}

// matchLabels tries the host and each of its labels. What follows a star matches
// from any later place if from an earlier one, so the first label where the first
// piece fits decides.
func (p pattern) matchLabels(url string, at, hostEnd int) bool {
	first, rest, star := strings.Cut(p.glob, "*")
	for at < hostEnd {
		n, ok := prefix(url[at:], first)
		if ok && star {
			return matchAfterStar(url, at+n, rest, p.end)
		}
		if ok && (!p.end || at+n == len(url)) {
			return true
		}
		dot := strings.IndexByte(url[at:hostEnd], '.')
		if dot < 0 {
			return false
		}
		at += dot + 1
	}
	return false
}

func (p pattern) matchAt(url string, at int) bool {
	first, rest, star := strings.Cut(p.glob, "*")
	n, ok := prefix(url[at:], first)
	if !ok {
		return false
	}
	if star {
		return matchAfterStar(url, at+n, rest, p.end)
	}
	return !p.end || at+n == len(url)
}

// matchAfterStar looks for the pieces one after the other, each at its first
// place: taking a later one never helps those that follow.
func matchAfterStar(url string, at int, glob string, end bool) bool {
	for {
		piece, rest, star := strings.Cut(glob, "*")
		if !star && end {
			return endsWith(url, at, piece)
		}
		if at = find(url, at, piece); at < 0 || !star {
			return at >= 0
		}
		glob = rest
	}
}

// prefix compares the beginning of s with a piece and says how much of s it took;
// '^' takes nothing at the end.
func prefix(s, piece string) (int, bool) {
	for i := range len(piece) {
		switch {
		case i >= len(s):
			return len(s), strings.Trim(piece[i:], "^") == ""
		case piece[i] == '^' && isSeparator(s[i]):
		case piece[i] == '^' || piece[i] != s[i]:
			return 0, false
		}
	}
	return len(piece), true
}

// find returns the end of the first place of a piece in s at or behind from, -1 if
// there is none.
func find(s string, from int, piece string) int {
	body := strings.TrimLeft(piece, "^")
	lead := len(piece) - len(body)
	word, _, separated := strings.Cut(body, "^")
	if lead == 0 && !separated {
		return endOf(s, from, word)
	}
	for at := from; at <= len(s); at++ {
		if word != "" {
			i := strings.Index(s[min(at+lead, len(s)):], word)
			if i < 0 {
				return -1
			}
			at += i
		}
		if n, ok := prefix(s[at:], piece); ok {
			return at + n
		}
	}
	return -1
}

func endOf(s string, from int, word string) int {
	i := strings.Index(s[from:], word)
	if i < 0 {
		return -1
	}
	return from + i + len(word)
}

// endsWith reports whether s ends with the piece, which begins at or behind from. Each
// '^' at the end of the piece may be the end of s and take nothing.
func endsWith(s string, from int, piece string) bool {
	idle := len(piece) - len(strings.TrimRight(piece, "^"))
	for k := 0; k <= idle; k++ {
		at := len(s) - len(piece) + k
		if at < from {
			continue
		}
		if n, ok := prefix(s[at:], piece); ok && at+n == len(s) {
			return true
		}
	}
	return false
}

// isSeparator: all of ASCII but letters, digits and "_-.%".
func isSeparator(c byte) bool {
	return c < 0x80 && !isAlnum(c) && c != '_' && c != '-' && c != '.' && c != '%'
}
