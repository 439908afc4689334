package recipe

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// list is the step into the elements of a list.
const list = "[]"

// maxSteps bounds the depth of data.
const maxSteps = 12

var errPath = errors.New(`a path is made of names with dots between, lists marked with "[]"`)

// parsePath cuts "a.b[].c" into a, b, [], c. Models write it as JSONPath now and then.
func parsePath(path string) ([]string, error) {
	if len(path) > maxPath {
		return nil, fmt.Errorf("path: longer than %d characters", maxPath)
	}
	path = strings.TrimPrefix(strings.TrimPrefix(path, "$"), ".")
	path = strings.ReplaceAll(path, "[*]", list)
	var steps []string
	for i, part := range strings.Split(path, ".") {
		name := strings.TrimRight(part, "[]")
		marks := part[len(name):]
		if name == "" && (i > 0 || marks == "") || strings.ContainsAny(name, "[]") || strings.Trim(strings.ReplaceAll(marks, list, ""), " ") != "" {
			return nil, errPath
		}
		if name != "" {
			steps = append(steps, name)
		}
		for range len(marks) / len(list) {
			steps = append(steps, list)
		}
	}
	if len(steps) > maxSteps {
		return nil, fmt.Errorf("path: deeper than %d", maxSteps)
	}
	return steps, nil
}

// joinPath is the canonical spelling.
func joinPath(steps []string) string {
	var b strings.Builder
	for i, s := range steps {
		if i > 0 && s != list {
			b.WriteByte('.')
		}
		b.WriteString(s)
	}
	return b.String()
}

// field is a place in the data, with the rule that finds it, if any.
type field struct {
	path     string
	rule     *Rule
	selector compiled
	match    matcher  // on the page that is read
	names    []string // of children, in the order of the rules; list is the only one of a list
	children map[string]*field
	shape    *shape
	required bool
}

func (f *field) isList() bool   { return f.children[list] != nil }
func (f *field) isObject() bool { return len(f.children) > 0 && !f.isList() }

// build makes a tree of the rules. Two rules of one path are an error, and so is a place that is
// both a list and an object.
func build(r Recipe, root *shape) (*field, error) {
	top := &field{shape: root}
	for i := range r.Rules {
		steps, err := parsePath(r.Rules[i].Path)
		if err != nil {
			return nil, err
		}
		if err := top.place(steps, &r.Rules[i]); err != nil {
			return nil, err
		}
	}
	return top, nil
}

func (f *field) place(steps []string, rule *Rule) (err error) {
	for i, s := range steps {
		next := f.children[s]
		if next == nil {
			if len(f.children) > 0 && (s == list || f.isList()) {
				return fmt.Errorf("%q is both a list and an object", f.path)
			}
			next = &field{path: joinPath(steps[:i+1])}
			next.shape, next.required = f.shape.child(s)
			if f.children == nil {
				f.children = map[string]*field{}
			}
			f.children[s] = next
			f.names = append(f.names, s)
		}
		f = next
	}
	if f.rule != nil {
		return fmt.Errorf("%q has two rules", f.path)
	}
	f.rule = rule
	f.selector, err = compile(rule.Selector)
	return err
}

// each visits the fields below.
func (f *field) each(visit func(*field)) {
	for _, name := range f.names {
		visit(f.children[name])
		f.children[name].each(visit)
	}
}

// lists are the places that are lists, without their own rule.
func (f *field) homeless() []string {
	var paths []string
	f.each(func(c *field) {
		if c.children[list] != nil && c.children[list].rule == nil {
			paths = append(paths, c.children[list].path)
		}
	})
	if f.isList() && f.children[list].rule == nil {
		paths = append(paths, list)
	}
	slices.Sort(paths)
	return paths
}
