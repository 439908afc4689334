package brand

import (
	"regexp"
	"slices"
	"strings"
)

// maxFonts is how many families are returned.
const maxFonts = 10

// systemFonts are names that mean whatever the reader's machine has (CSS Fonts 4, and their older spellings).
var systemFonts = []string{
	"serif", "sans-serif", "monospace", "cursive", "fantasy", "system-ui", "ui-serif", "ui-sans-serif", "ui-monospace", "ui-rounded",
	"math", "emoji", "fangsong", "-apple-system", "blinkmacsystemfont", "inherit", "initial",
}

var (
	iconFont = regexp.MustCompile(`(?i)icon|awesome|glyph|symbols|emoji`)
	// bundled is how bundlers name the fonts they host: __Inter_a1b2c3, __Inter_Fallback_a1b2c3.
	bundled = regexp.MustCompile(`^__(\w+?)(_Fallback)?_[0-9a-f]{6,}$`)
)

// stack splits a font-family into its names, as people write them. Fallbacks that bundlers have made are left out.
func stack(family string) (names []string) {
	for part := range strings.SplitSeq(family, ",") {
		name := strings.Trim(strings.TrimSpace(part), `"'`)
		if m := bundled.FindStringSubmatch(name); m != nil {
			if m[2] != "" {
				continue
			}
			name = strings.ReplaceAll(m[1], "_", " ")
		}
		if name = strings.TrimSpace(name); name != "" && !strings.HasSuffix(strings.ToLower(name), " fallback") && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func isSystemFont(name string) bool { return slices.Contains(systemFonts, strings.ToLower(name)) }

// fontRoles in the order in which a family gets the first that it has most of.
var fontRoles = []struct {
	role  string
	kinds []string
}{
	{"body", []string{kindParagraph, kindText}},
	{"heading", []string{kindHeading}},
	{"code", []string{kindCode}},
}

// fonts counts the families that stand first in a stack. What follows them is a fallback.
func (j *judgement) fonts() (list []Font) {
	var found tally[string]
	for l := range j.kind(kindHeading, kindParagraph, kindText, kindLink, kindButton, kindInput, kindSmall, kindCode) {
		if names := stack(l.Family); len(names) > 0 && !isSystemFont(names[0]) && !iconFont.MatchString(names[0]) && !unstyled(l) {
			found.add(names[0], 1)
		}
	}
	for _, family := range found.order {
		list = append(list, Font{Family: family, Count: int(found.weight[family])})
	}
	heaviest(list, func(f Font) float64 { return float64(f.Count) })
	list = head(list, maxFonts)
	for _, r := range fontRoles {
		family := j.family(r.kinds...)
		if i := slices.IndexFunc(list, func(f Font) bool { return f.Family == family && f.Role == "" }); i >= 0 {
			list[i].Role = r.role
		}
	}
	return list
}

// unstyled reports that a control has Chromium's default font.
func unstyled(l *Look) bool {
	return (l.Kind == kindButton || l.Kind == kindInput) && l.Family == "Arial"
}

// family is the first name of the stack that most of the text of some kinds is set in.
func (j *judgement) family(kinds ...string) string {
	if names := j.stackOf(kinds...); len(names) > 0 {
		return names[0]
	}
	return ""
}

func (j *judgement) stackOf(kinds ...string) []string {
	var found tally[string]
	for l := range j.kind(kinds...) {
		if names := stack(l.Family); len(names) > 0 && !iconFont.MatchString(names[0]) {
			found.add(strings.Join(names, ","), textWeight(l))
		}
	}
	most, ok := found.most()
	if !ok {
		return nil
	}
	return strings.Split(most, ",")
}

// textWeight of a look is the length of its text; headings count alike.
func textWeight(l *Look) float64 {
	if l.Kind == kindHeading {
		return 1
	}
	return float64(max(l.Length, 1))
}
