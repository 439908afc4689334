package actions_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/winnow-go/winnow/actions"
)

func TestDecode_everyWireShape(t *testing.T) {
	got, err := actions.Decode([]byte(`[
		{"type": "wait", "milliseconds": 1000},
		{"type": "wait", "selector": "#a"},
		{"type": "click", "selector": "#b", "all": true},
		{"type": "click", "selector": "#b", "all": false},
		{"type": "screenshot", "fullPage": true, "quality": 80, "viewport": {"width": 800, "height": 600}},
		{"type": "write", "text": "hello"},
		{"type": "press", "key": "Enter"},
		{"type": "scroll", "direction": "up", "selector": "#box"},
		{"type": "scroll"},
		{"type": "scrape"},
		{"type": "executeJavascript", "script": "document.title"},
		{"type": "pdf", "format": "A4", "landscape": true, "scale": 0.5}
	]`))
	want := []actions.Action{
		{Type: actions.Wait, Milliseconds: 1000},
		{Type: actions.Wait, Selector: "#a"},
		{Type: actions.Click, Selector: "#b", All: true},
		{Type: actions.Click, Selector: "#b"},
		{Type: actions.Screenshot, FullPage: true, Quality: 80, Viewport: &actions.Viewport{Width: 800, Height: 600}},
		{Type: actions.Write, Text: "hello"},
		{Type: actions.Press, Key: "Enter"},
		{Type: actions.Scroll, Direction: "up", Selector: "#box"},
		{Type: actions.Scroll},
		{Type: actions.Scrape},
		{Type: actions.ExecuteJavaScript, Script: "document.title"},
		{Type: actions.PDF, Format: "A4", Landscape: true, Scale: 0.5},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
}

func TestDecode_namesWhatItRefuses(t *testing.T) {
	for _, test := range []struct{ field, item string }{
		{"", `7`},
		{"", `null`},
		{"", `"scrape"`},
		{".type", `{}`},
		{".type", `{"type": null}`},
		{".type", `{"type": 7}`},
		{".type", `{"type": "Wait", "milliseconds": 1}`},
		{".speed", `{"type": "scroll", "speed": 3}`},
		{".Selector", `{"type": "click", "Selector": "a"}`},
		{".selector", `{"type": "scrape", "selector": null}`},
		{".all", `{"type": "wait", "milliseconds": 1, "all": false}`},
		{".all", `{"type": "click", "selector": "a", "all": null}`},
		{".all", `{"type": "click", "selector": "a", "all": "yes"}`},
		{".selector", `{"type": "click"}`},
		{".selector", `{"type": "click", "selector": ""}`},
		{".selector", `{"type": "click", "selector": ["a"]}`},
		{".milliseconds", `{"type": "wait", "milliseconds": 0}`},
		{".milliseconds", `{"type": "wait", "milliseconds": 1.5}`},
		{".milliseconds", `{"type": "wait", "milliseconds": "1000"}`},
		{".milliseconds", `{"type": "wait", "milliseconds": 0, "selector": "a"}`},
		{".milliseconds", `{"type": "wait", "milliseconds": 10, "selector": "a"}`},
		{".text", `{"type": "write"}`},
		{".text", `{"type": "write", "text": ""}`},
		{".key", `{"type": "press", "key": "Retrun"}`},
		{".direction", `{"type": "scroll", "direction": ""}`},
		{".quality", `{"type": "screenshot", "quality": 0}`},
		{".viewport", `{"type": "screenshot", "viewport": null}`},
		{".viewport", `{"type": "screenshot", "viewport": {"width": 1, "height": 1, "depth": 1}}`},
		{".viewport.width", `{"type": "screenshot", "viewport": {"width": "1", "height": 1}}`},
		{".viewport.height", `{"type": "screenshot", "viewport": {"width": 1}}`},
		{".script", `{"type": "executeJavascript", "script": ""}`},
		{".format", `{"type": "pdf", "format": "A9"}`},
		{".scale", `{"type": "pdf", "scale": 0}`},
		{".scale", `{"type": "pdf", "scale": -0}`},
		{".scale", `{"type": "pdf", "scale": 5}`},
	} {
		t.Run(test.item, func(t *testing.T) {
			_, err := actions.Decode([]byte(`[{"type": "scrape"}, ` + test.item + `]`))
			wantOption(t, err, "actions[1]"+test.field)
		})
	}
}

func TestDecode_wantsAList(t *testing.T) {
	for _, body := range []string{`{"type": "scrape"}`, `null`, `"scrape"`} {
		_, err := actions.Decode([]byte(body))
		wantOption(t, err, "actions")
	}
	if _, err := actions.Decode([]byte(`[`)); err == nil {
		t.Error("got no error for broken JSON")
	}
	if list, err := actions.Decode([]byte(`[]`)); err != nil || len(list) != 0 {
		t.Errorf("got %v, %v, want an empty list", list, err)
	}
}

func TestAction_decodesWithinOtherJSONStrictlyToo(t *testing.T) {
	var body struct {
		Actions []actions.Action `json:"actions"`
	}
	err := json.Unmarshal([]byte(`{"actions": [{"type": "scrape", "html": true}]}`), &body)
	wantOption(t, err, "html")
	err = json.Unmarshal([]byte(`{"actions": [7]}`), &body)
	wantOption(t, err, "action")
}

// FuzzDecode: whatever is accepted survives a round trip, whatever is refused is refused with a name.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`[]`, `null`, `[{"type":"wait","milliseconds":1000}]`, `[{"type":"click","selector":"a","all":true},{"type":"press","key":"Control++"}]`,
		`[{"type":"screenshot","viewport":{"width":1,"height":1}}]`, `[{"type":"pdf","scale":1e-1}]`, `[{"type":"write","text":"\ud800"}]`, `[{"type":"wait","milliseconds":1e400}]`,
	} {
		f.Add([]byte(seed), int64(0))
	}
	f.Fuzz(func(t *testing.T, data []byte, waitFor int64) {
		list, err := actions.Decode(data)
		if err != nil {
			if option, ok := errors.AsType[*actions.OptionError](err); json.Valid(data) && (!ok || option.Field == "" || len(err.Error()) > 1000) {
				t.Fatalf("valid JSON got %v, want a short OptionError", err)
			}
			return
		}
		if err := actions.Validate(list, time.Duration(waitFor)); err == nil && (waitFor < 0 || actions.Waits(list)+time.Duration(waitFor) > actions.MaxWait || len(list) > actions.MaxActions) {
			t.Fatalf("accepted %d actions that wait %v after %d", len(list), actions.Waits(list), waitFor)
		}
		for i := range list {
			if err := actions.Validate(list[i:i+1], 0); err != nil {
				t.Fatalf("decoding accepted what validation refuses: %v", err)
			}
		}
		text, err := json.Marshal(list)
		if err != nil {
			t.Fatal(err)
		}
		again, err := actions.Decode(text)
		if err != nil || !reflect.DeepEqual(again, list) {
			t.Fatalf("got %+v, %v after a round trip through %s, want %+v", again, err, text, list)
		}
	})
}
