package cidmap

// Spaces are the code spaces of a map by length of code, one to four bytes (ISO 32000-1, 9.7.6.2). The zero value has none:
// codes are two bytes then.
type Spaces [5][]Space

// Space is a range of codes, byte by byte.
type Space struct{ Low, High uint32 }

// Next cuts one code off a string that isn't empty: the code, and how many bytes it took. It is one byte at least.
func (s *Spaces) Next(text string) (code uint32, size int) {
	for n := 1; n <= 4 && n <= len(text); n++ {
		code = code<<8 | uint32(text[n-1])
		for _, r := range s[n] {
			if r.has(code, n) {
				return code, n
			}
		}
	}
	if len(text) >= 2 && len(s[1]) == 0 {
		return uint32(text[0])<<8 | uint32(text[1]), 2
	}
	return uint32(text[0]), 1
}

// has tests every byte of a code by itself, as code spaces are meant.
func (r Space) has(code uint32, size int) bool {
	for shift := 0; shift < size*8; shift += 8 {
		b := code >> shift & 0xff
		if b < r.Low>>shift&0xff || b > r.High>>shift&0xff {
			return false
		}
	}
	return true
}

// None reports whether there are no code spaces.
func (s *Spaces) None() bool {
	for _, spaces := range s {
		if len(spaces) > 0 {
			return false
		}
	}
	return true
}
