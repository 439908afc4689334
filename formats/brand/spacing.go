package brand

import (
	"math"
	"slices"
)

// baseUnits are tried in this order.
var baseUnits = []float64{4, 6, 8, 10, 12}

// enoughDivided of the distances must be multiples of a base unit.
const enoughDivided = 0.6

// Distances over maxSpacing pixels are layout, not a grid; negative ones are corrections.
const maxSpacing = 128

// spacing of the page; nil where nothing of it is known.
func (j *judgement) spacing() *Spacing {
	s := &Spacing{
		BaseUnit:     j.baseUnit(),
		BorderRadius: j.borderRadius(),
		Padding:      map[string]float64{},
		Margins:      map[string]float64{},
		GridGutter:   j.gutter(),
	}
	for name, kind := range map[string]string{"button": kindButton, "input": kindInput, "card": kindArea} {
		if v, ok := j.usual(func(l *Look) bool { return l.Kind == kind && (kind != kindArea || isCard(l)) }, paddingOf); ok {
			setSides(s.Padding, name, v)
		}
	}
	for name, kind := range map[string]string{"heading": kindHeading, "paragraph": kindParagraph} {
		if v, ok := j.usual(func(l *Look) bool { return l.Kind == kind }, marginOf); ok {
			setSides(s.Margins, name, v)
		}
	}
	if s.BaseUnit == 0 && s.BorderRadius == "" && s.GridGutter == 0 && len(s.Padding) == 0 && len(s.Margins) == 0 {
		return nil
	}
	return s
}

func paddingOf(l *Look) [4]float64 { return l.Padding }
func marginOf(l *Look) [4]float64  { return l.Margin }

// isCard distinguishes a box among others from a band of the page.
func isCard(l *Look) bool {
	return l.W >= 100 && l.W <= 700 && l.H >= 60 && l.Padding != [4]float64{} && (l.Radius[0] != "0px" || l.Shadow != "" || l.BorderWidth > 0)
}

// usual is what most looks that fit have.
func (j *judgement) usual(fits func(*Look) bool, of func(*Look) [4]float64) ([4]float64, bool) {
	var found tally[[4]float64]
	for i := range j.Looks {
		if l := &j.Looks[i]; fits(l) {
			found.add(rounded(of(l)), 1)
		}
	}
	return found.most()
}

func rounded(sides [4]float64) [4]float64 {
	for i, n := range sides {
		sides[i] = round(n)
	}
	return sides
}

// setSides writes four distances as numbers: one by the name alone where they are all the same, else each that isn't 0 by its side too.
func setSides(into map[string]float64, name string, sides [4]float64) {
	if sides == [4]float64{sides[0], sides[0], sides[0], sides[0]} {
		into[name] = sides[0]
		return
	}
	for i, side := range []string{"Top", "Right", "Bottom", "Left"} {
		if sides[i] != 0 {
			into[name+side] = sides[i]
		}
	}
}

// baseUnit is the first that divides enough of the paddings, margins and gaps.
func (j *judgement) baseUnit() float64 {
	var all []float64
	for i := range j.Looks {
		all = append(append(all, j.Looks[i].Padding[:]...), j.Looks[i].Margin[:]...)
	}
	for _, g := range j.Grids {
		all = append(all, g.Gap)
	}
	all = slices.DeleteFunc(all, func(n float64) bool { return !(n >= 1 && n <= maxSpacing) })
	if len(all) == 0 {
		return 0
	}
	for _, unit := range baseUnits {
		divided := 0
		for _, n := range all {
			if rest := math.Mod(n, unit); rest < 0.1 || unit-rest < 0.1 {
				divided++
			}
		}
		if float64(divided) >= enoughDivided*float64(len(all)) {
			return unit
		}
	}
	return 0
}

// borderRadius is the median of the controls' and cards' first corners. Pills and circles, which are rounder than half their height,
// aren't counted.
func (j *judgement) borderRadius() string {
	var all []float64
	for i := range j.Looks {
		l := &j.Looks[i]
		if l.Kind != kindButton && l.Kind != kindInput && (l.Kind != kindArea || !isCard(l)) {
			continue
		}
		if n, ok := pixels(l.Radius[0]); ok && n <= max(l.H, 0)/2 {
			all = append(all, n)
		}
	}
	if len(all) == 0 {
		return ""
	}
	slices.Sort(all)
	return px(all[(len(all)-1)/2])
}

// gutter is the gap that most layers have.
func (j *judgement) gutter() float64 {
	var grids, boxes tally[float64]
	for _, g := range j.Grids {
		switch {
		case !(g.Gap > 0):
		case g.Columns > 1:
			grids.add(round(g.Gap), 1)
		default:
			boxes.add(round(g.Gap), 1)
		}
	}
	for _, t := range []tally[float64]{grids, boxes} {
		if n, ok := t.most(); ok {
			return n
		}
	}
	return 0
}
