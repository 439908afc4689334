package reader

import "testing"

// FuzzCharMap looks for maps of files that take nothing of a string, run past it, or panic.
func FuzzCharMap(f *testing.F) {
	f.Add([]byte("1 begincodespacerange <00> <80> <8140> <fefe> endcodespacerange 1 begincidrange <8140> <817e> 7 endcidrange"), "\x81\x40a")
	f.Add([]byte("/GBK2K-H usecmap 1 beginbfrange <00> <ff> [<0041> <d83dde00>] endbfrange"), "\x81\x30\x81\x30")
	f.Add([]byte("/WMode 1 def 1 begincodespacerange <> <ffffffff> endcodespacerange"), "abcdef")
	f.Fuzz(func(t *testing.T, data []byte, s string) {
		m := readCharMap(data)
		for len(s) > 0 {
			code, n := m.Next(s)
			if n < 1 || n > len(s) {
				t.Fatalf("%d of %q", n, s)
			}
			s = s[n:]
			m.CID(code, n)
			m.text(code, n)
		}
	})
}
