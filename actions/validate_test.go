package actions_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/winnow-go/winnow/actions"
)

// whole has every field set to a value that is valid for some type.
func whole(t actions.Type) actions.Action {
	return actions.Action{
		Type: t, Milliseconds: 1, Selector: "#a", All: true, Text: "x", Key: "a", Direction: "up", Script: "1", FullPage: true,
		Quality: 1, Viewport: &actions.Viewport{Width: 1, Height: 1}, Format: "A4", Landscape: true, Scale: 1,
	}
}

func TestValidate_acceptsEachTypeAtItsBounds(t *testing.T) {
	for _, a := range []actions.Action{
		{Type: actions.Wait, Milliseconds: 1},
		{Type: actions.Wait, Milliseconds: 60000},
		{Type: actions.Wait, Selector: "#a > b"},
		{Type: actions.Click, Selector: "a"},
		{Type: actions.Click, Selector: "a", All: true},
		{Type: actions.Screenshot},
		{Type: actions.Screenshot, FullPage: true, Quality: 1, Viewport: &actions.Viewport{Width: 1, Height: 1}},
		{Type: actions.Screenshot, Quality: 100, Viewport: &actions.Viewport{Width: 7680, Height: 4320}},
		{Type: actions.Write, Text: "x"},
		{Type: actions.Write, Text: " \n"},
		{Type: actions.Press, Key: "Enter"},
		{Type: actions.Press, Key: " "},
		{Type: actions.Scroll},
		{Type: actions.Scroll, Direction: "down"},
		{Type: actions.Scroll, Direction: "up", Selector: "#box"},
		{Type: actions.Scrape},
		{Type: actions.ExecuteJavaScript, Script: "1"},
		{Type: actions.PDF},
		{Type: actions.PDF, Format: "A0", Landscape: true, Scale: 0.1},
		{Type: actions.PDF, Format: "Ledger", Scale: 2},
	} {
		if err := actions.Validate([]actions.Action{a}, 0); err != nil {
			t.Errorf("%+v: got %v, want it accepted", a, err)
		}
	}
}

func TestValidate_namesTheFieldThatIsWrong(t *testing.T) {
	for _, test := range []struct {
		field  string
		action actions.Action
	}{
		{"type", actions.Action{}},
		{"type", actions.Action{Type: "hover"}},
		{"milliseconds", actions.Action{Type: actions.Wait}},
		{"milliseconds", actions.Action{Type: actions.Wait, Milliseconds: -1}},
		{"milliseconds", actions.Action{Type: actions.Wait, Milliseconds: 60001}},
		{"milliseconds", actions.Action{Type: actions.Wait, Milliseconds: math.MaxInt}},
		{"milliseconds", actions.Action{Type: actions.Wait, Milliseconds: 5, Selector: "a"}},
		{"selector", actions.Action{Type: actions.Wait, Selector: " \t"}},
		{"selector", actions.Action{Type: actions.Click}},
		{"selector", actions.Action{Type: actions.Click, Selector: " "}},
		{"quality", actions.Action{Type: actions.Screenshot, Quality: -1}},
		{"quality", actions.Action{Type: actions.Screenshot, Quality: 101}},
		{"viewport.width", actions.Action{Type: actions.Screenshot, Viewport: &actions.Viewport{Height: 1}}},
		{"viewport.width", actions.Action{Type: actions.Screenshot, Viewport: &actions.Viewport{Width: 7681, Height: 1}}},
		{"viewport.height", actions.Action{Type: actions.Screenshot, Viewport: &actions.Viewport{Width: 1}}},
		{"viewport.height", actions.Action{Type: actions.Screenshot, Viewport: &actions.Viewport{Width: 1, Height: 4321}}},
		{"text", actions.Action{Type: actions.Write}},
		{"key", actions.Action{Type: actions.Press}},
		{"key", actions.Action{Type: actions.Press, Key: "Return"}},
		{"direction", actions.Action{Type: actions.Scroll, Direction: "left"}},
		{"selector", actions.Action{Type: actions.Scroll, Selector: " "}},
		{"script", actions.Action{Type: actions.ExecuteJavaScript}},
		{"script", actions.Action{Type: actions.ExecuteJavaScript, Script: "\n"}},
		{"format", actions.Action{Type: actions.PDF, Format: "a4"}},
		{"format", actions.Action{Type: actions.PDF, Format: "A7"}},
		{"scale", actions.Action{Type: actions.PDF, Scale: 0.09}},
		{"scale", actions.Action{Type: actions.PDF, Scale: 2.01}},
		{"scale", actions.Action{Type: actions.PDF, Scale: -1}},
		{"scale", actions.Action{Type: actions.PDF, Scale: math.NaN()}},
	} {
		err := actions.Validate([]actions.Action{{Type: actions.Scrape}, test.action}, 0)
		wantOption(t, err, "actions[1]."+test.field)
	}
}

func TestValidate_refusesEveryFieldThatATypeDoesNotHave(t *testing.T) {
	has := map[actions.Type][]string{
		actions.Wait:              {"milliseconds", "selector"},
		actions.Click:             {"selector", "all"},
		actions.Screenshot:        {"fullPage", "quality", "viewport"},
		actions.Write:             {"text"},
		actions.Press:             {"key"},
		actions.Scroll:            {"direction", "selector"},
		actions.Scrape:            {},
		actions.ExecuteJavaScript: {"script"},
		actions.PDF:               {"format", "landscape", "scale"},
	}
	for typ, fields := range has {
		for name, single := range singleFields(typ) {
			err := actions.Validate([]actions.Action{single}, 0)
			option, _ := errors.AsType[*actions.OptionError](err)
			refused := option != nil && option.Field == "actions[0]."+name && strings.HasPrefix(option.Want, "no field")
			if got, want := refused, !slices.Contains(fields, name); got != want {
				t.Errorf("%s with %s: got %v, want refused to be %v", typ, name, err, want)
			}
		}
	}
}

