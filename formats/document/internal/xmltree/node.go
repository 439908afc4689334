package xmltree

import "strings"

// Attr is an attribute of an element.
type Attr struct{ Name, Value string }

// Node is an element with all inside it, or a text: then Name is "".
type Node struct {
	Name  string
	Attrs []Attr
	Kids  []*Node
	Text  string
}

// Attr is the value of an attribute by its name with prefix, or, when name has none, of the first whose
// local name it is; "" when there is none. A nil Node has none.
func (n *Node) Attr(name string) string {
	v, _ := n.Lookup(name)
	return v
}

// Lookup is Attr that reports whether there is one.
func (n *Node) Lookup(name string) (string, bool) {
	if n == nil {
		return "", false
	}
	local := !strings.Contains(name, ":")
	for _, a := range n.Attrs {
		if a.Name == name || local && strings.HasSuffix(a.Name, ":"+name) {
			return a.Value, true
		}
	}
	return "", false
}

// Find is the element that is reached from n by names, each the first such child; nil when there is none.
func (n *Node) Find(names ...string) *Node {
	for _, name := range names {
		n = n.child(name)
	}
	return n
}

func (n *Node) child(name string) *Node {
	if n == nil {
		return nil
	}
	for _, k := range n.Kids {
		if k.Name == name {
			return k
		}
	}
	return nil
}

// All calls visit for every element below n with one of the names, but not for those inside one that was visited.
func (n *Node) All(visit func(*Node), names ...string) {
	if n == nil {
		return
	}
	for _, k := range n.Kids {
		if k.is(names) {
			visit(k)
		} else {
			k.All(visit, names...)
		}
	}
}

func (n *Node) is(names []string) bool {
	for _, name := range names {
		if n.Name == name {
			return true
		}
	}
	return false
}

// Content is all text inside n, as it stands.
func (n *Node) Content() string {
	if n == nil {
		return ""
	}
	if len(n.Kids) == 1 && n.Kids[0].Name == "" {
		return n.Kids[0].Text
	}
	var b strings.Builder
	n.write(&b)
	return b.String()
}

func (n *Node) write(b *strings.Builder) {
	b.WriteString(n.Text)
	for _, k := range n.Kids {
		k.write(b)
	}
}
