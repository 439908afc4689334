package brand

import "strings"

// icons is how most small pictures are drawn; nil without any.
func (j *judgement) icons() *Icons {
	var styles tally[string]
	var colors tally[color]
	for _, i := range j.Icons {
		fill, filled := parseColor(i.Fill)
		stroke, stroked := parseColor(i.Stroke)
		switch {
		case stroked && stroke.visible() && (!filled || !fill.visible()):
			styles.add("outline", 1)
			colors.add(stroke.over(j.background), 1)
		case filled && fill.visible():
			styles.add("filled", 1)
			colors.add(fill.over(j.background), 1)
		}
	}
	style, ok := styles.most()
	if !ok {
		return nil
	}
	c, _ := colors.most()
	return &Icons{Style: style, PrimaryColor: c.hex()}
}

// animations is the transition of most controls that have one; nil where none has.
func (j *judgement) animations() *Animations {
	var found tally[Animations]
	for l := range j.kind(kindButton, kindLink, kindInput) {
		if l.Duration != "" && strings.Trim(l.Duration, "0.ms") != "" {
			found.add(Animations{l.Duration, l.Easing}, 1)
		}
	}
	most, ok := found.most()
	if !ok {
		return nil
	}
	return &most
}

// layout of the page; nil where nothing of it is known.
func (j *judgement) layout() *Layout {
	l := Layout{Grid: j.grid()}
	if j.HeaderHeight > 0 {
		l.HeaderHeight = px(j.HeaderHeight)
	}
	if j.FooterHeight > 0 {
		l.FooterHeight = px(j.FooterHeight)
	}
	if l == (Layout{}) {
		return nil
	}
	return &l
}

// maxColumns: what has more is a calendar or a chart.
const maxColumns = 24

// minContent is the least max-width, in pixels, that holds a page's content rather than a column of it.
const minContent = 600

func (j *judgement) grid() *Grid {
	g := Grid{}
	widest := 0.0
	for _, layer := range j.Grids {
		if layer.Columns > 1 && layer.Columns <= maxColumns && layer.area() > widest {
			g.Columns, widest = layer.Columns, layer.area()
		}
	}
	var widths tally[float64]
	for _, layer := range j.Widths {
		if layer.Max >= minContent && layer.Max <= 2*max(j.Width, minContent) {
			widths.add(round(layer.Max), sane(layer.area()))
		}
	}
	if n, ok := widths.most(); ok {
		g.MaxWidth = px(n)
	}
	if g == (Grid{}) {
		return nil
	}
	return &g
}

// someEmojis: up to one in so many characters.
const someEmojis = 250

// tone by the emojis that the text has; nil without text.
func (j *judgement) tone() *Tone {
	switch {
	case j.Characters <= 0:
		return nil
	case j.Emojis <= 0:
		return &Tone{EmojiUsage: "none"}
	case j.Emojis > j.Characters/someEmojis+1:
		return &Tone{EmojiUsage: "frequent"}
	}
	return &Tone{EmojiUsage: "some"}
}
