package script

import (
	"slices"
	"strings"
	"time"

	"github.com/tdewolff/parse/v2/js"
)

// unit is code that runs as one: the script itself, a named function, or the handler of an event or timer.
type unit struct {
	requests, leaves, document bool
	writes                     []Write
	elements                   []element
	uses                       []*js.Var // names that could be functions
	after                      []timer
}

// element is a custom element with the code of its class.
type element struct {
	name  string
	class *unit
}

// timer is code that runs later.
type timer struct {
	unit  *unit
	delay time.Duration
}

// reach returns all units that run when one does, each with the longest timer on its way.
func (r *reader) reach(from *unit) map[*unit]time.Duration {
	seen := map[*unit]time.Duration{from: 0}
	for next := []*unit{from}; len(next) > 0; next = next[1:] {
		u := next[0]
		visit := func(to *unit, delay time.Duration) {
			if _, known := seen[to]; !known {
				seen[to] = seen[u] + delay
				next = append(next, to)
			}
		}
		for _, name := range u.uses {
			if to := r.functions[name]; to != nil {
				visit(to, 0)
			}
		}
		for _, t := range u.after {
			visit(t.unit, t.delay)
		}
	}
	return seen
}

// sum adds up what the units do.
func (r *reader) sum(units map[*unit]time.Duration) Facts {
	var f Facts
	for u, after := range units {
		f.Requests = f.Requests || u.requests
		f.Leaves = f.Leaves || u.leaves
		f.Document = f.Document || u.document
		for _, w := range u.writes {
			w.After = after
			f.Writes = append(f.Writes, w)
		}
		for _, e := range u.elements {
			if r.fills(e.class) {
				f.Elements = append(f.Elements, e.name)
			}
		}
	}
	slices.SortFunc(f.Writes, compareWrites)
	f.Writes = slices.CompactFunc(f.Writes, func(a, b Write) bool { return a.Place == b.Place && a.Source == b.Source })
	slices.Sort(f.Elements)
	f.Elements = slices.Compact(f.Elements)
	return f
}

// fills reports whether the class of a custom element writes anything; one that is not known could.
func (r *reader) fills(class *unit) bool {
	if class == nil {
		return true
	}
	for u := range r.reach(class) {
		if u.requests || len(u.writes) > 0 {
			return true
		}
	}
	return false
}

func compareWrites(a, b Write) int {
	if c := strings.Compare(a.Place, b.Place); c != 0 {
		return c
	}
	if c := strings.Compare(string(a.Source), string(b.Source)); c != 0 {
		return c
	}
	return int(a.After - b.After)
}
