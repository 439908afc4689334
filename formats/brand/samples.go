package brand

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
)

// Script is the text of a JavaScript function without parameters that takes samples of the document it runs in. Pass its result, as
// JSON, to [Decode]. It changes nothing in the document, waits for nothing and needs a few tenths of a second on large pages; it stops
// looking for more after two and a half.
//
//go:embed sample.js
var Script string

// MaxBytes bounds what Decode reads.
const MaxBytes = 4 << 20

// Samples are the observations of a page. Lengths are CSS pixels, places those in the page, colors any that CSS has.
type Samples struct {
	URL      string `json:"url"`
	Title    string `json:"title"`
	Heading  string `json:"heading"` // the first h1
	SiteName string `json:"siteName"`
	AppName  string `json:"appName"`
	Image    string `json:"image"` // og:image
	// ThemeColor, Schemes: the meta elements theme-color and color-scheme.
	ThemeColor  string  `json:"themeColor"`
	Schemes     string  `json:"schemes"`
	PrefersDark bool    `json:"prefersDark"`
	Width       float64 `json:"width"`  // of the viewport
	Height      float64 `json:"height"` // of the page

	Themes    []Theme    `json:"themes"` // of html and body
	Ground    []Ground   `json:"ground"` // html, body, and elements that cover the page, inner ones last
	Variables []Variable `json:"variables"`
	Declared  []Declared `json:"declared"`
	Looks     []Look     `json:"looks"` // in the order of the document, areas last
	Icons     []Icon     `json:"icons"`
	Grids     []Layer    `json:"grids"`
	Widths    []Layer    `json:"widths"`
	Logos     []Logo     `json:"logos"`
	Links     []Link     `json:"links"` // of icons
	Data      []string   `json:"data"`  // JSON-LD

	HeaderHeight float64 `json:"headerHeight"`
	FooterHeight float64 `json:"footerHeight"`
	Characters   int     `json:"characters"` // of text that was looked at
	Emojis       int     `json:"emojis"`     // among them
}

// Theme is an element's declaration of its theme.
type Theme struct {
	Classes string   `json:"classes"`
	Values  []string `json:"values"` // of data-theme and the like
}

// Ground is what is painted behind all.
type Ground struct {
	Tag        string `json:"tag"`
	Color      string `json:"color"`
	Background string `json:"background"`
	Image      string `json:"image"`  // a gradient
	Scheme     string `json:"scheme"` // the computed color-scheme
}

// Variable is a custom property of html or body whose value is a color, or the three numbers of hsl().
type Variable struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Declared is a color that style sheets declare so many times.
type Declared struct {
	Value string `json:"value"`
	Count int    `json:"count"`
}

// The kinds of looks. Those of a state have its name: success, warning, error, danger.
const (
	kindButton    = "button"
	kindInput     = "input"
	kindHeading   = "heading"
	kindParagraph = "paragraph"
	kindLink      = "link"
	kindCode      = "code"
	kindSmall     = "small"
	kindText      = "text" // any other element with text of its own
	kindArea      = "area" // a box that paints something
)

// Look is one element with its computed style.
type Look struct {
	Kind    string `json:"kind"`
	Tag     string `json:"tag"`
	Label   string `json:"label"`  // the beginning of its text
	Length  int    `json:"length"` // of its text
	Region  string `json:"region"` // header, nav, main, footer, aside or empty
	Classes string `json:"classes"`
	Submit  bool   `json:"submit"`
	Inline  bool   `json:"inline"` // a link within text
	Focus   string `json:"focus"`  // what style sheets declare for it in focus

	box
	Color       string     `json:"color"`
	Background  string     `json:"background"`
	Image       string     `json:"image"`
	BorderWidth float64    `json:"borderWidth"` // of the thickest side
	BorderColor string     `json:"borderColor"`
	Radius      [4]string  `json:"radius"` // clockwise from top left
	Shadow      string     `json:"shadow"`
	Family      string     `json:"family"`
	Size        float64    `json:"size"`
	Weight      float64    `json:"weight"`
	LineHeight  string     `json:"lineHeight"`
	Padding     [4]float64 `json:"padding"` // clockwise from the top
	Margin      [4]float64 `json:"margin"`
	Duration    string     `json:"duration"`
	Easing      string     `json:"easing"`
}

type box struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
	W float64 `json:"w"`
	H float64 `json:"h"`
}

func (b box) area() float64 { return max(b.W, 0) * max(b.H, 0) }

// Icon is a small SVG picture, by its first shape.
type Icon struct {
	box
	Fill   string `json:"fill"`
	Stroke string `json:"stroke"`
}

// Layer is a box that lays others out.
type Layer struct {
	box
	Columns int     `json:"columns"` // 0 where it is no grid
	Gap     float64 `json:"gap"`
	Max     float64 `json:"max"` // its max-width
}

// Logo is a picture that may be the logo.
type Logo struct {
	box
	Kind    string `json:"kind"`   // img, svg or background
	Source  string `json:"src"`    // absolute; a data URI at most 100 kB
	SVG     string `json:"svg"`    // the picture itself
	Alt     string `json:"alt"`    // or what else names it
	Href    string `json:"href"`   // where it leads
	Hints   string `json:"hints"`  // classes, ids and labels of it and those around it
	Region  string `json:"region"` // as of Look
	Visible bool   `json:"visible"`
}

// Link is a link element of an icon.
type Link struct {
	Rel   string `json:"rel"`
	Href  string `json:"href"`
	Sizes string `json:"sizes"`
}

// Decode reads the result of [Script]. JSON that is over [MaxBytes] or isn't the script's is an error. The script's bounds are applied
// once more, so that Judge's input doesn't depend on the code that ran it.
func Decode(data []byte) (*Samples, error) {
	if len(data) > MaxBytes {
		return nil, fmt.Errorf("brand samples: %d bytes, over %d", len(data), MaxBytes)
	}
	s := &Samples{}
	if err := json.Unmarshal(data, s); err != nil {
		return nil, fmt.Errorf("brand samples: %w", err)
	}
	s.bound()
	return s, nil
}

// The most of each kind that Judge takes.
const (
	maxLooks = 1000
	maxList  = 500
	maxLogos = 35
)

func (s *Samples) bound() {
	s.Looks = head(s.Looks, maxLooks)
	s.Variables, s.Declared = head(s.Variables, maxList), head(s.Declared, maxList)
	s.Ground, s.Icons, s.Grids, s.Widths = head(s.Ground, maxList), head(s.Icons, maxList), head(s.Grids, maxList), head(s.Widths, maxList)
	s.Logos, s.Links, s.Data = head(s.Logos, maxLogos), head(s.Links, maxList), head(s.Data, 10)
	for i := range s.Looks {
		l := &s.Looks[i]
		l.Size, l.Weight = sane(l.Size), sane(l.Weight)
		l.box = l.box.sane()
	}
}

func head[T any](list []T, most int) []T { return list[:min(len(list), most)] }

// sane keeps a number within what a page can have.
func sane(n float64) float64 {
	if math.IsNaN(n) {
		return 0
	}
	return min(max(n, -1e6), 1e6)
}

func (b box) sane() box { return box{sane(b.X), sane(b.Y), sane(b.W), sane(b.H)} }
