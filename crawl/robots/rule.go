package robots

import "strings"

// rule is one allow or disallow line.
type rule struct {
	pattern string // comparable spelling; "*" stands for any octets
	wild    bool   // there is such a "*"
	toEnd   bool   // "$": the path ends here
	allow   bool
	size    int // octets of the pattern as far as it is specific, "$" counted
	line    string
}

// appendRules adds what a line says. A line without value says nothing.
func appendRules(rules []rule, d directive) []rule {
	if d.value == "" {
		return rules
	}
	r := newRule(d)
	rules = append(rules, r)
	if dir, ok := r.directory(); ok {
		rules = append(rules, dir)
	}
	return rules
}

func newRule(d directive) rule {
	value := d.value
	if value[0] != '/' && value[0] != '*' {
		value = "/" + value // "Disallow: private" can mean nothing else
	}
	value, toEnd := strings.CutSuffix(value, "$")
	r := rule{pattern: spell(value, patternSpelling(d.kind == allow)), toEnd: toEnd, allow: d.kind == allow, line: shown(d.line)}
	r.size, r.wild = len(r.pattern), strings.Contains(r.pattern, "*")
	if toEnd {
		r.size++
	}
	return r
}

// directory is the rule that comes with an allowed index file: the directory that it is served for.
func (r *rule) directory() (rule, bool) {
	base, ok := strings.CutSuffix(r.pattern, "/index.html")
	if !ok {
		base, ok = strings.CutSuffix(r.pattern, "/index.htm")
	}
	if !ok || !r.allow {
		return rule{}, false
	}
	dir := *r
	dir.pattern, dir.toEnd = base+"/", true
	dir.size = len(dir.pattern) + 1
	return dir, true
}

// shown shortens a line for people.
func shown(line string) string {
	const limit = 200
	if len(line) > limit {
		line = line[:limit]
	}
	return strings.ToValidUTF8(line, "")
}

// beats reports whether r goes before best if both match.
func (r *rule) beats(best *rule) bool {
	return best == nil || r.size > best.size || r.size == best.size && r.allow && !best.allow
}

// matches reads the pattern from left to right and takes each piece between two stars where it comes first.
// So no octet of the path is looked at twice for one piece, and time is linear.
func (r *rule) matches(t target) bool {
	path := t.forRule(r)
	first, pieces, more := strings.Cut(r.pattern, "*")
	path, ok := strings.CutPrefix(path, first)
	if !ok || !more {
		return ok && (!r.toEnd || path == "")
	}
	for {
		piece, rest, more := strings.Cut(pieces, "*")
		if !more && r.toEnd {
			return strings.HasSuffix(path, piece)
		}
		_, after, ok := strings.Cut(path, piece)
		if !ok || !more {
			return ok
		}
		path, pieces = after, rest
	}
}
