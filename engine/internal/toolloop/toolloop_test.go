package toolloop

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/winnow-go/winnow/llm"
)

// scripted is a model that gives its answers one after the other, the last again and again.
type scripted struct {
	info    llm.Info
	answers []llm.Answer
	errs    []error
	asked   []llm.Request
}

func (s *scripted) Info() llm.Info { return s.info }

func (s *scripted) Ask(ctx context.Context, r llm.Request) (llm.Answer, error) {
	i := len(s.asked)
	s.asked = append(s.asked, r)
	if i < len(s.errs) && s.errs[i] != nil {
		return llm.Answer{}, s.errs[i]
	}
	if ctx.Err() != nil {
		return llm.Answer{}, ctx.Err()
	}
	a := s.answers[min(i, len(s.answers)-1)]
	a.Usage = llm.Usage{Calls: 1}
	return a, nil
}

func calls(name, arguments string) llm.Answer {
	return llm.Answer{Text: "why", Calls: []llm.Call{{ID: "x", Name: name, Arguments: json.RawMessage(arguments)}}}
}

func model(answers ...llm.Answer) *scripted {
	return &scripted{info: llm.Info{Context: 8000, Output: 1000}, answers: answers}
}

// loopTools are "count", which changes what is seen, "look", "same", "long" and "done".
func loopTools() []Tool {
	n := 0
	return []Tool{
		{Tool: llm.Tool{Name: "count", Parameters: Object(map[string]string{"by": `{"type":"integer"}`})}, Run: func(_ context.Context, arguments json.RawMessage) (Result, error) {
			var a struct {
				By int `json:"by"`
			}
			if err := Decode(arguments, &a); err != nil {
				return Refuse("wrong: %v", err), nil
			}
			n += a.By
			return Result{Text: "counted", Views: []View{{"number", fmt.Sprint(n)}}}, nil
		}},
		{Tool: llm.Tool{Name: "look"}, Run: func(context.Context, json.RawMessage) (Result, error) {
			return Result{Text: "seen", Said: "it is so"}, nil
		}},
		{Tool: llm.Tool{Name: "same"}, Run: func(context.Context, json.RawMessage) (Result, error) { return Result{Text: "same", Same: true}, nil }},
		{Tool: llm.Tool{Name: "long"}, Run: func(context.Context, json.RawMessage) (Result, error) {
			n++
			return Result{Text: "long", Views: []View{{"text", strings.Repeat(fmt.Sprintf("line %d of many words\n", n), 400)}}}, nil
		}},
		{Tool: llm.Tool{Name: "lost"}, Run: func(context.Context, json.RawMessage) (Result, error) { return Result{}, errLost }},
		{Tool: llm.Tool{Name: "done"}, Run: func(context.Context, json.RawMessage) (Result, error) { return Result{Done: true}, nil }},
	}
}

var errLost = errors.New("the page is lost")

func TestRun_endsInTheWayThatItSays(t *testing.T) {
	done, look := calls("done", "{}"), calls("look", "{}")
	reading := func(n int) (list []llm.Answer) {
		for i := range n {
			list = append(list, calls("look", fmt.Sprintf(`{"at":%d}`, i)))
		}
		return list
	}
	many := func(a ...llm.Answer) []llm.Answer { return a }
	for _, test := range []struct {
		name    string
		answers []llm.Answer
		steps   int
		err     error
	}{
		{"at once", many(done), 1, nil},
		{"after some steps", many(calls("count", `{"by":1}`), look, done), 3, nil},
		{"after mistakes", many(calls("nothing", "{}"), calls("count", "no object"), calls("count", `{"from":1}`), done), 4, nil},
		{"with a text, asked for a call", many(llm.Answer{Text: "the answer"}, llm.Answer{Text: "the answer"}), 0, nil},
		{"with nothing said", many(llm.Answer{}), 0, llm.ErrMalformed},
		{"reading on", reading(20), 12, ErrSteps},
		{"no progress", many(calls("same", "{}")), 8, ErrStuck},
		{"steps", many(calls("count", `{"by":1}`)), 12, ErrSteps},
		{"a tool that is lost", many(calls("lost", "{}")), 1, errLost},
	} {
		end, err := Run(t.Context(), model(test.answers...), Options{Goal: "count", Tools: loopTools(), MaxSteps: 12})
		if !errors.Is(err, test.err) || end.Steps != test.steps || end.Usage.Calls < test.steps {
			t.Errorf("%s: got %d steps, %d calls, %v; want %d, %v", test.name, end.Steps, end.Usage.Calls, err, test.steps, test.err)
		}
	}
}

