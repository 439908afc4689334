package extracting

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/winnow-go/winnow/llm/read"
)

// Source is a page that a value comes from.
type Source struct {
	URL string `json:"url"`
	// Quote of the page that holds the value, where there is evidence.
	Quote string `json:"quote,omitempty"`
}

// quoteTag stands before a quote while pieces are merged, with the number of the piece: so a value's quote names the
// page it is from.
const quoteTag = "\x00"

// tagged makes the pieces parts of a merge.
func tagged(pieces []Piece) []read.Extracted {
	var parts []read.Extracted
	for i, p := range pieces {
		part := read.Extracted{JSON: p.JSON, Warnings: p.Warnings}
		if p.Evidence != nil {
			part.Evidence = map[string]string{}
		}
		for pointer, quote := range p.Evidence {
			part.Evidence[pointer] = quoteTag + strconv.Itoa(i) + quoteTag + quote
		}
		parts = append(parts, part)
	}
	return parts
}

// untag gives the number of the piece and the quote.
func untag(tagged string) (int, string, bool) {
	number, quote, ok := strings.Cut(strings.TrimPrefix(tagged, quoteTag), quoteTag)
	n, err := strconv.Atoi(number)
	return n, quote, ok && err == nil
}

// entry is an item of a list with its single values, or, with an empty pointer, the values
// that are in no list.
type entry struct {
	part    int
	pointer string
	values  map[string]string // by pointer within the entry
}

// maxAlike bounds the entries that are compared because they share a value.
const maxAlike = 100

// sourcesOf finds the pages of each value: first by its quote, then those that have the same
// value at the same place of the form. Positions in lists don't count for that; there the
// item must not say otherwise in another of its fields.
func sourcesOf(merged read.Extracted, parts []read.Extracted, pieces []Piece) map[string][]Source {
	alike := alikeIn(parts)
	found := map[string][]Source{}
	for _, one := range entriesOf(merged.JSON, -1) {
		for field, value := range one.values {
			pointer := one.pointer + field
			var list []Source
			if n, quote, ok := untag(merged.Evidence[pointer]); ok && n < len(pieces) {
				list = addSource(list, Source{URL: pieces[n].URL, Quote: quote})
			}
			for _, other := range alike[one.key(field, value)] {
				if one.agrees(other) {
					p := pieces[other.part]
					list = addSource(list, Source{URL: p.URL, Quote: p.Evidence[other.pointer+field]})
				}
			}
			if list != nil {
				found[pointer] = list
			}
		}
	}
	return found
}

// alikeIn are the entries of all parts, by each of their values and its place.
func alikeIn(parts []read.Extracted) map[string][]*entry {
	alike := map[string][]*entry{}
	for i, part := range parts {
		for _, one := range entriesOf(part.JSON, i) {
			for field, value := range one.values {
				if key := one.key(field, value); len(alike[key]) < maxAlike {
					alike[key] = append(alike[key], one)
				}
			}
		}
	}
	return alike
}

func (e *entry) key(field, value string) string { return formOf(e.pointer) + " " + field + " " + value }

// agrees reports whether no field that both have differs. Of what is in no list each field
// stands for itself.
func (e *entry) agrees(other *entry) bool {
	if e.pointer == "" {
		return true
	}
	for field, value := range e.values {
		if theirs, has := other.values[field]; has && theirs != value {
			return false
		}
	}
	return true
}

// entriesOf cuts a JSON text into entries, in no order.
func entriesOf(text json.RawMessage, part int) map[string]*entry {
	all := map[string]*entry{}
	eachLeaf(text, func(pointer, value string) {
		at, field := splitItem(pointer)
		if all[at] == nil {
			all[at] = &entry{part: part, pointer: at, values: map[string]string{}}
		}
		all[at].values[field] = value
	})
	return all
}

// splitItem cuts a pointer behind its last position in a list.
func splitItem(pointer string) (item, field string) {
	for at := len(pointer); ; at = strings.LastIndexByte(pointer[:at], '/') {
		if at < 0 {
			return "", pointer
		}
		if isPosition(pointer[strings.LastIndexByte(pointer[:at], '/')+1 : at]) {
			return pointer[:at], pointer[at:]
		}
	}
}

func isPosition(step string) bool {
	_, err := strconv.ParseUint(step, 10, 64)
	return err == nil
}

// maxSources of one value are given.
const maxSources = 20

func addSource(list []Source, s Source) []Source {
	if len(list) == maxSources || slices.ContainsFunc(list, func(have Source) bool { return have.URL == s.URL }) {
		return list
	}
	return append(list, s)
}

// eachLeaf visits the single values of a JSON text, but for null.
func eachLeaf(text json.RawMessage, visit func(pointer, value string)) {
	var root any
	if json.Unmarshal(text, &root) != nil {
		return
	}
	var walk func(pointer string, v any)
	walk = func(pointer string, v any) {
		switch v := v.(type) {
		case nil:
		case map[string]any:
			for name, child := range v {
				walk(pointer+"/"+pointerEscape.Replace(name), child)
			}
		case []any:
			for i, child := range v {
				walk(pointer+"/"+strconv.Itoa(i), child)
			}
		default:
			if data, err := json.Marshal(v); err == nil {
				visit(pointer, string(data))
			}
		}
	}
	walk("", root)
}

var pointerEscape = strings.NewReplacer("~", "~0", "/", "~1")

// formOf is a pointer without positions in lists.
func formOf(pointer string) string {
	steps := strings.Split(pointer, "/")
	for i, step := range steps {
		if isPosition(step) {
			steps[i] = "*"
		}
	}
	return strings.Join(steps, "/")
}
