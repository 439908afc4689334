package recipe

import (
	"encoding/json"
	"fmt"
	"slices"
)

// Report is what a recipe found on a page.
type Report struct {
	Paths []PathReport
	// Found counts all values.
	Found int
	// Drained reports that the page or recipe was too large: some of it was left out.
	Drained bool
}

// PathReport is the part of a Report about one rule.
type PathReport struct {
	Path string
	// Found values; of the elements of a list, these.
	Found int
	// Empty are the places where none was found; Wrong the texts that aren't of the field's type.
	Empty, Wrong int
	// Required reports that the schema requires it wherever its parent is.
	Required bool
}

// Whole reports whether every required field was found wherever it must be, nothing was of a wrong
// type, and there is anything at all.
func (r Report) Whole() bool {
	return r.Found > 0 && !slices.ContainsFunc(r.Paths, func(p PathReport) bool { return p.Wrong > 0 || p.Required && p.Empty > 0 })
}

// FoundPaths are the paths with at least one value, sorted.
func (r Report) FoundPaths() []string {
	var paths []string
	for _, p := range r.Paths {
		if p.Found > 0 {
			paths = append(paths, p.Path)
		}
	}
	slices.Sort(paths)
	return paths
}

// Problems returns what is wrong with the rules on the page that they were made for, in words for
// their author. They hold no text of the page.
func (r Report) Problems() []string {
	var out []string
	for _, p := range r.Paths {
		switch {
		case p.Found == 0 && p.Wrong == 0:
			out = append(out, fmt.Sprintf("%s: the selector finds nothing", p.Path))
		case p.Wrong > 0:
			out = append(out, fmt.Sprintf("%s: %d of the values that the selector finds are not of the field's type", p.Path, p.Wrong))
		case p.Required && p.Empty > 0:
			out = append(out, fmt.Sprintf("%s: missing %d times, but required", p.Path, p.Empty))
		}
	}
	if len(r.Paths) == 0 {
		out = append(out, "there are no rules")
	}
	return out
}

// Check returns what is wrong with a recipe whatever the page: fields that the schema doesn't have,
// lists whose elements no rule finds, required fields without a rule. schema may be empty.
func Check(r Recipe, schema json.RawMessage) []string {
	root := readShape(schema)
	top, err := build(r, root)
	if err != nil {
		return []string{err.Error()}
	}
	var out []string
	for _, path := range top.homeless() {
		out = append(out, fmt.Sprintf("%s: a rule for the elements of the list is missing", path))
	}
	if root == nil {
		return out
	}
	top.each(func(f *field) {
		if f.shape == nil {
			out = append(out, fmt.Sprintf("%s: the schema has no such field", f.path))
		}
	})
	return append(out, unruled(top)...)
}

// unruled are the required fields without a rule.
func unruled(top *field) []string {
	var out []string
	visit := func(f *field) {
		if f.shape == nil {
			return
		}
		for _, name := range f.shape.required {
			if _, known := f.shape.props[name]; known && f.children[name] == nil {
				out = append(out, fmt.Sprintf("%s: required, but no rule finds it", joinPath(append(stepsOf(f.path), name))))
			}
		}
	}
	visit(top)
	top.each(visit)
	return out
}

func stepsOf(path string) []string {
	if path == "" {
		return nil
	}
	steps, _ := parsePath(path)
	return steps
}
