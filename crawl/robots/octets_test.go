package robots

import "testing"

// FuzzSpell: a text that is spelt right stays as it is, and so two spellings of one path meet.
func FuzzSpell(f *testing.F) {
	for _, s := range []string{"", "/a%2", "/%", "/%61%zz", "/%%34%31", "/ä'*$%24%2a", "/\x00\x7f\xff %25"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, how := range []spelling{{}, {plainAlnum: true}, patternSpelling(true), patternSpelling(false)} {
			once := spell(s, how)
			if twice := spell(once, how); twice != once {
				t.Errorf("%+v: %q became %q, then %q", how, s, once, twice)
			}
			for i := 0; i < len(once); i++ {
				if c := once[i]; c <= ' ' || c >= 0x7f {
					t.Errorf("%+v: %q keeps the octet %#x", how, once, c)
				}
			}
		}
	})
}
