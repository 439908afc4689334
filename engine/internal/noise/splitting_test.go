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
		"Posted 2 days ago · 1,234 views · /card/5?sid=ab12cd&x", "so mo Monday sunday-x mondays so_2 soé Käse weiß K ſo", "12:30pm 2026-11-28 3 de marzo, 2026 May 5th 16d",
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
