package script

import (
	"context"
	"strings"
	"time"

	"github.com/tdewolff/parse/v2/js"
)

// reader has what is known of a script. Its binder fills it before its visitor reads.
type reader struct {
	ctx       context.Context
	top       *unit
	functions map[*js.Var]*unit         // also classes
	global    map[string]*unit          // the functions that other scripts and the page's attributes can call
	units     map[js.INode]*unit        // functions and classes that are units of their own
	places    map[*js.Var]string        // variables that hold an element
	finders   map[*js.Var]string        // functions that find an element by their argument, with what stands before it
	created   map[*js.Var]string        // variables that hold a new element, with its name
	local     map[*js.Var]bool          // variables that hold the time or what the browser stores
	numbers   map[*js.Var]float64       // variables that hold a number
	promises  map[*js.Var]time.Duration // variables that hold a promise which a timer keeps
	sleepers  map[*js.Var]sleeper
	names     map[string]struct{} // short string literals
	imports   []string
	methods   methods
	chain     int  // depth of place
	nested    bool // code in a string is being read
}

func newReader(ctx context.Context) *reader {
	return &reader{
		ctx: ctx, top: &unit{}, functions: map[*js.Var]*unit{}, global: map[string]*unit{}, units: map[js.INode]*unit{},
		places: map[*js.Var]string{}, finders: map[*js.Var]string{}, created: map[*js.Var]string{}, local: map[*js.Var]bool{},
		numbers: map[*js.Var]float64{}, promises: map[*js.Var]time.Duration{}, sleepers: map[*js.Var]sleeper{}, names: map[string]struct{}{},
		methods: newMethods(),
	}
}

// binder notes what variables stand for and which functions are units, since code uses names that are declared below it.
type binder struct {
	r     *reader
	depth int // of functions
}

// Enter implements js.IVisitor.
func (b binder) Enter(n js.INode) js.IVisitor {
	if b.r.ctx.Err() != nil {
		return nil
	}
	switch n := n.(type) {
	case *js.FuncDecl:
		b.function(n)
		b.depth++
	case *js.ArrowFunc:
		b.depth++
	case *js.MethodDecl:
		b.method(n, &n.Name.PropertyName)
		b.depth++
	case *js.Field:
		b.member(&n.Name.PropertyName, n.Init)
	case *js.ClassDecl:
		b.class(n)
	case *js.BindingElement:
		b.bind(n.Binding, n.Default)
	case *js.BinaryExpr:
		b.assign(n)
	case *js.ForOfStmt:
		b.loop(n)
	case *js.CallExpr:
		b.call(n)
	case *js.Property:
		b.member(n.Name, n.Value)
	}
	return b
}

// Exit implements js.IVisitor.
func (b binder) Exit(js.INode) {}

func (b binder) function(n *js.FuncDecl) {
	if n.Name == nil || n.Name.Decl == js.ExprDecl {
		return
	}
	b.unit(n, root(n.Name))
	b.finder(root(n.Name), n.Params, n.Body)
	b.sleeper(root(n.Name), n.Params, n.Body)
}

// unit makes the code of a node one of its own, known by a variable.
func (b binder) unit(n js.INode, name *js.Var) {
	if b.r.units[n] == nil {
		b.r.units[n] = &unit{}
	}
	if name == nil {
		return
	}
	b.r.functions[name] = b.r.units[n]
	if b.depth == 0 {
		b.r.global[string(name.Data)] = b.r.units[n]
	}
}

func (b binder) class(n *js.ClassDecl) {
	if n.Name != nil {
		b.unit(n, root(n.Name))
	}
}

// bind notes what a variable is given.
func (b binder) bind(to js.IBinding, value js.IExpr) {
	name, ok := to.(*js.Var)
	if !ok || value == nil {
		return
	}
	v := root(name)
	switch value := value.(type) {
	case *js.ArrowFunc:
		b.unit(value, v)
		b.finder(v, value.Params, value.Body)
		b.sleeper(v, value.Params, value.Body)
	case *js.FuncDecl:
		b.unit(value, v)
		b.finder(v, value.Params, value.Body)
		b.sleeper(v, value.Params, value.Body)
	case *js.ClassDecl:
		b.unit(value, v)
	default:
		b.hold(v, value)
	}
}

// hold notes a variable that holds an element, or something that only the browser knows.
func (b binder) hold(v *js.Var, value js.IExpr) {
	if tag := creates(value); tag != "" {
		b.r.created[v] = tag
	} else if n := b.r.number(value, 0); n != 0 {
		b.r.numbers[v] = n
	} else if wait := b.r.keptAfter(value); wait != 0 {
		b.r.promises[v] = wait
	} else if _, isName := value.(*js.Var); isName {
		return // what another script has declared
	} else if at := b.r.place(value); at != "" {
		b.r.places[v] = at
	} else if b.r.source(value) == Local {
		b.r.local[v] = true
	}
}

