package pagedata

import (
	"encoding/json"
	"iter"
	"strings"
	"unicode"

	"golang.org/x/net/html"

	"github.com/winnow-go/winnow/formats/internal/content"
	"github.com/winnow-go/winnow/formats/internal/nodes"
)

// Bounds of what is read from the states of frameworks.
const (
	maxStateBytes   = 8 << 20 // of all scripts
	maxStateStrings = 20_000
	maxStateDepth   = 3  // of JSON written as a string in JSON
	shortText       = 40 // bytes: what is shorter is looked at only as a part of longer texts
	proseWords      = 12 // words from which a text with a sentence is taken for a part of an article
)

// StateTexts are the texts of the article of that title and description that the page's state seems to hold, going by
// shape: the strings of that one key whose values have the most words in sentences. They are in order, each once.
func (d *Data) StateTexts(title, description string) []string {
	r := stateReader{groups: make(map[string]*stateGroup)}
	for _, s := range d.scripts {
		if !s.linked && r.bytes < maxStateBytes {
			r.bytes += len(s.text)
			r.scan(s.text, 0)
		}
	}
	var best *stateGroup
	about := topicOf(title, description)
	for _, g := range r.order {
		if (best == nil || g.prose > best.prose) && about.covers(g) {
			best = g
		}
	}
	if best == nil {
		return nil
	}
	return best.texts()
}

// topic are the longer words of the page's title and description, in lower case: a text that has few of them is of something else.
type topic map[string]bool

func topicOf(title, description string) topic {
	t := make(topic)
	for _, s := range []string{title, description} {
		for word := range longWords(s[:min(len(s), maxTopic)]) {
			t[word] = true
		}
	}
	return t
}

const (
	maxTopic   = 1000 // bytes of title or description
	topicShare = 2    // one in so many of the words must be there
)

func (t topic) covers(g *stateGroup) bool {
	found := make(topic)
	for _, text := range g.all {
		for word := range longWords(text.value) {
			if t[word] {
				found[word] = true
			}
		}
		if len(found)*topicShare >= len(t) {
			return len(found) > 0
		}
	}
	return false
}

// longWords are the words of at least four letters, in lower case; of scripts without spaces every two letters that follow each other.
func longWords(s string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for word := range strings.FieldsFuncSeq(strings.ToLower(s), notInWord) {
			const minimum, dense = 4, 0x2E80 // from there on scripts without spaces
			runes := []rune(word)
			if len(runes) > 1 && runes[0] >= dense {
				for i := range len(runes) - 1 {
					if !yield(string(runes[i : i+2])) {
						return
					}
				}
			} else if len(runes) >= minimum && !yield(word) {
				return
			}
		}
	}
}

func notInWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) }

type stateReader struct {
	bytes, strings int
	groups         map[string]*stateGroup
	order          []*stateGroup
}

// stateGroup is what stands under one key.
type stateGroup struct {
	all   []stateText
	seen  map[string]bool
	words int
	prose int // of these, in texts with sentences
}

type stateText struct {
	value string
	prose bool
}

// texts are those with sentences; where these are most of it, all: then the others are headings and the like between them.
func (g *stateGroup) texts() []string {
	mostly := 2*g.prose > g.words
	var out []string
	for _, t := range g.all {
		if t.prose || mostly {
			out = append(out, t.value)
		}
	}
	return out
}

// scan visits the strings of JSON without building it, and takes broken JSON as far as it goes.
func (r *stateReader) scan(s string, depth int) {
	key := ""
	for r.strings < maxStateStrings {
		start := strings.IndexByte(s, '"')
		if start < 0 {
			return
		}
		s = s[start+1:]
		end := stringEnd(s)
		if end < 0 {
			return
		}
		raw := s[:end]
		s = s[end+1:]
		if isKey(s) {
			key = raw
			continue
		}
		r.value(key, raw, depth)
	}
}

// stringEnd is where the closing quote of a string stands.
func stringEnd(s string) int {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return -1
}

func isKey(rest string) bool {
	rest = strings.TrimLeft(rest[:min(len(rest), 16)], " \t\r\n")
	return rest != "" && rest[0] == ':'
}

func (r *stateReader) value(key, raw string, depth int) {
	if len(raw) < shortText && r.groups[key] == nil {
		return // the first text of a key is long, or the key is no text's
	}
	r.strings++
	value := raw
	if strings.IndexByte(raw, '\\') >= 0 && json.Unmarshal([]byte(`"`+raw+`"`), &value) != nil {
		return
	}
	value = strings.TrimSpace(value)
	if strings.Contains(value, "&lt;") || strings.Contains(value, "&amp;") {
		value = html.UnescapeString(value)
	}
	if value != "" && (value[0] == '{' || value[0] == '[') && depth < maxStateDepth {
		r.scan(value, depth+1)
		return
	}
	words, prose := proseOf(value)
	g := r.groups[key]
	if g == nil && prose {
		g = &stateGroup{seen: make(map[string]bool)}
		r.groups[key] = g
		r.order = append(r.order, g)
	}
	if g == nil || words == 0 || g.seen[value] {
		return
	}
	g.seen[value] = true
	g.all = append(g.all, stateText{value, prose})
	g.words += words
	if prose {
		g.prose += words
	}
}

// proseOf counts the words of a text and reports whether it has sentences: program text, styles, addresses and identifiers have none.
func proseOf(s string) (words int, prose bool) {
	text := s
	if IsMarkup(s) {
		text = WithoutTags(s)
	}
	words = content.Words(text)
	if words == 0 || nodes.IsAddress(s) || nodes.LooksAddressed(s) && !strings.Contains(s, " ") {
		return 0, false
	}
	if words < proseWords || strings.ContainsAny(text, "{}") || strings.Contains(text, "=>") {
		return words, false
	}
	const ascii = 0x80
	spaced := 3*len(strings.Fields(text)) >= 2*words || strings.ContainsFunc(text,
		func(r rune) bool { return r > ascii && unicode.Is(unicode.Lo, r) })
	return words, spaced && strings.ContainsAny(text, ".!?。！？।؟")
}
