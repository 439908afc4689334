package brand

import (
	"math"
	"strings"
)

// button is a group of buttons that look alike.
type button struct {
	look   *Look // the weightiest of them
	weight float64
	best   float64 // weight of look
	more   float64 // for how many there are
	count  int
	fill   color
	filled bool
}

// Weights of a button by how it is painted, and by the names of its classes.
const (
	coloredButton = 25
	strongButton  = 8 // neutral, but clear against the page
	edgedButton   = 2
	calledPrimary = 55
	calledLess    = -20
	submitting    = 5
	aboveTheFold  = 5
	inContent     = 3
	inFooter      = -3
	oneMore       = 2
	maxAlike      = 3 // buttons of one look or color that count: many small ones don't beat the one that matters
	foldHeight    = 900
)

// buttons finds the primary button, the weightiest look there is, and the secondary one, the weightiest that looks different beside it.
func (j *judgement) buttons() {
	groups := j.buttonGroups()
	if len(groups) == 0 {
		return
	}
	heaviest(groups, func(b *button) float64 { return b.weight + b.more })
	j.primary = groups[0]
	rest := groups[1:]
	heaviest(rest, func(b *button) float64 { return j.besides(b) })
	if len(rest) > 0 && (rest[0].filled || rest[0].look.BorderWidth > 0) {
		j.secondary = rest[0]
	}
}

// buttonGroups puts together the buttons that have the same fill, ink and edge. Those with a label come first; others count only
// where there is none.
func (j *judgement) buttonGroups() []*button {
	for _, labelled := range []bool{true, false} {
		var groups []*button
		byLook := map[string]*button{}
		for l := range j.kind(kindButton) {
			if labelled != (len(l.Label) > 1 && len(l.Label) <= 40) {
				continue
			}
			b := j.group(byLook, l)
			if b.count == 0 {
				groups = append(groups, b)
			}
			if b.count++; b.count <= maxAlike {
				b.more += oneMore
			}
			weight := j.buttonWeight(l)
			if b.look == nil || weight > b.weight {
				b.weight = weight
			}
			if weight -= submitWeight(l); b.look == nil || weight > b.best { // buttons of forms often keep the browser's border
				b.look, b.best = l, weight
			}
		}
		if len(groups) > 0 {
			return groups
		}
	}
	return nil
}

func (j *judgement) group(byLook map[string]*button, l *Look) *button {
	fill, filled := j.fill(l)
	ink, _ := j.ink(l)
	edge, edged := j.edge(l)
	key := "|" + ink.hex()
	if filled {
		key = fill.hex() + key
	}
	if edged && !filled {
		key += "|" + edge.hex()
	}
	if byLook[key] == nil {
		byLook[key] = &button{fill: fill, filled: filled}
	}
	return byLook[key]
}

// buttonWeight says how much one button looks like the page's call to action.
func (j *judgement) buttonWeight(l *Look) float64 {
	weight := math.Log10(l.area()+10) - 3
	fill, filled := j.fill(l)
	switch {
	case filled && !fill.gray():
		weight += coloredButton
	case filled && fill.contrast(j.background) >= 3:
		weight += strongButton
	case l.BorderWidth > 0:
		weight += edgedButton
	}
	switch {
	case called(l, "primary", "cta"):
		weight += calledPrimary
	case called(l, "secondary", "outline", "ghost", "tertiary", "link", "close", "toggle", "icon", "tab", "danger"):
		weight += calledLess
	}
	weight += submitWeight(l)
	if l.Y < foldHeight {
		weight += aboveTheFold
	}
	switch l.Region {
	case "footer":
		weight += inFooter
	case "main", "":
		weight += inContent
	}
	return weight
}

func submitWeight(l *Look) float64 {
	if l.Submit {
		return submitting
	}
	return 0
}

// besides says how much a button looks like the second choice beside the primary one.
func (j *judgement) besides(b *button) float64 {
	weight := min(float64(b.count), maxAlike)
	switch {
	case b.filled && b.fill.distance(j.background) > 0.02:
		weight += 10
	case b.look.BorderWidth > 0:
		weight += 12
	}
	if called(b.look, "secondary", "outline", "ghost") {
		weight += 20
	}
	if b.look.Region == j.primary.look.Region && math.Abs(b.look.Y-j.primary.look.Y) < 40 {
		weight += 15
	}
	if called(b.look, "close", "toggle", "icon", "tab") {
		weight += calledLess
	}
	return weight
}

// called reports whether a class of the look has one of the words as a part of its name, as in btn-primary or ButtonPrimary.
func called(l *Look, words ...string) bool {
	for _, part := range nameParts(l.Classes) {
		for _, word := range words {
			if part == word {
				return true
			}
		}
	}
	return false
}

// nameParts splits names at everything that isn't a letter and where a capital follows a small letter; in small letters.
func nameParts(names string) []string {
	var spaced strings.Builder
	small := false
	for _, r := range names {
		upper := r >= 'A' && r <= 'Z'
		switch {
		case !upper && (r < 'a' || r > 'z'):
			r = ' '
		case upper && small:
			spaced.WriteByte(' ')
		}
		small = !upper && r != ' '
		spaced.WriteRune(r)
	}
	return strings.Fields(strings.ToLower(spaced.String()))
}
