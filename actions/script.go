package actions

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
)

// MaxReturn is how long the JSON of one script's value may be, in UTF-16 units
// as JavaScript counts. A longer one is TooLarge.
const MaxReturn = 8 << 20

// unknownReturn is the type of a value that JSON can't carry.
const unknownReturn = "unknown"

//go:embed script.js
var scriptSource string

// ScriptExpression returns the JavaScript expression that runs a user's script
// in a page. It evaluates to a promise of a string, for [ParseReturn]; a promise that
// the script returns is awaited.
//
// A script is read as a console reads it: its value is that of the expression it
// is, else of its last statement. One that has a return or await of its own is
// the body of an async function and its value is what it returns.
func ScriptExpression(script string) string {
	// JSON is JavaScript, and escapes what could end the literal or an HTML script.
	literal, err := json.Marshal(script)
	if err != nil { // a string always marshals
		literal = []byte(`""`)
	}
	return strings.TrimSuffix(strings.TrimSpace(scriptSource), ";") + "(" + string(literal) + ", " + fmt.Sprint(MaxReturn) + ")"
}

// envelope is what script.js gives.
type envelope struct {
	Type   string  `json:"type"`
	JSON   string  `json:"json"`   // the value, for a type that JSON carries
	Text   *string `json:"text"`   // what an unknown value was
	Thrown *string `json:"thrown"` // the script threw
	Length int     `json:"length"` // the JSON was too long
}

// ParseReturn reads the string that [ScriptExpression] evaluated to in the page. The
// errors are a *Failure: ScriptThrew or TooLarge. The page's scripts can tamper
// with the string, so a malformed one is a value of type "unknown" with
// the string itself, cut to a thousand bytes.
func ParseReturn(s string) (JavaScriptReturn, error) {
	var e envelope
	if err := json.Unmarshal([]byte(s), &e); err != nil {
		return unknownValue(&s), nil
	}
	switch {
	case e.Thrown != nil:
		return JavaScriptReturn{}, &Failure{Reason: ScriptThrew, Detail: *e.Thrown}
	case e.Length > 0:
		return JavaScriptReturn{}, tooLarge("the script's value", e.Length, MaxReturn)
	case len(e.JSON) > 4*MaxReturn: // no more bytes than that in so many UTF-16 units
		return JavaScriptReturn{}, tooLarge("the script's value", len(e.JSON), MaxReturn)
	}
	switch e.Type {
	case "undefined":
		return JavaScriptReturn{Type: e.Type, Value: json.RawMessage("null")}, nil
	case "string", "number", "boolean", "object":
		if json.Valid([]byte(e.JSON)) {
			return JavaScriptReturn{Type: e.Type, Value: json.RawMessage(e.JSON)}, nil
		}
		return unknownValue(&e.JSON), nil
	}
	return unknownValue(e.Text), nil
}

func unknownValue(text *string) JavaScriptReturn {
	value := []byte("null")
	if text != nil {
		s := *text
		if len(s) > 1000 {
			s = strings.ToValidUTF8(s[:1000], "")
		}
		if b, err := json.Marshal(s); err == nil {
			value = b
		}
	}
	return JavaScriptReturn{Type: unknownReturn, Value: value}
}

func tooLarge(what string, size, limit int) *Failure {
	return &Failure{Reason: TooLarge, Detail: fmt.Sprintf("%s has %d bytes, at most %d are allowed", what, size, limit)}
}
