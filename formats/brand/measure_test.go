package brand

import (
	"reflect"
	"testing"
)

func TestJudge_iconsAnimationsLayoutTone(t *testing.T) {
	s := sampled(
		Look{Kind: kindLink, Duration: "0s", Easing: "ease"}, Look{Kind: kindLink, Duration: "0.3s", Easing: "linear"},
		Look{Kind: kindButton, Label: "Go", Duration: "0.3s", Easing: "linear"}, Look{Kind: kindButton, Label: "Go", Duration: "0.1s", Easing: "ease"},
	)
	s.Icons = []Icon{{Fill: "none", Stroke: "rgb(1, 2, 3)"}, {Fill: "rgba(0, 0, 0, 0)", Stroke: "rgb(1, 2, 3)"}, {Fill: "rgb(9, 9, 9)", Stroke: "none"}, {Fill: "none", Stroke: "none"}}
	s.Grids = []Layer{{Columns: 3, box: box{W: 1000, H: 500}}, {Columns: 2, box: box{W: 400, H: 100}}, {Columns: 365, box: box{W: 2000, H: 900}}, {Gap: 8}}
	s.Widths = []Layer{{Max: 1200, box: box{W: 1200, H: 900}}, {Max: 720, box: box{W: 720, H: 100}}, {Max: 300, box: box{W: 300, H: 9000}}}
	s.HeaderHeight, s.FooterHeight, s.Characters, s.Emojis = 64, 0, 1000, 1
	b := Judge(s)
	for name, pair := range map[string][2]any{
		"icons":      {b.Icons, &Icons{"outline", "#010203"}},
		"animations": {b.Animations, &Animations{"0.3s", "linear"}},
		"layout":     {b.Layout, &Layout{Grid: &Grid{3, "1200px"}, HeaderHeight: "64px"}},
		"tone":       {b.Tone, &Tone{EmojiUsage: "some"}},
	} {
		if !reflect.DeepEqual(pair[0], pair[1]) {
			t.Errorf("%s: got %+v, want %+v", name, pair[0], pair[1])
		}
	}
	if s.Emojis = 6; Judge(s).Tone.EmojiUsage != "frequent" {
		t.Error("six in a thousand aren't frequent")
	}
}
