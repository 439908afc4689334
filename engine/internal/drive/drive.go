package drive

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/engine/internal/toolloop"
	"github.com/winnow-go/winnow/engine/internal/viewdiff"
	"github.com/winnow-go/winnow/llm"
)

// Bounds of a run.
const (
	defaultSteps    = 25
	defaultTime     = 5 * time.Minute
	defaultMaxChars = 40_000
	maxGoal         = 10_000
	maxStdout       = 1 << 20
)

// Options of a run. The zero value works.
type Options struct {
	// MaxSteps defaults to 25, and so it is bounded.
	MaxSteps int
	// MaxTime is when no further step begins. Defaults to 5 minutes. The page stays usable, which it may not when ctx ends.
	MaxTime time.Duration
	// MaxChars of a snapshot. Defaults to 40,000.
	MaxChars int
	// Allow says where the page may go; an error says why not. Beside the tool goto, which is offered only with it,
	// it checks links before they are clicked and where every step has led: from elsewhere the page is taken back.
	// Nil: the page goes where it leads.
	Allow func(address string) error
	// Secrets by their names, of letters, digits, "_" and "-".
	Secrets map[string]Secret
	// OnStep is called after each step, which has no secrets. An error ends the run.
	OnStep func(toolloop.Step) error
	// Now is the clock. Nil is time.Now.
	Now func() time.Time
}

// Outcome is what a run came to. It is valid beside an error, with all that was until then.
type Outcome struct {
	// Output is the model's final text.
	Output string
	// Snapshot is the page's last.
	Snapshot Snapshot
	// Stdout has the outputs of all tools, a line or more each, at most 1 MiB.
	Stdout string
	// Steps without secrets.
	Steps []toolloop.Step
	// Actions of all steps: they do the same on a page that stands where the run began. There may be more than one list of
	// actions takes; see [actions.MaxActions]. Secrets stand there as <secret:name>; [Reveal] puts them in. Complete is false where some
	// step is Incomplete, whose place then is empty.
	Actions  []actions.Action
	Complete bool
	Usage    llm.Usage
}

// ErrGaveUp is found in the error of a run whose model says that the goal can't be reached; Outcome.Output says why.
var ErrGaveUp = errors.New("the model says that the goal can't be reached")

// Unfinished reports whether an error of [Run] says only that the goal was not reached.
func Unfinished(err error) bool {
	for _, known := range []error{ErrGaveUp, toolloop.ErrSteps, toolloop.ErrStuck, toolloop.ErrTime} {
		if errors.Is(err, known) {
			return true
		}
	}
	return false
}

// Run lets m work on the page until goal, the caller's own text of at most 10,000 characters, is reached. Errors: [ErrGaveUp],
// toolloop's ErrSteps, ErrStuck and ErrTime, the model's, ctx's, and what the page gives but for failures.
func Run(ctx context.Context, m llm.Model, page Page, goal string, o Options) (Outcome, error) {
	d := &drive{page: page, model: m, o: o.withDefaults(), out: Outcome{Complete: true}}
	d.began = d.o.Now()
	if goal = strings.TrimSpace(goal); goal == "" || len(goal) > maxGoal {
		return d.out, fmt.Errorf("the goal has %d characters: want 1 to %d", len(goal), maxGoal)
	}
	if err := d.useSecrets(); err != nil {
		return d.out, err
	}
	if err := d.look(ctx); err != nil {
		return d.out, err
	}
	end, err := toolloop.Run(ctx, m, toolloop.Options{
		System: d.system(), Goal: "Your goal:\n" + goal, First: d.views(), Tools: d.tools(),
		MaxSteps: d.o.MaxSteps, MaxTime: d.o.MaxTime, OnStep: d.step, Now: d.o.Now,
	})
	d.out.Usage = d.out.Usage.Plus(end.Usage)
	if end.Text != "" {
		d.out.Output = d.redact(end.Text)
	}
	if err == nil && d.gaveUp {
		err = ErrGaveUp
	}
	d.out.Stdout = d.stdout.String()
	d.out.Snapshot = d.snapshot
	return d.out, err
}

func (o Options) withDefaults() Options {
	if o.MaxSteps <= 0 || o.MaxSteps > defaultSteps {
		o.MaxSteps = defaultSteps
	}
	if o.MaxTime <= 0 {
		o.MaxTime = defaultTime
	}
	if o.MaxChars <= 0 || o.MaxChars > defaultMaxChars {
		o.MaxChars = defaultMaxChars
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

// drive is one run on its way.
type drive struct {
	page     Page
	model    llm.Model
	o        Options
	secrets  secrets
	began    time.Time
	origin   string        // of the page at the beginning
	snapshot Snapshot      // the last, without secrets
	before   Snapshot      // what the model sees when it decides
	now      toolloop.Step // what the tool under way leaves for its step
	from     string        // where the page stood before the step under way
	moved    bool          // the last step has led to another document
	gaveUp   bool
	stdout   strings.Builder
	out      Outcome
}

// look takes a snapshot.
func (d *drive) look(ctx context.Context) error {
	s, err := d.page.Snapshot(ctx, d.o.MaxChars)
	if err != nil {
		return err
	}
	d.snapshot = Snapshot{Text: d.redact(s.Text), URL: d.redact(s.URL), Title: d.redact(s.Title)}
	return nil
}

// views are what the model sees of the page.
func (d *drive) views() []toolloop.View {
	d.before = d.snapshot
	text := fmt.Sprintf("address: %s\ntitle: %q\n%s", d.snapshot.URL, d.snapshot.Title, d.snapshot.Text)
	return []toolloop.View{{Label: "page", Text: text}}
}

// changes say how the page differs from what the model has seen before; nil where it is another one, small, or mostly new.
func (d *drive) changes(before Snapshot) []toolloop.View {
	if before == d.snapshot {
		return []toolloop.View{}
	}
	text, ok := viewdiff.Between(before.Text, d.snapshot.Text)
	if !ok || before.URL != d.snapshot.URL || len(d.snapshot.Text) < fewChars {
		return nil
	}
	if before.Title != d.snapshot.Title {
		text = fmt.Sprintf("title: %q\n%s", d.snapshot.Title, text)
	}
	return []toolloop.View{{Label: "page changes", Text: text}}
}

// fewChars are read again whatever has changed: a small page is easier to follow whole.
const fewChars = 2000

// step finishes the record of a step.
func (d *drive) step(s toolloop.Step, r toolloop.Result) error {
	step := d.now
	d.now = toolloop.Step{}
	step.Number, step.Tool, step.Why = s.Number, s.Tool, d.redact(s.Why)
	step.Arguments = d.redactJSON(s.Arguments)
	if step.URL == "" {
		step.See(d.before.URL, d.before.Title, d.before.Text)
	}
	text := d.redact(r.String())
	if r.Failed {
		step.Error, step.Actions, step.Incomplete = text, nil, false
	} else {
		step.Did = toolloop.Clip(text, 4000)
	}
	d.print(text)
	d.out.Steps = append(d.out.Steps, step)
	d.out.Actions = append(d.out.Actions, step.Actions...)
	d.out.Complete = d.out.Complete && !step.Incomplete
	if d.o.OnStep != nil {
		return d.o.OnStep(step)
	}
	return nil
}

func (d *drive) print(text string) {
	if text != "" && d.stdout.Len()+len(text) < maxStdout {
		d.stdout.WriteString(text + "\n")
	}
}
