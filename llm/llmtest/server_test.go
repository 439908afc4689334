package llmtest_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/llm"
	"github.com/winnow-go/winnow/llm/llmtest"
)

// post asks as any client would, and gives status, headers and body.
func post(t *testing.T, s *llmtest.Server, body string) (int, http.Header, string) {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Post(s.URL()+"/chat/completions", "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		text = append(text, " "+err.Error()...)
	}
	return resp.StatusCode, resp.Header, string(text)
}

const question = `{"model":"m","messages":[{"role":"user","content":"hello"}]`

func TestServer_answersInOnePiece(t *testing.T) {
	s := llmtest.NewServer(t, llmtest.Step{Reply: llmtest.Reply{Text: "hi", InputTokens: 3, OutputTokens: 4}})
	status, _, body := post(t, s, question+`}`)
	const want = `{"choices":[{"finish_reason":"stop","index":0,"message":{"content":"hi","role":"assistant"}}],"created":1,"id":"chatcmpl-1","model":"m","object":"chat.completion","usage":{"completion_tokens":4,"prompt_tokens":3,"total_tokens":7}}`
	if status != 200 || strings.TrimSpace(body) != want {
		t.Errorf("%d %s", status, body)
	}
}

func TestServer_streamsAsTheProtocolSays(t *testing.T) {
	reply := llmtest.Reply{Text: strings.Repeat("語", 20), Calls: []llm.Call{{Name: "look", Arguments: json.RawMessage(`{"at":"x"}`)}}}
	for _, usage := range []bool{true, false} {
		s := llmtest.NewServer(t, llmtest.Step{Reply: reply})
		_, header, body := post(t, s, question+fmt.Sprintf(`,"stream":true,"stream_options":{"include_usage":%v}}`, usage))
		text, arguments, finish, counted, done := "", "", "", false, false
		lines := bufio.NewScanner(strings.NewReader(body))
		for lines.Scan() {
			event, ok := strings.CutPrefix(lines.Text(), "data: ")
			if !ok || event == "[DONE]" {
				done = done || ok
				continue
			}
			var chunk struct {
				Choices []struct {
					Delta struct {
						Content   string
						ToolCalls []struct{ Function struct{ Arguments string } } `json:"tool_calls"`
					}
					FinishReason string `json:"finish_reason"`
				}
				Usage *struct{}
			}
			if err := json.Unmarshal([]byte(event), &chunk); err != nil {
				t.Fatal(err)
			}
			counted = counted || chunk.Usage != nil
			for _, choice := range chunk.Choices {
				text, finish = text+choice.Delta.Content, choice.FinishReason
				for _, call := range choice.Delta.ToolCalls {
					arguments += call.Function.Arguments
				}
			}
		}
		if header.Get("Content-Type") != "text/event-stream" || text != reply.Text || arguments != `{"at":"x"}` || finish != "tool_calls" || counted != usage || !done {
			t.Errorf("usage %v: %s", usage, body)
		}
	}
}

func TestServer_takesTheFirstStepThatFits(t *testing.T) {
	s := llmtest.NewServer(t,
		llmtest.Step{When: func(r llmtest.Request) bool { return r.Holds("special") }, Reply: llmtest.Reply{Text: "S"}, Times: -1},
		llmtest.Text("1"), llmtest.Step{Reply: llmtest.Reply{Text: "2"}, Times: 2})
	s.Add(llmtest.Func(func(r llmtest.Request) llmtest.Reply { return llmtest.Reply{Text: "F" + r.Last()} }))
	got := ""
	for _, words := range []string{"a", "special", "b", "c", "special", "d"} {
		_, _, body := post(t, s, `{"model":"m","messages":[{"role":"user","content":"`+words+`"}]}`)
		_, rest, _ := strings.Cut(body, `"content":"`)
		text, _, _ := strings.Cut(rest, `"`)
		got += text + " "
	}
	if got != "1 S 2 2 S Fd " {
		t.Errorf("got %s", got)
	}
}

