package drive

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/llm"
)

// paper is a page that notes what is done to it.
type paper struct {
	did  []string
	fail error // of clicks
	url  string
	text string
}

func (p *paper) do(format string, args ...any) error {
	p.did = append(p.did, fmt.Sprintf(format, args...))
	return nil
}

func (p *paper) Snapshot(context.Context, int) (Snapshot, error) {
	return Snapshot{Text: fmt.Sprintf("- button \"a\" [e1]\n- textbox \"b\" [e2] value=%q\n- text \"%d\"\n", p.text, len(p.did)), URL: p.url, Title: "T"}, nil
}

func (p *paper) Element(_ context.Context, ref string) (Element, error) {
	switch ref {
	case "e1":
		return Element{Role: "button", Selector: "#a", Origin: originOf(p.url)}, nil
	case "e2":
		return Element{Role: "textbox", Selector: "#b", Origin: originOf(p.url), Filled: p.text != ""}, nil
	}
	return Element{}, &actions.Failure{Reason: actions.NoMatch}
}

func (p *paper) Click(_ context.Context, ref string) error {
	if p.fail != nil {
		return p.fail
	}
	return p.do("click %s", ref)
}
func (p *paper) Focus(_ context.Context, ref string) error          { return p.do("focus %s", ref) }
func (p *paper) Select(_ context.Context, ref, option string) error { return p.do("select %s", ref) }
func (p *paper) Stay(_ context.Context, ref string) error           { return p.do("stay %s", ref) }
func (p *paper) Scroll(_ context.Context, ref string, up bool) error {
	return p.do("scroll %s %v", ref, up)
}
func (p *paper) Type(_ context.Context, text string) error {
	p.text = text
	return p.do("type %s", text)
}
func (p *paper) Press(_ context.Context, key string) error    { return p.do("press %s", key) }
func (p *paper) Wait(context.Context, time.Duration) error    { return nil }
func (p *paper) Settle(context.Context) error                 { return nil }
func (p *paper) Goto(_ context.Context, address string) error { p.url = address; return nil }
func (p *paper) URL() string                                  { return p.url }
func (p *paper) Popup() string                                { return "" }
func (p *paper) Text(context.Context) (string, error)         { return "text", nil }
func newPaper() *paper                                        { return &paper{url: "http://a.test/"} }
func (replies) Info() llm.Info                                { return llm.Info{Context: 16000, Output: 1000} }
func done(output string) llm.Call {
	return llm.Call{Name: "done", Arguments: raw(map[string]any{"output": output})}
}
func run(t testing.TB, p Page, o Options, calls ...llm.Call) (Outcome, error) {
	return Run(t.Context(), &replies{calls: calls}, p, "goal", o)
}

func raw(v any) json.RawMessage {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return data
}

// replies is a model that makes its calls one after the other, then says that it is done.
type replies struct{ calls []llm.Call }

func (m *replies) Ask(_ context.Context, r llm.Request) (llm.Answer, error) {
	if len(r.Tools) == 0 {
		return llm.Answer{Text: "NONE"}, nil
	}
	next := done("over")
	if len(m.calls) > 0 {
		next, m.calls = m.calls[0], m.calls[1:]
	}
	return llm.Answer{Calls: []llm.Call{next}}, nil
}

func TestRun_typesAsAReplayDoes(t *testing.T) {
	p := newPaper()
	p.text = "before"
	out, err := run(t, p, Options{}, llm.Call{Name: "type", Arguments: raw(map[string]any{"ref": "e2", "text": "new", "submit": true})}, done("x"))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Join(p.did, ", "), "click e2, press ControlOrMeta+A, type new, press Enter"; got != want {
		t.Errorf("did %s, want %s", got, want)
	}
	want := []actions.Action{
		{Type: actions.Click, Selector: "#b"}, {Type: actions.Press, Key: "ControlOrMeta+A"}, {Type: actions.Write, Text: "new"}, {Type: actions.Press, Key: "Enter"},
	}
	if fmt.Sprint(out.Actions) != fmt.Sprint(want) || actions.Validate(out.Actions, 0) != nil {
		t.Errorf("got %v, want %v", out.Actions, want)
	}
}

func TestRun_focusesWhatCannotBeClicked(t *testing.T) {
	p := newPaper()
	p.fail = &actions.Failure{Reason: actions.Covered, Detail: "<label>"}
	out, err := run(t, p, Options{}, llm.Call{Name: "type", Arguments: raw(map[string]any{"ref": "e2", "text": "x"})}, llm.Call{Name: "click", Arguments: raw(map[string]any{"ref": "e1"})})
	if err != nil || strings.Join(p.did, ", ") != "focus e2, type x" || !strings.Contains(out.Steps[1].Error, "covered by <label>") {
		t.Errorf("did %q, %v, %+v", p.did, err, out.Steps)
	}
	p.fail = errors.New("the browser is gone")
	if _, err := run(t, p, Options{}, llm.Call{Name: "click", Arguments: raw(map[string]any{"ref": "e1"})}); err != p.fail {
		t.Errorf("got %v, want what the page says", err)
	}
}

