package drivetest

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/engine/internal/drive"
	"github.com/winnow-go/winnow/engine/internal/toolloop"
	"github.com/winnow-go/winnow/llm"
	"github.com/winnow-go/winnow/llm/llmtest"
)

func at(path string) string { return "http://" + Host + path }

// run runs turns on a page; the error is the run's.
func run(t *testing.T, p Live, o drive.Options, turns ...turn) (drive.Outcome, *script, error) {
	t.Helper()
	s := newScript(t, turns...)
	out, err := drive.Run(t.Context(), s.Model(), p, "Find out what pears cost", o)
	return out, s, err
}

func formTurns() []turn {
	return []turn{
		does("type", `"Words"`, "text", "ripe pears"),
		does("select", `"Size"`, "option", "large"),
		does("click", `button "Find"`),
		once("Results for ripe pears", says("done", "output", "2 euros")),
	}
}

func fillsAForm(t *testing.T, open Open) {
	var steps []toolloop.Step
	out, s, err := run(t, open(t, at("/form")), drive.Options{OnStep: func(s toolloop.Step) error { steps = append(steps, s); return nil }}, formTurns()...)
	if err != nil {
		t.Fatal(err)
	}
	if out.Output != "2 euros" || !strings.Contains(out.Snapshot.Text, `"Results for ripe pears in l"`) || out.Snapshot.Title != "Found" {
		t.Errorf("got %q and\n%s", out.Output, out.Snapshot.Text)
	}
	want := 4
	for _, one := range out.Steps {
		if one.Tool == "wait" { // which is one of once
			want++
		}
	}
	if len(out.Steps) != want || len(steps) != want || out.Usage.Calls != want || !out.Complete {
		t.Errorf("got %d steps, %d reported, %d calls, complete %v; want %d of each, true", len(out.Steps), len(steps), out.Usage.Calls, out.Complete, want)
	}
	first := out.Steps[0]
	if first.Tool != "type" || first.Why != "because" || first.URL != at("/form") || first.Digest == "" || !strings.Contains(first.Seen, "Search") || !strings.HasPrefix(first.Did, "typed e") {
		t.Errorf("got %+v", first)
	}
	if !strings.Contains(out.Stdout, "clicked") || strings.Count(out.Stdout, "\n") < 4 {
		t.Errorf("got stdout %q", out.Stdout)
	}
	for _, r := range s.Requests() {
		if r.Temperature == nil || *r.Temperature > 1e-6 || !r.MustCall || !strings.Contains(r.System(), llm.UntrustedRule) {
			t.Errorf("got temperature %v, must call %v, system %q", *r.Temperature, r.MustCall, r.System())
		}
	}
}

func replays(t *testing.T, open Open) {
	out, _, err := run(t, open(t, at("/form")), drive.Options{}, formTurns()...)
	if err != nil {
		t.Fatal(err)
	}
	if err := actions.Validate(out.Actions, 0); err != nil {
		t.Fatal(err)
	}
	p := open(t, at("/form"))
	if _, err := actions.Run(t.Context(), p.Actions, out.Actions, actions.Options{Replay: true}); err != nil {
		t.Fatal(err)
	}
	if err := p.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	if p.URL() != out.Snapshot.URL {
		t.Errorf("the replay came to %s, the run to %s", p.URL(), out.Snapshot.URL)
	}
}

func everywhere(t *testing.T, open Open) {
	out, _, err := run(t, open(t, at("/everywhere")), drive.Options{},
		does("click", `"Framed"`), does("click", `"Shadow"`), does("click", `"New tab"`), once("second page", does("click", `"Back"`)),
		once("Shadow", does("click", `"Script tab"`)), once("third page", says("done", "output", "there")))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.Steps[0].Did, "clicked") || !out.Steps[0].Incomplete || !out.Steps[1].Incomplete || out.Complete {
		t.Errorf("got %+v, want clicks that can't be replayed", out.Steps[:2])
	}
	clicks := slices.DeleteFunc(out.Steps, func(s toolloop.Step) bool { return s.Tool != "click" })
	if len(clicks) != 5 || !strings.Contains(clicks[2].Did, "clicked") || clicks[3].URL != at("/second") || out.Snapshot.URL != at("/third") {
		t.Errorf("got %+v and %s after the script, want the pages of link and script in the one tab", clicks, out.Snapshot.URL)
	}
}

