package toolloop

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/winnow-go/winnow/llm"
)

// Tool is something that the model can have done.
type Tool struct {
	llm.Tool
	// Run does it. The arguments are a JSON object as the model wrote it, of at most 16 KiB. What the model can
	// correct is a Result that has Failed; an error ends the loop.
	Run func(ctx context.Context, arguments json.RawMessage) (Result, error)
}

// View is foreign text for the model to look at, such as a page. It is fenced.
type View struct{ Label, Text string }

// Result is what came of a call.
type Result struct {
	// Text says it in words of the tool's maker.
	Text string
	// Said is a short foreign text that belongs to it and stays in the conversation; it is fenced.
	Said string
	// Views are what is to be seen now; older ones are dropped from the conversation.
	Views []View
	// Changes, unless nil, say how Views differ from those before: the model is shown them instead, as long as what it has seen before
	// stays in the conversation and they are less to read than half of Views, all since those together.
	Changes []View
	// Failed and Same say that the call was refused, and that nothing has changed by it.
	Failed, Same bool
	// Done ends the loop.
	Done bool
}

// String is the text with what was said.
func (r Result) String() string { return strings.TrimSpace(r.Text + "\n" + r.Said) }

// Options of one loop. System, Goal and Tools are required.
type Options struct {
	// System says how to work; [llm.UntrustedRule] is put after it. Goal is the caller's own text.
	System, Goal string
	// First are the views before the first step.
	First []View
	Tools []Tool
	// MaxSteps defaults to 25.
	MaxSteps int
	// MaxTime bounds the loop: no step begins after it, and no answer of the model is waited for. 0: the context alone does.
	MaxTime time.Duration
	// Views is how many results' views stay in the conversation, as long as there is room. Defaults to 1: the last.
	Views int
	// OnStep is called after each step with what came of it; a call that can't be run has a Result that Failed. An error ends
	// the loop.
	OnStep func(Step, Result) error
	// Now is the clock. Nil is time.Now.
	Now func() time.Time
}

// End is how a loop ended.
type End struct {
	// Steps that were made.
	Steps int
	// Text is what the model said last without a call, where that ended the loop.
	Text string
	// Usage of the model.
	Usage llm.Usage
}

// The ways in which a loop ends without being done.
var (
	// ErrSteps: the steps are used up.
	ErrSteps = errors.New("the steps are used up before the goal was reached")
	// ErrStuck: the model goes on with what changes nothing or is refused.
	ErrStuck = errors.New("nothing has changed for many steps")
	// ErrTime: the time is used up.
	ErrTime = errors.New("the time is used up before the goal was reached")
)

const (
	defaultSteps = 25
	maxArguments = 16 << 10
	maxWhy       = 2000
	maxTool      = 64
)

// Run asks m what to do next and does it until a tool is done, or the model speaks without calling one, also after it was asked to. The
// End is valid beside an error: [ErrSteps], [ErrStuck], [ErrTime], those of the model, the context's, and those of tools and OnStep as
// they are.
func Run(ctx context.Context, m llm.Model, o Options) (End, error) {
	l := newLoop(m, o)
	for l.end.Steps < l.o.MaxSteps {
		done, err := l.turn(ctx)
		if err != nil || done {
			return l.end, err
		}
	}
	return l.end, fmt.Errorf("%w (%d)", ErrSteps, l.o.MaxSteps)
}

// loop is a loop in progress.
type loop struct {
	model  llm.Model
	o      Options
	began  time.Time
	talk   talk
	seen   map[string]int // calls, with what the model saw before them
	idle   int            // steps in a row that changed nothing
	silent bool           // the model has been asked for a call
	end    End
}

func newLoop(m llm.Model, o Options) *loop {
	if o.MaxSteps <= 0 {
		o.MaxSteps = defaultSteps
	}
	if o.Views <= 0 {
		o.Views = 1
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	l := &loop{model: m, o: o, began: o.Now(), seen: map[string]int{}}
	l.talk = talk{
		system: o.System + "\n\n" + llm.UntrustedRule, goal: o.Goal, views: o.Views, info: m.Info(), first: o.First, tools: declared(o.Tools),
	}
	return l
}

func declared(tools []Tool) []llm.Tool {
	var list []llm.Tool
	for _, t := range tools {
		list = append(list, t.Tool)
	}
	return list
}

// left is the time that is left; nil without a bound.
func (l *loop) left() *time.Duration {
	if l.o.MaxTime <= 0 {
		return nil
	}
	return new(l.o.MaxTime - l.o.Now().Sub(l.began))
}
