package script

import (
	"slices"
	"strings"

	"github.com/tdewolff/parse/v2/js"
)

// call reads what a call does.
func (v visitor) call(n *js.CallExpr) js.IVisitor {
	object, name := callee(n.X)
	if module, ok := text(argument(n.Args, 0)); ok && literal(n.X).TokenType == js.ImportToken {
		v.r.imports = append(v.r.imports, module)
	}
	switch {
	case name == "setTimeout" || name == "setInterval" || name == "requestIdleCallback":
		v.timer(name, n.Args)
		return v.withoutHandlers(n)
	case name == "define" && isNamed(object, "customElements"):
		v.define(n.Args)
	case (name == "write" || name == "writeln") && isNamed(object, "document"):
		v.unit.document = v.unit.document || !v.maybe && v.r.writesText(n.Args)
	case (name == "replace" || name == "assign") && object != nil && isLocation(object):
		v.leaves(true)
	case name == "then" && v.then(object, n.Args):
		return v.withoutHandlers(n)
	case isUserEventCall(name, n.Args):
		for _, arg := range n.Args.List {
			v.byAct(arg.Value)
		}
		return v.withoutHandlers(n)
	}
	v.unit.requests = v.unit.requests || v.r.requests(object, name, n.Args)
	v.fill(object, name, n.Args)
	v.handed(name, n.Args)
	return v
}

func isUserEventCall(name string, args js.Args) bool { return binder{}.isUserEvent(name, args) }

// withoutHandlers goes on with everything in a call but the names of functions, which do not run at once.
func (v visitor) withoutHandlers(n *js.CallExpr) js.IVisitor {
	js.Walk(v, n.X)
	for _, arg := range n.Args.List {
		switch unbound(arg.Value).(type) {
		case *js.Var, *js.DotExpr:
		default:
			js.Walk(v, arg.Value)
		}
	}
	return nil
}

// allUserEvents reports whether all events of a list are a user's: "click keyup.menu".
func allUserEvents(list string) bool {
	for event := range strings.FieldsSeq(list) {
		name, _, _ := strings.Cut(event, ".")
		if !userEvents[name] {
			return false
		}
	}
	return list != ""
}

func isNamed(e js.IExpr, want string) bool {
	if e == nil {
		return false
	}
	_, name := callee(e)
	return name == want
}

// requests reports whether a call requests data.
func (r *reader) requests(object js.IExpr, name string, args js.Args) bool {
	if object == nil || isWindow(object) {
		return requesters[name]
	}
	if name == "load" {
		_, isText := text(argument(args, 0))
		return isText && r.isElement(object) // heap.load("id") and its like start trackers
	}
	_, of := callee(object)
	return name == "getJSON" || wrappers[of] && wrapperRequests[name]
}

// isElement reports an expression that stands for an element, other than by a name that nothing declares.
func (r *reader) isElement(e js.IExpr) bool {
	if _, isName := e.(*js.Var); isName {
		return r.isBound(e)
	}
	return r.place(e) != ""
}

// define notes a custom element.
func (v visitor) define(args js.Args) {
	name, ok := text(argument(args, 0))
	if !ok {
		return
	}
	e := element{name: name, class: v.class(argument(args, 1))}
	v.unit.elements = append(v.unit.elements, e)
	if e.class != nil {
		v.unit.after = append(v.unit.after, timer{unit: e.class, delay: *v.waits})
	}
}

// class is the code of a class; nil where it is not known.
func (v visitor) class(e js.IExpr) *unit {
	switch e := e.(type) {
	case *js.ClassDecl:
		if v.r.units[e] == nil {
			v.r.units[e] = &unit{}
		}
		return v.r.units[e]
	case *js.Var:
		return v.r.functions[root(e)]
	}
	return nil
}

// noContent are elements that show no text.
var noContent = words(`script style link meta img iframe canvas video audio`)

// fill notes the place that a method fills.
func (v visitor) fill(object js.IExpr, name string, args js.Args) {
	first := argument(args, 0)
	switch {
	case name == "appendTo" || name == "prependTo" || name == "insertAfter":
		v.write(v.target(first), Value)
	case object == nil || !fillers[name] || v.isSilent(first) || v.isNew(object):
	case name == "load" && !v.r.isElement(object):
	case setters[name] && (first == nil || isFunctionLiteral(first)):
	case strings.HasPrefix(name, "insertAdjacent"):
		v.write(v.r.place(object), v.r.sourceOf(argument(args, 1)))
	default:
		v.write(v.r.place(object), v.r.sourceOf(first))
	}
}

