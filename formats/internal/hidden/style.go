package hidden

import (
	"strconv"
	"strings"
)

// style are CSS declarations by property, both in lower case.
type style map[string]string

// maxStyle bounds the declarations that are read of one rule or attribute.
const maxStyle = 4 << 10

func readStyle(text string) style {
	if text == "" {
		return nil
	}
	s := style{}
	for part := range strings.SplitSeq(strings.ToLower(text[:min(len(text), maxStyle)]), ";") {
		name, value, ok := strings.Cut(part, ":")
		if !ok {
			continue
		}
		value, _, _ = strings.Cut(value, "!important")
		s[strings.TrimSpace(name)] = strings.TrimSpace(value)
	}
	return s
}

// hiding reports whether the declarations hide their element by themselves.
func (s style) hiding() hiding {
	switch {
	case len(s) == 0:
		return notHidden
	case s["display"] == "none":
		return notLaidOut
	case s["visibility"] == "hidden" || s["visibility"] == "collapse", s.transparent(), s.tiny(), s.away(), s.cutOff(), s.sameColors():
		return notPainted
	}
	return notHidden
}

// transparent, and not only at the start of an animation.
func (s style) transparent() bool {
	v, ok := number(s["opacity"])
	return ok && v < 0.05 && s["transform"] == "" && s["transition"] == "" && s["animation"] == "" && s["will-change"] == ""
}

// tiny is text of an unreadable size.
func (s style) tiny() bool {
	v, ok := number(s["font-size"])
	return ok && (v == 0 || v <= 1 && strings.HasSuffix(s["font-size"], "px"))
}

// away is outside of the page.
func (s style) away() bool {
	const far = -900
	if v, ok := number(s["text-indent"]); ok && v <= far {
		return true
	}
	if p := s["position"]; p != "absolute" && p != "fixed" {
		return false
	}
	for _, side := range []string{"left", "top", "right", "bottom"} {
		if v, ok := number(s[side]); ok && v <= far {
			return true
		}
	}
	return false
}

// cutOff leaves nothing of the element's area.
func (s style) cutOff() bool {
	clip := strings.ReplaceAll(s["clip"], " ", "")
	if strings.HasPrefix(clip, "rect(0,0,0,0") || strings.HasPrefix(clip, "rect(0px,0px,0px,0px") || strings.HasPrefix(clip, "rect(1px,1px,1px,1px") {
		return true
	}
	if p := s["clip-path"]; strings.HasPrefix(p, "inset(50%") || strings.HasPrefix(p, "inset(100%") || strings.HasPrefix(p, "circle(0") {
		return true
	}
	if strings.Contains(s["transform"], "scale(0)") {
		return true
	}
	if !strings.HasPrefix(s["overflow"], "hidden") {
		return false
	}
	for _, side := range []string{"width", "height", "max-width", "max-height"} {
		if v, ok := number(s[side]); ok && v <= 1 {
			return true
		}
	}
	return false
}

// sameColors is text in the color of its ground, or in none.
func (s style) sameColors() bool {
	c := color(s["color"])
	if c == "transparent" {
		return true
	}
	ground := s["background-color"]
	if ground == "" {
		ground, _, _ = strings.Cut(s["background"], " ")
	}
	return c != "" && c == color(ground)
}

// color spells the usual forms of black and white alike; others stay as they are.
func color(c string) string {
	switch c = strings.ReplaceAll(c, " ", ""); c {
	case "#fff", "#ffffff", "white", "rgb(255,255,255)", "#ffff", "#ffffffff":
		return "white"
	case "#000", "#000000", "black", "rgb(0,0,0)":
		return "black"
	case "rgba(0,0,0,0)", "#0000", "#00000000", "rgba(255,255,255,0)":
		return "transparent"
	}
	return c
}

// number is what a value begins with; false where that is none.
func number(value string) (float64, bool) {
	end := strings.IndexFunc(value, func(r rune) bool { return (r < '0' || r > '9') && r != '.' && r != '-' && r != '+' })
	if end < 0 {
		end = len(value)
	}
	v, err := strconv.ParseFloat(value[:end], 64)
	if err == nil && end < len(value) && value[end] == '%' && v != 0 {
		v /= 100
	}
	return v, err == nil
}