// creates returns the name of the element that an expression makes; "" for any other.
func creates(e js.IExpr) string {
	call, ok := e.(*js.CallExpr)
	if !ok {
		return ""
	}
	if _, name := callee(call.X); name != "createElement" {
		return ""
	}
	tag, _ := text(argument(call.Args, 0))
	return tag
}

func (b binder) assign(n *js.BinaryExpr) {
	if n.Op != js.EqToken {
		return
	}
	switch left := n.X.(type) {
	case *js.Var:
		b.bind(left, n.Y)
	case *js.DotExpr:
		if isHandler(propertyName(left)) {
			b.handler(n.Y)
		}
	}
}

// isHandler reports the name of a property that holds the handler of a user's act: onclick, and onClick of components.
func isHandler(name string) bool {
	return len(name) > 2 && name[:2] == "on" && userEvents[strings.ToLower(name[2:])]
}

// handler takes the code of a user's act out of what runs by itself.
func (b binder) handler(e js.IExpr) {
	switch e := unbound(e).(type) {
	case *js.ArrowFunc, *js.FuncDecl:
		b.unit(e, nil)
	}
}

func (b binder) loop(n *js.ForOfStmt) {
	if decl, ok := n.Init.(*js.VarDecl); ok && len(decl.List) == 1 {
		b.bind(decl.List[0].Binding, n.Value)
	}
}

// eachMethods call their argument with each element: the place of the parameter that is the element.
var eachMethods = map[string]int{"forEach": 0, "map": 0, "each": 1, "filter": 0}

func (b binder) call(n *js.CallExpr) {
	object, name := callee(n.X)
	if i, ok := eachMethods[name]; ok && object != nil {
		b.parameter(argument(n.Args, 0), i, b.r.place(object))
	}
	if b.isUserEvent(name, n.Args) {
		for _, arg := range n.Args.List {
			b.handler(arg.Value)
		}
	}
	if options, ok := argument(n.Args, 0).(*js.ObjectExpr); ok && subscribers[name] {
		b.handlers(options)
	}
}

// subscribers are the methods that wait for events, by name.
var subscribers = words(`addEventListener on one bind live delegate attachEvent`)

// handlers takes the handlers of users' acts out of an object: {click: …, "click keyup": …}.
func (b binder) handlers(o *js.ObjectExpr) {
	for _, p := range o.List {
		if p.Name != nil && allUserEvents(keyOf(p.Name)) {
			b.handler(p.Value)
		}
	}
}

// keyOf is the name of a property.
func keyOf(n *js.PropertyName) string {
	if n.Literal.TokenType == js.StringToken {
		return unquote(n.Literal.Data)
	}
	return string(n.Literal.Data)
}

// parameter binds a parameter of a callback to a place.
func (b binder) parameter(callback js.IExpr, i int, place string) {
	var params []js.BindingElement
	switch f := callback.(type) {
	case *js.ArrowFunc:
		params = f.Params.List
	case *js.FuncDecl:
		params = f.Params.List
	}
	if i >= len(params) || place == "" {
		return
	}
	if v, ok := params[i].Binding.(*js.Var); ok {
		b.r.places[root(v)] = place
	}
}

// isUserEvent reports whether a call waits for an act of the user: addEventListener("click", …), $(…).on("click", …), $(…).click(…).
func (b binder) isUserEvent(name string, args js.Args) bool {
	if subscribers[name] {
		at := 0
		if name == "delegate" { // jQuery's: a selector comes first
			at = 1
		}
		event, ok := text(argument(args, at))
		return ok && allUserEvents(event)
	}
	return userEvents[name] && len(args.List) > 0 && isFunction(args.List[len(args.List)-1].Value)
}

func isFunction(e js.IExpr) bool {
	switch e.(type) {
	case *js.ArrowFunc, *js.FuncDecl, *js.Var:
		return true
	}
	return false
}

// finder notes a function of one parameter that returns the element which that names: (s) => document.querySelector(s).
func (b binder) finder(name *js.Var, params js.Params, body js.BlockStmt) {
	if len(params.List) == 0 || len(body.List) != 1 {
		return
	}
	returned, ok := body.List[0].(*js.ReturnStmt)
	if !ok {
		return
	}
	call, ok := returned.Value.(*js.CallExpr)
	if !ok || len(call.Args.List) == 0 {
		return
	}
	given, ok := call.Args.List[0].Value.(*js.Var)
	first, isVar := params.List[0].Binding.(*js.Var)
	if !ok || !isVar || root(given) != root(first) {
		return
	}
	switch _, method := callee(call.X); {
	case method == "getElementById":
		b.r.finders[name] = "#"
	case finders[method]:
		b.r.finders[name] = ""
	}
}
