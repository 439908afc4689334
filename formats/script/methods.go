package script

import (
	"time"

	"github.com/tdewolff/parse/v2/js"
)

// methods are the functions that objects and classes have by name. One whose name the script uses runs where that is used. One whose name
// it doesn't use runs where its object or class is made: a framework calls it.
type methods struct {
	units map[string][]*unit
	names map[js.INode]string
	used  map[string]bool
}

func newMethods() methods {
	return methods{units: map[string][]*unit{}, names: map[js.INode]string{}, used: map[string]bool{}}
}

// lifecycles are methods that frameworks and browsers call even if the script does too: of custom elements, Vue, React, Lit, Angular,
// Stimulus and Alpine.
var lifecycles = words(`connectedCallback attributeChangedCallback adoptedCallback render mounted beforeMount created beforeCreate setup data
	componentDidMount componentWillMount componentDidUpdate firstUpdated updated ngOnInit ngAfterViewInit connect initialize init ready`)

// runsByItself reports whether a method runs where its object or class is made.
func (m *methods) runsByItself(name string) bool {
	return name == "" || !m.used[name] || lifecycles[name]
}

// use of a method's name, with what is awaited before it.
type methodUse struct {
	name  string
	after time.Duration
}

// method makes a function of an object or a class a unit of its own.
func (b binder) method(n js.INode, name *js.PropertyName) {
	key := keyOf(name)
	if key == "" || key == "constructor" || b.r.units[n] != nil {
		return
	}
	b.unit(n, nil)
	b.r.methods.units[key] = append(b.r.methods.units[key], b.r.units[n])
	b.r.methods.names[n] = key
}

// member makes the function that a property or a field holds a method, or the handler of a user's act.
func (b binder) member(name *js.PropertyName, value js.IExpr) {
	switch {
	case name == nil:
	case isHandler(keyOf(name)):
		b.handler(value)
	case isFunctionLiteral(value):
		b.method(value, name)
	}
}

// named notes the use of a name that could be a method's.
func (v visitor) named(e *js.DotExpr) {
	if name := propertyName(e); v.r.methods.units[name] != nil {
		v.r.methods.used[name] = true
		v.unit.names = append(v.unit.names, methodUse{name, *v.waits})
	}
}

// byAct notes that a user's act runs the method that an expression names; false for no such expression.
func (v visitor) byAct(e js.IExpr) bool {
	dot, ok := unbound(e).(*js.DotExpr)
	if !ok || v.r.methods.units[propertyName(dot)] == nil {
		return false
	}
	v.r.methods.used[propertyName(dot)] = true
	return true
}
