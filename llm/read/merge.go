package read

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/winnow-go/winnow/llm"
)

// Merge puts together what was extracted from several pages, or from parts of one, without a
// model. Of objects the members are merged by name. Lists are joined; a value that an earlier part
// has, too, isn't repeated, and an object that contradicts none of the fields of an earlier part's,
// and has a text in common with it, completes that one. Of single values the one that most parts
// have counts, of equally frequent ones the first; null and empty text count as nothing. The
// quotes move with their values. A result that s refuses has a warning that names the path.
// If there is no data at all, JSON is null. The error names the part that is not JSON.
func Merge(s *llm.Schema, parts []Extracted) (Extracted, error) {
	var roots []*node
	var warnings []string
	for i, part := range parts {
		root, err := part.tree()
		if err != nil {
			return Extracted{}, fmt.Errorf("part %d: %w", i, err)
		}
		roots = append(roots, root)
		warnings = append(warnings, part.Warnings...)
	}
	merged := merge(roots)
	if s != nil && !merged.empty() {
		if err := validate(s, merged); err != nil {
			warnings = append(warnings, "the merged data does not follow the schema "+err.Error())
		}
	}
	return extracted(merged, known(warnings)), nil
}

// validate accepts null for a single value, as everywhere where quotes are requested.
func validate(s *llm.Schema, n *node) error {
	if s.Validate(n.json()) == nil {
		return nil
	}
	loose, err := relaxed(s, nullLeaves)
	if err != nil {
		return err
	}
	compiled, err := llm.CompileSchema(loose.json())
	if err != nil {
		return err
	}
	return compiled.Validate(n.json())
}

// tree is the data with its quotes.
func (e Extracted) tree() (*node, error) {
	if len(e.JSON) == 0 {
		return newNull(), nil
	}
	root, err := parse(e.JSON)
	if err != nil {
		return nil, err
	}
	root.leaves("", func(pointer string, n *node) { n.quote = e.Evidence[pointer] })
	return root, nil
}

// extracted is the tree as callers get it.
func extracted(root *node, warnings []string) Extracted {
	e := Extracted{JSON: json.RawMessage("null"), Warnings: warnings}
	if root.empty() && !root.anyLost() {
		e.Warnings = append(e.Warnings, nothing)
		return e
	}
	root.leaves("", func(pointer string, n *node) {
		switch {
		case n.lost && n.null():
			e.Warnings = append(e.Warnings, "no words of the page support the value at "+pointer)
		case n.quote != "" && !n.null():
			if e.Evidence == nil {
				e.Evidence = map[string]string{}
			}
			e.Evidence[pointer] = n.quote
		}
	})
	e.JSON, e.Warnings = root.json(), bounded(e.Warnings)
	return e
}

const nothing = "nothing was extracted"

const maxWarnings = 50

func bounded(warnings []string) []string {
	if len(warnings) <= maxWarnings {
		return warnings
	}
	more := len(warnings) - maxWarnings
	return append(slices.Clip(warnings[:maxWarnings]), "and "+strconv.Itoa(more)+" more warnings")
}

func (n *node) anyLost() bool {
	return n.lost || slices.ContainsFunc(n.items, (*node).anyLost)
}

// merge puts values together. Those of another shape than the first that says something are left out.
func merge(parts []*node) *node {
	parts = slices.DeleteFunc(slices.Clone(parts), (*node).silent)
	if len(parts) == 0 {
		return newNull()
	}
	first := parts[0].shape
	parts = slices.DeleteFunc(parts, func(n *node) bool { return n.shape != first })
	switch {
	case len(parts) == 1:
		return parts[0]
	case first == object:
		return mergeObjects(parts)
	case first == array:
		return mergeLists(parts)
	}
	return mergeLeaves(parts)
}

// silent values say nothing and hide nothing that could be warned of.
func (n *node) silent() bool { return n.empty() && !n.anyLost() }

func mergeObjects(parts []*node) *node {
	values := map[string][]*node{}
	var keys []string
	for _, p := range parts {
		for i, key := range p.keys {
			if _, ok := values[key]; !ok {
				keys = append(keys, key)
			}
			values[key] = append(values[key], p.items[i])
		}
	}
	merged := &node{shape: object}
	for _, key := range keys {
		merged.keys, merged.items = append(merged.keys, key), append(merged.items, merge(values[key]))
	}
	return merged
}

// mergeLeaves takes the most frequent; a value that no quote supports only if there is no other.
func mergeLeaves(parts []*node) *node {
	counts := map[string]int{}
	best := parts[0]
	for _, n := range parts {
		if !n.empty() {
			counts[plainText(n)]++
		}
	}
	for _, n := range parts {
		if counts[plainText(n)] > counts[plainText(best)] && !n.empty() || best.empty() && !n.empty() {
			best = n
		}
	}
	return best
}

// plainText is the same for values that differ in case and white space only.
func plainText(n *node) string {
	if s, ok := n.text(); ok {
		return strings.ToLower(strings.Join(strings.Fields(s), " "))
	}
	return n.canonical()
}

// mergeLists joins lists, each item once, but for those that one list repeats itself.
func mergeLists(parts []*node) *node {
	l := listMerger{merged: &node{shape: array}, exact: map[string]bool{}, sharing: map[string][]int{}}
	for _, p := range parts {
		earlier := len(l.merged.items)
		for _, item := range p.items {
			if !item.silent() {
				l.add(item, earlier)
			}
		}
		l.remember(earlier)
	}
	return l.merged
}

// listMerger knows what the lists before the present one hold.
type listMerger struct {
	merged  *node
	exact   map[string]bool
	sharing map[string][]int // which items hold a text in a field
}

const maxCandidates = 32 // earlier items that one is compared with

func (l *listMerger) add(item *node, earlier int) {
	if l.exact[plainText(item)] {
		return
	}
	if item.shape == object {
		for _, at := range l.candidates(item) {
			if at < earlier && sameThing(l.merged.items[at], item) {
				l.merged.items[at] = mergeObjects([]*node{l.merged.items[at], item})
				return
			}
		}
	}
	l.merged.items = append(l.merged.items, item)
}

func (l *listMerger) remember(from int) {
	for at, item := range l.merged.items[from:] {
		l.exact[plainText(item)] = true
		for _, key := range textKeys(item) {
			l.sharing[key] = append(l.sharing[key], from+at)
		}
	}
}

// candidates are earlier items that share a text in a field, those that share the rarest first.
func (l *listMerger) candidates(item *node) []int {
	var found []int
	for _, key := range textKeys(item) {
		if some := l.sharing[key]; found == nil || len(some) > 0 && len(some) < len(found) {
			found = some
		}
	}
	return found[:min(len(found), maxCandidates)]
}

// textKeys are the fields of an object that hold text, with it.
func textKeys(n *node) []string {
	var keys []string
	if n.shape != object {
		return nil
	}
	for i, key := range n.keys {
		if s, ok := n.items[i].text(); ok && strings.TrimSpace(s) != "" {
			keys = append(keys, key+"\x00"+plainText(n.items[i]))
		}
	}
	return keys
}

// sameThing reports whether no field of two objects contradicts the other's; lists don't.
func sameThing(a, b *node) bool {
	for i, key := range a.keys {
		x, y := a.items[i], b.get(key)
		if y == nil || x.silent() || y.silent() {
			continue
		}
		switch {
		case x.shape != y.shape, x.shape == leaf && plainText(x) != plainText(y), x.shape == object && !sameThing(x, y):
			return false
		}
	}
	return true
}
