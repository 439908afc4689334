package read

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// The bounds of a JSON value that is taken apart.
const (
	maxDepth = 64
	maxNodes = 500_000
	maxKeys  = 1_000 // of one object
)

// shape is what a JSON value is.
type shape byte

const (
	leaf shape = iota
	object
	array
)

// node is a JSON value whose members keep their order.
type node struct {
	shape shape
	keys  []string // of an object, in order, beside items
	items []*node
	raw   string // of a leaf, as JSON
	// Of a leaf: the piece of the page that it came from, and whether it was something else
	// that no piece supports.
	quote string
	lost  bool
}

var errBigJSON = errors.New("JSON is too deep or has too many values")

// parse reads one JSON value.
func parse(raw []byte) (*node, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	left := maxNodes
	n, err := parseNode(d, &left, maxDepth)
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("more than one JSON value")
	}
	return n, nil
}

func parseNode(d *json.Decoder, left *int, depth int) (*node, error) {
	if *left--; *left < 0 || depth < 0 {
		return nil, errBigJSON
	}
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	delim, ok := token.(json.Delim)
	if !ok {
		return &node{raw: encodeLeaf(token)}, nil
	}
	n := &node{shape: array}
	if delim == '{' {
		n.shape = object
	}
	for d.More() {
		if err := n.parseMember(d, left, depth); err != nil {
			return nil, err
		}
	}
	_, err = d.Token()
	return n, err
}

func (n *node) parseMember(d *json.Decoder, left *int, depth int) error {
	key := ""
	if n.shape == object {
		token, err := d.Token()
		if err != nil {
			return err
		}
		key = token.(string)
	}
	item, err := parseNode(d, left, depth-1)
	if err != nil {
		return err
	}
	if len(n.keys) >= maxKeys {
		return errBigJSON
	}
	if n.shape == object {
		n.set(key, item)
	} else {
		n.items = append(n.items, item)
	}
	return nil
}

func encodeLeaf(value any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil { // a token is always one of the simple kinds
		return "null"
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func newObject(pairs ...any) *node {
	n := &node{shape: object}
	for i := 0; i+1 < len(pairs); i += 2 {
		n.set(pairs[i].(string), pairs[i+1].(*node))
	}
	return n
}

func newText(s string) *node { return &node{raw: encodeLeaf(s)} }
func newNull() *node         { return &node{raw: "null"} }

// get is the member of an object, or nil.
func (n *node) get(key string) *node {
	if n == nil || n.shape != object {
		return nil
	}
	if i := slices.Index(n.keys, key); i >= 0 {
		return n.items[i]
	}
	return nil
}

func (n *node) set(key string, item *node) {
	if i := slices.Index(n.keys, key); i >= 0 {
		n.items[i] = item
		return
	}
	n.keys, n.items = append(n.keys, key), append(n.items, item)
}

func (n *node) drop(keys ...string) {
	for _, key := range keys {
		if i := slices.Index(n.keys, key); i >= 0 {
			n.keys, n.items = slices.Delete(n.keys, i, i+1), slices.Delete(n.items, i, i+1)
		}
	}
}

// text is the string that a leaf is.
func (n *node) text() (string, bool) {
	if n == nil || n.shape != leaf || !strings.HasPrefix(n.raw, `"`) {
		return "", false
	}
	var s string
	return s, json.Unmarshal([]byte(n.raw), &s) == nil
}

func (n *node) null() bool { return n.shape == leaf && n.raw == "null" }

// number reports whether a leaf is one.
func (n *node) number() (float64, bool) {
	if n.shape != leaf {
		return 0, false
	}
	f, err := strconv.ParseFloat(n.raw, 64)
	return f, err == nil && !strings.HasPrefix(n.raw, `"`)
}

// empty reports a value that says nothing: null, "", or a container of such.
func (n *node) empty() bool {
	if n.shape == leaf {
		s, isText := n.text()
		return n.null() || isText && strings.TrimSpace(s) == ""
	}
	return !slices.ContainsFunc(n.items, func(item *node) bool { return !item.empty() })
}

// json encodes the value, members in their order.
func (n *node) json() json.RawMessage { return n.append(nil, false) }

// canonical is the same text for the same value, whatever the order of its members.
func (n *node) canonical() string { return string(n.append(nil, true)) }

func (n *node) append(to []byte, sorted bool) []byte {
	switch n.shape {
	case object:
		to = append(to, '{')
		for i, at := range n.order(sorted) {
			if i > 0 {
				to = append(to, ',')
			}
			to = append(append(to, encodeLeaf(n.keys[at])...), ':')
			to = n.items[at].append(to, sorted)
		}
		return append(to, '}')
	case array:
		to = append(to, '[')
		for i, item := range n.items {
			if i > 0 {
				to = append(to, ',')
			}
			to = item.append(to, sorted)
		}
		return append(to, ']')
	}
	if f, ok := n.number(); ok && sorted && strings.ContainsAny(n.raw, ".eE") {
		return strconv.AppendFloat(to, f, 'f', -1, 64) // 1.0 is 1; a long whole number stays exact
	}
	return append(to, n.raw...)
}

func (n *node) order(sorted bool) []int {
	at := make([]int, len(n.keys))
	for i := range at {
		at[i] = i
	}
	if sorted {
		sort.Slice(at, func(i, j int) bool { return n.keys[at[i]] < n.keys[at[j]] })
	}
	return at
}

// leaves visits each leaf with its JSON pointer (RFC 6901).
func (n *node) leaves(pointer string, visit func(pointer string, n *node)) {
	switch n.shape {
	case leaf:
		visit(pointer, n)
	case object:
		for i, key := range n.keys {
			n.items[i].leaves(pointer+"/"+escapePointer(key), visit)
		}
	case array:
		for i, item := range n.items {
			item.leaves(pointer+"/"+strconv.Itoa(i), visit)
		}
	}
}

func escapePointer(key string) string {
	if !strings.ContainsAny(key, "~/") {
		return key
	}
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
}
