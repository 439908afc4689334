package filter

import (
	"strings"
	"testing"
)

// slowMatch is what patterns mean, by trying everything: the pattern is taken as
// its author wrote it. Each pair of places is tried once.
func slowMatch(text, url string, hostAt, hostEnd int) bool {
	var starts []int
	text, open := strings.CutPrefix(text, "||")
	if open {
		for i := hostAt; i < hostEnd; i++ {
			if i == hostAt || url[i-1] == '.' {
				starts = append(starts, i)
			}
		}
	} else if rest, ok := strings.CutPrefix(text, "|"); ok {
		text, starts = rest, []int{0}
	} else {
		for i := 0; i <= len(url); i++ {
			starts = append(starts, i)
		}
	}
	text, end := strings.CutSuffix(text, "|")
	tried := map[[2]int]bool{}
	for _, i := range starts {
		if slowTail(text, url, 0, i, end, tried) {
			return true
		}
	}
	return false
}

func slowTail(text, url string, t, u int, end bool, tried map[[2]int]bool) bool {
	if tried[[2]int{t, u}] {
		return false
	}
	tried[[2]int{t, u}] = true
	if t == len(text) {
		return !end || u == len(url)
	}
	switch c := text[t]; {
	case c == '*':
		return slowTail(text, url, t+1, u, end, tried) || u < len(url) && slowTail(text, url, t, u+1, end, tried)
	case u == len(url):
		return c == '^' && slowTail(text, url, t+1, u, end, tried)
	case c == '^':
		separator := !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.%", rune(url[u])) && url[u] < 0x80
		return separator && slowTail(text, url, t+1, u+1, end, tried)
	}
	return text[t] == url[u] && slowTail(text, url, t+1, u+1, end, tried)
}

var patternSeeds = []struct{ pattern, host, rest string }{
	{"||a.com^", "x.a.com", "/"},
	{"||a.com^|", "a.com", ""},
	{"||a*b^c|", "x.ab.a.b", "/c"},
	{"|https://a^*^|", "a", "/x?"},
	{"a^^^|", "a", "/"},
	{"^^^", "a", "/b"},
	{"*a**b*", "ab", "/"},
	{"||*", "a", ""},
	{"a|b", "a", "/a|b"},
	{"^a^*^b^|", "c", "/a/b/a/b/"},
	{"aa^aab", "a", "/aa/aa/aab"},
	{"||^", "a", "/"},
	{"x^*^|", "x", "/"},
	{"||b.|", "a.b.", ""},
	{"", "a", ""},
}

func TestPattern_sameAsReference(t *testing.T) {
	for _, seed := range patternSeeds {
		checkPatternAgainstReference(t, seed.pattern, seed.host, seed.rest)
	}
}

func checkPatternAgainstReference(t *testing.T, text, host, rest string) {
	t.Helper()
	p, why := parsePattern(text)
	if why != "" {
		return
	}
	url := "https://" + host + rest
	hostAt, hostEnd := len("https://"), len("https://")+len(host)
	got, want := p.match(url, hostAt, hostEnd), slowMatch(text, url, hostAt, hostEnd)
	if got != want {
		t.Errorf("pattern %q on %q = %v, reference says %v (%+v)", text, url, got, want, p)
	}
}

// FuzzPattern_sameAsReference maps what it gets to a small alphabet, in which near
// misses are frequent.
func FuzzPattern_sameAsReference(f *testing.F) {
	for _, seed := range patternSeeds {
		f.Add(seed.pattern, seed.host, seed.rest)
	}
	f.Fuzz(func(t *testing.T, text, host, rest string) {
		if len(text) > 60 || len(host) > 30 || len(rest) > 80 {
			return
		}
		checkPatternAgainstReference(t, text, host, rest)
		checkPatternAgainstReference(t, recode(text, "ab./^*|^*"), recode(host, "aab."), recode(rest, "ab./?aab/"))
	})
}

// recode writes each byte as one of an alphabet's.
func recode(s, alphabet string) string {
	b := []byte(s)
	for i := range b {
		b[i] = alphabet[int(b[i])%len(alphabet)]
	}
	return string(b)
}

func TestPattern_hostAndWholeness(t *testing.T) {
	tests := []struct {
		text, name  string
		whole, wide bool
	}{
		{"||a.com^", "a.com", true, true},
		{"||a.com^*", "a.com", true, true},
		{"||a.com^|", "a.com", true, false},
		{"||a.com/", "a.com", true, false},
		{"||a.com:80^", "a.com", true, false},
		{"||a.com", "a.com", false, false},
		{"||a.*", "a.", false, false},
		{"|https://a.com/", "a.com", true, false},
		{"|https://", "", false, false},
		{"a.com^", "", false, false},
		{"||.^", ".", true, false},
	}
	for _, tt := range tests {
		p, _ := parsePattern(tt.text)
		name, whole := p.host()
		if name != tt.name || whole != tt.whole || p.hostWide() != tt.wide {
			t.Errorf("%s: host %q whole %v wide %v, want %q %v %v", tt.text, name, whole, p.hostWide(), tt.name, tt.whole, tt.wide)
		}
	}
}

func TestPattern_wordsAreInEveryMatch(t *testing.T) {
	tests := []struct{ text, want string }{
		{"||ads.com^", "ads com"},
		{"||ads.com", "ads"},
		{"/banner/", "banner"},
		{"banner/x", ""},
		{"/a*b/", ""},
		{"/a/*/b|", "a b"},
		{"-Ad%20-", "ad%20"},
		{"|http", ""},
		{"|http://x", "http"},
	}
	for _, tt := range tests {
		p, _ := parsePattern(tt.text)
		var got []string
		for word := range p.words() {
			got = append(got, word)
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: words %q, want %q", tt.text, got, tt.want)
		}
	}
}
