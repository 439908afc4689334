package llm_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/winnow-go/winnow/llm"
	"github.com/winnow-go/winnow/llm/llmtest"
)

// silent is a server that says something, or nothing, and then no more.
type silent struct {
	says  string
	asked int
}

func (s *silent) RoundTrip(r *http.Request) (*http.Response, error) {
	s.asked++
	if s.says == "" {
		<-r.Context().Done()
		return nil, r.Context().Err()
	}
	body, w := io.Pipe()
	go func() {
		_, _ = io.WriteString(w, s.says)
		<-r.Context().Done()
		w.CloseWithError(r.Context().Err())
	}()
	return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: body, Request: r}, nil
}

func TestOpenAI_Ask_noticesASilentServer(t *testing.T) {
	for name, says := range map[string]string{"from the beginning": "", "amid the answer": `data: {"choices":[{"index":0,"delta":{"content":"some"}}]}` + "\n\n"} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &silent{says: says}
				m, err := llm.NewOpenAI(llm.OpenAIOptions{BaseURL: "http://h.example", Model: "m", Stall: time.Minute, Retries: 1, HTTP: &http.Client{Transport: s}})
				if err != nil {
					t.Fatal(err)
				}
				began := time.Now()
				if _, err := m.Ask(t.Context(), ask("q")); !errors.Is(err, llm.ErrUnavailable) || !strings.Contains(err.Error(), "silent") || s.asked != 2 {
					t.Errorf("asked %d times: %v", s.asked, err)
				}
				if took := time.Since(began); took < 2*time.Minute || took > 3*time.Minute {
					t.Errorf("took %s, want two silences of a minute and the pause between", took)
				}
			})
		})
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
		"endless lines": {Raw: strings.Repeat("data: {\"id\":\""+strings.Repeat("x", 2000)+"\"}\n", 1500)},
	} {
		s := llmtest.NewServer(t, llmtest.Step{Reply: reply, Times: -1})
		m := s.Model(func(o *llm.OpenAIOptions) { o.MaxAnswer, o.Retries = 10_000, -1 })
		if _, err := m.Ask(t.Context(), ask("q")); !errors.Is(err, llm.ErrUnavailable) || len(err.Error()) > 500 {
			t.Errorf("%s: %v", name, err)
		}
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
