package toolloop

import (
	"encoding/json"
	"testing"

	"github.com/winnow-go/winnow/llm"
)

func TestObject_isASchemaThatNamesWhatIsRequired(t *testing.T) {
	raw := Object(map[string]string{"a": `{"type":"string"}`, "b": `{"type":"integer"}`}, "b")
	s, err := llm.CompileSchema(raw)
	if err != nil {
		t.Fatal(err)
	}
	for value, fits := range map[string]bool{`{"a":"x"}`: true, `{"a":"x","b":1}`: true, `{"b":1}`: false, `{"a":1}`: false} {
		if got := s.Validate(json.RawMessage(value)) == nil; got != fits {
			t.Errorf("%s: got %v", value, got)
		}
	}
}

func TestDecode_saysWhatIsWrong(t *testing.T) {
	var v struct {
		A int `json:"a"`
	}
	for arguments, want := range map[string]string{
		`{"a":"x"}`: "a must be of type int, not string",
		`{"b":1}`:   `json: unknown field "b"`,
		`{"a":2}`:   "",
	} {
		err := Decode(json.RawMessage(arguments), &v)
		if got := ""; err != nil {
			if got = err.Error(); got != want {
				t.Errorf("%s: got %q", arguments, got)
			}
		} else if want != "" {
			t.Errorf("%s: no error", arguments)
		}
	}
}
