package brand

import "math"

// The numbers are those of CSS Color 4 and of Ottosson's OKLab.

type triple [3]float64

// convert takes the parts of a CSS color function to sRGB.
func convert(function, space string, p [4]float64) (color, bool) {
	v := triple{p[0], p[1], p[2]}
	switch function {
	case "rgb":
		return color{r: v[0] / 255, g: v[1] / 255, b: v[2] / 255}, true
	case "hsl":
		return fromHSL(v), true
	case "lab":
		return fromLab(v), true
	case "lch":
		return fromLab(polar(v)), true
	case "oklab":
		return fromOKLab(v), true
	case "oklch":
		return fromOKLab(polar(v)), true
	}
	switch space {
	case "srgb":
		return color{r: v[0], g: v[1], b: v[2]}, true
	case "srgb-linear":
		return fromLinear(v), true
	case "display-p3":
		return fromLinear(p3ToSRGB.times(triple{linear(v[0]), linear(v[1]), linear(v[2])})), true
	}
	return color{}, false
}

// polar takes lightness, chroma and hue to lightness and the two axes.
func polar(v triple) triple {
	sin, cos := math.Sincos(v[2] * math.Pi / 180)
	return triple{v[0], v[1] * cos, v[1] * sin}
}

// linear undoes the transfer function of sRGB.
func linear(n float64) float64 {
	if n <= 0.04045 {
		return n / 12.92
	}
	return math.Pow((n+0.055)/1.055, 2.4)
}

func gamma(n float64) float64 {
	if n <= 0.0031308 {
		return n * 12.92
	}
	return 1.055*math.Pow(n, 1/2.4) - 0.055
}

func fromLinear(v triple) color { return color{r: gamma(v[0]), g: gamma(v[1]), b: gamma(v[2])} }

func fromHSL(v triple) color {
	h, s, l := math.Mod(v[0], 360), min(max(v[1], 0), 1), min(max(v[2], 0), 1)
	if h < 0 {
		h += 360
	}
	part := func(n float64) float64 {
		k := math.Mod(n+h/30, 12)
		return l - s*min(l, 1-l)*max(-1, min(k-3, 9-k, 1))
	}
	return color{r: part(0), g: part(8), b: part(4)}
}

// lab takes an opaque color to OKLab: lightness, green to red, blue to yellow.
func (c color) lab() triple {
	cone := srgbToLMS.times(triple{linear(c.r), linear(c.g), linear(c.b)})
	for i := range cone {
		cone[i] = math.Cbrt(cone[i])
	}
	return lmsToOKLab.times(cone)
}

func fromOKLab(v triple) color {
	cone := okLabToLMS.times(v)
	for i := range cone {
		cone[i] = cone[i] * cone[i] * cone[i]
	}
	return fromLinear(lmsToSRGB.times(cone))
}

// fromLab is CIE Lab under D50, as CSS has it.
func fromLab(v triple) color {
	fy := (v[0] + 16) / 116
	f := func(t float64) float64 {
		if t > 6.0/29 {
			return t * t * t
		}
		return (116*t - 16) * 27 / 24389
	}
	xyz := triple{0.9642956764 * f(fy+v[1]/500), f(fy), 0.8251046025 * f(fy-v[2]/200)}
	return fromLinear(xyzD50ToSRGB.times(xyz))
}

func (v triple) distance(w triple) float64 {
	a, b, c := v[0]-w[0], v[1]-w[1], v[2]-w[2]
	return math.Sqrt(a*a + b*b + c*c)
}

type matrix [3]triple

func (m matrix) times(v triple) (out triple) {
	for i, row := range m {
		out[i] = row[0]*v[0] + row[1]*v[1] + row[2]*v[2]
	}
	return out
}

var (
	srgbToLMS = matrix{
		{0.4122214708, 0.5363325363, 0.0514459929}, {0.2119034982, 0.6806995451, 0.1073969566}, {0.0883024619, 0.2817188376, 0.6299787005},
	}
	lmsToOKLab = matrix{
		{0.2104542553, 0.7936177850, -0.0040720468}, {1.9779984951, -2.4285922050, 0.4505937099}, {0.0259040371, 0.7827717662, -0.8086757660},
	}
	okLabToLMS = matrix{
		{1, 0.3963377774, 0.2158037573}, {1, -0.1055613458, -0.0638541728}, {1, -0.0894841775, -1.2914855480},
	}
	lmsToSRGB = matrix{
		{4.0767416621, -3.3077115913, 0.2309699292}, {-1.2684380046, 2.6097574011, -0.3413193965}, {-0.0041960863, -0.7034186147, 1.7076147010},
	}
	p3ToSRGB = matrix{
		{1.2249401763, -0.2249401763, 0}, {-0.0420569547, 1.0420569547, 0}, {-0.0196375546, -0.0786360456, 1.0982736001},
	}
	xyzD50ToSRGB = matrix{
		{3.1341359569, -1.6173863321, -0.4906619460}, {-0.9787955050, 1.9162543774, 0.0334427310}, {0.0719557904, -0.2289768264, 1.4053860351},
	}
)
