package brand

import "slices"

// Distances (OKLab) that make two colors different ones, and more than shades of one.
const (
	differentColor = 0.05
	anotherColor   = 0.1
)

// roles gives each role its color.
func (j *judgement) roles() map[string]string {
	roles := map[string]string{"background": j.background.hex()}
	set := func(role string, c color, ok bool) {
		if ok {
			roles[role] = c.hex()
		}
	}
	primary, ok := j.primaryColor()
	set("primary", primary, ok)
	link, linked := j.linkColor()
	set("link", link, linked)
	if ok {
		j.others(primary, link, linked, set)
	}
	text := j.textColor()
	set("textPrimary", text, true)
	second, ok := j.secondText(text)
	set("textSecondary", second, ok)
	for role, words := range states {
		c, ok := j.stateColor(words)
		set(role, c, ok)
	}
	return roles
}

// colored are the colors with a hue that are used, the most used first.
func (j *judgement) colored() (list []use) {
	for _, u := range j.used {
		if u.seen > 0 && !u.gray() {
			list = append(list, u)
		}
	}
	return list
}

// primaryColor is the most used color with a hue; of a page without any, that of its primary button.
func (j *judgement) primaryColor() (color, bool) {
	list := slices.DeleteFunc(j.colored(), func(u use) bool { return u.distance(j.background) < sameColor })
	if len(list) > 0 {
		return list[0].color, true
	}
	if j.primary != nil && j.primary.filled {
		return j.primary.fill, true
	}
	return color{}, false
}

// others sets the secondary color and the accent. What a custom property calls by a role and the page shows, has it.
func (j *judgement) others(primary, link color, linked bool, set func(string, color, bool)) {
	taken := []color{primary}
	fits := func(c color) bool {
		return c.distance(j.background) > differentColor &&
			!slices.ContainsFunc(taken, func(t color) bool { return t.distance(c) <= anotherColor })
	}
	accent, named := j.variable("accent")
	if named = named && !accent.gray() && fits(accent) && j.shows(accent); named {
		taken = append(taken, accent)
	}
	second, two := j.secondaryColor(fits)
	set("secondary", second, two)
	if two {
		taken = append(taken, second)
	}
	if !named {
		accent = j.accentColor(primary, link, linked, fits)
	}
	set("accent", accent, true)
}

// secondaryColor is that of a custom property with such a name, else the secondary button's, else the next used.
func (j *judgement) secondaryColor(fits func(color) bool) (color, bool) {
	if c, ok := j.variable("secondary"); ok && fits(c) && j.shows(c) {
		return c, true
	}
	if j.secondary != nil && j.secondary.filled && !j.secondary.fill.gray() && fits(j.secondary.fill) {
		return j.secondary.fill, true
	}
	for _, u := range j.colored() {
		if fits(u.color) {
			return u.color, true
		}
	}
	return color{}, false
}

// accentColor is that of the links, else the next used. A site of one color has that for its accent.
func (j *judgement) accentColor(primary, link color, linked bool, fits func(color) bool) color {
	if linked && !link.gray() && fits(link) {
		return link
	}
	for _, u := range j.colored() {
		if fits(u.color) {
			return u.color
		}
	}
	return primary
}

func (j *judgement) variable(words ...string) (color, bool) {
	for _, v := range j.Variables {
		if c, ok := parseColor(v.Value); ok && c.visible() && named(v.Name, words...) {
			return c.over(j.background), true
		}
	}
	return color{}, false
}

func (j *judgement) shows(c color) bool {
	u := j.find(c)
	return u != nil && u.seen > 0
}

// linkColor is that of links within text, else of those outside of the page's frame, else of any.
func (j *judgement) linkColor() (color, bool) {
	var found [3]tally[color]
	for l := range j.kind(kindLink) {
		c, ok := j.ink(l)
		switch {
		case !ok:
		case l.Inline && l.Region != "header" && l.Region != "nav" && l.Region != "footer":
			found[0].add(c, 1)
		case l.Region == "main" || l.Region == "":
			found[1].add(c, 1)
		default:
			found[2].add(c, 1)
		}
	}
	for _, t := range found {
		if c, ok := t.most(); ok {
			return c, true
		}
	}
	return color{}, false
}

// readable is the least contrast (WCAG 2) that running text has.
const readable = 2.5

// textColor is that of most of the running text that stands on the page itself, else body's.
func (j *judgement) textColor() color {
	var found tally[color]
	for l := range j.kind(kindParagraph, kindText, kindHeading) {
		if c, ok := j.ink(l); ok && c.contrast(j.background) >= readable && l.Region != "footer" && l.Region != "nav" {
			found.add(c, float64(max(l.Length, 0)))
		}
	}
	if c, ok := found.most(); ok {
		return c
	}
	return j.text
}

// secondText is the neutral color of most other text, weaker than the first.
func (j *judgement) secondText(first color) (color, bool) {
	var found tally[color]
	for l := range j.kind(kindParagraph, kindText, kindSmall) {
		c, ok := j.ink(l)
		if ok && c.gray() && c.distance(first) > differentColor && c.contrast(j.background) >= 2 &&
			c.contrast(j.background) < first.contrast(j.background) {
			found.add(c, float64(max(l.Length, 0)))
		}
	}
	return found.most()
}

// states are the names of custom properties and classes for the colors of states.
var states = map[string][]string{"success": {"success"}, "warning": {"warning"}, "error": {"error", "danger"}}

func isState(kind string) bool {
	for _, words := range states {
		if slices.Contains(words, kind) {
			return true
		}
	}
	return false
}

// stateColor is what a custom property calls so, else the strongest color of a message of that class.
func (j *judgement) stateColor(words []string) (color, bool) {
	if c, ok := j.variable(words...); ok && !c.gray() {
		return c, true
	}
	var found tally[color]
	for l := range j.kind(words...) {
		fill, filled := j.fill(l)
		edge, edged := j.edge(l)
		ink, inked := j.ink(l)
		switch {
		case filled && fill.chroma() > 0.1:
			found.add(fill, 1)
		case edged && edge.chroma() > 0.1:
			found.add(edge, 1)
		case inked && !ink.gray():
			found.add(ink, 1)
		}
	}
	c, ok := found.most()
	return c, ok && hueFits(words[0], c.hue())
}

// hueFits: red for errors, yellow and orange for warnings, green for success, in degrees of OKLCH. Classes are used for other things too.
func hueFits(state string, hue float64) bool {
	switch state {
	case "success":
		return hue > 115 && hue < 200
	case "warning":
		return hue > 40 && hue < 115
	}
	return hue < 50 || hue > 340
}
