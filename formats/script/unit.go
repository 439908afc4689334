package script

import (
	"maps"
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
	uses                       []use // of names that could be functions
	names                      []methodUse
	after                      []timer
}

// use is a name that could be a function, with what is awaited before it.
type use struct {
	name  *js.Var
	after time.Duration
}

// element is a custom element with the code of its class.
type element struct {
	name  string
	class *unit
}

// timer is code that runs later, or a method.
type timer struct {
	unit   *unit
	delay  time.Duration
	method string // its name; "" for none
}

// reach returns all units that run when one does, each with the least time that timers take on its way.
func (r *reader) reach(from *unit) map[*unit]time.Duration {
	seen := map[*unit]time.Duration{}
	waiting := map[time.Duration][]*unit{0: {from}}
	for len(waiting) > 0 {
		now := slices.Min(slices.Collect(maps.Keys(waiting)))
		ready := waiting[now]
		delete(waiting, now)
		for i := 0; i < len(ready); i++ { // it grows
			u := ready[i]
			if _, known := seen[u]; known {
				continue
			}
			seen[u] = now
			r.follow(u, func(to *unit, delay time.Duration) {
				if delay == 0 {
					ready = append(ready, to)
				} else {
					waiting[now+delay] = append(waiting[now+delay], to)
				}
			})
		}
	}
	return seen
}

// follow visits the units that a unit runs, with the delay.
func (r *reader) follow(u *unit, visit func(to *unit, delay time.Duration)) {
	for _, used := range u.uses {
		if to := r.functions[used.name]; to != nil {
			visit(to, used.after)
		}
	}
	for _, used := range u.names {
		for _, to := range r.methods.units[used.name] {
			visit(to, used.after)
		}
	}
	for _, t := range u.after {
		if r.methods.runsByItself(t.method) {
			visit(t.unit, t.delay)
		}
	}
}

// sum adds up what the units do.
func (r *reader) sum(units map[*unit]time.Duration) Facts {
	var f Facts
	for u, after := range units {
		f.Requests = f.Requests || u.requests
		f.Leaves = f.Leaves || u.leaves
		f.Document = f.Document || u.document
		for _, w := range u.writes {
			w.After += after
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
