package filter

import "slices"

// index finds the rules that can match a URL without trying the others. Each rule
// has its place under one key that every URL it matches must show: its host, a
// word of its pattern, or a domain of the pages it is for.
type index struct {
	buckets map[uint64][]*rule
	// general has the rules without such a key, tried for each URL.
	general []generalRule
	byPage  bool
}

type generalRule struct {
	need gramNeed
	rule *rule
}

// maxGeneral bounds the rules that are tried for each URL.
const maxGeneral = 2000

// Salts keep the keys of hosts, pages and words apart.
const (
	hashStart uint64 = 14695981039346656037
	hashPrime uint64 = 1099511628211
	hostSalt  uint64 = 0x9e3779b97f4a7c15
	pageSalt  uint64 = 0xc2b2ae3d27d4eb4f
)

func (x *index) empty() bool { return len(x.buckets)+len(x.general) == 0 }

func newIndex() *index { return &index{buckets: map[uint64][]*rule{}} }

// hash is FNV-1a. Two strings with one hash share a bucket, which costs a
// comparison and nothing else.
func hash(s string) uint64 {
	h := hashStart
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * hashPrime
	}
	return h
}

// add gives a rule its place: the emptiest of those it can have.
func (x *index) add(r *rule) Reason {
	key, ok := x.emptiest(r)
	switch {
	case ok:
		x.buckets[key] = append(x.buckets[key], r)
	case r.domains.named:
		x.addByPage(r)
	case len(x.general) >= maxGeneral:
		return TooGeneral
	default:
		x.general = append(x.general, generalRule{r.pattern.need(), r})
	}
	return ""
}

func (x *index) emptiest(r *rule) (best uint64, found bool) {
	name, whole := r.pattern.host()
	if whole && r.pattern.start == hostPart && isHostName(name) {
		best, found = hash(lowerASCII(name))^hostSalt, true
		if r.pattern.hostWide() {
			return best, true
		}
	}
	for word := range r.pattern.words() {
		if isCommonWord(word) {
			continue
		}
		key := hash(word)
		if !found || len(x.buckets[key]) < len(x.buckets[best]) {
			best, found = key, true
		}
	}
	return best, found
}

func (x *index) addByPage(r *rule) {
	x.byPage = true
	for _, d := range r.domains.entries {
		if !d.not {
			key := hash(d.name) ^ pageSalt
			x.buckets[key] = append(x.buckets[key], r)
		}
	}
}

// words returns those runs of letters, digits and '%' that are whole words of each
// URL that the pattern matches, in lower case.
func (p pattern) words() func(yield func(string) bool) {
	glob := lowerASCII(p.glob)
	return func(yield func(string) bool) {
		for at := 0; at < len(glob); {
			if !isWordByte(glob[at]) {
				at++
				continue
			}
			end := wordEnd(glob, at)
			bounded := (at > 0 && glob[at-1] != '*' || at == 0 && p.start != anywhere) &&
				(end < len(glob) && glob[end] != '*' || end == len(glob) && p.end)
			if bounded && !yield(glob[at:end]) {
				return
			}
			at = end
		}
	}
}

func isWordByte(c byte) bool { return isAlnum(c) || c == '%' }

func wordEnd(s string, at int) int {
	for at < len(s) && isWordByte(s[at]) {
		at++
	}
	return at
}

// isCommonWord: words of nearly every URL make no key.
func isCommonWord(word string) bool {
	switch word {
	case "http", "https", "ws", "wss", "www", "com":
		return true
	}
	return false
}

// keys returns the index keys of a URL: those of its host's names and its
// words, each once.
func (p *probe) keys() []uint64 {
	keys := p.buffer[:0]
	for at := 0; at < len(p.lower); {
		if !isWordByte(p.lower[at]) {
			at++
			continue
		}
		end := wordEnd(p.lower, at)
		keys = append(keys, hash(p.lower[at:end]))
		at = end
	}
	slices.Sort(keys)
	keys = slices.Compact(keys)
	for name := p.host(); name != ""; name = parentHost(name) {
		keys = append(keys, hash(name)^hostSalt)
	}
	return keys
}

// find returns the first rule that matches.
func (x *index) find(p *probe, keys []uint64) *rule {
	for i := len(keys) - 1; i >= 0; i-- { // hosts first, they decide most often
		if r := firstMatch(x.buckets[keys[i]], p); r != nil {
			return r
		}
	}
	if x.byPage {
		for _, name := range p.pageNames() {
			if r := firstMatch(x.buckets[hash(name)^pageSalt], p); r != nil {
				return r
			}
		}
	}
	for i := range x.general {
		if p.grams().has(x.general[i].need) && x.general[i].rule.matches(p) {
			return x.general[i].rule
		}
	}
	return nil
}

func firstMatch(rules []*rule, p *probe) *rule {
	for _, r := range rules {
		if r.matches(p) {
			return r
		}
	}
	return nil
}
