package brand

import (
	"strconv"
	"strings"
)

// typography of the page; nil where it shows no text.
func (j *judgement) typography() *Typography {
	t := &Typography{
		FontFamilies: j.fontFamilies(),
		FontStacks:   j.fontStacks(),
		FontSizes:    j.fontSizes(),
		FontWeights:  j.fontWeights(),
		LineHeights:  j.lineHeights(),
	}
	if len(t.FontFamilies) == 0 && len(t.FontWeights) == 0 {
		return nil
	}
	return t
}

func (j *judgement) fontFamilies() map[string]string {
	families := map[string]string{}
	for role, kinds := range map[string][]string{"primary": {kindParagraph, kindText}, "heading": {kindHeading}, "code": {kindCode}} {
		if family := j.family(kinds...); family != "" {
			families[role] = family
		}
	}
	return families
}

func (j *judgement) fontStacks() map[string][]string {
	stacks := map[string][]string{}
	for role, kinds := range map[string][]string{"primary": {kindParagraph, kindText}, "heading": {kindHeading}, "body": {kindParagraph, kindText}, "paragraph": {kindParagraph}} {
		if names := j.stackOf(kinds...); len(names) > 0 {
			stacks[role] = names
		}
	}
	return stacks
}

func (j *judgement) fontSizes() map[string]string {
	sizes := map[string]string{}
	for _, tag := range []string{"h1", "h2", "h3"} {
		if n, ok := j.size(func(l *Look) bool { return l.Kind == kindHeading && l.Tag == tag }); ok {
			sizes[tag] = px(n)
		}
	}
	body, ok := j.bodySize()
	if !ok {
		return sizes
	}
	sizes["body"] = px(body)
	small := func(l *Look) bool {
		return (l.Kind == kindSmall || l.Kind == kindText || l.Kind == kindParagraph) && l.Size < body
	}
	if n, ok := j.size(small); ok {
		sizes["small"] = px(n)
	}
	return sizes
}

// bodySize is that of paragraphs, or of other text on a page without any.
func (j *judgement) bodySize() (float64, bool) {
	for _, kind := range []string{kindParagraph, kindText} {
		if n, ok := j.size(func(l *Look) bool { return l.Kind == kind }); ok {
			return n, true
		}
	}
	return 0, false
}

// size is the font size of most of the text that fits.
func (j *judgement) size(fits func(*Look) bool) (float64, bool) {
	var found tally[float64]
	for i := range j.Looks {
		if l := &j.Looks[i]; l.Size > 0 && fits(l) {
			found.add(round(l.Size), textWeight(l))
		}
	}
	return found.most()
}

// weightNames with the largest weight that each covers.
var weightNames = []struct {
	name string
	upTo float64
}{{"light", 350}, {"regular", 450}, {"medium", 600}, {"bold", 1000}}

// fontWeights returns for each name the weight in use that is met most.
func (j *judgement) fontWeights() map[string]float64 {
	found := make([]tally[float64], len(weightNames))
	for l := range j.kind(kindHeading, kindParagraph, kindText, kindLink, kindButton, kindSmall) {
		for i, w := range weightNames {
			if l.Weight >= 1 && l.Weight <= w.upTo {
				found[i].add(l.Weight, 1)
				break
			}
		}
	}
	weights := map[string]float64{}
	for i, w := range weightNames {
		if n, ok := found[i].most(); ok {
			weights[w.name] = n
		}
	}
	return weights
}

func (j *judgement) lineHeights() map[string]string {
	heights := map[string]string{}
	for role, kinds := range map[string][]string{"heading": {kindHeading}, "body": {kindParagraph, kindText}} {
		var found tally[string]
		for l := range j.kind(kinds...) {
			if h := lineHeight(l); h != "" {
				found.add(h, textWeight(l))
			}
		}
		if h, ok := found.most(); ok {
			heights[role] = h
		}
	}
	return heights
}

// lineHeight as a multiple of the font size, which is how one writes it; computed ones are in pixels.
func lineHeight(l *Look) string {
	if l.LineHeight == "normal" {
		return "normal"
	}
	n, ok := pixels(l.LineHeight)
	if !ok || n <= 0 || l.Size <= 0 {
		return ""
	}
	return strconv.FormatFloat(round(n/l.Size), 'f', -1, 64)
}

// pixels reads a length in px.
func pixels(s string) (float64, bool) {
	number, ok := strings.CutSuffix(s, "px")
	n, err := strconv.ParseFloat(number, 64)
	return sane(n), ok && err == nil
}