func TestServer_refusesWhatStrictServersRefuse(t *testing.T) {
	s := llmtest.NewServer(t)
	for name, body := range map[string]string{
		"no JSON":         `{`,
		"no model":        `{"messages":[{"role":"user","content":"a"}]}`,
		"no messages":     `{"model":"m"}`,
		"unknown role":    `{"model":"m","messages":[{"role":"robot","content":"a"}]}`,
		"result of none":  `{"model":"m","messages":[{"role":"tool","tool_call_id":"x","content":"a"}]}`,
		"schema unnamed":  question + `,"response_format":{"type":"json_schema","json_schema":{"schema":{}}}}`,
		"usage unstreamd": question + `,"stream_options":{"include_usage":true}}`,
	} {
		if status, _, body := post(t, s, body); status != 400 || !strings.Contains(body, `"error":{`) {
			t.Errorf("%s: %d %s", name, status, body)
		}
	}
	if len(s.Requests()) != 7 {
		t.Errorf("%d requests", len(s.Requests()))
	}
}

func TestServer_failsAsAsked(t *testing.T) {
	s := llmtest.NewServer(t, llmtest.RateLimited(7), llmtest.RateLimited(-1), llmtest.TooLong(), llmtest.Fail(503, "busy", "later"),
		llmtest.RefuseFormats("json_object"), llmtest.Step{Reply: llmtest.Reply{Raw: "{", Status: 201}}, llmtest.Step{Reply: llmtest.Reply{Text: "a longer text than that", BreakAfter: 3}})
	for i, want := range []struct {
		status           int
		retryAfter, text string
	}{{429, "7", "rate_limit"}, {429, "", "rate_limit"}, {400, "", "context_length_exceeded"}, {503, "", "later"}, {201, "", "{"}} {
		if status, header, body := post(t, s, question+`}`); status != want.status || header.Get("Retry-After") != want.retryAfter || !strings.Contains(body, want.text) {
			t.Errorf("%d: %d %s %s", i, status, header.Get("Retry-After"), body)
		}
	}
	if status, _, body := post(t, s, question+`,"response_format":{"type":"json_object"}}`); status != 400 || !strings.Contains(body, "response_format") {
		t.Errorf("%d %s", status, body)
	}
	if _, _, body := post(t, s, question+`,"stream":true}`); !strings.Contains(body, `"a l"`) || strings.Contains(body, "DONE") || !strings.Contains(body, "EOF") {
		t.Errorf("not broken off: %s", body)
	}
}

// tester keeps what a failing test would say.
type tester struct {
	*testing.T
	cleanup []func()
	said    string
}

func (t *tester) Cleanup(f func())               { t.cleanup = append(t.cleanup, f) }
func (t *tester) Errorf(format string, a ...any) { t.said += fmt.Sprintf(format, a...) }

func TestNewServer_failsTheTestWhenTheScriptIsOver(t *testing.T) {
	tb := &tester{T: t}
	s := llmtest.NewServer(tb)
	if status, _, body := post(t, s, question+`}`); status != 400 || !strings.Contains(body, "no_step") {
		t.Errorf("%d %s", status, body)
	}
	for _, f := range tb.cleanup {
		f()
	}
	if !strings.Contains(tb.said, "hello") {
		t.Errorf("said %q", tb.said)
	}
}

func TestServer_Close_endsStalledReplies(t *testing.T) {
	asked := make(chan struct{})
	s, err := llmtest.Start(llmtest.Func(func(llmtest.Request) llmtest.Reply {
		close(asked)
		return llmtest.Reply{StallAfter: -1}
	}))
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	go func() {
		_, err := s.Model(func(o *llm.OpenAIOptions) { o.Retries = -1 }).Ask(t.Context(), llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "q"}}})
		ended <- err
	}()
	<-asked
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if err := <-ended; err == nil {
		t.Error("no error")
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}
