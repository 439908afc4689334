package actionstest

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/winnow-go/winnow/actions"
)

func browserScripts(t *testing.T, newPage NewPage) {
	t.Run("values", func(t *testing.T) { scriptValues(t, newPage) })
	t.Run("errors", func(t *testing.T) { scriptErrors(t, newPage) })
	t.Run("state", func(t *testing.T) { scriptState(t, newPage) })
	t.Run("ends", func(t *testing.T) { scriptEnds(t, newPage) })
	t.Run("pages that resist", func(t *testing.T) { scriptResistance(t, newPage) })
}

func scriptValues(t *testing.T, newPage NewPage) {
	ctx, page := limit(t), newPage(t, document(``))
	for _, test := range []struct{ script, wantType, want string }{
		{`1 + 1`, "number", `2`},
		{`-0`, "number", `0`},
		{`1e21`, "number", `1e+21`},
		{`"a"`, "string", `"a"`},
		{`"ü😀 </script>"`, "string", `"ü😀 </script>"`},
		{`"\ud800"`, "string", `"\ud800"`},
		{`true`, "boolean", `true`},
		{`({a: [1, null, "x"], b: undefined})`, "object", `{"a":[1,null,"x"]}`},
		{`{a: 1}`, "object", `{"a":1}`},
		{`[1, [2]]`, "object", `[1,[2]]`},
		{`null`, "object", `null`},
		{`undefined`, "undefined", `null`},
		{`;`, "undefined", `null`},
		{`// nothing`, "undefined", `null`},
		{`new Date(0)`, "string", `"1970-01-01T00:00:00.000Z"`},
		{`new Map([[1, 2]])`, "object", `{}`},
		{`document.title;`, "string", `"Suite"`},
		{`document.title // with a comment`, "string", `"Suite"`},
		{`let x = 20; x + 1`, "number", `21`},
		{`if (true) { 7 }`, "number", `7`},
		{`var f = function () { return 1 }; f()`, "number", `1`},
		{`const text = "await"; text`, "string", `"await"`},
		{`return 5`, "number", `5`},
		{`if (document.title) { return "early" } return "late"`, "string", `"early"`},
		{`await Promise.resolve(4)`, "number", `4`},
		{`const r = await Promise.resolve(3); return r + 1`, "number", `4`},
		{`new Promise((done) => setTimeout(() => done("later"), 50))`, "string", `"later"`},
		{`const p = Promise.resolve([1]); p`, "object", `[1]`},
		{`Promise.resolve()`, "undefined", `null`},
		{`NaN`, "unknown", `"NaN"`},
		{`-1 / 0`, "unknown", `"-Infinity"`},
		{`10n`, "unknown", `"10"`},
		{`({n: 10n})`, "unknown", `"[object Object]"`},
		{`() => 1`, "unknown", `"() =\u003e 1"`},
		{`Symbol("s")`, "unknown", `"Symbol(s)"`},
		{`const a = {}; a.self = a; a`, "unknown", `"[object Object]"`},
		{`({toJSON() { throw new Error("no") }})`, "unknown", `"[object Object]"`},
		{`document.body`, "unknown", `"[object HTMLBodyElement]"`},
		{`window`, "unknown", `"[object Window]"`},
		{`"x".repeat(1e6).length`, "number", `1000000`},
	} {
		t.Run(test.script, func(t *testing.T) {
			got, err := page.Evaluate(ctx, test.script)
			must(t, err)
			if got.Type != test.wantType || string(got.Value) != test.want {
				t.Errorf("got %s %s, want %s %s", got.Type, got.Value, test.wantType, test.want)
			}
		})
	}
	t.Run("a huge value", func(t *testing.T) {
		got, err := page.Evaluate(ctx, `"x".repeat(4e6)`)
		if err != nil || got.Type != "string" || len(got.Value) != 4e6+2 {
			t.Errorf("got %s of %d bytes, %v, want a string of four million and its quotes", got.Type, len(got.Value), err)
		}
	})
}

