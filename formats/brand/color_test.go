package brand

import (
	"math"
	"testing"
)

func TestParseColor_readsWhatStylesSay(t *testing.T) {
	for text, want := range map[string]string{
		"#fff": "#ffffff", "#C2410C": "#c2410c", "#12345678": "#123456", "#f008": "#ff0000", "white": "#ffffff", "black": "#000000",
		"rgb(194, 65, 12)": "#c2410c", "rgba(0, 0, 0, 0.5)": "#000000", "rgb(100% 0% 50% / 20%)": "#ff0080",
		"hsl(160 84% 39%)": "#10b77f", "hsla(0, 100%, 50%, 1)": "#ff0000", "160 84% 39%": "#10b77f", "-120 100% 50%": "#0000ff", "hsl(none 0% 100%)": "#ffffff",
		"oklch(0.7 0.19 300)": "#b27dff", "oklch(62.8% 0.2577 29.23)": "#ff0000", "oklab(1 0 0)": "#ffffff", "oklab(0.452 -0.0324 -0.3115)": "#0000ff",
		"lab(54.29 80.82 69.9)": "#ff0000", "lab(100 0 0)": "#ffffff", "lch(29.57 131.2 301.37)": "#0000ff", "lch(50% 0 none)": "#777777",
		"color(srgb 0.2 0.4 0.6)": "#336699", "color(srgb-linear 0.2159 0.2159 0.2159)": "#808080", "color(display-p3 1 1 1)": "#ffffff", "color(display-p3 0 0.2 0.9 / 0.5)": "#0034ef",
	} {
		if c, ok := parseColor(text); !ok || c.hex() != want {
			t.Errorf("%s: got %s, %t; want %s", text, c.hex(), ok, want)
		}
	}
	for _, text := range []string{"", "#", "#12", "#ggg", "red", "rgb(1,2)", "rgb(1,2,3", "rgb(1,2,x)", "hsl(1 2 3)", "1 2 3", "color(xyz 1 1 1)", "color()", "var(--x)", "rgb(1e999,0,0)", "url(#a)"} {
		if c, ok := parseColor(text); ok {
			t.Errorf("%q was read as %s", text, c.hex())
		}
	}
}

func TestParseColor_alphaDecidesWhatIsSeen(t *testing.T) {
	for text, want := range map[string]float64{"transparent": 0, "#0008": 8.0 / 15, "rgba(1,2,3,.25)": 0.25, "hsl(0 0% 0% / 40%)": 0.4, "oklch(1 0 0 / none)": 0} {
		if c, ok := parseColor(text); !ok || math.Abs(c.a-want) > 1e-9 {
			t.Errorf("%s: got %v, %t; want %v", text, c.a, ok, want)
		}
	}
	half, _ := parseColor("rgba(255, 0, 0, 0.5)")
	if got := half.over(white).hex(); got != "#ff8080" {
		t.Errorf("half red on white is %s", got)
	}
}

func TestFirstColor_isTheFirstThatIsSeen(t *testing.T) {
	for text, want := range map[string]string{
		"linear-gradient(90deg, rgba(0, 0, 0, 0) 0%, rgb(1, 2, 3) 10%, #fff)": "#010203",
		"0 0 0 3px oklab(0.452 -0.0324 -0.3115)":                              "#0000ff",
		"1px solid #2563eb":                                                   "#2563eb",
	} {
		if c, ok := firstColor(text); !ok || c.hex() != want {
			t.Errorf("%s: got %s, want %s", text, c.hex(), want)
		}
	}
	if c, ok := firstColor("none"); ok {
		t.Errorf("got %s of none", c.hex())
	}
}

func TestColor_greyHueContrast(t *testing.T) {
	for text, want := range map[string]bool{"#64748b": true, "#0f172a": true, "#fafaf9": true, "#808080": true, "#ff0000": false, "#1d4ed8": false, "#c2410c": false, "#001f5f": false} {
		if c, _ := parseColor(text); c.gray() != want {
			t.Errorf("%s is gray: %t, want %t", text, c.gray(), want)
		}
	}
	if got := black.contrast(white); math.Abs(got-21) > 1e-9 {
		t.Errorf("black on white: %v, want 21", got)
	}
	for text, want := range map[string]float64{"#ff0000": 29, "#00ff00": 142, "#0000ff": 264} {
		if c, _ := parseColor(text); math.Abs(c.hue()-want) > 1 {
			t.Errorf("hue of %s is %v, want %v", text, c.hue(), want)
		}
	}
}

func TestColor_hexAndBackIsTheSame(t *testing.T) {
	for n := range 256 {
		c := color{float64(n) / 255, float64(255-n) / 255, float64(n/2) / 255, 1}
		back, ok := parseColor(c.hex())
		round := fromOKLab(c.lab())
		if !ok || back.hex() != c.hex() || round.clamp().hex() != c.hex() {
			t.Errorf("%s became %s and %s", c.hex(), back.hex(), round.hex())
		}
	}
}
