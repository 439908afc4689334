package read

import (
	"slices"
	"strings"

	"github.com/winnow-go/winnow/llm"
)

// looseness says how far a schema is relaxed.
type looseness int

const (
	// nullLeaves: each single value may be null.
	nullLeaves looseness = iota
	// anyPart: each value but the whole may be null or left out, for a part of the page may not have it.
	anyPart
)

// relaxed is a schema that takes more than s. Alternatives that exclude each other no longer do,
// for null is more than one of them.
func relaxed(s *llm.Schema, how looseness) (*node, error) {
	root, err := parse(s.Raw())
	if err != nil {
		return nil, err
	}
	eachSchema(root, func(n *node) { relax(n, how, n == root) })
	return root, nil
}

// The keywords that hold schemas: in an object of names, in a list, or as they are.
var (
	schemaMaps  = []string{"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"}
	schemaLists = []string{"anyOf", "oneOf", "allOf", "prefixItems", "items"}
	schemas     = []string{"items", "additionalItems", "unevaluatedItems", "additionalProperties", "unevaluatedProperties", "contains"}
)

// eachSchema visits the schema n and those inside it.
func eachSchema(n *node, visit func(*node)) {
	if n == nil || n.shape != object {
		return
	}
	visit(n)
	for i, key := range n.keys {
		sub := n.items[i]
		if slices.Contains(schemas, key) {
			eachSchema(sub, visit)
		}
		if sub.shape == object && slices.Contains(schemaMaps, key) || sub.shape == array && slices.Contains(schemaLists, key) {
			for _, s := range sub.items {
				eachSchema(s, visit)
			}
		}
	}
}

// demands are keywords that a part of the data can fail to meet.
var demands = []string{"required", "minItems", "minProperties", "contains", "minContains", "dependentRequired", "dependentSchemas",
	"dependencies", "if", "then", "else", "not"}

func relax(n *node, how looseness, root bool) {
	if one := n.get("oneOf"); one != nil && n.get("anyOf") == nil {
		n.drop("oneOf")
		n.set("anyOf", one)
	}
	if how == anyPart {
		n.drop(demands...)
	}
	if root && how == anyPart {
		return
	}
	relaxType(n, how)
	if list := n.get("enum"); list != nil && list.shape == array {
		list.items = append(list.items, newNull())
	}
	if only := n.get("const"); only != nil {
		n.drop("const")
		n.set("enum", &node{shape: array, items: []*node{only, newNull()}})
	}
}

func relaxType(n *node, how looseness) {
	kind := n.get("type")
	if kind == nil {
		return
	}
	names := kind.items
	if kind.shape == leaf {
		names = []*node{kind}
	}
	texts := make([]string, len(names))
	for i, name := range names {
		texts[i], _ = name.text()
	}
	single := slices.ContainsFunc(texts, func(s string) bool { return s != "object" && s != "array" })
	if slices.Contains(texts, "null") || !single && how != anyPart {
		return
	}
	n.set("type", &node{shape: array, items: append(slices.Clone(names), newText("null"))})
}

// envelope is the schema of an answer that holds data by a schema, and the quotes for it.
func envelope(data *node) *node {
	quotes := newObject("type", newText("array"), "items", newObject("type", newText("object"),
		"properties", newObject("path", newObject("type", newText("string")), "quote", newObject("type", newText("string"))),
		"required", texts("path", "quote")))
	root := newObject("type", newText("object"), "properties", newObject("data", data, "evidence", quotes),
		"required", texts("data", "evidence"))
	for _, key := range []string{"$schema", "$defs", "definitions"} {
		if moved := data.get(key); moved != nil {
			root.set(key, moved)
		}
	}
	eachSchema(data, moveReference)
	data.drop("$schema", "$id", "id", "$defs", "definitions")
	return root
}

// moveReference follows a schema to its place inside of the envelope.
func moveReference(n *node) {
	target, ok := n.get("$ref").text()
	if !ok || target != "#" && !strings.HasPrefix(target, "#/") || strings.HasPrefix(target, "#/$defs/") || strings.HasPrefix(target, "#/definitions/") {
		return
	}
	n.set("$ref", newText("#/properties/data"+target[1:]))
}

func texts(of ...string) *node {
	n := &node{shape: array}
	for _, s := range of {
		n.items = append(n.items, newText(s))
	}
	return n
}

// choice reports whether the schema gives the value at a path (of decoded steps) a closed list to
// choose from: such a value need not stand in its quote.
func choice(root *node, steps []string) bool {
	at := resolve(root, root, 0)
	for _, step := range steps {
		at = stepInto(root, at, step)
	}
	return slices.ContainsFunc(at, func(n *node) bool { return n.get("enum") != nil || n.get("const") != nil })
}

const maxResolve = 200 // schemas that one place in the data may have

// resolve returns a schema and those that it refers to or combines.
func resolve(root, n *node, depth int) []*node {
	if n == nil || n.shape != object || depth > 16 {
		return nil
	}
	found := []*node{n}
	if target, ok := n.get("$ref").text(); ok && strings.HasPrefix(target, "#") {
		found = append(found, resolve(root, pointed(root, target[1:]), depth+1)...)
	}
	for _, key := range []string{"anyOf", "oneOf", "allOf"} {
		if list := n.get(key); list != nil && list.shape == array {
			for _, s := range list.items {
				if len(found) < maxResolve {
					found = append(found, resolve(root, s, depth+1)...)
				}
			}
		}
	}
	return found
}

func stepInto(root *node, at []*node, step string) []*node {
	var found []*node
	for _, n := range at {
		below := n.get("properties").get(step)
		if below == nil {
			if below = n.get("items"); below == nil {
				below = n.get("additionalProperties")
			}
		}
		if len(found) < maxResolve {
			found = append(found, resolve(root, below, 0)...)
		}
	}
	return found
}

// pointed is what a JSON pointer leads to, or nil.
func pointed(n *node, pointer string) *node {
	for _, step := range pointerSteps(pointer) {
		if n = n.get(step); n == nil {
			return nil
		}
	}
	return n
}

func pointerSteps(pointer string) []string {
	if pointer == "" {
		return nil
	}
	steps := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	for i, s := range steps {
		steps[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(s)
	}
	return steps
}
