package script

import "testing"

func TestIsData(t *testing.T) {
	for source, want := range map[string]bool{
		`window.__STATE__ = {"a": "fetch(x)", 'b': [1, -2.5e3, null, true, "\"innerHTML\""]};`: true,
		`self.__next_f.push([1, "1f:[\"$\",\"div\"]\n"])`:                                      true,
		`(window.x = window.x || []).push({"a": 1})`:                                           true,
		`var a = {"b": 1}, c = "d"; window["e"] = a`:                                           true,
		`let x = 1`: true,
		``:          true,
		`stock.textContent = "Seven pieces are left here"`: false,
		`location = "/next"`:                     false,
		`location.href = "/next"`:                false,
		`fetch("/x")`:                            false,
		`document.write("<p>x")`:                 false,
		`window.x = () => fetch`:                 false,
		`window.x = function () {}`:              false,
		"window.x = `${fetch}`":                  false,
		`window.x = {get y() { return 1 }}`:      false,
		`push("x")`:                              true,
		`a["innerHTML"] = b`:                     true, // what is not seen in code either
		`window.x = "unended`:                    false,
		`/* x */ window.y = 1`:                   false,
		`document.getElementById("x").value = 1`: false,
	} {
		if got := isData([]byte(source)); got != want {
			t.Errorf("%s: got %t", source, got)
		}
	}
}
