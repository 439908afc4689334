package drive

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/winnow-go/winnow/actions"
)

// clickAs is how a click is done without a model; false: no selector finds the element.
func (d *drive) clickAs(e Element) ([]actions.Action, bool) {
	selector := e.ClickSelector
	if selector == "" {
		selector = e.Selector
	}
	if selector == "" {
		return nil, false
	}
	var list []actions.Action
	if d.moved {
		list = append(list, actions.Action{Type: actions.Wait, Selector: selector})
	}
	if e.OpensTab {
		list = append(list, actions.Action{Type: actions.ExecuteJavaScript, Script: fmt.Sprintf(
			`const e = document.querySelector(%s); const by = e && (e.form || e.closest("a, area")); if (by) by.target = "_self"; if (e) e.removeAttribute("formtarget")`, literal(selector))})
	}
	return append(list, actions.Action{Type: actions.Click, Selector: selector}), true
}

// typeAs is how a text is typed.
func (d *drive) typeAs(e Element, text string, enter bool) ([]actions.Action, bool) {
	list, ok := d.clickAs(e)
	if !ok {
		return nil, false
	}
	if e.Filled {
		list = append(list, actions.Action{Type: actions.Press, Key: selectAll})
	}
	switch {
	case text != "":
		list = append(list, actions.Action{Type: actions.Write, Text: text})
	case e.Filled:
		list = append(list, actions.Action{Type: actions.Press, Key: "Delete"})
	}
	if enter {
		list = append(list, actions.Action{Type: actions.Press, Key: "Enter"})
	}
	return list, true
}

// selectScript chooses an option, given the selector of the element and the text of the option as literals.
const selectScript = `const e = document.querySelector(%s), want = %s; const fold = (s) => s.replace(/\s+/g, " ").trim();` + "\n" +
	`const o = [...e.options].find((o) => fold(o.label) === want || o.value === want) || [...e.options].find((o) ` +
	`=> fold(o.label).toLowerCase() === want.toLowerCase() || o.value.toLowerCase() === want.toLowerCase());` + "\n" +
	`if (!o) throw new Error("no such option"); if (e.multiple) o.selected = true; else e.selectedIndex = o.index;` + "\n" +
	`e.dispatchEvent(new Event("input", {bubbles: true, composed: true})); e.dispatchEvent(new Event("change", ` +
	`{bubbles: true}))`

// selectAs is how an option is chosen; there is no action of that kind.
func (d *drive) selectAs(e Element, option string) ([]actions.Action, bool) {
	if e.Selector == "" {
		return nil, false
	}
	script := fmt.Sprintf(selectScript, literal(e.Selector), literal(strings.Join(strings.Fields(option), " ")))
	var list []actions.Action
	if d.moved {
		list = append(list, actions.Action{Type: actions.Wait, Selector: e.Selector})
	}
	return append(list, actions.Action{Type: actions.ExecuteJavaScript, Script: script}), true
}

// gotoAs is how an address is loaded.
func gotoAs(address string) []actions.Action {
	return []actions.Action{
		{Type: actions.ExecuteJavaScript, Script: "location.assign(" + literal(address) + ")"},
		waitAs(500 * time.Millisecond),
	}
}

func waitAs(d time.Duration) actions.Action {
	return actions.Action{Type: actions.Wait, Milliseconds: max(1, int(d/time.Millisecond))}
}

// literal is s in JavaScript.
func literal(s string) string {
	data, err := json.Marshal(s)
	if err != nil {
		return `""`
	}
	return string(data)
}
