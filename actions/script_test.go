package actions_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/actions"
)

func TestScriptExpression_carriesAnyScriptAsData(t *testing.T) {
	for _, script := range []string{"1", `"\`, "`${1}`", "</script>", "\u2028", "*/ //", "\x00\xff", ""} {
		got := actions.ScriptExpression(script)
		literal, err := json.Marshal(script)
		if err != nil || !strings.HasSuffix(got, "("+string(literal)+", 8388608)") {
			t.Errorf("%q: got an expression that ends in %q", script, got[max(0, len(got)-60):])
		}
	}
}

func TestParseReturn_readsWhatAPageGives(t *testing.T) {
	for _, test := range []struct{ in, wantType, want string }{
		{`{"type":"number","json":"2"}`, "number", `2`},
		{`{"type":"object","json":"{\"a\":[1]}"}`, "object", `{"a":[1]}`},
		{`{"type":"undefined"}`, "undefined", `null`},
		{`{"type":"unknown","text":"NaN"}`, "unknown", `"NaN"`},
		{`{"type":"unknown"}`, "unknown", `null`},
		{`{"type":"weird","json":"1"}`, "unknown", `null`},
		{`{"type":"number","json":"2 2"}`, "unknown", `"2 2"`},
		{`{"type":"number"}`, "unknown", `""`},
		{`junk`, "unknown", `"junk"`},
		{`[1]`, "unknown", `"[1]"`},
		{``, "unknown", `""`},
	} {
		got, err := actions.ParseReturn(test.in)
		if err != nil || got.Type != test.wantType || string(got.Value) != test.want {
			t.Errorf("%s: got %s %s, %v, want %s %s", test.in, got.Type, got.Value, err, test.wantType, test.want)
		}
	}
}

func TestParseReturn_failures(t *testing.T) {
	for in, want := range map[string]string{
		`{"thrown":"Error: boom"}`: "script threw: Error: boom",
		`{"thrown":""}`:            "script threw",
		`{"length":9000000}`:       "too large: the script's value has 9000000 bytes, at most 8388608 are allowed",
	} {
		if _, err := actions.ParseReturn(in); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", in, err, want)
		}
	}
}

// FuzzParseReturn: whatever a hostile page gives, the value is JSON and the text of an unknown one is bounded.
func FuzzParseReturn(f *testing.F) {
	for _, seed := range []string{`{"type":"number","json":"2"}`, `{"type":"unknown","text":"\ud800"}`, `{"thrown":"x"}`, `{"length":1}`, `null`, `{"type":"string","json":"\"\\ud800\""}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		got, err := actions.ParseReturn(in)
		switch {
		case err != nil:
			if actions.ReasonOf(err) == "" {
				t.Fatalf("got %v, want a Failure", err)
			}
		case !json.Valid(got.Value):
			t.Fatalf("got %q, want JSON", got.Value)
		case got.Type == "unknown" && len(got.Value) > 10000:
			t.Fatalf("got %d bytes of an unknown value", len(got.Value))
		}
	})
}
