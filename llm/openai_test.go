package llm_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/winnow-go/winnow/llm"
	"github.com/winnow-go/winnow/llm/llmtest"
)

func TestNewOpenAI_checksItsOptions(t *testing.T) {
	t.Setenv("OPENAI_BASE_URL", "")
	t.Setenv("OPENAI_MODEL", "")
	for name, o := range map[string]llm.OpenAIOptions{
		"Model":   {},
		"BaseURL": {Model: "m", BaseURL: "localhost:1234"},
		"user":    {Model: "m", BaseURL: "http://u:secret@h/v1"},
		"Key":     {Model: "m", Key: "secret\n"},
		"Context": {Model: "m", Context: 10},
		"Stall":   {Model: "m", Stall: -1},
	} {
		if _, err := llm.NewOpenAI(o); err == nil || !strings.Contains(err.Error(), name) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestNewOpenAI_takesTheEnvironment(t *testing.T) {
	s := llmtest.NewServer(t, llmtest.Func(func(llmtest.Request) llmtest.Reply { return llmtest.Reply{Text: "ok"} }))
	t.Setenv("OPENAI_BASE_URL", s.URL()+"/")
	t.Setenv("OPENAI_API_KEY", "sk-environment")
	t.Setenv("OPENAI_MODEL", "from-environment")
	for _, o := range []llm.OpenAIOptions{{}, {BaseURL: s.URL()}, {Key: "sk-option", Model: "from-option"}} {
		o.HTTP = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
		m, err := llm.NewOpenAI(o)
		if err != nil {
			t.Fatal(err)
		}
		if m.Info().Local || m.Info().Context != 128_000 || m.Info().Output != 4096 {
			t.Errorf("info %+v", m.Info())
		}
		if _, err := m.Ask(t.Context(), ask("q")); err != nil {
			t.Fatal(err)
		}
	}
	for i, want := range []string{"from-environment Bearer sk-environment", "from-environment ", "from-option Bearer sk-option"} {
		if r := s.Requests()[i]; r.Model+" "+r.Header.Get("Authorization") != want {
			t.Errorf("request %d: %s %s, want %s", i, r.Model, r.Header.Get("Authorization"), want)
		}
	}
}

func TestOpenAI_Ask_streamsTextAndCountsUsage(t *testing.T) {
	const text = "Grüße, 世界! This is long enough for several pieces."
	s := llmtest.NewServer(t, llmtest.Step{Reply: llmtest.Reply{Text: text, InputTokens: 1000, OutputTokens: 500}})
	m := s.Model(func(o *llm.OpenAIOptions) { o.Prices = llm.Prices{Input: 2, Output: 10} })
	var told []string
	answer, err := m.Ask(t.Context(), llm.Request{
		Messages:    []llm.Message{{Role: llm.System, Text: "Be kind."}, {Role: llm.User, Text: "q"}},
		MaxTokens:   77,
		Temperature: 0.5,
		OnText:      func(d string) { told = append(told, d) },
	})
	if err != nil || answer.Text != text || strings.Join(told, "") != text || len(told) < 2 {
		t.Errorf("%+v, %v, told %q", answer, err, told)
	}
	if want := (llm.Usage{Calls: 1, InputTokens: 1000, OutputTokens: 500, Cost: 0.007}); answer.Usage != want {
		t.Errorf("usage %+v", answer.Usage)
	}
	r := s.Requests()[0]
	if !r.Stream || r.MaxTokens != 77 || *r.Temperature != 0.5 || r.System() != "Be kind." || r.Last() != "q" || r.Format != "" {
		t.Errorf("asked %s", r.Body)
	}
}

func TestOpenAI_Ask_temperatureIsAsGoodAsZeroByDefault(t *testing.T) {
	s := llmtest.NewServer(t, llmtest.Text("ok"))
	if _, err := s.Model().Ask(t.Context(), ask("q")); err != nil {
		t.Fatal(err)
	}
	if got := s.Requests()[0].Temperature; got == nil || *got > 0.001 {
		t.Errorf("temperature %v", got)
	}
}

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

func TestOpenAI_Ask_sortsErrors(t *testing.T) {
	for name, c := range map[string]struct {
		reply llmtest.Reply
		want  error
		asked int
	}{
		"key":               {llmtest.Reply{Status: 401, Code: "invalid_api_key", Message: "Incorrect API key provided: sk-secret"}, llm.ErrRefused, 1},
		"unknown model":     {llmtest.Reply{Status: 404, Code: "model_not_found"}, llm.ErrRefused, 1},
		"bad request":       {llmtest.Reply{Status: 400, Message: "no"}, llm.ErrRefused, 1},
		"quota":             {llmtest.Reply{Status: 429, Code: "insufficient_quota"}, llm.ErrRefused, 1},
		"context":           {llmtest.TooLong().Reply, llm.ErrTooLong, 1},
		"context, local":    {llmtest.Reply{Status: 500, Message: "the request exceeds the available context size"}, llm.ErrTooLong, 1},
		"body too large":    {llmtest.Reply{Status: 413}, llm.ErrTooLong, 1},
		"rate":              {llmtest.RateLimited(1).Reply, llm.ErrUnavailable, 3},
		"overloaded":        {llmtest.Reply{Status: 503, Message: "overloaded"}, llm.ErrUnavailable, 3},
		"no JSON":           {llmtest.Reply{Status: 502, Raw: "<html>bad gateway sk-secret", ContentType: "text/html"}, llm.ErrUnavailable, 3},
		"odd error":         {llmtest.Reply{Status: 500, Raw: `{"error":"out of memory sk-secret"}`}, llm.ErrUnavailable, 3},
		"odder error":       {llmtest.Reply{Status: 500, Raw: `{"error":[1],"detail":{}}`}, llm.ErrUnavailable, 3},
		"filter":            {llmtest.Reply{Text: "I", FinishReason: "content_filter"}, llm.ErrRefused, 1},
		"broken off":        {llmtest.Reply{Text: "This is a text that breaks off.", BreakAfter: 5}, llm.ErrUnavailable, 3},
		"closed at once":    {llmtest.Reply{BreakAfter: -1}, llm.ErrUnavailable, 3},
		"broken events":     {llmtest.Reply{Raw: "data: {\"choices\": sk-secret\n\n"}, llm.ErrUnavailable, 3},
		"no end":            {llmtest.Reply{Raw: "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\"}}]}\n\ndata: [DONE]\n\n"}, llm.ErrUnavailable, 3},
		"error amid events": {llmtest.Reply{Raw: "data: {\"error\":{\"message\":\"crashed sk-secret\",\"code\":\"boom\"}}\n\n"}, llm.ErrUnavailable, 3},
		"refusal":           {llmtest.Reply{Raw: "data: {\"choices\":[{\"index\":0,\"delta\":{\"refusal\":\"I won't.\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"}, llm.ErrRefused, 1},
	} {
		s := llmtest.NewServer(t, llmtest.Step{Reply: c.reply, Times: -1})
		var log bytes.Buffer
		m := s.Model(func(o *llm.OpenAIOptions) {
			o.Key, o.Retries = "sk-secret", 2
			o.Logger = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
		})
		answer, err := m.Ask(t.Context(), ask("private question"))
		e, ok := errors.AsType[*llm.ServerError](err)
		if !errors.Is(err, c.want) || !ok || len(s.Requests()) != c.asked {
			t.Errorf("%s: %v, asked %d times", name, err, len(s.Requests()))
			continue
		}
		if c.reply.Status != e.Status {
			t.Errorf("%s: status %d", name, e.Status)
		}
		if all := err.Error() + log.String() + e.Message; strings.Contains(all, "sk-secret") || strings.Contains(all, "private") {
			t.Errorf("%s: the key or the question is told: %s", name, all)
		}
		if c.reply.Text != "" && answer.Usage.InputTokens == 0 {
			t.Errorf("%s: tokens were spent, usage %+v", name, answer.Usage)
		}
	}
}

func TestOpenAI_Ask_triesAgainAfterTheAskedTime(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	s := llmtest.NewServer(t, llmtest.RateLimited(7),
		llmtest.Step{Reply: llmtest.Reply{Status: 503, RetryAfter: now.Add(20 * time.Second).Format(http.TimeFormat)}},
		llmtest.Fail(500, "", ""), llmtest.Text("ok"))
	var waits []time.Duration
	m := s.Model(func(o *llm.OpenAIOptions) {
		o.Now, o.Random = func() time.Time { return now }, func() float64 { return 0.5 }
		o.Sleep = func(_ context.Context, d time.Duration) error {
			waits = append(waits, d)
			return nil
		}
	})
	answer, err := m.Ask(t.Context(), ask("q"))
	if want := []time.Duration{7 * time.Second, 20 * time.Second, 1500 * time.Millisecond}; err != nil || answer.Text != "ok" || !slices.Equal(waits, want) {
		t.Errorf("%+v, %v, waits %v", answer, err, waits)
	}
}

func TestOpenAI_Ask_doesNotWaitLongerThanAllowed(t *testing.T) {
	s := llmtest.NewServer(t, llmtest.RateLimited(3600))
	_, err := s.Model().Ask(t.Context(), ask("q"))
	if e, ok := errors.AsType[*llm.ServerError](err); !ok || e.Status != 429 || len(s.Requests()) != 1 {
		t.Errorf("%v", err)
	}
}

func TestOpenAI_Ask_doesNotTellTextTwice(t *testing.T) {
	s := llmtest.NewServer(t, llmtest.Step{Reply: llmtest.Reply{Text: "This is a text that breaks off.", BreakAfter: 5}})
	told := ""
	r := ask("q")
	r.OnText = func(d string) { told += d }
	if _, err := s.Model().Ask(t.Context(), r); !errors.Is(err, llm.ErrUnavailable) || told != "This " {
		t.Errorf("%v, told %q", err, told)
	}
}

func TestOpenAI_Ask_noticesASilentServer(t *testing.T) {
	for name, reply := range map[string]llmtest.Reply{"from the beginning": {StallAfter: -1}, "amid the answer": {Text: "some text that stalls", StallAfter: 4}} {
		s := llmtest.NewServer(t, llmtest.Step{Reply: reply, Times: -1})
		m := s.Model(func(o *llm.OpenAIOptions) { o.Stall, o.Retries = 30*time.Millisecond, 1 })
		if _, err := m.Ask(t.Context(), ask("q")); !errors.Is(err, llm.ErrUnavailable) || !strings.Contains(err.Error(), "silent") || len(s.Requests()) != 2 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestOpenAI_Ask_endsWithItsContext(t *testing.T) {
	gone := errors.New("gone")
	s := llmtest.NewServer(t, llmtest.Step{Reply: llmtest.Reply{Text: "some text that stalls", StallAfter: 4}})
	ctx, cancel := context.WithCancelCause(t.Context())
	r := ask("q")
	r.OnText = func(string) { cancel(gone) }
	m := s.Model(func(o *llm.OpenAIOptions) { o.Parallel = 1 })
	answer, err := m.Ask(ctx, r)
	if !errors.Is(err, gone) || answer.Usage.InputTokens == 0 {
		t.Errorf("%+v, %v", answer, err)
	}
	if _, err := m.Ask(ctx, ask("q")); !errors.Is(err, gone) || len(s.Requests()) != 1 {
		t.Errorf("%v", err)
	}
}

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

func TestOpenAI_Ask_takesAServerThatCannotStream(t *testing.T) {
	s := llmtest.NewServer(t, llmtest.Step{Times: -1, Reply: llmtest.Reply{Text: "whole", Whole: true}})
	m := s.Model()
	for range 2 {
		told := ""
		r := ask("q")
		r.OnText = func(d string) { told += d }
		if answer, err := m.Ask(t.Context(), r); err != nil || answer.Text != "whole" || told != "whole" || answer.Usage.InputTokens == 0 {
			t.Errorf("%+v, %v, told %q", answer, err, told)
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

func TestOpenAI_Ask_boundsWhatTheServerSays(t *testing.T) {
	chunk := `data: {"choices":[{"index":0,"delta":{"content":"` + strings.Repeat("x", 1000) + `"}}]}` + "\n\n"
	call := `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"id":"%d","function":{"name":"x"}}]}}]}` + "\n\n"
	var calls strings.Builder
	for i := range 100 {
		fmt.Fprintf(&calls, call, i)
	}
	for name, reply := range map[string]llmtest.Reply{
		"text":          {Raw: strings.Repeat(chunk, 12)},
		"one line":      {Raw: "data: " + strings.Repeat("x", 200_000)},
		"without data":  {Raw: strings.Repeat(": x\n", 20_000)},
		"calls":         {Raw: calls.String()},
		"an error":      {Raw: strings.Repeat("x", 200_000), Status: 500},
		"whole":         {Raw: `{"choices":[{"message":{"content":"` + strings.Repeat("x", 20_000) + `"}}]}`, ContentType: "application/json"},
		"endless lines": {Raw: strings.Repeat("data: {}\n", 300_000)},
	} {
		s := llmtest.NewServer(t, llmtest.Step{Reply: reply, Times: -1})
		m := s.Model(func(o *llm.OpenAIOptions) { o.MaxAnswer, o.Retries = 10_000, -1 })
		if _, err := m.Ask(t.Context(), ask("q")); !errors.Is(err, llm.ErrUnavailable) || len(err.Error()) > 500 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestOpenAI_Ask_refusesWhatExceedsTheContext(t *testing.T) {
	s := llmtest.NewServer(t, llmtest.Text("ok"))
	m := s.Model(func(o *llm.OpenAIOptions) { o.Context, o.Output = 1000, 900 })
	if _, err := m.Ask(t.Context(), ask(strings.Repeat("word ", 2000))); !errors.Is(err, llm.ErrTooLong) || len(s.Requests()) != 0 {
		t.Errorf("%v", err)
	}
	if _, err := m.Ask(t.Context(), ask(strings.Repeat("word ", 550))); err != nil || s.Requests()[0].MaxTokens >= 400 {
		t.Errorf("%v, %d tokens allowed", err, s.Requests()[0].MaxTokens)
	}
}

func TestOpenAI_Ask_boundsCallsAtOnce(t *testing.T) {
	var mu sync.Mutex
	now, most := 0, 0
	gate := make(chan struct{})
	s := llmtest.NewServer(t, llmtest.Func(func(llmtest.Request) llmtest.Reply {
		mu.Lock()
		now++
		most = max(most, now)
		mu.Unlock()
		<-gate
		mu.Lock()
		now--
		mu.Unlock()
		return llmtest.Reply{Text: "ok"}
	}))
	m := s.Model(func(o *llm.OpenAIOptions) { o.Parallel = 2 })
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() {
			if _, err := m.Ask(t.Context(), ask("q")); err != nil {
				t.Error(err)
			}
		})
	}
	for range 6 {
		gate <- struct{}{}
	}
	wg.Wait()
	if most > 2 {
		t.Errorf("%d at once", most)
	}
}

func TestOpenAI_Ask_followsNoRedirectToAnotherHost(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { t.Errorf("asked %s", r.URL) }))
	defer other.Close()
	first := httptest.NewServer(http.RedirectHandler(other.URL+"/v1/chat/completions", http.StatusTemporaryRedirect))
	defer first.Close()
	t.Setenv("HTTP_PROXY", other.URL)
	m, err := llm.NewOpenAI(llm.OpenAIOptions{BaseURL: first.URL, Model: "m", Key: "sk-secret", Retries: -1})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Ask(t.Context(), ask("q")); !errors.Is(err, llm.ErrUnavailable) || !strings.Contains(err.Error(), "another host") {
		t.Errorf("%v", err)
	}
}

func TestOpenAI_Ask_tellsAddressesToNobody(t *testing.T) {
	closed := httptest.NewServer(nil)
	closed.Close()
	m, _ := llm.NewOpenAI(llm.OpenAIOptions{BaseURL: closed.URL + "/private-path", Model: "m", Retries: -1})
	if _, err := m.Ask(t.Context(), ask("q")); !errors.Is(err, llm.ErrUnavailable) || strings.Contains(err.Error(), "private-path") {
		t.Errorf("%v", err)
	}
}

// FuzzOpenAI feeds the client bytes of a server, over a transport without sockets.
func FuzzOpenAI(f *testing.F) {
	f.Add([]byte("data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"), 200, true)
	f.Add([]byte("data: {\"error\":{\"message\":\"a\",\"code\":[1]}}\n\n"), 200, true)
	f.Add([]byte(`{"choices":[{"message":{"content":[{"type":"text"}],"tool_calls":[{}]}}],"usage":{"prompt_tokens":-1}}`), 200, false)
	f.Add([]byte(`{"error":{"code":{"a":1},"message":["x"],"innererror":{}}}`), 400, false)
	f.Fuzz(func(t *testing.T, body []byte, status int, stream bool) {
		kind := "application/json"
		if stream {
			kind = "text/event-stream"
		}
		m, err := llm.NewOpenAI(llm.OpenAIOptions{BaseURL: "http://h.example", Model: "m", Retries: 1, MaxAnswer: 1 << 12,
			HTTP: &http.Client{Transport: roundTrip(func(r *http.Request) *http.Response {
				return &http.Response{StatusCode: 100 + abs(status)%900, Header: http.Header{"Content-Type": {kind}, "Retry-After": {string(body[:min(len(body), 9)])}},
					Body: io.NopCloser(bytes.NewReader(body)), Request: r}
			})},
			Sleep: func(context.Context, time.Duration) error { return nil }})
		if err != nil {
			t.Fatal(err)
		}
		r := ask("q")
		r.Schema = json.RawMessage(`{}`)
		answer, err := m.Ask(t.Context(), r)
		if _, ok := errors.AsType[*llm.ServerError](err); err != nil && !ok {
			t.Fatalf("%T %v", err, err)
		}
		if len(answer.Text) > 1<<12 || len(answer.Calls) > 64 || answer.Usage.InputTokens < 0 || answer.Usage.OutputTokens < 0 {
			t.Fatalf("%+v", answer)
		}
	})
}

type roundTrip func(*http.Request) *http.Response

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r), nil }

func abs(n int) int {
	if n < 0 {
		n = -(n + 1)
	}
	return n
}
