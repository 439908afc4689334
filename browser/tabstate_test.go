package browser

import (
	"bytes"
	"encoding/json"
	"testing"
)

func TestTabState_isPartedFromTheRestAndJoined(t *testing.T) {
	rest := []byte(`{"cookies":[{"name":"a","value":"\"sessionStorage\""}],"origins":[]}`)
	joined, err := joinState(rest, json.RawMessage(`{"origin":"https://a.example","items":[["k","v"]]}`))
	if err != nil {
		t.Fatal(err)
	}
	back, tab := splitState(joined)
	if !bytes.Equal(back, rest) || tab == nil || tab.Origin != "https://a.example" || len(tab.Items) != 1 || tab.Items[0] != [2]string{"k", "v"} {
		t.Errorf("got %s and %+v", back, tab)
	}
	for _, none := range []string{`{"origin":"null","items":[]}`, `{}`, `null`, `[]`, ``} {
		if same, err := joinState(rest, json.RawMessage(none)); err != nil || !bytes.Equal(same, rest) {
			t.Errorf("%q: got %s, %v", none, same, err)
		}
	}
	if same, tab := splitState(rest); tab != nil || !bytes.Equal(same, rest) {
		t.Errorf("got %s and %+v", same, tab)
	}
}

// A state comes from a profile, which is a file that anybody may have written.
func FuzzSplitState(f *testing.F) {
	f.Add([]byte(`{"cookies":[],"sessionStorage":{"origin":"https://a.example","items":[["k","v"]]}}`))
	f.Add([]byte(`{"sessionStorage":7}`))
	f.Add([]byte(`"sessionStorage"`))
	f.Fuzz(func(t *testing.T, state []byte) {
		rest, tab := splitState(state)
		if json.Valid(state) && !json.Valid(rest) {
			t.Errorf("%q became %q", state, rest)
		}
		if tab == nil {
			return
		}
		if again, second := splitState(rest); second != nil || !bytes.Equal(again, rest) {
			t.Errorf("%q still holds a tab", rest)
		}
	})
}
