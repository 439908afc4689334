package brand

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"
)

func TestStack_isAsPeopleWriteIt(t *testing.T) {
	for family, want := range map[string][]string{
		`"Source Sans 3", Helvetica, sans-serif`:                   {"Source Sans 3", "Helvetica", "sans-serif"},
		`__Inter_a1b2c3, __Inter_Fallback_a1b2c3, system-ui`:       {"Inter", "system-ui"},
		`'__Open_Sans_0f0f0f', 'Open Sans Fallback', Arial, Arial`: {"Open Sans", "Arial"},
		"":       nil,
		" , ,, ": nil,
	} {
		if got := stack(family); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", family, got, want)
		}
	}
}

func TestFonts_areTheTenFirstChoices(t *testing.T) {
	var looks []Look
	for i := range 12 {
		for range 20 - i {
			looks = append(looks, Look{Kind: kindText, Length: 1, Family: fmt.Sprintf(`"Font %d", Arial`, i)})
		}
	}
	for _, family := range []string{"system-ui, Roboto", "-apple-system", "Font Awesome 6 Free", "Material Icons"} {
		looks = append(looks, Look{Kind: kindText, Length: 50, Family: family})
	}
	looks = append(looks, Look{Kind: kindButton, Label: "x", Family: "Arial"}, Look{Kind: kindHeading, Family: `"Font 3"`})
	got := Judge(sampled(looks...))
	if len(got.Fonts) != 10 || got.Fonts[0] != (Font{"Font 0", "", 20}) || got.Fonts[3] != (Font{"Font 3", "heading", 18}) {
		t.Errorf("got %+v", got.Fonts)
	}
	if got.Typography.FontFamilies["primary"] != "system-ui" || got.Typography.FontFamilies["heading"] != "Font 3" {
		t.Errorf("got %+v", got.Typography.FontFamilies)
	}
}

func TestTypography_goesByTheLengthOfText(t *testing.T) {
	heading := func(tag string, size, weight float64) Look {
		return Look{Kind: kindHeading, Tag: tag, Size: size, Weight: weight, LineHeight: fmt.Sprint(size*1.25, "px"), Family: "Serifa, serif"}
	}
	small := Look{Kind: kindSmall, Size: 12.5, Weight: 350, Length: 10, LineHeight: "normal"}
	long, short := paragraph("#000", 300), paragraph("#000", 20)
	short.Size, short.LineHeight = 20, "20px"
	got := Judge(sampled(heading("h1", 40, 800), heading("h2", 30, 700), heading("h2", 28, 700), heading("h2", 28, 700), short, short, long, small)).Typography
	want := &Typography{
		FontFamilies: map[string]string{"primary": "Lato", "heading": "Serifa"},
		FontStacks: map[string][]string{"primary": {"Lato", "Arial", "sans-serif"}, "body": {"Lato", "Arial", "sans-serif"},
			"paragraph": {"Lato", "Arial", "sans-serif"}, "heading": {"Serifa", "serif"}},
		FontSizes:   map[string]string{"h1": "40px", "h2": "28px", "body": "16px", "small": "12.5px"},
		FontWeights: map[string]float64{"light": 350, "regular": 400, "bold": 700},
		LineHeights: map[string]string{"heading": "1.25", "body": "1.5"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}

func TestSpacing_baseUnitDividesThreeOfFive(t *testing.T) {
	for want, distances := range map[float64][]float64{
		4:  {8, 16, 24, 5, 7},
		6:  {6, 18, 30, 7, 11},
		10: {10, 10, 50, 7, 300}, // the last is layout
		0:  {7, 11, 13},
	} {
		s := &Samples{}
		for _, d := range distances {
			s.Grids = append(s.Grids, Layer{Gap: d})
		}
		if got := (&judgement{Samples: s}).baseUnit(); got != want {
			t.Errorf("%v: got %v, want %v", distances, got, want)
		}
	}
}

func TestSpacing_radiusIsTheMedianWithoutPills(t *testing.T) {
	var looks []Look
	for _, r := range []string{"4px", "12px", "6px", "9999px", "50%", "30px"} {
		l := control(kindButton, "x", "#000", "#fff")
		l.Radius[0] = r
		looks = append(looks, l)
	}
	if got := Judge(sampled(looks...)).Spacing; got.BorderRadius != "6px" || got.Padding["buttonTop"] != 8 || got.Padding["buttonLeft"] != 16 || got.BaseUnit != 4 {
		t.Errorf("got %+v", got)
	}
}

func TestSides_areNumbersByName(t *testing.T) {
	for _, c := range []struct {
		sides [4]float64
		want  map[string]float64
	}{
		{[4]float64{4, 4, 4, 4}, map[string]float64{"card": 4}},
		{[4]float64{}, map[string]float64{"card": 0}},
		{[4]float64{1, 2, 1, 2}, map[string]float64{"cardTop": 1, "cardRight": 2, "cardBottom": 1, "cardLeft": 2}},
		{[4]float64{0, 0, 16, -2.5}, map[string]float64{"cardBottom": 16, "cardLeft": -2.5}},
	} {
		got := map[string]float64{}
		if setSides(got, "card", c.sides); !maps.Equal(got, c.want) {
			t.Errorf("%v: got %v, want %v", c.sides, got, c.want)
		}
	}
}
