package brand

import "strings"

// ground works out what the page is painted on: html's and body's backgrounds and those of the boxes that cover all of it, each over the
// one before, on the browser's own canvas.
func (j *judgement) ground() {
	j.background, j.text = white, black
	for i, g := range j.Ground {
		if i == 0 && darkCanvas(g.Scheme, j.PrefersDark) {
			j.background, j.text = chromeDark, white
		}
		if c, ok := parseColor(g.Background); ok {
			j.background = c.over(j.background)
		}
		if c, ok := firstColor(g.Image); ok {
			j.background = c.over(j.background)
		}
		if c, ok := parseColor(g.Color); ok && g.Tag == "body" {
			j.text = c.over(j.background)
		}
	}
}

// darkCanvas by CSS Color Adjust: the first of the page's schemes that the user prefers, else the first.
func darkCanvas(schemes string, prefersDark bool) bool {
	list := strings.Fields(schemes)
	light, dark := false, false
	for _, s := range list {
		light, dark = light || s == "light", dark || s == "dark"
	}
	return dark && (prefersDark || !light)
}

// Luminances from which on a page counts as light and below which as dark.
const (
	lightLuminance = 0.6
	darkLuminance  = 0.4
)

// scheme by the page's own declaration, then by its ground, then by the user's preference.
func (j *judgement) scheme() {
	for _, t := range j.Themes {
		for _, word := range append(t.Values, strings.Fields(t.Classes)...) {
			if word := themeWord(word); word != "" {
				j.colorScheme = word
				return
			}
		}
	}
	switch l := j.background.luminance(); {
	case l < darkLuminance:
		j.colorScheme = "dark"
	case l > lightLuminance:
		j.colorScheme = "light"
	case j.PrefersDark:
		j.colorScheme = "dark"
	default:
		j.colorScheme = "light"
	}
}

// themeWord knows the usual spellings of a theme's class or value.
func themeWord(word string) string {
	word = strings.ToLower(word)
	for _, around := range []string{"theme-", "theme--", "mode-", "is-", "color-scheme-"} {
		word = strings.TrimPrefix(word, around)
	}
	for _, around := range []string{"-theme", "-mode", "-scheme", "_theme", "_mode"} {
		word = strings.TrimSuffix(word, around)
	}
	if word == "dark" || word == "light" {
		return word
	}
	return ""
}
