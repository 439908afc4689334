package folding

import (
	"fmt"
	"slices"
	"testing"
)

func only(list ...Rule) func(Rule) bool { return func(r Rule) bool { return slices.Contains(list, r) } }

func TestFold_byRule(t *testing.T) {
	const a = "https://a.example"
	for _, c := range []struct {
		rules     []Rule
		key, want string
	}{
		{nil, "/a?utm_source=x&b=1", "/a?utm_source=x&b=1"},
		{[]Rule{"utm_source"}, "/a?utm_source=x&b=1", "/a?b=1"},
		{[]Rule{"utm_source"}, "/a?utm_medium=x&utm_source=y", "/a?utm_medium=x"},
		{[]Rule{"utm_source"}, "/a?utm_source=x", "/a"},
		{[]Rule{"utm_source"}, "/a?UTM_Source=x&utm_source=y", "/a"},
		{[]Rule{"utm_source"}, "/a?x=utm_source&utm_source", "/a?x=utm_source"},
		{[]Rule{"utm_source"}, "/a?utm_source=x#/route?utm_source=x", "/a#/route?utm_source=x"},
		{[]Rule{"phpsessid"}, "/a?PHPSESSID=17&b=2&b=1", "/a?b=2&b=1"},
		{[]Rule{"sid"}, "/a;sid=1?sid=2", "/a;sid=1"},
		{[]Rule{";jsessionid"}, "/a;jsessionid=1F;v=2/b;jsessionid=1F?x=;jsessionid=3", "/a;v=2/b?x=;jsessionid=3"},
		{[]Rule{Order}, "/a?b=2&a=1&b=1&a=0", "/a?a=1&a=0&b=2&b=1"},
		{[]Rule{Slashes}, "//a///b//?x=//", "/a/b/?x=//"},
		{[]Rule{Slashes, ";sid"}, "/a/;sid=1/b", "/a/b"},
	} {
		if got := Fold(a+c.key, only(c.rules...)); got != a+c.want {
			t.Errorf("%s by %q: got %s, want %s", c.key, c.rules, got, c.want)
		}
	}
	for _, key := range []string{"", "x", "mailto:a@b?utm_source=x", "https://a.example"} {
		if got := Group(key); got != key {
			t.Errorf("%q became %q", key, got)
		}
	}
}

func TestBetween_areTheRulesThatMakeTwoOne(t *testing.T) {
	for _, c := range []struct{ a, b, want string }{
		{"/a", "/a", "[]"},
		{"/a", "/b?utm_source=x", "[]"},
		{"/a?x=1", "/a?x=2", "[]"},
		{"/a", "/a?utm_source=x", "[utm_source]"},
		{"/a?utm_source=y", "/a?utm_source=x", "[utm_source]"},
		{"/a?utm_source=y", "/a?utm_medium=x", "[utm_medium utm_source]"},
		{"/a?utm_source=y&b=1", "/a?b=1&utm_source=y", "[&]"},
		{"/a?utm_source=y&sid=1", "/a?sid=2&utm_source=y", "[sid]"},
		{"/a?c=1&b=1&gclid=7", "/a?b=1&c=1", "[& gclid]"},
		{"/a//b;jsessionid=1", "/a/b", "[// ;jsessionid]"},
		{"/a;sid=1/b", "/a/b;sid=1", "[;sid]"},
	} {
		for _, pair := range [][2]string{{c.a, c.b}, {c.b, c.a}} {
			if got := fmt.Sprint(Between("https://a.example"+pair[0], "https://a.example"+pair[1])); got != c.want {
				t.Errorf("%s, %s: got %s, want %s", pair[0], pair[1], got, c.want)
			}
		}
	}
}

func TestRule_kinds(t *testing.T) {
	for rule, want := range map[Rule]string{
		Order: "order of parameters", Slashes: "doubled slashes", "sid": "session id", ";jsessionid": "session id", "gclid": "tracking parameter",
	} {
		if got := rule.Kind(); got != want {
			t.Errorf("%s: got %s, want %s", rule, got, want)
		}
	}
	for _, name := range []string{"utm_", "id", "page", "utm_" + string(make([]byte, maxName))} {
		if got := ofParameter(name); got != "" {
			t.Errorf("%q is a candidate: %s", name, got)
		}
	}
}

// A folded key stays as it is, and two keys are one by the rules between them.
func FuzzFold(f *testing.F) {
	for _, path := range []string{"/a?utm_source=x&b=2&a=1&&=&b", "//a//;sid=1/;sid/?", "/a;jsessionid=1;jsessionid=2;x?sid", "/?#/a?sid=1//", "/&?&sid=1&"} {
		f.Add(path, "/a", uint8(7))
		f.Add(path, "/a;sid=2?a=1&b=2&utm_source=y", uint8(3))
	}
	rules := []Rule{Order, Slashes, "utm_source", "sid", ";sid", ";jsessionid"}
	f.Fuzz(func(t *testing.T, one, other string, which uint8) {
		holds := func(r Rule) bool { return slices.Index(rules, r) >= 0 && which>>slices.Index(rules, r)&1 == 1 }
		const origin = "https://a.example/"
		one, other = origin+one, origin+other
		folded := Fold(one, holds)
		if again := Fold(folded, holds); again != folded {
			t.Fatalf("%q became %q, then %q", one, folded, again)
		}
		if Group(folded) != Group(one) {
			t.Fatalf("%q is of group %q, folded of %q", one, Group(one), Group(folded))
		}
		if between := Between(one, other); Group(one) == Group(other) && Fold(one, only(between...)) != Fold(other, only(between...)) {
			t.Fatalf("%q and %q are one page, but not by %q", one, other, between)
		}
	})
}
