package brand

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// color is one of sRGB, each part 0 to 1; not premultiplied.
type color struct{ r, g, b, a float64 }

var (
	black = color{0, 0, 0, 1}
	white = color{1, 1, 1, 1}
	// chromeDark is what Chromium paints a page with that has color-scheme dark and no background.
	chromeDark = color{18.0 / 255, 18.0 / 255, 18.0 / 255, 1}
)

// parseColor reads a color as CSS Color 4 writes computed ones, hex, rgb() and hsl(), and the bare numbers of hsl(). Of names it knows
// only transparent, black and white: the script has resolved the others.
func parseColor(text string) (color, bool) {
	text = strings.ToLower(strings.TrimSpace(text))
	switch {
	case len(text) > 200:
		return color{}, false
	case text == "transparent":
		return color{}, true
	case text == "black":
		return black, true
	case text == "white":
		return white, true
	case strings.HasPrefix(text, "#"):
		return parseHex(text[1:])
	}
	name, args, ok := strings.Cut(text, "(")
	if !ok {
		name, args = "hsl", text
	} else if args, ok = strings.CutSuffix(args, ")"); !ok {
		return color{}, false
	}
	return parseFunction(name, strings.FieldsFunc(args, func(r rune) bool {
		return r == ' ' || r == ',' || r == '/' ||
			r == '\t' || r == '\n'
	}))
}

func parseHex(digits string) (color, bool) {
	if len(digits) == 3 || len(digits) == 4 {
		var long strings.Builder
		for i := range len(digits) {
			long.WriteString(digits[i:i+1] + digits[i:i+1])
		}
		digits = long.String()
	}
	if len(digits) == 6 {
		digits += "ff"
	}
	n, err := strconv.ParseUint(digits, 16, 32)
	if err != nil || len(digits) != 8 {
		return color{}, false
	}
	return color{float64(n>>24) / 255, float64(n>>16&255) / 255, float64(n>>8&255) / 255, float64(n&255) / 255}, true
}

// parseFunction reads the parts of a color function, the alpha last.
func parseFunction(name string, args []string) (color, bool) {
	space := ""
	if name == "color" && len(args) > 0 {
		space, args = args[0], args[1:]
	}
	if len(args) != 3 && len(args) != 4 {
		return color{}, false
	}
	scale, known := scales[name]
	if !known || name == "hsl" && !strings.HasSuffix(args[1], "%") {
		return color{}, false
	}
	part := [4]float64{3: 1}
	for i, arg := range args {
		n, ok := component(arg, scale[min(i, 3)])
		if !ok {
			return color{}, false
		}
		part[i] = n
	}
	c, ok := convert(strings.TrimSuffix(name, "a"), space, part)
	c.a = part[3]
	return c.clamp(), ok
}

// scales hold for each part the value of 100 % (CSS Color 4); of the alpha it is 1.
var scales = map[string][4]float64{
	"rgb": {255, 255, 255, 1}, "rgba": {255, 255, 255, 1}, "hsl": {360, 1, 1, 1}, "hsla": {360, 1, 1, 1}, "color": {1, 1, 1, 1},
	"lab": {100, 125, 125, 1}, "oklab": {1, 0.4, 0.4, 1}, "lch": {100, 150, 360, 1}, "oklch": {1, 0.4, 360, 1},
}

func component(arg string, full float64) (float64, bool) {
	if arg == "none" {
		return 0, true
	}
	percent := false
	if arg, percent = strings.CutSuffix(arg, "%"); !percent {
		full = 100
	}
	n, err := strconv.ParseFloat(strings.TrimSuffix(arg, "deg"), 64)
	return n * full / 100, err == nil && !math.IsNaN(n) && !math.IsInf(n, 0)
}

func (c color) clamp() color {
	in := func(n float64) float64 {
		if math.IsNaN(n) { // of numbers that no color has
			return 0
		}
		return min(max(n, 0), 1)
	}
	return color{in(c.r), in(c.g), in(c.b), in(c.a)}
}

var colorText = regexp.MustCompile(`(?i)#[0-9a-f]{3,8}\b|\b(?:rgba?|hsla?|lab|lch|oklab|oklch|color)\([^()]*\)`)

// firstColor finds the first color that can be seen in a gradient, shadow or border.
func firstColor(text string) (color, bool) {
	for _, found := range colorText.FindAllString(text, 20) {
		if c, ok := parseColor(found); ok && c.visible() {
			return c, true
		}
	}
	return color{}, false
}

// visible reports whether there is enough of the color to see it.
func (c color) visible() bool { return c.a >= 0.1 }

// over is the color as seen on another, opaque one.
func (c color) over(ground color) color {
	mix := func(top, below float64) float64 { return top*c.a + below*(1-c.a) }
	return color{mix(c.r, ground.r), mix(c.g, ground.g), mix(c.b, ground.b), 1}
}

// hex writes the color as #rrggbb.
func (c color) hex() string {
	n := func(part float64) int { return int(math.Round(part * 255)) }
	return fmt.Sprintf("#%02x%02x%02x", n(c.r), n(c.g), n(c.b))
}

// luminance by WCAG 2: 0 black, 1 white.
func (c color) luminance() float64 {
	return 0.2126*linear(c.r) + 0.7152*linear(c.g) + 0.0722*linear(c.b)
}

// contrast by WCAG 2: 1 none, 21 black on white.
func (c color) contrast(d color) float64 {
	a, b := c.luminance(), d.luminance()
	return (max(a, b) + 0.05) / (min(a, b) + 0.05)
}

// grayChroma: below it (OKLCH) a color is one of the neutral ones that interfaces are made of, which often have a blue tint.
const grayChroma = 0.05

// gray reports whether a color is neutral and has no hue.
func (c color) gray() bool {
	return c.chroma() < grayChroma
}

// distance in OKLab: 0.02 is hard to see, 1 is black to white.
func (c color) distance(d color) float64 { return c.lab().distance(d.lab()) }

// hue in degrees of OKLCH, 0 to 360: red about 29, yellow 110, green 142, blue 264.
func (c color) hue() float64 {
	lab := c.lab()
	return math.Mod(math.Atan2(lab[2], lab[1])*180/math.Pi+360, 360)
}

// chroma by OKLCH.
func (c color) chroma() float64 {
	lab := c.lab()
	return math.Hypot(lab[1], lab[2])
}
