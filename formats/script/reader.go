package script

import (
	"strings"
	"time"

	"github.com/tdewolff/parse/v2/js"
)

// visitor reads the code of one unit.
type visitor struct {
	r     *reader
	unit  *unit
	waits *time.Duration // how long the function has awaited timers up to here
	maybe bool           // under a condition
}

// Enter implements js.IVisitor.
func (v visitor) Enter(n js.INode) js.IVisitor {
	if v.r.ctx.Err() != nil {
		return nil
	}
	v = v.inside(n)
	switch n := n.(type) {
	case *js.IfStmt, *js.CondExpr, *js.SwitchStmt, *js.TryStmt:
		v.maybe = true
	case *js.BinaryExpr:
		return v.binary(n)
	case *js.CallExpr:
		return v.call(n)
	case *js.NewExpr:
		v.instance(n)
	case *js.ImportStmt:
		v.r.imports = append(v.r.imports, unquote(n.Module))
	case *js.Property:
		v.option(n)
	case *js.LiteralExpr, js.LiteralExpr, *js.TemplateExpr:
		v.name(n)
	case *js.UnaryExpr:
		if n.Op == js.AwaitToken {
			*v.waits += v.r.keptAfter(n.X)
		}
	case *js.DotExpr:
		v.named(n)
	case *js.BindingElement:
		return v.binding(n)
	case *js.ExportStmt:
		v.exported(n)
	case *js.Var:
		v.unit.uses = append(v.unit.uses, use{root(n), *v.waits})
	}
	return v
}

// Exit implements js.IVisitor.
func (v visitor) Exit(js.INode) {}

// inside is the visitor of what is in a node: functions await for themselves, and some are units of their own.
func (v visitor) inside(n js.INode) visitor {
	switch n.(type) {
	case *js.FuncDecl, *js.ArrowFunc, *js.MethodDecl:
		waited := *v.waits
		v.waits = &waited
	}
	if u := v.r.own(n); u != nil {
		if name := v.r.methods.names[n]; name != "" {
			v.unit.after = append(v.unit.after, timer{u, *v.waits, name})
		}
		v.unit, v.waits, v.maybe = u, new(time.Duration), false
	}
	return v
}

// binding goes on with the value of a variable: to declare it is no use of it.
func (v visitor) binding(n *js.BindingElement) js.IVisitor {
	if _, isName := n.Binding.(*js.Var); !isName {
		return v
	}
	if n.Default != nil {
		js.Walk(v, n.Default)
	}
	return nil
}

// own is the unit that a node's code is; nil for those that belong to the unit around them.
func (r *reader) own(n js.INode) *unit {
	switch n.(type) {
	case *js.FuncDecl, *js.ArrowFunc, *js.MethodDecl, *js.ClassDecl: // others may be no keys of a map
		return r.units[n]
	}
	return nil
}

// name keeps a literal that could name a place.
func (v visitor) name(n js.INode) {
	e, ok := n.(js.IExpr)
	if !ok {
		return
	}
	const maxLen = 64
	if s, ok := text(e); ok && len(s) <= maxLen && len(v.r.names) < maxNames && isName(s) {
		v.r.names[s] = struct{}{}
	}
}

// isName reports whether a text could be an id, a class, an element or the selector of one.
func isName(s string) bool {
	s = strings.TrimLeft(s, "#.")
	if s == "" || s[0] >= '0' && s[0] <= '9' {
		return false
	}
	return !strings.ContainsFunc(s, func(c rune) bool {
		return c != '-' && c != '_' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && c < 0x80
	})
}

// binary reads assignments.
func (v visitor) binary(n *js.BinaryExpr) js.IVisitor {
	switch n.Op {
	case js.AndToken, js.OrToken, js.NullishToken:
		v.maybe = true
	case js.EqToken, js.AddEqToken:
		v.assigned(n)
		return v.assignment(n)
	}
	return v
}

// exported uses what a module gives to others: they import it to use it.
func (v visitor) exported(n *js.ExportStmt) {
	var names []string
	for _, alias := range n.List {
		names = append(names, string(alias.Binding), string(alias.Name))
	}
	switch decl := n.Decl.(type) {
	case *js.VarDecl:
		for _, b := range decl.List {
			if name, ok := b.Binding.(*js.Var); ok {
				names = append(names, string(name.Data))
			}
		}
	case *js.FuncDecl:
		names = append(names, nameOf(decl.Name))
	case *js.ClassDecl:
		names = append(names, nameOf(decl.Name))
	}
	for _, name := range names {
		if u := v.r.global[name]; u != nil {
			v.unit.after = append(v.unit.after, timer{unit: u})
		}
	}
}

