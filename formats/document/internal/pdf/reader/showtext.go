package reader

import "math"

func (in *interpreter) textState(op keyword, args []any, resources object) {
	switch op {
	case "BT":
		in.tm, in.line = identity, identity
	case "Tf":
		if len(args) >= 2 {
			n, _ := args[len(args)-2].(name)
			in.g.face = in.font(string(n), resources)
			in.g.size = nums(args, 1)[0]
		}
	case "Td", "TD":
		v := nums(args, 2)
		if op == "TD" {
			in.g.leading = -v[1]
		}
		in.move(v[0], v[1])
	case "T*":
		in.move(0, -in.g.leading)
	case "Tm":
		if len(args) >= 6 {
			in.tm = matrix(nums(args, 6))
			in.line = in.tm
		}
	case "Tc":
		in.g.char = nums(args, 1)[0]
	case "Tw":
		in.g.word = nums(args, 1)[0]
	case "Tz":
		in.g.scale = nums(args, 1)[0] / 100
	case "TL":
		in.g.leading = nums(args, 1)[0]
	case "Ts":
		in.g.rise = nums(args, 1)[0]
	}
}

// font is a font of the resources. Looking it up in the file is slow and text changes its font all the time.
func (in *interpreter) font(n string, resources object) *Typeface {
	if f, ok := in.fonts[n]; ok {
		return f
	}
	f := in.doc.face(resources.path("Font", n))
	if len(in.fonts) < maxFaces {
		in.fonts[n] = f
	}
	return f
}

func (in *interpreter) move(x, y float64) {
	in.line = matrix{1, 0, 0, 1, x, y}.mul(in.line)
	in.tm = in.line
}

func (in *interpreter) showOperator(op keyword, args []any) {
	switch op {
	case "'":
		in.move(0, -in.g.leading)
	case "\"":
		if v := nums(args[:max(0, len(args)-1)], 2); len(args) >= 3 {
			in.g.word, in.g.char = v[0], v[1]
		}
		in.move(0, -in.g.leading)
	}
	if len(args) == 0 {
		return
	}
	switch a := args[len(args)-1].(type) {
	case str:
		in.show(string(a))
	case []any:
		for _, x := range a {
			if s, isText := x.(str); isText {
				in.show(string(s))
			} else if n, ok := asFloat(x); ok && math.Abs(n) < 1e9 {
				in.skip(-n / 1000 * in.g.size)
			}
		}
	}
}

// skip moves along the line by an amount of text space.
func (in *interpreter) skip(by float64) {
	if in.g.face != nil && in.g.face.vertical {
		in.tm = matrix{1, 0, 0, 1, 0, by}.mul(in.tm)
		return
	}
	in.tm = matrix{1, 0, 0, 1, by * in.g.scale, 0}.mul(in.tm)
}

// show places the characters of a string.
func (in *interpreter) show(s string) {
	f := in.g.face
	if f == nil {
		return
	}
	// In a long string character spacing spreads a word's letters. Short ones are how some producers set words apart.
	const longString = 5
	in.spread = in.g.char < 0 || len(s) >= longString && in.g.char < 0.5*math.Abs(in.g.size)
	for len(s) > 0 {
		c, n := f.next(s)
		s = s[max(n, 1):]
		advance := c.width*in.g.size + in.g.char
		if c.space {
			advance += in.g.word
		}
		in.place(f, c)
		if f.vertical {
			in.tm = matrix{1, 0, 0, 1, 0, c.upright.advance/1000*in.g.size + advance - c.width*in.g.size}.mul(in.tm)
			continue
		}
		in.tm = matrix{1, 0, 0, 1, advance * in.g.scale, 0}.mul(in.tm)
	}
}

func (in *interpreter) place(f *Typeface, c char) {
	for _, m := range in.marks {
		if m.hidden {
			return
		}
	}
	if len(in.Out.Glyphs) >= maxGlyphs {
		in.Out.Err = errTooMuch
		return
	}
	m := in.tm.mul(in.g.ctm)
	x, y := m.apply(0, in.g.rise)
	w := c.width * in.g.size
	if in.spread {
		w += in.g.char
	}
	w *= in.g.scale
	gl := Glyph{Text: c.text, X: x, Y: y, Dx: w * m[0], Dy: w * m[1], Face: f, Mark: -1, Unknown: c.text == "" && c.width > 0}
	gl.Size = math.Abs(in.g.size) * math.Hypot(m[2], m[3])
	gl.Size *= f.em
	if f.vertical {
		dx, dy, lead := in.placeUpright(c)
		gl.X, gl.Y = m.apply(dx, dy)
		gl.Dx, gl.Dy = lead*m[2], lead*m[3]
	}
	gl.Mark = in.mark()
	for i := range in.marks {
		gl.Artifact = gl.Artifact || in.marks[i].artifact
	}
	if finite(gl.X) && finite(gl.Y) && finite(gl.Size) && finite(gl.Dx) && finite(gl.Dy) {
		in.Out.Glyphs = append(in.Out.Glyphs, gl)
	}
}

// mark is the number of the innermost marked content that has one, -1 if there is none.
func (in *interpreter) mark() int32 {
	for i := len(in.marks) - 1; i >= 0; i-- {
		if in.marks[i].mark >= 0 {
			return in.marks[i].mark
		}
	}
	return -1
}

func finite(f float64) bool { return math.Abs(f) < 1e7 }