func TestRun_doesTheFirstCallAloneAndAnswersAll(t *testing.T) {
	two := calls("count", `{"by":1}`)
	two.Calls = append(two.Calls, llm.Call{ID: "y", Name: "count", Arguments: json.RawMessage(`{"by":5}`)}, llm.Call{Name: "done", Arguments: json.RawMessage(`nonsense`)})
	m := model(two, calls("done", "{}"))
	var results []Result
	if _, err := Run(t.Context(), m, Options{Tools: loopTools(), OnStep: func(_ Step, r Result) error { results = append(results, r); return nil }}); err != nil {
		t.Fatal(err)
	}
	last := m.asked[1].Messages
	if len(results) != 2 || results[0].Views[0].Text != "1" || len(last) != 6 || !strings.Contains(last[4].Text, "one call at a time") {
		t.Errorf("got %+v and %+v", results, last)
	}
	for _, c := range last[2].Calls {
		if c.ID == "" || !json.Valid(c.Arguments) {
			t.Errorf("got %+v: servers take no such call back", c)
		}
	}
}

func TestRun_refusesTheSameCallOnTheSameViewAThirdTime(t *testing.T) {
	m := model(calls("same", "{}"))
	var texts []string
	_, err := Run(t.Context(), m, Options{Tools: loopTools(), OnStep: func(_ Step, r Result) error { texts = append(texts, r.Text); return nil }})
	if !errors.Is(err, ErrStuck) || texts[1] != "same" || !strings.Contains(texts[2], "exactly this 2 times") {
		t.Errorf("got %q, %v", texts, err)
	}
	if !strings.Contains(m.asked[4].Messages[len(m.asked[4].Messages)-1].Text, "nothing has changed") {
		t.Error("the model isn't told that nothing changes")
	}
}

func TestRun_staysWithinTheContextAndKeepsGoalAndLastView(t *testing.T) {
	m := model(calls("long", "{}"))
	m.info.Context = 3000
	goal := "the goal that stays"
	_, err := Run(t.Context(), m, Options{Goal: goal, Tools: loopTools(), MaxSteps: 20, First: []View{{"text", strings.Repeat("at first ", 3000)}}})
	if !errors.Is(err, ErrSteps) {
		t.Fatal(err)
	}
	for i, r := range m.asked {
		if n := tokens(r.Messages); n > 3000-750 {
			t.Errorf("request %d has %d tokens", i, n)
		}
		text := ""
		for _, msg := range r.Messages {
			text += msg.Text + "\n"
		}
		if !strings.Contains(text, goal) || strings.Count(text, "<untrusted id=") != 2 || i > 0 && !strings.Contains(text, fmt.Sprintf("line %d of", i)) {
			t.Errorf("request %d lacks goal or last view, or has more views: %.300s", i, text)
		}
	}
}

func TestRun_showsAsManyViewsAsItMay(t *testing.T) {
	for views, want := range map[int]string{1: "2", 2: "12", 3: "012", 9: "012"} {
		m := model(calls("count", `{"by":1}`), calls("count", `{"by":1}`), calls("done", "{}"))
		if _, err := Run(t.Context(), m, Options{Tools: loopTools(), Views: views, First: []View{{"number", "0"}}}); err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, msg := range m.asked[2].Messages {
			if _, view, ok := strings.Cut(msg.Text, "is=\"number\">\n"); ok {
				got += view[:1]
			}
		}
		if got != want {
			t.Errorf("with %d views: got %s, want %s", views, got, want)
		}
	}
}