func nameOf(v *js.Var) string {
	if v == nil {
		return ""
	}
	return string(v.Data)
}

// assignment goes on with what is assigned: to give a variable a value is no use of it, and a function that a user's act runs does not run
// by itself.
func (v visitor) assignment(n *js.BinaryExpr) js.IVisitor {
	_, isName := n.X.(*js.Var)
	if !isName {
		js.Walk(v, n.X)
	}
	dot, _ := n.X.(*js.DotExpr)
	_, byName := unbound(n.Y).(*js.Var)
	if dot == nil || !isHandler(propertyName(dot)) || !byName && !v.byAct(n.Y) {
		js.Walk(v, n.Y)
	}
	return nil
}

func (v visitor) assigned(n *js.BinaryExpr) {
	switch left := n.X.(type) {
	case *js.Var:
		v.leaves(root(left).Decl == js.NoDecl && string(left.Name()) == "location")
	case *js.DotExpr:
		name := propertyName(left)
		v.leaves(name == "location" || name == "href" && isLocation(left.X))
		if contentProperties[name] && !v.isNew(left.X) {
			v.write(v.r.place(left.X), v.r.source(n.Y))
		}
	}
}

// leaves notes a way to another address that no condition stands before.
func (v visitor) leaves(does bool) {
	v.unit.leaves = v.unit.leaves || does && !v.maybe
}

func isLocation(e js.IExpr) bool {
	_, name := callee(e)
	return name == "location"
}

// write notes a place that is filled. What is set to nothing is not, nor is the head.
func (v visitor) write(place string, from Source) {
	if from != "" && place != "head" {
		v.unit.writes = append(v.unit.writes, Write{Place: place, Source: from, After: *v.waits})
	}
}

// option reads a place in an object of options: {el: "#app"}, {target: document.body}.
func (v visitor) option(n *js.Property) {
	if n.Name == nil || !placeKeys[string(n.Name.Literal.Data)] {
		return
	}
	if s, ok := text(n.Value); ok {
		if strings.HasPrefix(s, "#") || strings.HasPrefix(s, ".") {
			v.write(s, Mount)
		}
		return
	}
	if _, isName := n.Value.(*js.Var); !isName || v.r.isBound(n.Value) {
		if at := v.r.place(n.Value); at != "" {
			v.write(at, Mount)
		}
	}
}

// isBound reports whether a variable is known to hold an element.
func (r *reader) isBound(e js.IExpr) bool {
	name, ok := e.(*js.Var)
	return ok && r.places[root(name)] != ""
}

func (v visitor) instance(n *js.NewExpr) {
	object, name := callee(n.X)
	if requestObjects[name] && (object == nil || isWindow(object)) {
		v.unit.requests = true
	}
	if n.Args != nil {
		v.handed("", *n.Args)
	}
}

func isWindow(e js.IExpr) bool {
	_, name := callee(e)
	return name == "window" || name == "self" || name == "globalThis"
}

// manyWords is how many words of text in a script are content, wherever the rest comes from.
const manyWords = 4

// source says where the text of an expression comes from; "" where it has none.
func (r *reader) source(e js.IExpr) Source {
	if s, ok := text(e); ok && strings.TrimSpace(s) == "" {
		return ""
	}
	parts := &sourceVisitor{r: r}
	js.Walk(parts, e)
	switch {
	case parts.data || parts.words >= manyWords:
		return Value
	case parts.local:
		return Local
	}
	return Literal
}

// sourceVisitor looks at the names in an expression.
type sourceVisitor struct {
	r           *reader
	data, local bool
	words       int // in literals
	visited     int
}

// maxVisited is how many nodes of an expression are looked at: nested ones are looked at from each level.
const maxVisited = 512

// Enter implements js.IVisitor.
func (s *sourceVisitor) Enter(n js.INode) js.IVisitor {
	if s.visited++; s.visited > maxVisited || s.data {
		return nil
	}
	switch n := n.(type) {
	case *js.Var:
		s.variable(root(n))
	case *js.DotExpr:
		s.local = s.local || localSources[propertyName(n)]
	case *js.LiteralExpr, js.LiteralExpr, *js.TemplateExpr:
		literal, _ := text(n.(js.IExpr))
		s.words += len(strings.Fields(literal))
	}
	return s
}

// Exit implements js.IVisitor.
func (s *sourceVisitor) Exit(js.INode) {}

func (s *sourceVisitor) variable(v *js.Var) {
	switch {
	case s.r.local[v] || v.Decl == js.NoDecl && localSources[string(v.Data)]:
		s.local = true
	case v.Decl == js.NoDecl && globals[string(v.Data)]:
	default:
		s.data = true
	}
}
