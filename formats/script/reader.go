package script

import (
	"strconv"
	"strings"
	"time"

	"github.com/tdewolff/parse/v2/js"
)

// visitor reads the code of one unit.
type visitor struct {
	r     *reader
	unit  *unit
	maybe bool // under a condition
}

// Enter implements js.IVisitor.
func (v visitor) Enter(n js.INode) js.IVisitor {
	if v.r.ctx.Err() != nil {
		return nil
	}
	if u := v.r.own(n); u != nil {
		v.unit, v.maybe = u, false
	}
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
	case *js.Var:
		v.unit.uses = append(v.unit.uses, root(n))
	}
	return v
}

// Exit implements js.IVisitor.
func (v visitor) Exit(js.INode) {}

// own is the unit that a node's code is; nil for those that belong to the unit around them.
func (r *reader) own(n js.INode) *unit {
	switch n.(type) {
	case *js.FuncDecl, *js.ArrowFunc, *js.ClassDecl: // others may be no keys of a map
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
	}
	return v
}

func (v visitor) assigned(n *js.BinaryExpr) {
	switch left := n.X.(type) {
	case *js.Var:
		v.leaves(root(left).Decl == js.NoDecl && string(left.Name()) == "location")
	case *js.DotExpr:
		name := propertyName(left)
		v.leaves(name == "location" || name == "href" && isLocation(left.X))
		if contentProperties[name] {
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

// write notes a place that is filled. What is set to nothing is not.
func (v visitor) write(place string, from Source) {
	if from != "" {
		v.unit.writes = append(v.unit.writes, Write{Place: place, Source: from})
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

// timer makes the callback of setTimeout and its kin a unit that runs later.
func (v visitor) timer(args js.Args) {
	callback := argument(args, 0)
	if callback == nil {
		return
	}
	later := &unit{}
	v.unit.after = append(v.unit.after, timer{later, delay(argument(args, 1))})
	if name, ok := callback.(*js.Var); ok {
		later.uses = append(later.uses, root(name))
		return
	}
	if isFunctionLiteral(callback) {
		v.r.units[callback] = later
	}
}

// delay is a literal number of milliseconds; 0 for all else.
func delay(e js.IExpr) time.Duration {
	ms, err := strconv.ParseFloat(string(literal(e).Data), 64)
	if err != nil || ms < 0 || ms > 1e9 {
		return 0
	}
	return time.Duration(ms * float64(time.Millisecond))
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