// singleFields are actions of a type with one field each.
func singleFields(t actions.Type) map[string]actions.Action {
	all := whole(t)
	return map[string]actions.Action{
		"milliseconds": {Type: t, Milliseconds: all.Milliseconds},
		"selector":     {Type: t, Selector: all.Selector},
		"all":          {Type: t, All: all.All},
		"text":         {Type: t, Text: all.Text},
		"key":          {Type: t, Key: all.Key},
		"direction":    {Type: t, Direction: all.Direction},
		"script":       {Type: t, Script: all.Script},
		"fullPage":     {Type: t, FullPage: all.FullPage},
		"quality":      {Type: t, Quality: all.Quality},
		"viewport":     {Type: t, Viewport: all.Viewport},
		"format":       {Type: t, Format: all.Format},
		"landscape":    {Type: t, Landscape: all.Landscape},
		"scale":        {Type: t, Scale: all.Scale},
	}
}

func TestValidate_limitsOfTheList(t *testing.T) {
	scrapes := func(n int) []actions.Action { return slices.Repeat([]actions.Action{{Type: actions.Scrape}}, n) }
	selectors := func(n int) []actions.Action {
		return slices.Repeat([]actions.Action{{Type: actions.Wait, Selector: "a"}}, n)
	}
	pause := func(ms int) actions.Action { return actions.Action{Type: actions.Wait, Milliseconds: ms} }
	for _, test := range []struct {
		name    string
		list    []actions.Action
		waitFor time.Duration
		field   string // "" accepted
	}{
		{"nothing", nil, 0, ""},
		{"fifty", scrapes(50), 0, ""},
		{"fifty-one", scrapes(51), 0, "actions"},
		{"sixty seconds in two", []actions.Action{pause(30000), pause(30000)}, 0, ""},
		{"a millisecond more", []actions.Action{pause(30000), pause(30001)}, 0, "actions"},
		{"sixty seconds with waitFor", []actions.Action{pause(20000)}, 40 * time.Second, ""},
		{"a millisecond more with waitFor", []actions.Action{pause(20001)}, 40 * time.Second, "actions"},
		{"a selector counts a second", selectors(50), 10 * time.Second, ""},
		{"and no less", selectors(50), 10*time.Second + 1, "actions"},
		{"clicks on selectors don't count", []actions.Action{{Type: actions.Click, Selector: "a"}, pause(60000)}, 0, ""},
		{"waitFor below zero", nil, -1, "waitFor"},
		{"waitFor without end", selectors(1), math.MaxInt64, "actions"},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := actions.Validate(test.list, test.waitFor)
			if test.field == "" && err != nil {
				t.Errorf("got %v, want it accepted", err)
			}
			if test.field != "" {
				wantOption(t, err, test.field)
			}
		})
	}
}

func TestOptionError_isOneShortLine(t *testing.T) {
	err := actions.Validate([]actions.Action{{Type: actions.Press, Key: strings.Repeat("Enter\n", 1000)}}, 0)
	if got := err.Error(); len(got) > 300 || strings.Contains(got, "\n") {
		t.Errorf("got %d bytes %q, want one short line", len(got), got)
	}
	err = actions.Validate([]actions.Action{{Type: actions.PDF, Scale: 3}}, 0)
	if got, want := err.Error(), "actions[0].scale is 3: want a number from 0.1 to 2"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestPress_keys(t *testing.T) {
	valid := strings.Fields("a Z 0 ~ ? + - Enter Escape F1 F12 ArrowDown PageUp KeyA KeyZ Digit0 Digit9 Numpad5 NumpadEnter Shift Space Control+A Control+Shift+T Control++ Shift+Tab ControlOrMeta+c Alt+F4 Control+Shift Meta+Digit1")
	for _, key := range append(valid, " ") {
		if err := actions.Validate([]actions.Action{{Type: actions.Press, Key: key}}, 0); err != nil {
			t.Errorf("%q: got %v, want it accepted", key, err)
		}
	}
	for _, key := range []string{"enter", "F0", "F13", "KeyÄ", "Keya", "KeyAB", "Digit", "Digit10", "Numpad", "ß", "€", "ab", "a+b", "Control+", "+a", "++", "Control+++", "Enter+a", "Control + A", "Escape F1", "\n", "Ctrl+A"} {
		if err := actions.Validate([]actions.Action{{Type: actions.Press, Key: key}}, 0); err == nil {
			t.Errorf("%q: got it accepted, want an error", key)
		}
	}
}

func wantOption(t *testing.T, err error, field string) {
	t.Helper()
	option, ok := errors.AsType[*actions.OptionError](err)
	if !ok || option.Field != field || option.Want == "" {
		t.Errorf("got %v, want an OptionError of %s", err, field)
	}
}

func TestFramePath_marksWithinTextsAreNone(t *testing.T) {
	for selector, want := range map[string][]string{
		"#a": {"#a"}, "iframe >>> #a": {"iframe", "#a"}, "a>>>b>>>c": {"a", "b", "c"}, ">>> a": {"", "a"},
		`[title="a >>> b"]`: {`[title="a >>> b"]`}, `i[name='x>>>"'] >>> [title="\">>>"]`: {`i[name='x>>>"']`, `[title="\">>>"]`}, `.a\>>>>b`: {`.a\>`, "b"},
	} {
		if got := actions.FramePath(selector); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", selector, got, want)
		}
	}
}
