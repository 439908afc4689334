package filter

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// FuzzNew_anyList: whatever a list holds, New takes it, the report adds up, and
// what comes out is fit for use.
func FuzzNew_anyList(f *testing.F) {
	f.Add("||ads.com^$third-party,domain=a.com|~b.com\n@@||ads.com/x|\na.com##.x\n##+js(x)\n/re/\n", "https://x.ads.com/y?z", "a.com")
	f.Add("!#if x\n[Adblock]\n$$\n##\n#@#a\n|\n||\n@@\n@@$document\n*$domain=*\n^\n", "wss://[::1]:1/x", "[::1]:1")
	f.Add("\ufeff||a.*^$~3p,important,match-case\n*$script,domain=x.*\n~x.y#@#a[b=\"\\\"\"]", "http://u:p@a.co.uk./", "x.co.uk.")
	f.Fuzz(func(t *testing.T, list, url, page string) {
		s, err := New(Options{MaxLine: 200, MaxRules: 50, MaxBytes: 4000, Lists: []List{{Name: "fuzz", Source: strings.NewReader(list)}}})
		if err != nil {
			t.Fatal(err)
		}
		r := s.Reports()[0]
		taken := r.Rules + r.Hiding
		for _, n := range r.Skipped {
			taken += n
		}
		if taken > r.Lines || r.Rules+r.Hiding > 50 || len(r.Examples) > maxExamples {
			t.Errorf("report does not add up: %+v", r)
		}
		s.Match(Request{URL: url, PageHost: page})
		s.MatchHost(page, url)
		checkSuspected(t, s, []string{list}, page, page, "https://"+page+"/"+url)
		for _, selector := range s.Hiding(page) {
			if !safeSelector(selector) {
				t.Errorf("selector %q", selector)
			}
		}
		for _, p := range s.URLPatterns(page, 100) {
			if strings.Count(p, "*") > 3 || !strings.HasSuffix(p, "/*") {
				t.Errorf("URL pattern %q", p)
			}
		}
	})
}

// slowSet answers like a Set by trying every rule.
type slowSet struct {
	set   *Set
	rules []*rule
}

func newSlowSet(lines []string) (slowSet, error) {
	s, err := New(Options{Lists: []List{{Source: strings.NewReader(strings.Join(lines, "\n"))}}})
	slow := slowSet{set: s}
	for _, line := range lines {
		_, _, _, _, hiding := splitHiding(line)
		if r, why := parseRule(line); why == "" && !hiding && !isComment(line) {
			slow.rules = append(slow.rules, r)
		}
	}
	return slow, err
}

func (s slowSet) match(url, page string, t Type) bool {
	p, ok := s.set.newProbe(url, page, t.mask())
	if !ok {
		return false
	}
	own, _ := s.set.newProbe("https://"+p.page+"/", p.page, 1<<Document)
	any := func(except, important bool) bool {
		return slices.ContainsFunc(s.rules, func(r *rule) bool { return r.except == except && r.important == important && r.matches(p) })
	}
	excepted := func(r *rule) bool { return r.except && own != nil && r.matches(own) }
	if any(false, true) {
		return !any(true, true)
	}
	return any(false, false) && !any(true, false) && !any(true, true) && !slices.ContainsFunc(s.rules, excepted)
}

// FuzzMatch_sameAsTryingEveryRule makes rules and URLs of a few words, so that they
// meet, and holds the index to the answer without it. It also holds MatchHost and
// URLPatterns to Match: what they block, Match blocks; and Suspects: what Match blocks
// beyond MatchHost is among them.
func FuzzMatch_sameAsTryingEveryRule(f *testing.F) {
	f.Add([]byte("0123456789abcdefghijklmnopqrstuvwxyz"), []byte("abcdef"), byte(3))
	f.Add([]byte{0, 7, 1, 2, 9, 4, 1, 1, 8, 3, 200, 100, 50, 25, 12, 6, 3}, []byte{1, 2, 3}, byte(0))
	f.Add([]byte("||ads.com^ @@||ads.com/x @@ads|com/x important"), []byte("zyxw"), byte(12))
	f.Fuzz(func(t *testing.T, ruleBytes, urlBytes []byte, kind byte) {
		if len(ruleBytes) > 200 || len(urlBytes) > 40 {
			return
		}
		compareWithSlow(t, ruleBytes, urlBytes, kind)
	})
}

