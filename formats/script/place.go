package script

import (
	"strings"

	"github.com/tdewolff/parse/v2/js"
)

// maxChain is how many steps from element to element are followed: chains are walked from each of their steps.
const maxChain = 32

// place returns the selector of the element that an expression stands for; "" where it is not known.
func (r *reader) place(e js.IExpr) string {
	if r.chain >= maxChain {
		return ""
	}
	r.chain++
	defer func() { r.chain-- }()
	switch e := e.(type) {
	case *js.GroupExpr:
		return r.place(e.X)
	case *js.Var:
		return r.variable(e)
	case *js.UnaryExpr:
		return r.place(e.X)
	case *js.IndexExpr:
		return r.place(e.X)
	case *js.DotExpr:
		return r.property(e)
	case *js.CallExpr:
		return r.found(e)
	case *js.CondExpr:
		return firstNonEmpty(r.place(e.X), r.place(e.Y))
	case *js.BinaryExpr:
		if e.Op == js.OrToken || e.Op == js.AndToken || e.Op == js.NullishToken {
			return firstNonEmpty(r.place(e.X), r.place(e.Y))
		}
	}
	return ""
}

func firstNonEmpty(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// variable is what was put into a variable; a name that nothing declares is an element's id.
func (r *reader) variable(v *js.Var) string {
	v = root(v)
	if at, known := r.places[v]; known {
		return at
	}
	if name := string(v.Data); v.Decl == js.NoDecl && !globals[name] {
		return "#" + name
	}
	return ""
}

// root is the variable that a use of it leads to.
func root(v *js.Var) *js.Var {
	for v.Link != nil {
		v = v.Link
	}
	return v
}

func (r *reader) property(e *js.DotExpr) string {
	name := propertyName(e)
	switch {
	case name == "body" || name == "documentElement":
		return "body"
	case neighbors[name]:
		return r.place(e.X)
	}
	return ""
}

// propertyName is the name after the dot.
func propertyName(e *js.DotExpr) string {
	if name, ok := e.Y.(*js.Var); ok {
		return string(name.Data)
	}
	return string(literal(e.Y).Data)
}

// literal is an expression as a literal, of no kind where it is none.
func literal(e js.IExpr) js.LiteralExpr {
	switch e := e.(type) {
	case *js.LiteralExpr:
		return *e
	case js.LiteralExpr:
		return e
	}
	return js.LiteralExpr{}
}

// found is the place that a call returns: it finds an element, or goes on from one.
func (r *reader) found(call *js.CallExpr) string {
	object, name := callee(call.X)
	first, isText := text(argument(call.Args, 0))
	switch {
	case name == "getElementById" && isText:
		return "#" + first
	case name == "getElementsByClassName" && isText:
		return "." + strings.Join(strings.Fields(first), ".")
	case name == "getElementsByTagName" && isText:
		return first
	case finders[name] && isText:
		return within(r.place(object), first)
	case (name == "$" || name == "jQuery" || name == "$$") && isText:
		return first
	case neighbors[name] && object != nil:
		return r.place(object)
	case name == "$" || name == "jQuery":
		return r.place(argument(call.Args, 0))
	}
	if v, ok := call.X.(*js.Var); ok && isText {
		return r.made(root(v), first)
	}
	return ""
}

// made is the place that one of the script's own functions finds for a text.
func (r *reader) made(function *js.Var, selector string) string {
	if prefix, ok := r.finders[function]; ok {
		return prefix + selector
	}
	if strings.HasPrefix(selector, "#") || strings.HasPrefix(selector, ".") {
		return selector // jQuery and its kin under the short names of a bundle
	}
	return ""
}

// within is a selector below a place; those of the whole page stay as they are.
func within(outer, selector string) string {
	if outer == "" || outer == "body" || strings.Contains(outer, ",") {
		return selector
	}
	return outer + " " + selector
}

// callee splits what is called into its object, nil for a plain name, and the name.
func callee(e js.IExpr) (object js.IExpr, name string) {
	switch e := e.(type) {
	case *js.GroupExpr:
		return callee(e.X)
	case *js.Var:
		return nil, string(e.Name())
	case *js.DotExpr:
		return e.X, propertyName(e)
	case *js.IndexExpr:
		name, _ := text(e.Y)
		return e.X, name
	}
	return nil, ""
}

// argument is one of a call's, nil where there are fewer.
func argument(args js.Args, i int) js.IExpr {
	if i >= len(args.List) {
		return nil
	}
	return args.List[i].Value
}

// text is the value of a string literal, or of a template without expressions.
func text(e js.IExpr) (string, bool) {
	if l := literal(e); l.TokenType == js.StringToken {
		return unquote(l.Data), true
	}
	switch e := e.(type) {
	case *js.TemplateExpr:
		if e.Tag == nil && len(e.List) == 0 {
			return strings.Trim(string(e.Tail), "`"), true
		}
	case *js.GroupExpr:
		return text(e.X)
	}
	return "", false
}

// unquote takes the quotes from a literal. Its escapes are of no interest but that of a quote or a slash.
func unquote(data []byte) string {
	if len(data) < 2 {
		return ""
	}
	return strings.ReplaceAll(string(data[1:len(data)-1]), `\`, "")
}
