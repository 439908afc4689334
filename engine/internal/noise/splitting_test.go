package noise

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"
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

// What parts takes for plain is what the pattern finds there, in pages of all templates and in texts where a name, a digit or a letter of
// another script follows.
func TestParts_areThoseOfThePattern(t *testing.T) {
	texts := []string{"also sat, Monday's mon-4 may1 mayé may é4 mär ſat Kelvin x_1 -a- a-1 ?a=b& &c=d\n\n\t12:30 pm 3rd Maya of May 4th, 2026 décembre Sept. 5 so, do it", "\xff\x01x\x02 a\xffb 曜日 月曜日 日 a月"}
	r, born := rand.New(rand.NewPCG(1, 1)), time.Date(2026, 8, 1, 6, 0, 0, 0, time.UTC)
	for _, list := range [][]template{templates, heldBack, fresh, sealed, foreign, vault} {
		for _, one := range list {
			p := &pageRun{template: one, content: newContent(r, born), r: r, born: born}
			texts = append(texts, p.render(0, p.at(0)).Text)
		}
	}
	pieces := strings.Fields("a May sat so é 1 12 - _ ? & = . , : ( ) \x01 \x02 T st pm Ж ́")
	for range 2000 {
		var b strings.Builder
		for range 1 + r.IntN(8) {
			b.WriteString(pick(r, pieces) + pick(r, []string{"", "", " ", "\n"}))
		}
		texts = append(texts, b.String())
	}
	for _, text := range texts {
		if got, want := parts(text), byPattern(text); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: got %+v, want %+v", text, got, want)
		}
	}
}