// The page has forty lines, of which each step changes some: what is shown of it is what a model without memory needs to know all of it.
func TestRun_showsWhatHasChangedAsLongAsItIsLess(t *testing.T) {
	page := func(n int) string {
		return fmt.Sprintf("state %d\n", n) + strings.Repeat("a line of the page that stays as it is\n", 40)
	}
	for _, test := range []struct {
		name           string
		context, words int // words of each change
		steps          int
		want           string // of the last request: P a whole page, C changes
	}{
		{"after the first page", 8000, 5, 4, "PCCCC"},
		{"whole where the changes are half of a page", 8000, 100, 5, "PC"},
		{"whole where what is before does not fit", 1400, 60, 7, "P"},
		{"whole where it is too long for the model", 500, 5, 4, "P"},
	} {
		n := 0
		change := Tool{Tool: llm.Tool{Name: "change"}, Run: func(context.Context, json.RawMessage) (Result, error) {
			n++
			return Result{
				Text: "changed", Views: []View{{"page", page(n)}},
				Changes: []View{{"changes", fmt.Sprintf("state %d", n) + strings.Repeat(" word", test.words)}},
			}, nil
		}}
		m := model(append(slices.Repeat([]llm.Answer{calls("change", "{}")}, test.steps), calls("end", "{}"))...)
		m.info = llm.Info{Context: test.context, Output: 100}
		end := Tool{Tool: llm.Tool{Name: "end"}, Run: func(context.Context, json.RawMessage) (Result, error) { return Result{Done: true}, nil }}
		if _, err := Run(t.Context(), m, Options{Tools: []Tool{change, end}, First: []View{{"page", page(0)}}}); err != nil {
			t.Fatal(err)
		}
		got, text := "", ""
		for _, msg := range m.asked[test.steps].Messages[1:] {
			got += strings.Repeat("P", strings.Count(msg.Text, `is="page"`)) + strings.Repeat("C", strings.Count(msg.Text, `is="changes"`))
			text += msg.Text
		}
		if got != test.want || !strings.Contains(text, fmt.Sprintf("state %d", test.steps)) {
			t.Errorf("%s: got %s, want %s\n%s", test.name, got, test.want, text)
		}
	}
}

func TestRun_isShortenedWhereTheServerTakesLess(t *testing.T) {
	m := model(calls("done", "{}"))
	m.errs = []error{llm.ErrTooLong, llm.ErrTooLong}
	_, err := Run(t.Context(), m, Options{Tools: loopTools(), First: []View{{"text", strings.Repeat("word ", 9000)}}})
	if err != nil || tokens(m.asked[2].Messages) >= tokens(m.asked[0].Messages)/2 {
		t.Errorf("got %v, %d tokens after %d", err, tokens(m.asked[2].Messages), tokens(m.asked[0].Messages))
	}
	m = model(calls("done", "{}"))
	m.errs = []error{llm.ErrTooLong, llm.ErrTooLong, llm.ErrTooLong}
	if _, err := Run(t.Context(), m, Options{Tools: loopTools()}); !errors.Is(err, llm.ErrTooLong) {
		t.Errorf("got %v", err)
	}
}

func TestRun_beginsNoStepAfterItsTime(t *testing.T) {
	now := time.Unix(0, 0)
	m := model(calls("count", `{"by":1}`))
	end, err := Run(t.Context(), m, Options{
		Tools: loopTools(), MaxTime: 10 * time.Second, Now: func() time.Time { return now },
		OnStep: func(Step, Result) error { now = now.Add(4 * time.Second); return nil },
	})
	if !errors.Is(err, ErrTime) || end.Steps != 3 {
		t.Errorf("got %d steps, %v", end.Steps, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Run(ctx, m, Options{Tools: loopTools()}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if _, err := Run(t.Context(), m, Options{Tools: loopTools(), OnStep: func(Step, Result) error { return errLost }}); !errors.Is(err, errLost) {
		t.Errorf("got %v", err)
	}
}

// FuzzRun: whatever a model calls, a loop ends, and no request breaks the protocol.
func FuzzRun(f *testing.F) {
	f.Add("count", `{"by":1}`, "look", `{}`, "text")
	f.Add("", "", "done", `[]`, "")
	f.Add("count", `{"by":"x"}`, "long", `{"a":{}}`, "</untrusted>")
	f.Fuzz(func(t *testing.T, a, x, b, y, text string) {
		first := llm.Answer{Text: text, Calls: []llm.Call{{Name: a, Arguments: json.RawMessage(x)}, {ID: "i", Name: b, Arguments: json.RawMessage(y)}}}
		m := model(first, llm.Answer{Text: text}, llm.Answer{Calls: []llm.Call{{Name: b, Arguments: json.RawMessage(y)}}}, first)
		if end, _ := Run(t.Context(), m, Options{Tools: loopTools(), MaxSteps: 6}); end.Steps > 6 {
			t.Errorf("got %d steps", end.Steps)
		}
		for _, r := range m.asked {
			open := 0
			for _, msg := range r.Messages {
				for _, c := range msg.Calls {
					if open++; c.ID == "" || !json.Valid(c.Arguments) {
						t.Errorf("got the call %+v", c)
					}
				}
				if msg.Role == llm.ToolResult {
					open--
				}
			}
			if open != 0 {
				t.Errorf("%d calls have no answer", open)
			}
		}
	})
}
