package llm_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/winnow-go/winnow/llm"
	"github.com/winnow-go/winnow/llm/llmtest"
)

// embedder is a server and a client that doesn't wait before retries.
func embedder(t *testing.T, change ...func(*llm.OpenAIEmbedderOptions)) (*llmtest.Embedder, *llm.OpenAIEmbedder) {
	t.Helper()
	s, err := llmtest.StartEmbedder(32, map[string]string{"vehicle": "car"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	patient := func(o *llm.OpenAIEmbedderOptions) {
		o.Sleep = func(context.Context, time.Duration) error { return nil }
	}
	c, err := s.Client("toy", append([]func(*llm.OpenAIEmbedderOptions){patient}, change...)...)
	if err != nil {
		t.Fatal(err)
	}
	return s, c
}

func dot(a, b []float32) (sum float32) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

func TestOpenAIEmbedder_aVectorForEachTextInOrder(t *testing.T) {
	s, c := embedder(t, func(o *llm.OpenAIEmbedderOptions) { o.Price, o.QueryPrefix, o.TextPrefix = 1e6, "query: ", "passage: " })
	got, err := c.Embed(t.Context(), llm.EmbedRequest{Texts: []string{"a red car", "barley soup", "the vehicle"}})
	if err != nil || len(got.Vectors) != 3 || len(got.Vectors[0]) != 32 {
		t.Fatalf("%+v, %v", got, err)
	}
	v := got.Vectors
	if near, far := dot(v[0], v[2]), dot(v[1], v[2]); near <= far {
		t.Errorf("%g, and %g of what has another meaning", near, far)
	}
	if got.Usage != (llm.Usage{Calls: 1, InputTokens: 3, Cost: 3}) {
		t.Errorf("usage %+v", got.Usage)
	}
	if _, err := c.Embed(t.Context(), llm.EmbedRequest{Texts: []string{"car"}, Query: true}); err != nil {
		t.Fatal(err)
	}
	if calls := s.Calls(); calls[0][1] != "passage: barley soup" || calls[1][0] != "query: car" {
		t.Errorf("%q", calls)
	}
	if e := c.Embedding(); e.Name != `toy "passage: " "query: "` || !e.Local || e.Batch != 64 || e.Context != 8192 {
		t.Errorf("%+v", e)
	}
}

func TestOpenAIEmbedder_retriesWhatMayPass(t *testing.T) {
	s, c := embedder(t)
	status := func(code int, text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { http.Error(w, text, code) }
	}
	one := llm.EmbedRequest{Texts: []string{"car"}}
	s.Then(status(503, "busy"), status(429, "slower"))
	if _, err := c.Embed(t.Context(), one); err != nil || len(s.Calls()) != 1 {
		t.Errorf("%d calls, %v", len(s.Calls()), err)
	}
	s.Then(status(401, "no"))
	if _, err := c.Embed(t.Context(), one); !errors.Is(err, llm.ErrRefused) {
		t.Errorf("got %v", err)
	}
	s.Then(status(400, `{"error":{"message":"input is too long"}}`))
	if _, err := c.Embed(t.Context(), one); !errors.Is(err, llm.ErrTooLong) {
		t.Errorf("got %v", err)
	}
	busy := status(500, "")
	s.Then(busy, busy, busy, busy)
	if _, err := c.Embed(t.Context(), one); !errors.Is(err, llm.ErrUnavailable) {
		t.Errorf("got %v", err)
	}
}

func TestOpenAIEmbedder_anAnswerIsAVectorForEachText(t *testing.T) {
	s, c := embedder(t, func(o *llm.OpenAIEmbedderOptions) { o.Dimensions = 2 })
	for name, data := range map[string]string{
		"too few": `{"index":0,"embedding":[1,2]}`, "twice": `{"index":0,"embedding":[1,2]},{"index":0,"embedding":[1,2]}`,
		"another": `{"index":0,"embedding":[1,2]},{"index":2,"embedding":[1,2]}`, "below": `{"index":0,"embedding":[1,2]},{"index":-1,"embedding":[1,2]}`,
		"short": `{"index":0,"embedding":[1,2]},{"index":1,"embedding":[1]}`, "long": `{"index":0,"embedding":[1,2]},{"index":1,"embedding":[1,2,3]}`,
		"none": ``, "empty": `{"index":0,"embedding":[]},{"index":1,"embedding":[]}`,
	} {
		s.Then(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(`{"data":[` + data + `]}`)) })
		if got, err := c.Embed(t.Context(), llm.EmbedRequest{Texts: []string{"a", "b"}}); !errors.Is(err, llm.ErrMalformed) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

func TestOpenAIEmbedder_refusesWhatItDoesNotSend(t *testing.T) {
	s, c := embedder(t, func(o *llm.OpenAIEmbedderOptions) { o.Batch, o.Context = 2, 10 })
	for name, want := range map[string]error{"": llm.ErrRefused, "a,b,c": llm.ErrRefused, "a,": llm.ErrRefused, strings.Repeat("word ", 40): llm.ErrTooLong} {
		texts := strings.Split(name, ",")
		if name == "" {
			texts = nil
		}
		if _, err := c.Embed(t.Context(), llm.EmbedRequest{Texts: texts}); !errors.Is(err, want) {
			t.Errorf("%q: %v", name, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Embed(ctx, llm.EmbedRequest{Texts: []string{"a"}}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if len(s.Calls()) != 0 {
		t.Errorf("sent %q", s.Calls())
	}
}

func TestNewOpenAIEmbedder_checksItsOptions(t *testing.T) {
	t.Setenv("OPENAI_MODEL", "chat")
	for name, o := range map[string]llm.OpenAIEmbedderOptions{
		"Model": {}, "BaseURL": {Model: "m", BaseURL: "localhost:1"}, "Dimensions": {Model: "m", Dimensions: llm.MaxDimensions + 1},
		"Batch": {Model: "m", Batch: -1}, "Context": {Model: "m", Context: -1}, "Key": {Model: "m", Key: "secret\n"},
	} {
		if _, err := llm.NewOpenAIEmbedder(o); err == nil || !strings.Contains(err.Error(), name) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
