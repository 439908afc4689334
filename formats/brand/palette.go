package brand

import "math"

// use is a color with how much it is used.
type use struct {
	color
	lab     triple  // OKLab
	weight  float64 // all together
	seen    float64 // without what is only declared
	buttons int     // filled with it
}

// Weights of a color, by where it is used.
const (
	weightText      = 1
	weightBorder    = 0.3
	weightButton    = 25
	weightCall      = 80 // a button that looks like the primary one
	weightDeclared  = 0.5
	maxDeclared     = 20 // declarations of one color that count
	weightNamed     = 15 // a custom property calls it primary or brand, and it is used
	weightTheme     = 10 // theme-color
	sameColor       = 0.02
	maxUsed         = 200
	weightAreaShift = 0.5
)

// palette weighs the colors of the page.
func (j *judgement) palette() {
	for i := range j.Looks {
		j.weigh(&j.Looks[i])
	}
	for _, d := range j.Declared {
		if c, ok := parseColor(d.Value); ok && c.visible() {
			j.count(c.over(j.background), weightDeclared*float64(min(max(d.Count, 0), maxDeclared)), false)
		}
	}
	if c, ok := parseColor(j.ThemeColor); ok && c.visible() {
		j.count(c.over(j.background), weightTheme, false)
	}
	for _, v := range j.Variables {
		if c, ok := parseColor(v.Value); ok && c.visible() && named(v.Name, "primary", "brand") {
			if u := j.find(c.over(j.background)); u != nil && u.seen > 0 {
				u.weight += weightNamed
			}
		}
	}
	heaviest(j.used, func(u use) float64 { return u.weight })
}

func (j *judgement) weigh(l *Look) {
	if isState(l.Kind) {
		return // a message's colors are its own
	}
	fill, filled := j.fill(l)
	switch {
	case filled && l.Kind == kindButton && !fill.gray():
		j.weighButton(fill)
	case filled:
		j.count(fill, weightAreaShift+math.Log10(l.area()+10), true)
	}
	if c, ok := j.edge(l); ok {
		j.count(c, weightBorder, true)
	}
	if l.Kind == kindArea {
		return
	}
	if c, ok := j.ink(l); ok {
		j.count(c, weightText, true)
	}
}

// weighButton counts a button's color, of the first few that have it.
func (j *judgement) weighButton(fill color) {
	weight := float64(weightButton)
	if j.primary.filled && j.primary.fill.distance(fill) < sameColor {
		weight = weightCall
	}
	if u := j.find(fill); u != nil && u.buttons >= maxAlike {
		weight = 0
	}
	j.count(fill, weight, true)
	if u := j.find(fill); u != nil {
		u.buttons++
	}
}

// count adds weight to a color or one that is indistinguishable from it.
func (j *judgement) count(c color, weight float64, seen bool) {
	u := j.find(c)
	if u == nil {
		if len(j.used) == maxUsed {
			return
		}
		j.used = append(j.used, use{color: c, lab: c.lab()})
		u = &j.used[len(j.used)-1]
	}
	u.weight += weight
	if seen {
		u.seen += weight
	}
}

func (j *judgement) find(c color) *use {
	lab := c.lab()
	for i := range j.used {
		if j.used[i].lab.distance(lab) < sameColor {
			return &j.used[i]
		}
	}
	return nil
}

// named reports whether a custom property's name ends in one of the words, or in one and a default step: --primary, --color-primary,
// --brand-500.
func named(name string, words ...string) bool {
	parts := nameParts(name)
	if len(parts) == 0 {
		return false
	}
	last := parts[len(parts)-1]
	if len(parts) > 1 && (last == "color" || last == "default" || last == "base" || last == "main") {
		last = parts[len(parts)-2]
	}
	for _, word := range words {
		if last == word {
			return steps(name)
		}
	}
	return false
}

// steps reports whether the number at the end of a name, if there is one, is the middle of a scale.
func steps(name string) bool {
	digits := len(name)
	for digits > 0 && name[digits-1] >= '0' && name[digits-1] <= '9' {
		digits--
	}
	switch name[digits:] {
	case "", "500", "600":
		return true
	}
	return false
}
