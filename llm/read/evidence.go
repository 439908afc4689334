package read

import (
	"strings"
)

// quoted is the quote that a model gives for a value.
type quoted struct{ Path, Quote string }

// evidence are the quotes of one answer by the place in the data that they are for.
type evidence map[string][]string

func newEvidence(list []quoted, root *node) evidence {
	e := evidence{}
	for _, q := range list[:min(len(list), maxQuotes)] {
		steps := pathSteps(q.Path)
		if len(steps) > 0 && steps[0] == "data" && root.get("data") == nil {
			steps = steps[1:]
		}
		at := joinPointer(steps)
		if len(e[at]) < maxPlace {
			e[at] = append(e[at], q.Quote)
		}
	}
	return e
}

// pathSteps reads a JSON pointer, or what models write in its place: $.items[0].name.
func pathSteps(path string) []string {
	path = strings.TrimPrefix(strings.TrimSpace(path), "#")
	if strings.HasPrefix(path, "/") || path == "" {
		return pointerSteps(path)
	}
	if strings.Contains(path, "/") && !strings.ContainsAny(path, "[") {
		return pointerSteps("/" + path)
	}
	return strings.FieldsFunc(strings.TrimPrefix(path, "$"), func(r rune) bool { return strings.ContainsRune(".[]'\"", r) })
}

func joinPointer(steps []string) string {
	var b strings.Builder
	for _, s := range steps {
		b.WriteString("/" + escapePointer(s))
	}
	return b.String()
}

// ground gives each value of the data the piece of the page that it came from. What no piece
// supports becomes null and lost. schema is the data's, or nil.
func (e evidence) ground(root *node, g grounds, schema *node) {
	f := newFinder(g)
	root.leaves("", func(pointer string, n *node) {
		if n.empty() {
			return
		}
		free := schema != nil && choice(schema, pointerSteps(pointer))
		if n.quote = e.support(pointer, n, f, free); n.quote == "" {
			n.raw, n.lost = "null", true
		}
	})
}

// support looks for the quote of a value: its own, one for what it is part of, else the only
// line that can be meant. Empty: there is none.
func (e evidence) support(pointer string, n *node, f *finder, free bool) string {
	for at := pointer; ; at = at[:strings.LastIndexByte(at, '/')] {
		for _, quote := range e[at] {
			if found := f.find(quote); found != "" && (free || supports(found, n)) {
				return found
			}
		}
		if at == "" {
			break
		}
	}
	if s, ok := n.text(); ok {
		return f.around(s)
	}
	if _, ok := n.number(); ok {
		return f.around(n.raw)
	}
	return ""
}
