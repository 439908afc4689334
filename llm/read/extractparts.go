package read

import (
	"context"
	"fmt"
	"strings"

	"github.com/winnow-go/winnow/llm"
)

// readParts reads all parts and puts them together.
func (x extraction) readParts(ctx context.Context, parts []string) (*node, []string, error) {
	j, err := x.job(true)
	if err != nil {
		return nil, nil, err
	}
	var first []*node
	if x.f.Schema == nil { // the first part chooses the names of the fields
		if first, err = x.readAll(ctx, j, parts[:1]); err != nil {
			return nil, nil, err
		}
		j, parts = j.named(merge(first)), parts[1:]
	}
	rest, err := x.readAll(ctx, j, parts)
	if err != nil {
		return nil, nil, err
	}
	return x.finish(ctx, merge(append(first, rest...)))
}

func (x extraction) readAll(ctx context.Context, j job, parts []string) ([]*node, error) {
	return eachPart(ctx, parts, func(ctx context.Context, part string) (*node, error) {
		return x.ask(ctx, j, part, llm.Tokens(part) >= 2*minRoom)
	})
}

const maxNames = 40 // fields whose names are passed on to the next parts

// named requests the same fields as another part has. Their names may come from the page.
func (j job) named(like *node) job {
	if len(like.keys) > 0 {
		names := strings.Join(like.keys[:min(len(like.keys), maxNames)], ", ")
		j.task += "\n\n" + extractNamesTask + "\n" + llm.Fence("field names", strings.ToValidUTF8(names[:min(len(names), 2000)], ""))
	}
	return j
}

// finish brings the data of all parts into the requested form: what is missing is null
// where there is evidence; else a model is called where leaving out nulls isn't enough.
func (x extraction) finish(ctx context.Context, root *node) (*node, []string, error) {
	s := x.f.Schema
	if s == nil || root.empty() || x.f.Partial {
		return root, nil, nil
	}
	if x.f.Evidence {
		return root, x.misfit(root), nil
	}
	if s.Validate(root.json()) == nil {
		return root, nil, nil
	}
	slim := withoutNulls(root)
	misfit := s.Validate(slim.json())
	if misfit == nil {
		return slim, nil, nil
	}
	root, err := x.unify(ctx, root)
	if tooLong(err) {
		err = fmt.Errorf("%w: %w", llm.ErrMalformed, misfit)
	}
	return root, nil, err
}

// unify makes a model bring data into the form.
func (x extraction) unify(ctx context.Context, root *node) (*node, error) {
	j := job{m: uncut{x.m}, system: x.f.SystemPrompt, task: unifyTask, label: "data", schema: x.f.Schema}
	text := string(root.json())
	if input, _ := j.room(); llm.Tokens(text) > input {
		return nil, llm.ErrTooLong
	}
	raw, err := j.json(ctx, text, nil)
	if err != nil {
		return nil, err
	}
	return parse(raw)
}

// misfit completes grounded data with null for what the page doesn't say, and warns of what
// doesn't follow the schema all the same.
func (x extraction) misfit(root *node) []string {
	schema, err := parse(x.f.Schema.Raw())
	if err == nil {
		complete(schema, []*node{schema}, root)
		err = validate(x.f.Schema, root)
	}
	if err != nil {
		return []string{"the data of the page's parts does not follow the schema " + err.Error()}
	}
	return nil
}

// complete sets required single values that are missing to null, and required lists to empty ones.
func complete(root *node, at []*node, n *node) {
	var all []*node
	for _, s := range at {
		all = append(all, resolve(root, s, 0)...)
	}
	for i, item := range n.items {
		step := "0"
		if n.shape == object {
			step = n.keys[i]
		}
		complete(root, stepInto(root, all, step), item)
	}
	if n.shape != object {
		return
	}
	for _, s := range all {
		for _, name := range requiredOf(s) {
			if n.get(name) == nil {
				n.set(name, missing(stepInto(root, all, name)))
			}
		}
	}
}

func requiredOf(s *node) []string {
	var names []string
	if list := s.get("required"); list != nil {
		for _, item := range list.items {
			if name, ok := item.text(); ok {
				names = append(names, name)
			}
		}
	}
	return names
}

func missing(at []*node) *node {
	for _, s := range at {
		if kind, _ := s.get("type").text(); kind == "array" {
			return &node{shape: array}
		}
	}
	return newNull()
}

// withoutNulls leaves out the members of objects and the items of lists that are null.
func withoutNulls(n *node) *node {
	slim := &node{shape: n.shape, raw: n.raw}
	for i, item := range n.items {
		if item.shape == leaf && item.null() {
			continue
		}
		if slim.items = append(slim.items, withoutNulls(item)); n.shape == object {
			slim.keys = append(slim.keys, n.keys[i])
		}
	}
	return slim
}
