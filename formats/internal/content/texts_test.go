package content

import (
	"slices"
	"strings"
	"testing"
	"unicode"
)

// FuzzTexts compares what is read through tables of bytes with what the functions of the standard library give, of texts in one piece
// and in two.
func FuzzTexts(f *testing.F) {
	for _, s := range []string{
		"", " ", "A  b\tc", " …Related: ", "Über\u00a0Österreich\u3000蜂蜜 — 3.5!", "don't stop-gap a_b", "\xff\xc2 \xe2\x80", "TITLE\u2028x\u0085", "…", "İI",
		"…. two …", "end. \"Next\" (one)? 。！",
	} {
		f.Add(s, len(s)/2)
	}
	f.Fuzz(func(t *testing.T, s string, cut int) {
		cut = min(max(cut, 0), len(s))
		var fold folder
		fold.text("an earlier text ")
		fold.next()
		fold.text(s[:cut])
		fold.text(s[cut:])
		if got, want := fold.String()[fold.from:], folded(s[:cut], s[cut:]); got != want {
			t.Errorf("folded: got %q, want %q", got, want)
		}
		want := strings.ToLower(fold.String()[fold.from:])
		if fold.lower(); fold.String()[fold.from:] != want {
			t.Errorf("lower: got %q, want %q", fold.String()[fold.from:], want)
		}
		if got, want := trimMarks(s), strings.Trim(s, " :.!?…"); got != want {
			t.Errorf("trimMarks: got %q, want %q", got, want)
		}
		var words []string
		for word, rest := nextWord(s); word != ""; word, rest = nextWord(rest) {
			words = append(words, word)
		}
		if want := strings.FieldsFunc(s, isNoWord); !slices.Equal(words, want) {
			t.Errorf("nextWord: got %q, want %q", words, want)
		}
		got := textBlock{text: hashStart}
		if got.read(s); got.chars != charsOf(s) || got.text != hashOf(s) {
			t.Errorf("read: got %+v, %x, want %+v, %x", got.chars, got.text, charsOf(s), hashOf(s))
		}
	})
}

// folded joins the words of two texts, of which the last one and the first one may be parts of one.
func folded(a, b string) string {
	if b != "" && a != "" && !unicode.IsSpace([]rune(b)[0]) && strings.TrimRightFunc(a, unicode.IsSpace) == a {
		return strings.Join(strings.Fields(a), " ") + strings.Join(strings.Fields(b), " ")
	}
	return strings.Join(append(strings.Fields(a), strings.Fields(b)...), " ")
}

func charsOf(s string) (c chars) {
	for _, r := range s {
		if !unicode.IsSpace(r) {
			c.add(r)
		}
	}
	return c
}

func hashOf(s string) uint64 {
	h := uint64(hashStart)
	for _, r := range s {
		if !unicode.IsSpace(r) {
			h = (h ^ uint64(unicode.ToLower(r))) * hashPrime
		}
	}
	return h
}

func TestRead_stopsToDistinguishCharacters(t *testing.T) {
	long := strings.Repeat("Ab1. ", maxChars)
	b := textBlock{text: hashStart}
	if b.read(long); b.chars != charsOf(long) || b.text != hashOf(long) {
		t.Errorf("got %+v, want %+v", b.chars, charsOf(long))
	}
}

// Words of a whole page are the same with a list of it and without.
func TestSeenWords(t *testing.T) {
	for _, page := range []string{
		"", "<title>t</title><p>a <b>b</b></p><script>e</script><noscript>no</noscript>", "<template><p>x</template><svg><title>s</title><text>y</svg>z",
		"<datalist><option>o</datalist><object>old</object><iframe>f</iframe><table>foster<tr><td>cell</table>",
	} {
		list := tree(t, page)
		if got, want := SeenWords(nil, list.Node(0)), list.Words(UnseenMask(list)); got != want {
			t.Errorf("%s: got %d, want %d", page, got, want)
		}
	}
}