func TestRun_refusesGoalsAndSecretsThatItCannotTake(t *testing.T) {
	for _, goal := range []string{"", "  ", strings.Repeat("x", maxGoal+1)} {
		if _, err := Run(t.Context(), &replies{}, newPaper(), goal, Options{}); err == nil {
			t.Errorf("a goal of %d characters is taken", len(goal))
		}
	}
	for _, secrets := range []map[string]Secret{{"a b": {Value: "x"}}, {"a": {}}, {"": {Value: "x"}}, {strings.Repeat("a", 65): {Value: "x"}}, {"a\n": {Value: "x"}}} {
		if _, err := run(t, newPaper(), Options{Secrets: secrets}); err == nil {
			t.Errorf("%v is taken", secrets)
		}
	}
	if _, err := run(t, newPaper(), Options{Secrets: map[string]Secret{strings.Repeat("aZ_-", 16): {Value: "x"}}}); err != nil {
		t.Errorf("the longest name: %v", err)
	}
}

func TestSecrets_areHiddenInEveryForm(t *testing.T) {
	p := newPaper()
	value := `pa"ss & wörd<`
	secrets := map[string]Secret{"word": {Value: value}, "pin": {Value: "42"}}
	p.url = "http://a.test/?q=pa%22ss+%26+w%C3%B6rd%3C"
	out, err := run(t, p, Options{Secrets: secrets},
		llm.Call{Name: "type", Arguments: raw(map[string]any{"ref": "e2", "secret": "word"})}, llm.Call{Name: "type", Arguments: raw(map[string]any{"ref": "e2", "text": "42"})}, done(value))
	told := string(raw(out))
	if err != nil || strings.Contains(told, "wörd") || strings.Contains(told, "w%C3%B6rd") || strings.Contains(string(raw(out.Actions))+string(out.Steps[1].Arguments), "42") {
		t.Errorf("%v: told %s", err, told)
	}
	if out.Output != "<secret:word>" || p.did[1] != "type "+value {
		t.Errorf("got %q, did %q", out.Output, p.did)
	}
	if out, err := run(t, p, Options{Secrets: secrets}, llm.Call{Name: "type", Arguments: raw(map[string]any{"ref": "e2", "text": "<secret:word>"})}); err != nil || len(out.Actions) != 0 {
		t.Errorf("a secret can be smuggled into a replay: %v, %v", out.Actions, err)
	}
	if got := Reveal(out.Actions, secrets); got[1].Text != value || out.Actions[1].Text != "<secret:word>" {
		t.Errorf("got %v from %v", got, out.Actions)
	}
}

func TestOriginOf_knowsWebAddressesAlone(t *testing.T) {
	for address, want := range map[string]string{
		"http://A.test:80/x": "http://a.test", "https://a.test:443": "https://a.test", "https://a.test:8443/": "https://a.test:8443",
		"file:///etc/passwd": "", "javascript:alert(1)": "", "about:blank": "", "//a.test": "", "http://": "", "%": "",
	} {
		if got := originOf(address); got != want {
			t.Errorf("%s: got %q, want %q", address, got, want)
		}
	}
}

// FuzzRun: whatever a model asks for, the page is only asked for elements by references, and secrets stay secret.
func FuzzRun(f *testing.F) {
	f.Add("click", `{"ref":"e1"}`, "type", `{"ref":"e2","secret":"word"}`)
	f.Add("type", `{"ref":"e2","text":"<secret:word>"}`, "press", `{"key":"Control+A"}`)
	f.Add("goto", `{"url":"http://b.test/"}`, "scroll", `{"direction":"up","ref":"e9"}`)
	f.Add("wait", `{"milliseconds":-5}`, "extract", `{"what":"x"}`)
	f.Add("select", `{"ref":"e1","option":"\u0000"}`, "done", `{"output":"correct horse","success":false}`)
	f.Fuzz(func(t *testing.T, a, x, b, y string) {
		p := newPaper()
		out, _ := run(t, p, Options{
			MaxSteps: 4, Secrets: map[string]Secret{"word": {Value: "correct horse"}},
			Allow: func(address string) error {
				if !strings.HasPrefix(address, "http://a.test/") {
					return errors.New("elsewhere")
				}
				return nil
			},
		}, llm.Call{Name: a, Arguments: json.RawMessage(x)}, llm.Call{Name: b, Arguments: json.RawMessage(y)})
		if !strings.HasPrefix(p.url, "http://a.test/") {
			t.Errorf("the page is at %s", p.url)
		}
		if told := string(raw(out)); strings.Contains(told, "correct horse") {
			t.Errorf("the secret was told: %s", told)
		}
		if len(out.Steps) > 4 {
			t.Errorf("got %d steps", len(out.Steps))
		}
		if err := actions.Validate(out.Actions, 0); err != nil {
			t.Errorf("the actions can't be replayed: %v", err)
		}
	})
}
