package llm_test

import (
	"context"
	"errors"
	"net"
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
	var streamed []string
	answer, err := m.Ask(t.Context(), llm.Request{
		Messages:    []llm.Message{{Role: llm.System, Text: "Be kind."}, {Role: llm.User, Text: "q"}},
		MaxTokens:   77,
		Temperature: 0.5,
		OnText:      func(d string) { streamed = append(streamed, d) },
	})
	if err != nil || answer.Text != text || strings.Join(streamed, "") != text || len(streamed) < 2 {
		t.Errorf("%+v, %v, streamed %q", answer, err, streamed)
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

func TestOpenAI_Ask_streamsNoTextTwice(t *testing.T) {
	s := llmtest.NewServer(t, llmtest.Step{Reply: llmtest.Reply{Text: "This is a text that breaks off.", BreakAfter: 5}})
	streamed := ""
	r := ask("q")
	r.OnText = func(d string) { streamed += d }
	if _, err := s.Model().Ask(t.Context(), r); !errors.Is(err, llm.ErrUnavailable) || streamed != "This " {
		t.Errorf("%v, streamed %q", err, streamed)
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

func TestOpenAI_Ask_revealsNoAddresses(t *testing.T) {
	server := httptest.NewServer(nil)
	defer server.Close()
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	closed := "http://" + conn.LocalAddr().String() // nothing can listen at the near end
	m, _ := llm.NewOpenAI(llm.OpenAIOptions{BaseURL: closed + "/private-path", Model: "m", Retries: -1})
	if _, err := m.Ask(t.Context(), ask("q")); !errors.Is(err, llm.ErrUnavailable) || strings.Contains(err.Error(), "private-path") {
		t.Errorf("%v", err)
	}
}
