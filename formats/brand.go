package formats

import "encoding/json"

// Brand is the look of a site: the answer of the branding format, in the
// service's shape. No format of this version fills it yet.
type Brand struct {
	// ColorScheme is "light" or "dark".
	ColorScheme string `json:"colorScheme,omitempty"`
	// BrandName is the name the site gives itself.
	BrandName string `json:"brandName,omitempty"`
	// Logo is a URL or a data URI.
	Logo string `json:"logo,omitempty"`
	// Colors by role: primary, secondary, accent, background, textPrimary,
	// textSecondary, link, success, warning, error.
	Colors     map[string]string `json:"colors,omitempty"`
	Fonts      []BrandFont       `json:"fonts,omitempty"`
	Typography *BrandTypography  `json:"typography,omitempty"`
	Spacing    *BrandSpacing     `json:"spacing,omitempty"`
	Components *BrandComponents  `json:"components,omitempty"`
	// Images by role: logo, favicon, ogImage.
	Images map[string]string `json:"images,omitempty"`
	// The inner fields of these are not fixed by the service.
	Icons       json.RawMessage `json:"icons,omitempty"`
	Animations  json.RawMessage `json:"animations,omitempty"`
	Layout      json.RawMessage `json:"layout,omitempty"`
	Personality json.RawMessage `json:"personality,omitempty"`
}

// BrandFont is one font family in use.
type BrandFont struct {
	Family string `json:"family"`
}

// BrandTypography tells families, sizes, weights and line heights by role.
type BrandTypography struct {
	FontFamilies map[string]string  `json:"fontFamilies,omitempty"`
	FontSizes    map[string]string  `json:"fontSizes,omitempty"`
	FontWeights  map[string]float64 `json:"fontWeights,omitempty"`
	LineHeights  map[string]string  `json:"lineHeights,omitempty"`
}

// BrandSpacing tells the grid of distances.
type BrandSpacing struct {
	BaseUnit     float64         `json:"baseUnit,omitempty"`
	BorderRadius string          `json:"borderRadius,omitempty"`
	Padding      json.RawMessage `json:"padding,omitempty"`
	Margins      json.RawMessage `json:"margins,omitempty"`
}

// BrandComponents tells how buttons and inputs look.
type BrandComponents struct {
	ButtonPrimary   map[string]string `json:"buttonPrimary,omitempty"`
	ButtonSecondary map[string]string `json:"buttonSecondary,omitempty"`
	Input           json.RawMessage   `json:"input,omitempty"`
}
