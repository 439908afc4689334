package parse

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

func TestCostly_longTagsAreNoAttributes(t *testing.T) {
	many := strings.Repeat(` data-attribute-of-some-length="a value of a few words that fills the tag up, so that it is looked at"`, 65)
	cases := map[string]struct {
		body string
		want bool
	}{
		"a drawing":              {`<path fill="#fff" d="` + strings.Repeat("M8.9 24.3c-.2-.2 ", 400) + `"/>`, false},
		"data in an attribute":   {`<div data-x='` + strings.Repeat(`{"a": "b / c"} `, 400) + `'>`, false},
		"as many as it may have": {"<p" + strings.TrimPrefix(many, ` data-attribute-of-some-length="a value of a few words that fills the tag up, so that it is looked at"`) + ">", false},
		"one more":               {"<p" + many + ">", true},
		"unquoted":               {"<p " + strings.Repeat("abc=defghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijk ", 100) + ">", true},
		"after a < in a value":   {`<p title="<"` + strings.Repeat(many, 4) + ">", true},
	}
	for name, c := range cases {
		if len(c.body) < longTag {
			t.Fatalf("%s: too short to be looked at", name)
		}
		if got := costly([]byte(c.body)); got != c.want {
			t.Errorf("%s: got %v", name, got)
		}
	}
	if !costly([]byte(strings.Repeat("<b>x", 30))) || costly([]byte(strings.Repeat("<b>x</b>", 30))) {
		t.Error("unclosed formatting elements are told from closed ones")
	}
}

func TestTagKinds(t *testing.T) {
	names := append(slices.Collect(maps.Keys(formatting)), slices.Collect(maps.Keys(rawElement))...)
	for _, name := range append(names, "html", "body") {
		if k := kindOf(shortName([]byte(name))); k.formatting != formatting[name] || (k.raw > 0) != rawElement[name] || !k.formatting && k.raw == 0 && !k.page {
			t.Errorf("%s: got %+v", name, k)
		}
	}
	if k := kindOf(shortName([]byte("div"))); k != (tagKind{}) {
		t.Errorf("div: got %+v", k)
	}
}
