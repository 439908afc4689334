package folding

import (
	"slices"
	"strings"
)

// Fold returns a key without what the rules that hold say makes no difference. What is no key stays as it is.
func Fold(key string, holds func(Rule) bool) string {
	if !mayFold(key) {
		return key
	}
	a, ok := read(key)
	if !ok {
		return key
	}
	return a.write(holds)
}

// Group is a key folded by all rules there are: keys that any rules make one have one group.
func Group(key string) string { return Fold(key, all) }

func all(Rule) bool { return true }

// Between returns the rules that must hold for two keys of one group to be one page, in order. Keys of different groups have none.
func Between(a, b string) []Rule {
	if a == b || Group(a) != Group(b) {
		return nil
	}
	one, _ := read(a)
	other, _ := read(b)
	list := one.differing(other)
	without := func(not Rule) bool {
		return one.same(other, func(r Rule) bool { return r != not && (r == Order || r == Slashes || slices.Contains(list, r)) })
	}
	if !without("") { // a parameter stands elsewhere
		list = append(list, one.rules()...)
	}
	for _, rule := range []Rule{Order, Slashes} {
		if !without(rule) {
			list = append(list, rule)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// differing are the rules about parameters that are not the same in two addresses.
func (a *address) differing(b address) (list []Rule) {
	for _, rule := range append(a.rules(), b.rules()...) {
		if !slices.Equal(a.texts(rule), b.texts(rule)) {
			list = append(list, rule)
		}
	}
	return list
}

func (a *address) same(b address, holds func(Rule) bool) bool {
	return a.write(holds) == b.write(holds)
}

// rules are those about the parameters of an address.
func (a *address) rules() (list []Rule) {
	for p := range a.parameters() {
		if p.rule != "" {
			list = append(list, p.rule)
		}
	}
	return list
}

// texts are the parameters that a rule is about.
func (a *address) texts(rule Rule) (list []string) {
	for p := range a.parameters() {
		if p.rule == rule {
			list = append(list, p.text)
		}
	}
	return list
}

func (a *address) parameters() func(yield func(parameter) bool) {
	return func(yield func(parameter) bool) {
		for _, s := range a.segments {
			for _, p := range s.parameters {
				if !yield(p) {
					return
				}
			}
		}
		for _, p := range a.query {
			if !yield(p) {
				return
			}
		}
	}
}

// maxKey bounds the keys that rules are about, in bytes.
const maxKey = 2048

// mayFold reports quickly that no rule is about most addresses.
func mayFold(key string) bool {
	_, rest, _ := strings.Cut(key, "://")
	return len(key) <= maxKey && (strings.ContainsAny(rest, "?;") || strings.Contains(rest, "//"))
}
