package script

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/js"
)

// Facts are what a script does by itself. The zero value is those of a script that does nothing to its page.
type Facts struct {
	// Requests reports whether it requests data: fetch, XMLHttpRequest, EventSource, WebSocket or a library's call.
	Requests bool `json:"requests,omitempty"`
	// Leaves reports whether it leads to another address.
	Leaves bool `json:"leaves,omitempty"`
	// Document reports whether it writes into the page while that loads (document.write).
	Document bool `json:"document,omitempty"`
	// Writes are the places that it fills, each once for every source.
	Writes []Write `json:"writes,omitempty"`
	// Elements are the custom elements that it defines and fills, sorted.
	Elements []string `json:"elements,omitempty"`
	// Imports are the other modules that it imports, as it names them, in its order.
	Imports []string `json:"imports,omitempty"`
	// Names are its short string literals that could name an id, a class or an element, sorted, at most 4,096.
	Names []string `json:"names,omitempty"`
	// Functions are those that it declares for others to call and does not run itself, by name.
	Functions map[string]Facts `json:"functions,omitempty"`
	// Tokens reports that it could not be parsed, so that only its words were looked at.
	Tokens bool `json:"tokens,omitempty"`
}

// Write is one place that a script fills.
type Write struct {
	// Place is a CSS selector: "#price", ".results li", "tbody".
	Place  string `json:"place"`
	Source Source `json:"source"`
	// After is the time that timers take before it; 0 without one.
	After time.Duration `json:"after,omitempty"`
}

// Source is where the text of a write comes from.
type Source string

// The sources, from the one that says most.
const (
	Value   Source = "value"   // computed, from data that was requested or is in the page; or a text of several words
	Mount   Source = "mount"   // a framework is given the place
	Literal Source = "literal" // a word or two that stand in the script
	Handed  Source = "handed"  // the place is given to some function
	Local   Source = "local"   // the clock, or what the browser stores
)

// maxNames is how many names are kept of a script.
const maxNames = 4096

// Mentions reports whether the script has the name among its short string literals.
func (f Facts) Mentions(name string) bool {
	_, found := slices.BinarySearch(f.Names, name)
	return found
}

// MaxSize is the size in bytes up to which a script is parsed.
const MaxSize = 512 << 10

// Read reads one script: classic or module. One that does not parse, or is larger than MaxSize, is read by its words alone.
// The error is the context's.
func Read(ctx context.Context, source []byte) (Facts, error) {
	if err := ctx.Err(); err != nil {
		return Facts{}, err
	}
	if isData(source) {
		return Facts{}, nil
	}
	if len(source) > MaxSize {
		return readTokens(source), nil
	}
	ast, err := js.Parse(parse.NewInputBytes(slices.Clone(source)), js.Options{})
	if err != nil {
		return readTokens(source), nil
	}
	r := newReader(ctx)
	js.Walk(binder{r: r}, ast)
	js.Walk(visitor{r: r, unit: r.top, waits: new(time.Duration)}, ast)
	if err := ctx.Err(); err != nil {
		return Facts{}, err
	}
	return r.facts(), nil
}

// facts are those of the units that run by themselves, with those of the functions that nothing here runs.
func (r *reader) facts() Facts {
	running := r.reach(r.top)
	f := r.sum(running)
	f.Names = slices.Sorted(maps.Keys(r.names))
	f.Imports = r.imports
	for name, u := range r.global {
		if _, runs := running[u]; runs {
			continue
		}
		if of := r.sum(r.reach(u)); of.says() {
			if f.Functions == nil {
				f.Functions = map[string]Facts{}
			}
			f.Functions[name] = of
		}
	}
	return f
}

// Carries reports whether a write of the script has content: whatever follows a request, what is computed, and what a framework is
// given. The time, and what the browser stores, is none.
func (f Facts) Carries(w Write) bool {
	return w.Source != Local && (f.Requests || w.Source == Value || w.Source == Mount)
}

// Size is about how many bytes the facts take in memory.
func (f Facts) Size() int64 {
	size := 200
	for _, name := range f.Names {
		size += len(name) + 16
	}
	for _, name := range slices.Concat(f.Imports, f.Elements) {
		size += len(name) + 16
	}
	for _, w := range f.Writes {
		size += len(w.Place) + 48
	}
	total := int64(size)
	for name, of := range f.Functions {
		total += int64(len(name)) + of.Size()
	}
	return total
}

// says reports whether there is anything in the facts.
func (f Facts) says() bool {
	return f.Requests || f.Leaves || f.Document || len(f.Writes) > 0 || len(f.Elements) > 0
}