// sourceOf is the source of an argument; one that is missing is none.
func (r *reader) sourceOf(e js.IExpr) Source {
	if e == nil {
		return ""
	}
	return r.source(e)
}

// isSilent reports an element without text: a script that is added loads code, not content.
func (v visitor) isSilent(e js.IExpr) bool {
	if name, ok := e.(*js.Var); ok {
		return noContent[v.r.created[root(name)]]
	}
	return e != nil && noContent[creates(e)]
}

// isNew reports a variable that holds a new element: what is put into it is content where it is put into the page.
func (v visitor) isNew(e js.IExpr) bool {
	name, ok := e.(*js.Var)
	return ok && v.r.created[root(name)] != "" && v.r.places[root(name)] == ""
}

func isFunctionLiteral(e js.IExpr) bool {
	switch e.(type) {
	case *js.ArrowFunc, *js.FuncDecl:
		return true
	}
	return false
}

// target is a place that is given as an element or as a selector.
func (v visitor) target(e js.IExpr) string {
	if s, ok := text(e); ok && !strings.HasPrefix(s, "<") {
		return s
	}
	return v.r.place(e)
}

// harmless are functions that are given an element and write nothing into it.
var harmless = words(`observe unobserve contains getComputedStyle removeChild appendChild append prepend insertBefore replaceChild
	replaceWith before after matches isSameNode compareDocumentPosition addEventListener removeEventListener push
	$ jQuery Boolean Array from getPropertyValue scrollTo`)

// handed notes places that are given to a function: the root of a framework, or whatever that does with them.
func (v visitor) handed(name string, args js.Args) {
	if harmless[name] {
		return
	}
	for _, arg := range args.List {
		if s, ok := text(arg.Value); ok && mounts[name] && (strings.HasPrefix(s, "#") || strings.HasPrefix(s, ".")) {
			v.write(s, Mount)
		} else if _, isName := arg.Value.(*js.Var); isName && !v.r.isBound(arg.Value) {
			continue
		} else if at := v.r.place(arg.Value); at != "" {
			v.write(at, sourceOfHanding(name))
		}
	}
}

func sourceOfHanding(name string) Source {
	if mounts[name] {
		return Mount
	}
	return Handed
}

// writesText reports whether document.write is given text that is content: not the year, and no element without text.
func (r *reader) writesText(args js.Args) bool {
	for _, arg := range args.List {
		from := r.source(arg.Value)
		if (from == Value || from == Literal) && !isTextless(arg.Value) {
			return true
		}
	}
	return false
}

// textless are the beginnings of elements that show no text, and of scripts in the spellings that keep them from ending their own.
var textless = []string{"<scr", "%3cscr", "<link", "<style", "<img", "<input", "<iframe", "<ins", "<noscript", "<meta", "<!--"}

// isTextless reports an expression with markup in it that shows no text. A tag may be in pieces: "<sc" + "ript".
func isTextless(e js.IExpr) bool {
	found := &markupFinder{}
	js.Walk(found, e)
	markup := strings.ToLower(found.markup.String())
	return slices.ContainsFunc(textless, func(part string) bool { return strings.Contains(markup, part) })
}

// markupFinder puts the literals of an expression together.
type markupFinder struct {
	markup  strings.Builder
	visited int
}

// Enter implements js.IVisitor.
func (m *markupFinder) Enter(n js.INode) js.IVisitor {
	if m.visited++; m.visited > maxVisited {
		return nil
	}
	switch n := n.(type) {
	case *js.TemplateExpr:
		for _, part := range n.List {
			m.markup.Write(part.Value)
		}
		m.markup.Write(n.Tail)
	case *js.LiteralExpr, js.LiteralExpr:
		s, _ := text(n.(js.IExpr))
		m.markup.WriteString(s)
	}
	return m
}

// Exit implements js.IVisitor.
func (m *markupFinder) Exit(js.INode) {}