func reportsFailures(t *testing.T, open Open) {
	gone := ""
	out, _, err := run(t, open(t, at("/refuses")), drive.Options{},
		does("click", `"Under"`), after("covered by", does("click", `"Off"`)), after("disabled", does("select", `"Box"`, "option", "x")),
		after("not a list", func(s *scene) llm.Call { gone = s.ref("Goes"); return call("click", "ref", gone) }),
		func(*scene) llm.Call { return call("click", "ref", gone) },
		after("no element", says("click", "ref", "e9999")), after("no element", says("click", "ref", "#id")), after("no reference", says("press", "key", "Nokey")),
		after("no key", says("fly")), after("no such tool", says("click", "reference", "e1")), after("arguments are wrong", says("scroll", "direction", "left")),
		after("up or down", says("done", "output", "it can't be", "success", false)))
	if !errors.Is(err, drive.ErrGaveUp) || out.Output != "it can't be" {
		t.Errorf("got %q, %v", out.Output, err)
	}
	if len(out.Actions) != 1 || !out.Complete {
		t.Errorf("got %+v, want the one click that was done", out.Actions)
	}
}

func endsLoops(t *testing.T, open Open) {
	click := does("click", `"Nothing"`)
	out, _, err := run(t, open(t, at("/idle")), drive.Options{}, slices.Repeat([]turn{click}, 30)...)
	if !errors.Is(err, toolloop.ErrStuck) || len(out.Steps) > 10 || !strings.Contains(out.Steps[5].Error, "exactly this") {
		t.Errorf("got %d steps, %v", len(out.Steps), err)
	}
	out, _, err = run(t, open(t, at("/form")), drive.Options{MaxSteps: 3}, slices.Repeat([]turn{says("wait", "milliseconds", 1)}, 30)...)
	if !errors.Is(err, toolloop.ErrSteps) || len(out.Steps) != 3 {
		t.Errorf("got %d steps, %v; want an end after 3", len(out.Steps), err)
	}
}

func extracts(t *testing.T, open Open) {
	s := newScript(t, says("extract", "what", "the code"), after("4711", says("done", "output", "4711")))
	s.texts = func(r llmtest.Request) string {
		if strings.Contains(fenced(r, "page text"), "The code is 4711") {
			return "The code is 4711."
		}
		return "NONE"
	}
	small := s.Model(func(o *llm.OpenAIOptions) { o.Context, o.Output = 9000, 1000 })
	out, err := drive.Run(t.Context(), small, open(t, at("/long")), "Find the code", drive.Options{})
	if err != nil || out.Output != "4711" || out.Usage.Calls < 4 {
		t.Errorf("got %q after %d calls, %v", out.Output, out.Usage.Calls, err)
	}
	if !strings.Contains(out.Stdout, "The code is 4711.") {
		t.Errorf("got stdout %q", out.Stdout)
	}
}

func fitsContext(t *testing.T, open Open) {
	turns := slices.Repeat([]turn{says("scroll", "direction", "down"), says("scroll", "direction", "up")}, 2)
	s := newScript(t, turns...)
	small := s.Model(func(o *llm.OpenAIOptions) { o.Context, o.Output = 4000, 500 })
	_, err := drive.Run(t.Context(), small, open(t, at("/long")), "Read", drive.Options{})
	if err != nil && !errors.Is(err, toolloop.ErrStuck) {
		t.Fatal(err)
	}
	if len(s.Requests()) < 4 {
		t.Errorf("got %d requests", len(s.Requests()))
	}
	for i, r := range s.Requests() {
		if n := llm.Tokens(r.Text()); n > 3500 {
			t.Errorf("request %d has about %d tokens, for a context of 4000", i, n)
		}
		if n := strings.Count(r.Text(), `is="page">`); n != 1 {
			t.Errorf("request %d shows %d snapshots, want the last alone", i, n)
		}
	}
}

// readsChanges has a model buy things on a large page: what it reads after each step but the first is a small part of it.
func readsChanges(t *testing.T, open Open) {
	out, s, err := run(t, open(t, at("/shop")), drive.Options{},
		does("type", `textbox "Find"`, "text", "blue"),
		after("Hits for blue", does("click", `checkbox "Only`)),
		after("checked", does("click", `button "More"`)),
		after("Article 125", does("click", `button "Buy 123"`)),
		after("In the basket: 1", does("click", `button "Buy 7"`)),
		after("In the basket: 2", says("done", "output", "bought")))
	if err != nil || out.Output != "bought" {
		t.Fatalf("got %q, %v", out.Output, err)
	}
	read, whole := 0, 0
	for _, r := range s.Requests()[1:] {
		if strings.Count(r.Text(), `is="page">`) != 1 {
			t.Errorf("the page is shown more or less than once:\n%s", r.Last())
		}
		read, whole = read+llm.Tokens(r.Last()), whole+llm.Tokens(out.Snapshot.Text)
	}
	t.Logf("after %d steps %.1f %% of the tokens of whole snapshots were read", len(s.Requests())-1, 100*float64(read)/float64(whole))
	if read*100 > whole*15 {
		t.Errorf("%d tokens of %d were read after the first look, want at most 15 %%", read, whole)
	}
}
