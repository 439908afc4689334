package llm_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/llm"
	"github.com/winnow-go/winnow/llm/llmtest"
)

func TestOpenAI_Ask_learnsWhatTheServerDoesNotTake(t *testing.T) {
	refuse := func(param, message string, when func(llmtest.Request) bool) llmtest.Step {
		return llmtest.Step{Times: -1, When: when, Reply: llmtest.Reply{Status: 400, Param: param, Message: message}}
	}
	has := func(text string) func(llmtest.Request) bool {
		return func(r llmtest.Request) bool { return bytes.Contains(r.Body, []byte(text)) }
	}
	for name, c := range map[string]struct {
		steps []llmtest.Step
		tries int
		check func(r llmtest.Request) bool
	}{
		"json_schema": {[]llmtest.Step{llmtest.RefuseFormats("json_schema")}, 2, func(r llmtest.Request) bool {
			return r.Format == "json_object" && strings.HasPrefix(r.System(), "Be kind.") && strings.Contains(r.System(), `{"type":"object"}`)
		}},
		"any format": {[]llmtest.Step{llmtest.RefuseFormats("json_schema", "json_object")}, 3, func(r llmtest.Request) bool {
			return r.Format == "" && strings.Contains(r.System(), `{"type":"object"}`)
		}},
		"not implemented": {[]llmtest.Step{{Times: -1, When: has("response_format"), Reply: llmtest.Reply{Status: 501, Message: "Not Implemented"}}}, 3,
			func(r llmtest.Request) bool { return r.Format == "" }},
		"max_tokens": {[]llmtest.Step{refuse("max_tokens", "Use 'max_completion_tokens' instead.", has(`"max_tokens"`))}, 2,
			func(r llmtest.Request) bool { return has("max_completion_tokens")(r) && r.MaxTokens == 4096 }},
		"temperature":    {[]llmtest.Step{refuse("temperature", "Only the default is supported.", has("temperature"))}, 2, func(r llmtest.Request) bool { return r.Temperature == nil }},
		"stream_options": {[]llmtest.Step{refuse("", "extra field stream_options", has("stream_options"))}, 2, func(r llmtest.Request) bool { return r.Stream }},
		"tool_choice":    {[]llmtest.Step{refuse("", "tool_choice: only auto", has("tool_choice"))}, 2, func(r llmtest.Request) bool { return !r.MustCall }},
		"streams":        {[]llmtest.Step{refuse("stream", "no streams here", has(`"stream":true`))}, 2, func(r llmtest.Request) bool { return !r.Stream }},
		"many": {[]llmtest.Step{llmtest.RefuseFormats("json_schema", "json_object"), refuse("max_tokens", "", has(`"max_tokens"`)), refuse("temperature", "", has("temperature")),
			refuse("stream_options", "", has("stream_options")), refuse("tool_choice", "", has("tool_choice")), refuse("stream", "", has(`"stream":true`))}, 8,
			func(r llmtest.Request) bool { return !r.Stream && r.Format == "" }},
	} {
		s := llmtest.NewServer(t, append(c.steps, llmtest.Step{Times: -1, Reply: llmtest.Reply{Text: "{}"}})...)
		m := s.Model()
		r := llm.Request{Messages: []llm.Message{{Role: llm.System, Text: "Be kind."}, {Role: llm.User, Text: "q"}}, Schema: json.RawMessage(`{"type":"object"}`),
			Tools: []llm.Tool{{Name: "x"}}, MustCall: true}
		for i := range 2 {
			if answer, err := m.Ask(t.Context(), r); err != nil || answer.Text != "{}" {
				t.Errorf("%s: %+v, %v", name, answer, err)
			}
			all := s.Requests()
			if len(all) != c.tries+i {
				t.Errorf("%s: asked %d times after %d answers", name, len(all), i+1)
			}
			if last := all[len(all)-1]; !c.check(last) {
				t.Errorf("%s: asked %s", name, last.Body)
			}
		}
		if r.Messages[0].Text != "Be kind." {
			t.Errorf("%s: the caller's messages were altered", name)
		}
	}
}

func TestOpenAI_Ask_oneBadSchemaDoesNotSpoilTheOthers(t *testing.T) {
	s := llmtest.NewServer(t, llmtest.Step{Times: -1, When: func(r llmtest.Request) bool { return strings.Contains(string(r.Schema), "bad") },
		Reply: llmtest.Reply{Status: 400, Param: "response_format", Message: "Invalid schema for response_format 'answer'."}},
		llmtest.Step{Times: -1, Reply: llmtest.Reply{Text: "{}"}})
	m := s.Model()
	for _, text := range []string{`{"title":"bad"}`, `{"title":"good"}`} {
		r := ask("q")
		r.Schema = json.RawMessage(text)
		if _, err := m.Ask(t.Context(), r); err != nil {
			t.Error(err)
		}
	}
	var formats []string
	for _, r := range s.Requests() {
		formats = append(formats, r.Format)
	}
	if want := []string{"json_schema", "json_object", "json_schema"}; !slices.Equal(formats, want) {
		t.Errorf("asked with %v", formats)
	}
}

func TestOpenAI_Ask_takesAServerThatCannotStream(t *testing.T) {
	s := llmtest.NewServer(t, llmtest.Step{Times: -1, Reply: llmtest.Reply{Text: "whole", Whole: true}})
	m := s.Model()
	for range 2 {
		streamed := ""
		r := ask("q")
		r.OnText = func(d string) { streamed += d }
		if answer, err := m.Ask(t.Context(), r); err != nil || answer.Text != "whole" || streamed != "whole" || answer.Usage.InputTokens == 0 {
			t.Errorf("%+v, %v, streamed %q", answer, err, streamed)
		}
	}
	if n := len(s.Requests()); n != 3 {
		t.Errorf("asked %d times", n)
	}
}

func TestOpenAI_Ask_knowsReasoningModels(t *testing.T) {
	s := llmtest.NewServer(t, llmtest.Text("ok"))
	m := s.Model(func(o *llm.OpenAIOptions) { o.Model = "o3-mini" })
	if answer, err := m.Ask(t.Context(), ask("q")); err != nil || answer.Text != "ok" {
		t.Fatalf("%+v, %v", answer, err)
	}
	if r := s.Requests()[0]; r.Temperature != nil || !bytes.Contains(r.Body, []byte("max_completion_tokens")) {
		t.Errorf("asked %s", r.Body)
	}
}
