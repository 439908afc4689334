package reader

func (p *parser) name() any {
	p.pos++
	start, escaped := p.pos, false
	for p.pos < len(p.buf) && isRegular(p.buf[p.pos]) {
		escaped = escaped || p.buf[p.pos] == '#'
		p.pos++
	}
	raw := p.buf[start:p.pos]
	if !escaped {
		return name(raw)
	}
	out := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); i++ {
		if raw[i] == '#' && i+2 < len(raw) && unhex(raw[i+1]) >= 0 && unhex(raw[i+2]) >= 0 {
			out = append(out, byte(unhex(raw[i+1])<<4|unhex(raw[i+2])))
			i += 2
			continue
		}
		out = append(out, raw[i])
	}
	return name(out)
}

func unhex(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

func (p *parser) hex() any {
	p.pos++
	var out []byte
	high := -1
	for p.pos < len(p.buf) {
		c := p.buf[p.pos]
		p.pos++
		if c == '>' {
			break
		}
		d := unhex(c)
		if d < 0 {
			continue
		}
		if high < 0 {
			high = d
			continue
		}
		out, high = append(out, byte(high<<4|d)), -1
	}
	if high >= 0 {
		out = append(out, byte(high<<4))
	}
	return str(out)
}

func (p *parser) literal() any {
	p.pos++
	var out []byte
	for open := 1; p.pos < len(p.buf); {
		c := p.buf[p.pos]
		p.pos++
		switch c {
		case '(':
			open++
		case ')':
			if open--; open == 0 {
				return str(out)
			}
		case '\\':
			out = p.escape(out)
			continue
		case '\r':
			if p.pos < len(p.buf) && p.buf[p.pos] == '\n' {
				p.pos++
			}
			c = '\n'
		}
		out = append(out, c)
	}
	return str(out)
}

// escape reads what follows a backslash in a string.
func (p *parser) escape(out []byte) []byte {
	if p.pos >= len(p.buf) {
		return out
	}
	c := p.buf[p.pos]
	p.pos++
	switch c {
	case 'n':
		return append(out, '\n')
	case 'r':
		return append(out, '\r')
	case 't':
		return append(out, '\t')
	case 'b':
		return append(out, '\b')
	case 'f':
		return append(out, '\f')
	case '\r':
		if p.pos < len(p.buf) && p.buf[p.pos] == '\n' {
			p.pos++
		}
		return out
	case '\n':
		return out
	}
	if c < '0' || c > '7' {
		return append(out, c)
	}
	v := int(c - '0')
	for n := 0; n < 2 && p.pos < len(p.buf) && p.buf[p.pos] >= '0' && p.buf[p.pos] <= '7'; n++ {
		v = v*8 + int(p.buf[p.pos]-'0')
		p.pos++
	}
	return append(out, byte(v))
}
