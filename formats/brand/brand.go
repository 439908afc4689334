package brand

import "encoding/json"

// Brand is the look of a site: the answer of the branding format, in the service's shape. What the page doesn't show is absent. Lengths
// are CSS lengths such as "16px", colors "#rrggbb".
type Brand struct {
	// ColorScheme is "light" or "dark".
	ColorScheme string `json:"colorScheme,omitempty"`
	// BrandName is the site's own name for itself.
	BrandName string `json:"brandName,omitempty"`
	// Logo is a URL or a data URI.
	Logo string `json:"logo,omitempty"`
	// Colors by role: primary, secondary, accent, background, textPrimary, textSecondary, link, success, warning, error.
	Colors map[string]string `json:"colors,omitempty"`
	// Fonts are the preferred families of text, at most ten, the most used first. Generic names and fallbacks aren't among them.
	Fonts      []Font      `json:"fonts,omitempty"`
	Typography *Typography `json:"typography,omitempty"`
	Spacing    *Spacing    `json:"spacing,omitempty"`
	Components *Components `json:"components,omitempty"`
	// Images by role: logo, logoHref, logoAlt, favicon, ogImage. All but logoAlt are URLs.
	Images     map[string]string `json:"images,omitempty"`
	Icons      *Icons            `json:"icons,omitempty"`
	Animations *Animations       `json:"animations,omitempty"`
	Layout     *Layout           `json:"layout,omitempty"`
	Tone       *Tone             `json:"tone,omitempty"`
	// Personality needs a model. [Judge] leaves it empty.
	Personality json.RawMessage `json:"personality,omitempty"`
}

// Font is one font family in use.
type Font struct {
	Family string `json:"family"`
	// Role is "heading", "body", "code" or, for any other role, empty.
	Role string `json:"role,omitempty"`
	// Count of the sampled elements that are set in it.
	Count int `json:"count,omitempty"`
}

// Typography has families, sizes, weights and line heights by role.
type Typography struct {
	// FontFamilies: primary, heading, code.
	FontFamilies map[string]string `json:"fontFamilies,omitempty"`
	// FontStacks, with their fallbacks: primary, heading, body, paragraph.
	FontStacks map[string][]string `json:"fontStacks,omitempty"`
	// FontSizes: h1, h2, h3, body, small.
	FontSizes map[string]string `json:"fontSizes,omitempty"`
	// FontWeights in use: light, regular, medium, bold.
	FontWeights map[string]float64 `json:"fontWeights,omitempty"`
	// LineHeights of heading and body: multiples of the font size such as "1.5", or "normal" (rulings: strings).
	LineHeights map[string]string `json:"lineHeights,omitempty"`
}

// Spacing is the grid of distances.
type Spacing struct {
	// BaseUnit in pixels is the first of 4, 6, 8, 10 and 12 that divides three of five distances; 0 where none does.
	BaseUnit float64 `json:"baseUnit,omitempty"`
	// BorderRadius is the median of buttons, inputs and cards.
	BorderRadius string `json:"borderRadius,omitempty"`
	// Padding in pixels by component: "button", "input" and "card" where it is the same on all sides, else
	// by side: "buttonTop", "buttonRight", "buttonBottom", "buttonLeft"; a side without any is left out.
	Padding map[string]float64 `json:"padding,omitempty"`
	// Margins in pixels by element, likewise: heading, paragraph.
	Margins map[string]float64 `json:"margins,omitempty"`
	// GridGutter in pixels is the most used gap of grids and flex boxes.
	GridGutter float64 `json:"gridGutter,omitempty"`
}

// Components is the look of buttons and inputs.
type Components struct {
	ButtonPrimary   *Control `json:"buttonPrimary,omitempty"`
	ButtonSecondary *Control `json:"buttonSecondary,omitempty"`
	Input           *Control `json:"input,omitempty"`
}

// Control is the look of a button or an input.
type Control struct {
	// Background is "transparent" where none is painted; of a gradient it is the first color.
	Background string `json:"background,omitempty"`
	TextColor  string `json:"textColor,omitempty"`
	// BorderColor is empty without a border.
	BorderColor string `json:"borderColor,omitempty"`
	// FocusBorderColor is what style sheets declare for an input in focus: of its border, outline or shadow.
	FocusBorderColor string `json:"focusBorderColor,omitempty"`
	// BorderRadius is that of the first corner.
	BorderRadius        string   `json:"borderRadius,omitempty"`
	BorderRadiusCorners *Corners `json:"borderRadiusCorners,omitempty"`
	// Shadow as in CSS.
	Shadow string `json:"shadow,omitempty"`
}

// Corners are the radii of a box.
type Corners struct {
	TopLeft     string `json:"topLeft"`
	TopRight    string `json:"topRight"`
	BottomRight string `json:"bottomRight"`
	BottomLeft  string `json:"bottomLeft"`
}

// Icons is the style of small inline SVG pictures.
type Icons struct {
	// Style is "outline" or "filled".
	Style        string `json:"style,omitempty"`
	PrimaryColor string `json:"primaryColor,omitempty"`
}

// Animations is the transition that most controls have.
type Animations struct {
	// TransitionDuration such as "0.2s".
	TransitionDuration string `json:"transitionDuration,omitempty"`
	// Easing such as "ease" or "cubic-bezier(0.4, 0, 0.2, 1)".
	Easing string `json:"easing,omitempty"`
}

// Layout has the measures of the page.
type Layout struct {
	Grid *Grid `json:"grid,omitempty"`
	// HeaderHeight and FooterHeight of the page's own, not of its articles'.
	HeaderHeight string `json:"headerHeight,omitempty"`
	FooterHeight string `json:"footerHeight,omitempty"`
}

// Grid is the widest grid of the page and the width of its content.
type Grid struct {
	Columns  int    `json:"columns,omitempty"`
	MaxWidth string `json:"maxWidth,omitempty"`
}

// Tone is the style of the text, as far as it can be counted.
type Tone struct {
	// Voice needs a model. [Judge] leaves it empty.
	Voice string `json:"voice,omitempty"`
	// EmojiUsage is "none", "some" (up to one in 250 characters) or "frequent".
	EmojiUsage string `json:"emojiUsage,omitempty"`
}
