package folding

import (
	"slices"
	"strings"
)

// address is a key of a page and its parts.
type address struct {
	origin   string // with "//"
	segments []segment
	query    []parameter
	fragment string // with "#"
}

// segment is a part of the path between two slashes, without what rules are about.
type segment struct {
	text       string
	parameters []parameter
}

// parameter is "name=value" as it stands there, and the rule about it; "" for none.
type parameter struct {
	text, name string
	rule       Rule
}

// read parts a key, which is an address in normal form; false for what is none.
func read(key string) (a address, ok bool) {
	scheme, rest, ok := strings.Cut(key, "://")
	slash := strings.IndexByte(rest, '/')
	if !ok || slash < 0 {
		return a, false
	}
	a.origin, rest = scheme+"://"+rest[:slash], rest[slash:]
	if mark := strings.IndexByte(rest, '#'); mark >= 0 {
		rest, a.fragment = rest[:mark], rest[mark:]
	}
	path, query, asked := strings.Cut(rest, "?")
	for part := range strings.SplitSeq(path, "/") {
		a.segments = append(a.segments, readSegment(part))
	}
	if asked {
		for text := range strings.SplitSeq(query, "&") {
			name, _, _ := strings.Cut(text, "=")
			a.query = append(a.query, parameter{text, name, ofParameter(name)})
		}
	}
	return a, true
}

func readSegment(part string) (s segment) {
	text, rest, more := strings.Cut(part, inPath)
	s.text = text
	for more {
		text, rest, more = strings.Cut(rest, inPath)
		name, _, _ := strings.Cut(text, "=")
		if rule := ofPathParameter(name); rule != "" {
			s.parameters = append(s.parameters, parameter{text, name, rule})
		} else {
			s.parameters = append(s.parameters, parameter{text: text, name: name})
		}
	}
	return s
}

// write writes the key without what the rules say makes no difference.
func (a *address) write(holds func(Rule) bool) string {
	var b strings.Builder
	b.WriteString(a.origin)
	b.WriteString(a.path(holds))
	if kept := a.kept(holds); len(kept) > 0 {
		b.WriteString("?" + strings.Join(kept, "&"))
	}
	b.WriteString(a.fragment)
	return b.String()
}

// path is written with one slash where there were more, which is a matter of the parts between: they are empty.
func (a *address) path(holds func(Rule) bool) string {
	var b strings.Builder
	single := holds(Slashes)
	for i, s := range a.segments {
		part := s.write(holds)
		if single && part == "" && i > 0 && i < len(a.segments)-1 {
			continue
		}
		if i > 0 {
			b.WriteByte('/')
		}
		b.WriteString(part)
	}
	return b.String()
}

func (s segment) write(holds func(Rule) bool) string {
	text := s.text
	for _, p := range s.parameters {
		if p.rule == "" || !holds(p.rule) {
			text += inPath + p.text
		}
	}
	return text
}

// kept are the parameters that make a difference.
func (a *address) kept(holds func(Rule) bool) (list []string) {
	kept := slices.Clone(a.query)
	kept = slices.DeleteFunc(kept, func(p parameter) bool { return p.rule != "" && holds(p.rule) })
	if holds(Order) {
		slices.SortStableFunc(kept, func(a, b parameter) int { return strings.Compare(a.name, b.name) })
	}
	for _, p := range kept {
		list = append(list, p.text)
	}
	return list
}