// TestMatch_sameAsTryingEveryRule does the same with bytes by chance, from a seed.
func TestMatch_sameAsTryingEveryRule(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.NewChaCha8([32]byte(binary.BigEndian.AppendUint64(make([]byte, 24), seed)))
	for range 3000 {
		ruleBytes, urlBytes := make([]byte, 7*(1+random.Uint64()%12)), make([]byte, 1+random.Uint64()%20)
		random.Read(ruleBytes)
		random.Read(urlBytes)
		if compareWithSlow(t, ruleBytes, urlBytes, byte(random.Uint64())); t.Failed() {
			return
		}
	}
}

// compareWithSlow makes rules and a path of the bytes.
func compareWithSlow(t *testing.T, ruleBytes, urlBytes []byte, kind byte) {
	t.Helper()
	lines := spell(ruleBytes, 7, []string{"@@", "||", "|", "ads", ".com", "^", "*", "/x", "b", ".", "-", "$"},
		[]string{"", "", "$script", "$3p", "$~3p", "$domain=b.com", "$domain=~b.com", "$important", "$document", "$image,important", "$match-case", "$domain=b.*"})
	slow, err := newSlowSet(lines)
	if err != nil {
		t.Fatal(err)
	}
	hosts := []string{"ads.com", "b.ads.com", "b.com", "ads.b.com", "x.b.com", "ads"}
	rest := strings.Join(spell(urlBytes, 8, []string{"/", "x", "ads", ".com", "-", "b", "?", "X"}, []string{""}), "")
	for i, host := range hosts {
		page := hosts[(i+int(kind))%len(hosts)]
		url := "https://" + host + "/" + rest
		request := Request{URL: url, PageHost: page, Type: Type(kind) % (Other + 1)}
		got, rule := slow.set.Match(request)
		if want := slow.match(url, page, request.Type); got != want {
			t.Errorf("rules %q\n%+v = %v (%s), trying every rule says %v", lines, request, got, rule, want)
		}
		checkWholeHost(t, slow.set, lines, host, page, url)
		checkSuspected(t, slow.set, lines, host, page, url)
		checkSuspected(t, slow.set, lines, host, host, url)
	}
}

// checkWholeHost: only an exception that names neither host nor page may save a URL
// of a host that is blocked as a whole.
func checkWholeHost(t *testing.T, s *Set, lines []string, host, page, url string) {
	t.Helper()
	whole := s.MatchHost(host, page)
	listed := slices.Contains(s.URLPatterns(page, 1000), "*://"+host+"/*")
	if listed && !whole {
		t.Errorf("rules %q\n%s is a URL pattern on %s, and MatchHost lets it through", lines, host, page)
	}
	if !whole {
		return
	}
	blocked, text := s.Match(Request{URL: url, PageHost: page, Type: Image})
	if blocked {
		return
	}
	except, why := parseRule(text)
	if why != "" {
		t.Fatalf("rules %q\n%s is blocked as a whole on %s, and %s is not: %q", lines, host, page, url, text)
	}
	if name, _ := except.pattern.host(); name != "" || except.domains.named {
		t.Errorf("rules %q\n%s is blocked as a whole on %s, and %s is saved by %q", lines, host, page, url, text)
	}
}

// spell makes lines of up to n words and one ending.
func spell(bytes []byte, n int, words, endings []string) []string {
	var lines []string
	for chunk := range slices.Chunk(bytes, n) {
		var line strings.Builder
		for _, b := range chunk[:len(chunk)-1] {
			line.WriteString(words[int(b)%len(words)])
		}
		line.WriteString(endings[int(chunk[len(chunk)-1])%len(endings)])
		lines = append(lines, line.String())
	}
	return lines
}
