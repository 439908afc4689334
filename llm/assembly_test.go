package llm_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/llm"
	"github.com/winnow-go/winnow/llm/llmtest"
)

func TestOpenAI_Ask_callsTools(t *testing.T) {
	look := llm.Tool{Name: "look", Description: "Looks.", Parameters: json.RawMessage(`{"type":"object","properties":{"at":{"type":"string"}}}`)}
	want := []llm.Call{{ID: "call_1", Name: "look", Arguments: json.RawMessage(`{"at":"世界"}`)}, {ID: "b", Name: "look", Arguments: json.RawMessage(`{}`)}}
	for _, whole := range []bool{false, true} {
		s := llmtest.NewServer(t, llmtest.Step{Times: -1, Reply: llmtest.Reply{Whole: whole, Calls: []llm.Call{{Name: "look", Arguments: want[0].Arguments}, {ID: "b", Name: "look"}}}})
		m := s.Model()
		answer, err := m.Ask(t.Context(), llm.Request{Messages: ask("q").Messages, Tools: []llm.Tool{look}, MustCall: true})
		if err != nil || fmt.Sprint(answer.Calls) != fmt.Sprint(want) {
			t.Errorf("whole %v: %+v, %v", whole, answer, err)
		}
		r := s.Requests()[0]
		if !r.MustCall || len(r.Tools) != 1 || r.Tools[0].Name != "look" || string(r.Tools[0].Parameters) != string(look.Parameters) {
			t.Errorf("asked %s", r.Body)
		}
		messages := append(ask("q").Messages, llm.Message{Role: llm.Assistant, Calls: answer.Calls},
			llm.Message{Role: llm.ToolResult, CallID: "call_1", Text: "seen"}, llm.Message{Role: llm.ToolResult, CallID: "b"})
		if _, err := m.Ask(t.Context(), llm.Request{Messages: messages, Tools: []llm.Tool{look}}); err != nil {
			t.Error(err)
		}
	}
}

func TestOpenAI_Ask_assemblesTheCallsOfOddServers(t *testing.T) {
	event := func(calls string) string {
		return `data: {"choices":[{"index":0,"delta":{"tool_calls":[` + calls + `]}}]}` + "\n\n"
	}
	end := `data: {"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}` + "\n\ndata: [DONE]\n\n"
	for name, c := range map[string]struct{ raw, want string }{
		"no index":             {event(`{"id":"a","function":{"name":"x","arguments":"{}"}}`) + event(`{"id":"b","function":{"name":"y","arguments":"[1]"}}`), `a x {} b y [1]`},
		"no index, in pieces":  {event(`{"id":"a","function":{"name":"x","arguments":"{\"q\""}}`) + event(`{"function":{"arguments":":1}"}}`), `a x {"q":1}`},
		"no index and no id":   {event(`{"function":{"name":"x","arguments":"{}"}}`) + event(`{"function":{"name":"x","arguments":"{}"}}`), `call_1 x {} call_2 x {}`},
		"one index for all":    {event(`{"index":0,"id":"a","function":{"name":"x","arguments":"{}"}}`) + event(`{"index":0,"id":"b","function":{"name":"y","arguments":"{}"}}`), `a x {} b y {}`},
		"name in each piece":   {event(`{"index":0,"id":"a","function":{"name":"x","arguments":"{"}}`) + event(`{"index":0,"id":"a","function":{"name":"x","arguments":"}"}}`), `a x {}`},
		"id later":             {event(`{"index":0,"function":{"name":"x","arguments":"{"}}`) + event(`{"index":0,"id":"a","function":{"arguments":"}"}}`), `a x {}`},
		"no arguments":         {event(`{"index":0,"id":"a","function":{"name":"x"}}`), `a x {}`},
		"pieces in each other": {event(`{"index":0,"id":"a","function":{"name":"x","arguments":"{"}},{"index":1,"id":"b","function":{"name":"y","arguments":"["}}`) + event(`{"index":0,"function":{"arguments":"}"}},{"index":1,"function":{"arguments":"]"}}`), `a x {} b y []`},
		"negative index":       {event(`{"index":-9,"id":"a","function":{"name":"x","arguments":"{}"}}`), `a x {}`},
	} {
		s := llmtest.NewServer(t, llmtest.Step{Reply: llmtest.Reply{Raw: c.raw + end}})
		answer, err := s.Model().Ask(t.Context(), ask("q"))
		var got []string
		for _, call := range answer.Calls {
			got = append(got, call.ID, call.Name, string(call.Arguments))
		}
		if err != nil || strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
		if answer.Usage.InputTokens == 0 || answer.Usage.OutputTokens == 0 {
			t.Errorf("%s: no estimate: %+v", name, answer.Usage)
		}
	}
}

func TestOpenAI_Ask_takesThoughtsOut(t *testing.T) {
	for said, want := range map[string]string{
		"<think>\nhm {\n</think>\n\nyes": "yes",
		"no <think>really</think> no":    "no <think>really</think> no",
		"<think>cut":                     "",
	} {
		s := llmtest.NewServer(t, llmtest.Text(said))
		if answer, err := s.Model().Ask(t.Context(), ask("q")); err != nil || answer.Text != want {
			t.Errorf("%q: %q, %v", said, answer.Text, err)
		}
	}
}

func TestOpenAI_Ask_saysThatTheAnswerIsCut(t *testing.T) {
	s := llmtest.NewServer(t, llmtest.Step{Reply: llmtest.Reply{Text: "half", Cut: true, NoUsage: true}})
	answer, err := s.Model().Ask(t.Context(), ask("q"))
	if err != nil || !answer.Cut || answer.Usage.InputTokens == 0 || answer.Usage.OutputTokens != llm.Tokens("half") {
		t.Errorf("%+v, %v", answer, err)
	}
}
