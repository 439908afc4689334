package toolloop

import (
	"fmt"
	"slices"
	"strings"

	"github.com/winnow-go/winnow/llm"
)

// maxCalls of one answer that are repeated in requests; the first alone is run.
const maxCalls = 4

// answerTokens is what an answer may have, and what is kept free for it.
const answerTokens = 2000

// talk is the conversation. The views of old turns aren't shown again, and where it grows too long, the oldest turns are shown in
// a line each.
type talk struct {
	system, goal string
	first        []View
	tools        []llm.Tool
	views        int // that are shown
	info         llm.Info
	turns        []turn
	shrunk       int // how often the server found it too long
	changed      int // tokens of changes since views were given whole
}

// turn is an answer and what came of it.
type turn struct {
	answer llm.Answer
	result Result
	remark string
}

// add notes a turn. Of what the model has said only what servers take back is kept.
func (t *talk) add(a llm.Answer, r Result, remark string) {
	a.Text = Clip(a.Text, maxWhy)
	a.Calls = slices.Clone(a.Calls[:min(len(a.Calls), maxCalls)])
	for i := range a.Calls {
		c := &a.Calls[i]
		c.Arguments = arguments(*c)
		if c.ID == "" {
			c.ID = fmt.Sprintf("call_%d_%d", len(t.turns), i)
		}
	}
	r.Changes = t.worthwhile(r)
	t.turns = append(t.turns, turn{a, r, remark})
}

// worthwhile are the changes that are shown in the place of views, nil where the views are.
func (t *talk) worthwhile(r Result) []View {
	if len(r.Views) == 0 {
		return nil
	}
	t.changed += viewTokens(r.Changes)
	if r.Changes == nil || t.changed > viewTokens(r.Views)/2 {
		t.changed = 0
		return nil
	}
	return r.Changes
}

// nudge asks for a call.
func (t *talk) nudge(a llm.Answer) {
	t.add(llm.Answer{Text: a.Text}, Result{}, "Call one of the tools. When the goal is reached, or can't be, call done.")
}

// last are the views that are to be seen now.
func (t *talk) last() []View {
	for i := len(t.turns) - 1; i >= 0; i-- {
		if len(t.turns[i].result.Views) > 0 {
			return t.turns[i].result.Views
		}
	}
	return t.first
}

// shrink makes further requests shorter; false: they can't be.
func (t *talk) shrink() bool {
	t.shrunk++
	return t.shrunk <= 2
}

// room is how many tokens a request may have.
func (t *talk) room() int {
	room := t.info.Context - t.answer()
	for _, tool := range t.tools {
		room -= 20 + llm.Tokens(tool.Description) + llm.Tokens(string(tool.Parameters))
	}
	return max(room*19/20, 500) >> t.shrunk
}

func (t *talk) answer() int {
	n := min(answerTokens, t.info.Context/4)
	if t.info.Output > 0 {
		n = min(n, t.info.Output)
	}
	return n
}

// request is the next request to the model. Of all that could be in it the newest is kept; what is to be seen now takes three fifths
// of the room at most.
func (t *talk) request() llm.Request {
	r := llm.Request{Tools: t.tools, MustCall: true, MaxTokens: t.answer()}
	room := t.room()
	cut := max(0, viewTokens(t.last())-room*3/5)
	views := t.views
	if cut > 0 {
		views = 1
	}
	for from := 0; ; {
		r.Messages = t.messages(from, views, cut)
		over := tokens(r.Messages) - room
		switch {
		case over <= 0:
			return r
		case views > 1:
			views--
		case from < len(t.turns)-1:
			from++
		default:
			r.Messages = t.messages(from, views, cut+over)
			return r
		}
	}
}

func viewTokens(views []View) int {
	n := 0
	for _, v := range views {
		n += llm.Tokens(v.Text)
	}
	return n
}

func tokens(messages []llm.Message) int {
	n := 0
	for _, m := range messages {
		n += 5 + llm.Tokens(m.Text)
		for _, c := range m.Calls {
			n += 12 + llm.Tokens(c.Name) + llm.Tokens(string(c.Arguments))
		}
	}
	return n
}

