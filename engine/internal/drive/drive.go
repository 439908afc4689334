package drive

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/engine/internal/toolloop"
	"github.com/winnow-go/winnow/llm"
)

// Bounds of a run.
const (
	defaultSteps    = 25
	defaultTime     = 5 * time.Minute
	defaultMaxChars = 40_000
	maxGoal         = 10_000
	seenChars       = 400
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
	// Allow says where the page may go; an error says why not. Beside the tool goto, which is offered only with it, it is asked of
	// links before they are clicked and of where every step has led: from elsewhere the page is taken back. Nil: the page goes where it leads.
	Allow func(address string) error
	// Secrets by their names, of letters, digits, "_" and "-".
	Secrets map[string]Secret
	// OnStep is told each step when it is done. An error ends the run.
	OnStep func(Step) error
	// Now is the clock. Nil is time.Now.
	Now func() time.Time
}

// Step is one step of a run, without secrets.
type Step struct {
	// Number counts from 1.
	Number int `json:"number"`
	// URL, Digest and Seen tell what the model saw before: the address, a hash of the snapshot, and its beginning.
	URL    string `json:"url"`
	Digest string `json:"digest,omitempty"`
	Seen   string `json:"seen,omitempty"`
	// Tool and Arguments as the model asked for them, Why in its words.
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
	Why       string          `json:"why,omitempty"`
	// Did tells what was done; Error why it was not.
	Did   string `json:"did,omitempty"`
	Error string `json:"error,omitempty"`
	// Actions do the same without a model. Lost says that none can: no selector finds the element.
	Actions []actions.Action `json:"actions,omitempty"`
	Lost    bool             `json:"lost,omitempty"`
}

// Outcome is what a run came to. It is valid beside an error, with all that was until then.
type Outcome struct {
	// Output is the model's final text.
	Output string
	// Snapshot is the page's last.
	Snapshot Snapshot
	// Stdout has the outputs of all tools, a line or more each, at most 1 MiB.
	Stdout string
	Steps  []Step
	// Actions of all steps: they do the same on a page that stands where the run began. There may be more than one list of
	// actions takes; see [actions.MaxActions]. Secrets stand there as <secret:name>; [Reveal] puts them in. Complete is false where some
	// step is Lost, whose place then is empty.
	Actions  []actions.Action
	Complete bool
	Usage    llm.Usage
}

// ErrGaveUp is found in the error of a run whose model says that the goal can't be reached; Outcome.Output says why.
var ErrGaveUp = errors.New("the model says that the goal can't be reached")

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
	origin   string   // of the page at the beginning
	snapshot Snapshot // the last, without secrets
	before   Snapshot // what the model sees when it decides
	now      Step     // what the tool under way leaves for its step
	from     string   // where the page stood before the step under way
	moved    bool     // the last step has led to another document
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

// step finishes the record of a step.
func (d *drive) step(s toolloop.Step) error {
	step := d.now
	d.now = Step{}
	step.Number, step.Tool, step.Why = s.Number, clip(s.Tool, 64), d.redact(s.Why)
	step.Arguments = d.redactJSON(s.Arguments)
	if step.URL == "" {
		step.see(d.before)
	}
	text := d.redact(strings.TrimSpace(s.Result.Text + "\n" + s.Result.Said))
	if s.Result.Failed {
		step.Error, step.Actions, step.Lost = text, nil, false
	} else {
		step.Did = clip(text, 4000)
	}
	d.print(text)
	d.out.Steps = append(d.out.Steps, step)
	d.out.Actions = append(d.out.Actions, step.Actions...)
	d.out.Complete = d.out.Complete && !step.Lost
	if d.o.OnStep != nil {
		return d.o.OnStep(step)
	}
	return nil
}

// see notes what the model saw.
func (s *Step) see(shot Snapshot) {
	sum := sha256.Sum256([]byte(shot.Text))
	s.URL, s.Digest, s.Seen = shot.URL, hex.EncodeToString(sum[:8]), clip(shot.Title+"\n"+shot.Text, seenChars)
}

func (d *drive) print(text string) {
	if text != "" && d.stdout.Len()+len(text) < maxStdout {
		d.stdout.WriteString(text + "\n")
	}
}

// clip cuts s to at most n bytes of valid UTF-8.
func clip(s string, n int) string {
	if len(s) <= n {
		return strings.ToValidUTF8(s, "")
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}
