package script

import (
	"strconv"
	"time"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/js"
)

// An interval that is shorter than shortInterval is taken to run repeats times until it does what it waits for.
const (
	repeats       = 3
	shortInterval = 2 * time.Second
)

// timer makes the callback of setTimeout and its kin a unit that runs later.
func (v visitor) timer(name string, args js.Args) {
	callback := unbound(argument(args, 0))
	if callback == nil {
		return
	}
	later, delay := &unit{}, v.r.delay(argument(args, 1))
	if name == "setInterval" && delay < shortInterval {
		delay *= repeats
	}
	v.unit.after = append(v.unit.after, timer{unit: later, delay: *v.waits + delay})
	switch callback := callback.(type) {
	case *js.Var:
		later.uses = append(later.uses, use{name: root(callback)})
	case *js.ArrowFunc, *js.FuncDecl:
		v.r.units[callback] = later
	case *js.DotExpr:
		visitor{r: v.r, unit: later, waits: new(time.Duration)}.named(callback)
	default:
		v.code(callback, later)
	}
}

// unbound is the function of which an expression binds this: f.bind(this).
func unbound(e js.IExpr) js.IExpr {
	if call, ok := e.(*js.CallExpr); ok {
		if object, name := callee(call.X); name == "bind" && object != nil {
			return unbound(object)
		}
	}
	if group, ok := e.(*js.GroupExpr); ok {
		return unbound(group.X)
	}
	return e
}

// maxCode is how many bytes of code in a string are read.
const maxCode = 4 << 10

// code reads the code in a string that a timer runs. It calls functions by their names.
func (v visitor) code(e js.IExpr, later *unit) {
	source, ok := text(e)
	if !ok || len(source) > maxCode || v.r.nested {
		return
	}
	ast, err := js.Parse(parse.NewInputString(source), js.Options{})
	if err != nil {
		return
	}
	v.r.nested = true
	defer func() { v.r.nested = false }()
	js.Walk(binder{r: v.r, depth: 1}, ast)
	js.Walk(visitor{r: v.r, unit: later, waits: new(time.Duration)}, ast)
	for _, u := range later.uses {
		if to := v.r.global[string(u.name.Data)]; to != nil {
			later.after = append(later.after, timer{unit: to})
		}
	}
}

// delay is a number of milliseconds: a literal, a variable that is given one, or a product of them; 0 for all else.
func (r *reader) delay(e js.IExpr) time.Duration {
	ms := r.number(e, 0)
	if ms < 0 || ms > 1e9 {
		return 0
	}
	return time.Duration(ms * float64(time.Millisecond))
}

// maxFactors is how many numbers of a product are read.
const maxFactors = 8

func (r *reader) number(e js.IExpr, depth int) float64 {
	if depth > maxFactors {
		return 0
	}
	switch e := e.(type) {
	case *js.GroupExpr:
		return r.number(e.X, depth+1)
	case *js.Var:
		return r.numbers[root(e)]
	case *js.BinaryExpr:
		if e.Op == js.MulToken {
			return r.number(e.X, depth+1) * r.number(e.Y, depth+1)
		}
		return 0
	}
	n, err := strconv.ParseFloat(string(literal(e).Data), 64)
	if err != nil {
		return 0
	}
	return n
}

// sleeper is a function that returns a promise which a timer keeps: const sleep = ms => new Promise(r => setTimeout(r, ms)).
type sleeper struct {
	parameter int // that says how long; -1 for none
	fixed     time.Duration
}

// sleeper notes a function whose promise a timer keeps.
func (b binder) sleeper(name *js.Var, params js.Params, body js.BlockStmt) {
	if name == nil || len(body.List) != 1 {
		return
	}
	returned, ok := body.List[0].(*js.ReturnStmt)
	if !ok {
		return
	}
	wait := b.r.waitOf(returned.Value)
	if wait == nil {
		return
	}
	s := sleeper{-1, b.r.delay(wait)}
	if given, ok := wait.(*js.Var); ok {
		for i, p := range params.List {
			if v, ok := p.Binding.(*js.Var); ok && root(v) == root(given) {
				s.parameter = i
			}
		}
	}
	b.r.sleepers[name] = s
}

// waitOf is the argument that says how long a timer waits which keeps a new promise; nil for any other expression.
func (r *reader) waitOf(e js.IExpr) js.IExpr {
	made, ok := e.(*js.NewExpr)
	if !ok || made.Args == nil || !isNamed(made.X, "Promise") {
		return nil
	}
	find := &timerFinder{}
	js.Walk(find, argument(*made.Args, 0))
	return find.wait
}

// timerFinder finds how long the first timer in an expression waits.
type timerFinder struct {
	wait    js.IExpr
	visited int
}

// Enter implements js.IVisitor.
func (f *timerFinder) Enter(n js.INode) js.IVisitor {
	if f.visited++; f.visited > maxVisited || f.wait != nil {
		return nil
	}
	if call, ok := n.(*js.CallExpr); ok {
		if _, name := callee(call.X); name == "setTimeout" {
			f.wait = argument(call.Args, 1)
			return nil
		}
	}
	return f
}

// Exit implements js.IVisitor.
func (f *timerFinder) Exit(js.INode) {}

// keptAfter is how long a promise takes that a timer keeps; 0 for all others.
func (r *reader) keptAfter(e js.IExpr) time.Duration {
	switch e := e.(type) {
	case *js.GroupExpr:
		return r.keptAfter(e.X)
	case *js.Var:
		return r.promises[root(e)]
	case *js.NewExpr:
		return r.delay(r.waitOf(e))
	case *js.CallExpr:
		name, ok := e.X.(*js.Var)
		if !ok {
			return 0
		}
		s, ok := r.sleepers[root(name)]
		if ok && s.parameter >= 0 {
			return r.delay(argument(e.Args, s.parameter))
		}
		return s.fixed
	}
	return 0
}

// then makes what follows a promise that a timer keeps a unit that runs later; false for other promises.
func (v visitor) then(object js.IExpr, args js.Args) bool {
	wait := v.r.keptAfter(object)
	if wait == 0 {
		return false
	}
	switch callback := unbound(argument(args, 0)).(type) {
	case *js.ArrowFunc, *js.FuncDecl:
		later := &unit{}
		v.r.units[callback] = later
		v.unit.after = append(v.unit.after, timer{unit: later, delay: *v.waits + wait})
	case *js.Var:
		v.unit.uses = append(v.unit.uses, use{root(callback), *v.waits + wait})
	}
	return true
}