// messages gives the turns from one on in full, with the views of the last so many; over is by how many tokens the
// views are to be shorter.
func (t *talk) messages(from, views, over int) []llm.Message {
	list := []llm.Message{{Role: llm.System, Text: t.system}}
	shown := t.shownFrom(views)
	whole := t.wholeFrom(shown)
	changes := over <= 0 && (whole >= from || from == 0)
	if changes {
		shown = whole
	}
	opening := t.goal
	if from > 0 {
		opening += "\n\nWhat you did so far, in short:\n" + t.brief(from)
	}
	switch {
	case shown < 0:
		opening += viewsText(t.first, over)
	case shown < from: // what is to be seen now was seen long ago
		opening += viewsText(t.turns[shown].result.Views, over)
	}
	list = append(list, llm.Message{Role: llm.User, Text: opening})
	for i, turn := range t.turns[from:] {
		list = append(list, turn.messages(from+i >= shown, changes, over)...)
	}
	return list
}

// shownFrom is the first turn whose views are shown; below 0: those before the first turn too.
func (t *talk) shownFrom(views int) int {
	for i := len(t.turns) - 1; i >= 0; i-- {
		if len(t.turns[i].result.Views) > 0 {
			if views--; views == 0 {
				return i
			}
		}
	}
	return -1
}

// wholeFrom is the turn at or before another whose views are given whole; below 0: those before the first turn.
func (t *talk) wholeFrom(i int) int {
	for i >= 0 && (t.turns[i].result.Changes != nil || len(t.turns[i].result.Views) == 0) {
		i--
	}
	return i
}

// brief sums up old turns in a line each.
func (t *talk) brief(until int) string {
	var b strings.Builder
	for i, turn := range t.turns[max(0, until-30):until] {
		for _, c := range turn.answer.Calls[:min(1, len(turn.answer.Calls))] {
			fmt.Fprintf(&b, "%d. %s %s: %s\n", max(0, until-30)+i+1, c.Name, Clip(string(c.Arguments), 200), Clip(turn.result.Text, 200))
		}
		if turn.result.Said != "" {
			b.WriteString(llm.Fence("result", Clip(turn.result.Said, 1000)) + "\n")
		}
	}
	return b.String()
}

// messages of a turn: what the model said, and what came of each of its calls.
func (t turn) messages(views, changes bool, over int) []llm.Message {
	list := []llm.Message{{Role: llm.Assistant, Text: t.answer.Text, Calls: t.answer.Calls}}
	if len(t.answer.Calls) == 0 {
		return append(list, llm.Message{Role: llm.User, Text: t.remark})
	}
	text := t.result.Text
	if t.result.Failed {
		text = "Not done. " + text
	}
	if t.result.Said != "" {
		text += "\n" + llm.Fence("result", t.result.Said)
	}
	if t.remark != "" {
		text += "\n" + t.remark
	}
	if views && changes && t.result.Changes != nil {
		text += viewsText(t.result.Changes, 0)
	} else if views {
		text += viewsText(t.result.Views, over)
	} else if len(t.result.Views) > 0 {
		text += "\n(What was to be seen then is left out.)"
	}
	for i, c := range t.answer.Calls {
		if i > 0 {
			text = "Not done: one call at a time. Look at the result of the first before you go on."
		}
		list = append(list, llm.Message{Role: llm.ToolResult, CallID: c.ID, Text: text})
	}
	return list
}

// viewsText fences the views, cut by about so many tokens.
func viewsText(views []View, over int) string {
	var b strings.Builder
	for _, v := range views {
		text := v.Text
		if over > 0 {
			text, over = shorten(text, over)
		}
		b.WriteString("\n\n" + llm.Fence(v.Label, text))
	}
	return b.String()
}

// shorten cuts a text by over tokens, and returns how many are still over.
func shorten(text string, over int) (string, int) {
	all := llm.Tokens(text)
	keep := max(all-over-20, 0)
	if keep < 16 {
		return "[cut]", max(over-all, 0)
	}
	return strings.TrimRight(llm.Split(text, keep, 0)[0], "\n") + "\n[cut: there is more than can be shown]", 0
}
