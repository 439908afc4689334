package page

import (
	"testing"

	"github.com/winnow-go/winnow/formats"
)

func TestJudge(t *testing.T) {
	for _, c := range []struct {
		name   string
		status int
		in     formats.Signals
		want   Choice
	}{
		{"no scripts at all", 200, formats.Signals{TextWords: 3}, Static},
		{"article with trackers", 200, formats.Signals{TextWords: 800, MainWords: 600, Scripts: 6}, Static},
		{"plain page with a script", 200, formats.Signals{TextWords: 200, MainWords: 180, Scripts: 1}, Static},
		{"server-rendered app", 200, formats.Signals{TextWords: 500, MainWords: 400, Scripts: 9, Framework: "next", ServerRendered: true}, Static},
		{"empty shell", 200, formats.Signals{TextWords: 2, Scripts: 3, EmptyMount: "root", Framework: "react"}, Dynamic},
		{"loading line", 200, formats.Signals{TextWords: 4, MainWords: 1, Scripts: 1, EmptyMount: "app"}, Dynamic},
		{"asks for JavaScript", 200, formats.Signals{TextWords: 20, Scripts: 2, NoscriptAsks: true}, Dynamic},
		{"meta refresh without scripts", 200, formats.Signals{TextWords: 10, MetaRefresh: "/next"}, Dynamic},
		{"challenge", 403, formats.Signals{TextWords: 40, Scripts: 2, Wall: "challenge"}, Dynamic},
		{"framework without text", 200, formats.Signals{TextWords: 90, MainWords: 40, Scripts: 4, Framework: "vue"}, Dynamic},
		{"thin page with scripts", 200, formats.Signals{TextWords: 60, MainWords: 50, Scripts: 4}, Unsure},
		{"navigation only", 200, formats.Signals{TextWords: 150, MainWords: 0, Scripts: 4}, Unsure},
		{"forbidden, with scripts", 403, formats.Signals{TextWords: 130, MainWords: 100, Scripts: 1}, Unsure},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Judge(c.status, c.in)
			if got.Choice != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
			if got.sure < 0.5 || got.sure > 1 || len(got.reasons) == 0 {
				t.Errorf("sure %v, reasons %q", got.sure, got.reasons)
			}
		})
	}
}

func TestTokenRecall(t *testing.T) {
	for _, c := range []struct {
		have, want string
		recall     float64
	}{
		{"a b c d", "a b", 1},
		{"a b", "a b c d", 0.5},
		{"a", "a a", 0.5},
		{"", "", 1},
		{"", "a", 0},
	} {
		if got := TokenRecall(c.have, c.want); got != c.recall {
			t.Errorf("tokenRecall(%q, %q) = %v, want %v", c.have, c.want, got, c.recall)
		}
	}
}
