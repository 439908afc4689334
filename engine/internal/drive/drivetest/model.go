package drivetest

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/winnow-go/winnow/llm"
	"github.com/winnow-go/winnow/llm/llmtest"
)

// turn decides from what the model sees.
type turn func(s *scene) llm.Call

// scene is what the scripted model has before it.
type scene struct {
	t       testing.TB
	request llmtest.Request
	page    string // the last snapshot that was given whole, and what has changed since
	last    string // the last message
	again   bool   // set by a turn that is to be taken once more
}

// script is a model that takes its turns one after the other, and done after the last.
type script struct {
	*llmtest.Server
	mu    sync.Mutex
	turns []turn
	texts func(llmtest.Request) string // answers what has no tools
}

func newScript(t testing.TB, turns ...turn) *script {
	s := &script{turns: turns}
	s.Server = llmtest.NewServer(t, llmtest.Func(func(r llmtest.Request) llmtest.Reply { return s.answer(t, r) }))
	return s
}

func (s *script) answer(t testing.TB, r llmtest.Request) llmtest.Reply {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(r.Tools) == 0 {
		if s.texts == nil {
			return llmtest.Reply{Text: "NONE"}
		}
		return llmtest.Reply{Text: s.texts(r)}
	}
	if len(s.turns) == 0 {
		return llmtest.Reply{Calls: []llm.Call{call("done", "output", "over")}}
	}
	now := &scene{t: t, request: r, page: seen(r), last: r.Last()}
	c := s.turns[0](now)
	if !now.again {
		s.turns = s.turns[1:]
	}
	return llmtest.Reply{Text: "because", Calls: []llm.Call{c}}
}

// seen is what the model knows of the page: what has changed stands first.
func seen(r llmtest.Request) string {
	text := r.Text()
	if i := strings.LastIndex(text, `is="page">`); i >= 0 {
		text = text[i:]
	}
	var b strings.Builder
	for _, m := range slices.Backward(labelled.FindAllStringSubmatch(text, -1)) {
		if m[1] == "page changes" {
			b.WriteString(m[2] + "\n")
		}
	}
	return b.String() + fenced(r, "page")
}

var labelled = regexp.MustCompile(`(?s)<untrusted id="[0-9a-f]+" is="([a-z ]+)">\n(.*?)\n</untrusted id="`)

// fenced gives the last text that is fenced under a label.
func fenced(r llmtest.Request, label string) string {
	found := regexp.MustCompile(`(?s)<untrusted id="([0-9a-f]+)" is="`+label+`">\n(.*?)\n</untrusted id="`).FindAllStringSubmatch(r.Text(), -1)
	if len(found) == 0 {
		return ""
	}
	return found[len(found)-1][2]
}

// ref finds the reference of the line that has the text.
func (s *scene) ref(text string) string {
	for line := range strings.Lines(s.page) {
		if i := strings.LastIndex(line, " [e"); i > 0 && strings.Contains(line, text) {
			ref, _, _ := strings.Cut(line[i+2:], "]")
			return ref
		}
	}
	s.t.Errorf("no reference for %s in\n%s", text, s.page)
	return "e999999"
}

func (s *scene) wants(text string) {
	if !strings.Contains(s.last, text) {
		s.t.Errorf("the model was given %q, want %q in it", s.last, text)
	}
}

// call makes a call from names and values.
func call(name string, pairs ...any) llm.Call {
	arguments := map[string]any{}
	for i := 0; i+1 < len(pairs); i += 2 {
		arguments[fmt.Sprint(pairs[i])] = pairs[i+1]
	}
	data, err := json.Marshal(arguments)
	if err != nil {
		panic(err)
	}
	return llm.Call{Name: name, Arguments: data}
}

// does is a turn with a tool on the element whose line has the text.
func does(tool, text string, pairs ...any) turn {
	return func(s *scene) llm.Call { return call(tool, append([]any{"ref", s.ref(text)}, pairs...)...) }
}

// says is a turn with a tool alone.
func says(tool string, pairs ...any) turn {
	return func(*scene) llm.Call { return call(tool, pairs...) }
}

// once is a turn before which the model waits until the page has a text: a busy machine shows a frame late.
func once(text string, next turn) turn {
	left := 8
	return func(s *scene) llm.Call {
		if left--; left < 0 || strings.Contains(s.page, text) {
			return next(s)
		}
		s.again = true
		return call("wait", "milliseconds", 5000)
	}
}

// after is a turn before which the model must have been given a text.
func after(text string, next turn) turn {
	return func(s *scene) llm.Call {
		s.wants(text)
		return next(s)
	}
}
