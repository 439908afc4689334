package noise

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"
)

// partsByPattern is what parts returns, by the pattern alone.
func partsByPattern(text string) (list []part) {
	for _, at := range partPattern.FindAllStringSubmatchIndex(text, -1) {
		list = appendPart(list, text, at)
	}
	return list
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
		if got, want := parts(text), partsByPattern(text); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: got %+v, want %+v", text, got, want)
		}
	}
}
