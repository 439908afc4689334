package noise

import (
	"reflect"
	"strings"
	"testing"
)

// byPattern splits a text by partPattern alone.
func byPattern(text string) (list []part) {
	for at := 0; at < len(text); {
		next := partsAt(text, at)
		list = append(list, next...)
		at = next[len(next)-1].end
	}
	return list
}

// allAtOnce are the ends of the parts as the pattern finds them with all of the text in sight.
func allAtOnce(text string) (ends []int) {
	for _, at := range partPattern.FindAllStringIndex(text, -1) {
		ends = append(ends, at[1])
	}
	return ends
}

func FuzzParts(f *testing.F) {
	for _, text := range []string{
		"Posted 2 days ago · 1,234 views · /card/5?sid=ab12cd&x", "so mo Monday sunday-x mondays so_2 soé Käse weiß K ſo", "w12ab word_x well-known a-1 may-5 so-1 terca-x abcdefgh1234-_ a1\u017f x-\u212a2 A1B2C3D4E5F6", "12:30pm 2026-11-28 3 de marzo, 2026 May 5th 16d",
		"5 août 3 märz 2 maybe 5\nmay 2026 1 234 567 5 views 7) 8% 9\u00b7 4 de marzo 4 dec 10 a\u0301", "4 x 1\u00a0000 5 \u017fept 6 \u212a",
		"segunda-feira 水曜日 星期三 \x01date\x02 ab-12cd34ef56 a_b -- _ & ? ?a=b", "jan. 5 march\u00a07 \v\f\t x1 1x février 3 \xff\xfe", "\x01open " + strings.Repeat(" ", 70) + "5",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := parts(text)
		if want := byPattern(text); !reflect.DeepEqual(got, want) {
			t.Errorf("%q:\n%+v\n%+v", text, got, want)
		}
		ends := map[int]bool{}
		for _, p := range got {
			ends[p.end] = true
		}
		for _, end := range allAtOnce(text) {
			if !ends[end] {
				t.Errorf("%q: no part ends at %d", text, end)
			}
		}
	})
}