func scriptErrors(t *testing.T, newPage NewPage) {
	ctx, page := limit(t), newPage(t, document(``))
	for _, test := range []struct {
		script string
		reason actions.Reason
		detail string
	}{
		{`throw new Error("boom")`, actions.ScriptThrew, "Error: boom"},
		{`nothingOfThisName()`, actions.ScriptThrew, "ReferenceError: nothingOfThisName is not defined"},
		{`throw "text"`, actions.ScriptThrew, "text"},
		{`throw {code: 7}`, actions.ScriptThrew, `{"code":7}`},
		{`throw null`, actions.ScriptThrew, "null"},
		{`Promise.reject(new TypeError("later"))`, actions.ScriptThrew, "TypeError: later"},
		{`foo bar`, actions.ScriptThrew, "SyntaxError"},
		{`document.querySelector("p[")`, actions.ScriptThrew, "SyntaxError"},
		{`"x".repeat(9e6)`, actions.TooLarge, ""},
	} {
		t.Run(test.script, func(t *testing.T) {
			_, err := page.Evaluate(ctx, test.script)
			wantReason(t, err, test.reason)
			if f, ok := errors.AsType[*actions.Failure](err); ok && !strings.Contains(f.Detail, test.detail) {
				t.Errorf("got detail %q, want %q in it", f.Detail, test.detail)
			}
		})
	}
	t.Run("a script that throws a syntax error runs once", func(t *testing.T) {
		_, err := page.Evaluate(ctx, `window.runs = (window.runs || 0) + 1; JSON.parse("{")`)
		wantReason(t, err, actions.ScriptThrew)
		wantValue(t, ctx, page, "runs", "1")
	})
}

func scriptState(t *testing.T, newPage NewPage) {
	ctx, page := limit(t), newPage(t, document(``))
	for _, script := range []string{`function twice(n) { return 2 * n }`, `var base = 20;`, `document.body.id = "changed"`} {
		_, err := page.Evaluate(ctx, script)
		must(t, err)
	}
	wantValue(t, ctx, page, "twice(base) + document.body.id", `"40changed"`)
	if result, err := page.Scrape(ctx); err != nil || !strings.Contains(result.HTML, `id="changed"`) {
		t.Errorf("got %q, %v, want the changed document", result.HTML, err)
	}
}

// scriptEnds: scripts that never end by themselves.
func scriptEnds(t *testing.T, newPage NewPage) {
	for _, script := range []string{`while (true) {}`, `new Promise(() => {})`} {
		t.Run(script, func(t *testing.T) {
			page := newPage(t, document(``))
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			if _, err := page.Evaluate(ctx, script); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("got %v, want context.DeadlineExceeded", err)
			}
		})
	}
	t.Run("the page goes away under a script", func(t *testing.T) {
		ctx, page := limit(t), newPage(t, document(``))
		got, err := page.Evaluate(ctx, `location.href = "about:blank"; new Promise(() => {})`)
		if err != nil || got.Type != "unknown" || string(got.Value) != "null" {
			t.Errorf("got %s %s, %v, want unknown null", got.Type, got.Value, err)
		}
		for string(got.Value) != `"about:blank"` { // the next script may still meet the end of the old document
			got, err = page.Evaluate(ctx, "location.href")
			must(t, err)
		}
	})
}

// scriptResistance: pages that forbid eval, or change what scripts are made of.
func scriptResistance(t *testing.T, newPage NewPage) {
	for name, policy := range map[string]string{"a policy without scripts": "script-src 'none'", "a policy of trusted types": "require-trusted-types-for 'script'"} {
		t.Run(name, func(t *testing.T) {
			ctx, page := limit(t), newPage(t, document(`<meta http-equiv="Content-Security-Policy" content="`+policy+`">`))
			wantValue(t, ctx, page, "1 + 1", "2")
			wantValue(t, ctx, page, "let x = 1; x + 1", "2")
			wantValue(t, ctx, page, "const three = await 3; return three", "3")
		})
	}
	t.Run("a page that lies about JSON", func(t *testing.T) {
		ctx, page := limit(t), newPage(t, document(`<script>JSON.stringify = () => "junk"</script>`))
		if got, err := page.Evaluate(ctx, "1"); err != nil || got.Type != "unknown" {
			t.Errorf("got %+v, %v, want an unknown value", got, err)
		}
	})
}
