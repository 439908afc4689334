package filter

// grams is a set of three-byte pieces of a URL, by hash. A general rule is compared
// with the URL only when the pieces of its own text are there.
type grams [64]uint64

// gramNeed is a few pieces that a URL must show, each as its hash plus one; zeros
// stand for none.
type gramNeed [4]uint16

func gramAt(s string, i int) uint16 {
	h := (uint32(s[i])<<16 | uint32(s[i+1])<<8 | uint32(s[i+2])) * 0x9e3779b1
	return uint16(h >> 20) // 12 bits, one of the set's 4096
}

// fill takes the pieces of a URL in lower case.
func (g *grams) fill(url string) {
	for i := 0; i+3 <= len(url); i++ {
		h := gramAt(url, i)
		g[h>>6] |= 1 << (h & 63)
	}
}

// has reports whether all that is needed is there; by chance it may say yes.
func (g *grams) has(need gramNeed) bool {
	for _, n := range need {
		if n == 0 {
			return true
		}
		if h := n - 1; g[h>>6]&(1<<(h&63)) == 0 {
			return false
		}
	}
	return true
}

// need returns pieces that stand for themselves in the pattern.
func (p pattern) need() gramNeed {
	var need gramNeed
	glob := lowerASCII(p.glob)
	for i, n := 0, 0; i+3 <= len(glob) && n < len(need); i++ {
		if isLiteral(glob[i]) && isLiteral(glob[i+1]) && isLiteral(glob[i+2]) {
			need[n] = gramAt(glob, i) + 1
			n++
		}
	}
	return need
}

func isLiteral(c byte) bool { return c != '*' && c != '^' }
