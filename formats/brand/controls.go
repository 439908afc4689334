package brand

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
)

// fill is the color that a look paints itself with, as it is seen, and false where it paints nothing.
func (j *judgement) fill(l *Look) (color, bool) {
	if c, ok := firstColor(l.Image); ok && l.Image != "" {
		return c.over(j.background), true
	}
	if c, ok := parseColor(l.Background); ok && c.visible() {
		return c.over(j.background), true
	}
	return color{}, false
}

// edge is the color of a look's border, and false without one.
func (j *judgement) edge(l *Look) (color, bool) {
	c, ok := parseColor(l.BorderColor)
	return c.over(j.background), ok && l.BorderWidth > 0 && c.visible()
}

// ink is the color of a look's text.
func (j *judgement) ink(l *Look) (color, bool) {
	ground := j.background
	if c, ok := j.fill(l); ok {
		ground = c
	}
	c, ok := parseColor(l.Color)
	return c.over(ground), ok && c.visible()
}

// control describes a look.
func (j *judgement) control(l *Look) *Control {
	c := &Control{Background: "transparent", BorderRadius: l.Radius[0], Shadow: l.Shadow}
	if fill, ok := j.fill(l); ok {
		c.Background = fill.hex()
	}
	if ink, ok := j.ink(l); ok {
		c.TextColor = ink.hex()
	}
	if edge, ok := j.edge(l); ok {
		c.BorderColor = edge.hex()
	}
	if focus, ok := firstColor(l.Focus); ok {
		c.FocusBorderColor = focus.over(j.background).hex()
	}
	if l.Radius != [4]string{} {
		c.BorderRadiusCorners = &Corners{l.Radius[0], l.Radius[1], l.Radius[2], l.Radius[3]}
	}
	return c
}

// components of the page; nil where it has no button and no input.
func (j *judgement) components() *Components {
	c := Components{}
	if j.primary != nil {
		c.ButtonPrimary = j.control(j.primary.look)
	}
	if j.secondary != nil {
		c.ButtonSecondary = j.control(j.secondary.look)
	}
	if input := j.input(); input != nil {
		c.Input = j.control(input)
	}
	if c == (Components{}) {
		return nil
	}
	return &c
}

// input is the first of the inputs with the most frequent look; those with a rule for focus count as different from others.
func (j *judgement) input() *Look {
	var alike tally[string]
	first := map[string]*Look{}
	for l := range j.kind(kindInput) {
		key := fmt.Sprint(l.Background, l.BorderColor, l.BorderWidth, l.Radius, l.Focus)
		if first[key] == nil {
			first[key] = l
		}
		alike.add(key, 1)
	}
	key, _ := alike.most()
	return first[key]
}

// kind returns the looks of some kinds, in the order of the document.
func (j *judgement) kind(kinds ...string) func(func(*Look) bool) {
	return func(yield func(*Look) bool) {
		for i := range j.Looks {
			if slices.Contains(kinds, j.Looks[i].Kind) && !yield(&j.Looks[i]) {
				return
			}
		}
	}
}

// px writes a length.
func px(n float64) string { return strconv.FormatFloat(round(n), 'f', -1, 64) + "px" }

func round(n float64) float64 { return math.Round(sane(n)*100) / 100 }

// heaviest sorts stably, the heaviest first.
func heaviest[T any](list []T, weight func(T) float64) {
	slices.SortStableFunc(list, func(a, b T) int { return cmp.Compare(weight(b), weight(a)) })
}
