package llm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	openai "github.com/sashabaranov/go-openai"
)

// OpenAIEmbedderOptions describe an embedder and its server. Only a model name is required.
type OpenAIEmbedderOptions struct {
	// BaseURL up to and without "/embeddings", and Key: as in [OpenAIOptions], by the environment too.
	BaseURL, Key string
	// Model is its name on the server. The environment's OPENAI_MODEL doesn't count, for it is no embedder.
	Model string
	// Local declares that requests stay on machines of the operator. It is trusted and never guessed, not from the address
	// either.
	Local bool
	// Dimensions of the vectors, at most [MaxDimensions], for models that can shorten theirs; they are sent with each request.
	// 0: as the model has them.
	Dimensions int
	// Context is the most tokens of one text, at most 1000000: a longer one, by the estimate of [Tokens], isn't sent. Default 8192.
	Context int
	// Batch is the most texts of one request, at most [MaxBatch]. Default 64.
	Batch int
	// QueryPrefix and TextPrefix are put before queries and other texts, for models that want them, such as "query: " and
	// "passage: ".
	QueryPrefix, TextPrefix string
	// Price per million tokens, in any currency. 0: no cost.
	Price float64
	// HTTP, Parallel, Retries, MaxWait, Stall, Logger, Now, Sleep and Random: as in [OpenAIOptions].
	HTTP           *http.Client
	Parallel       int
	Retries        int
	MaxWait, Stall time.Duration
	Logger         *slog.Logger
	Now            func() time.Time
	Sleep          func(ctx context.Context, d time.Duration) error
	Random         func() float64
}

// The largest values of an embedder's options.
const (
	MaxDimensions   = 16_384
	MaxBatch        = 2048
	maxEmbedContext = 1_000_000
)

// OpenAIEmbedder is an [Embedder] behind any server that speaks the embeddings call of the same protocol (Ollama, vLLM,
// llama.cpp, text-embeddings-inference). Make it with [NewOpenAIEmbedder]. Errors of its server are [*ServerError]. It
// holds nothing that has to be closed.
type OpenAIEmbedder struct {
	options OpenAIEmbedderOptions
	server  *OpenAI // for its connection, retries and errors
}

var _ Embedder = (*OpenAIEmbedder)(nil)

// NewOpenAIEmbedder makes a client. It sends nothing. An error names the invalid option, and never shows the key.
func NewOpenAIEmbedder(o OpenAIEmbedderOptions) (*OpenAIEmbedder, error) {
	o.Context, o.Batch = cmp.Or(o.Context, 8192), cmp.Or(o.Batch, 64)
	if err := o.check(); err != nil {
		return nil, err
	}
	server, err := NewOpenAI(OpenAIOptions{
		BaseURL: o.BaseURL, Key: o.Key, Model: o.Model, Local: o.Local, Prices: Prices{Input: o.Price}, HTTP: o.HTTP,
		Parallel: o.Parallel, Retries: o.Retries, MaxWait: o.MaxWait, Stall: o.Stall, MaxAnswer: o.maxAnswer(),
		Logger: o.Logger, Now: o.Now, Sleep: o.Sleep, Random: o.Random,
	})
	if err != nil {
		return nil, err
	}
	return &OpenAIEmbedder{options: o, server: server}, nil
}

// maxAnswer is what a line of an answer may have, in bytes.
func (o OpenAIEmbedderOptions) maxAnswer() int {
	const perNumber, usual = 24, 4096
	return o.Batch*cmp.Or(o.Dimensions, usual)*perNumber + 1<<20
}

func (o OpenAIEmbedderOptions) check() error {
	within := func(name string, n, from, to int) error {
		if n < from || n > to {
			return fmt.Errorf("llm: %s is %d: want %d to %d", name, n, from, to)
		}
		return nil
	}
	if o.Model == "" {
		return errors.New("llm: Model is required")
	}
	return errors.Join(within("Dimensions", o.Dimensions, 0, MaxDimensions), within("Context", o.Context, 1, maxEmbedContext),
		within("Batch", o.Batch, 1, MaxBatch))
}

// Embedding returns what the options say.
func (e *OpenAIEmbedder) Embedding() Embedding {
	o := e.options
	name := o.Model
	if o.Dimensions > 0 {
		name += " " + strconv.Itoa(o.Dimensions)
	}
	if o.TextPrefix+o.QueryPrefix != "" {
		name += fmt.Sprintf(" %q %q", o.TextPrefix, o.QueryPrefix)
	}
	return Embedding{Name: name, Local: o.Local, Dimensions: o.Dimensions, Context: o.Context, Batch: o.Batch}
}

// Embed sends one request, and retries it as the options allow.
func (e *OpenAIEmbedder) Embed(ctx context.Context, r EmbedRequest) (Embedded, error) {
	texts, err := e.texts(r)
	if err != nil {
		return Embedded{}, err
	}
	if !take(ctx, e.server.places) {
		return Embedded{}, context.Cause(ctx)
	}
	defer func() { <-e.server.places }()
	for retries := 0; ; retries++ {
		got, after, err := e.once(ctx, texts)
		if err == nil {
			return got, nil
		}
		wait, ok := e.server.again(attempt{err: err, retryAfter: after}, retries)
		if !ok {
			return Embedded{}, err
		}
		e.server.options.Logger.DebugContext(ctx, "embedding is retried", "model", e.options.Model, "wait", wait, "err", err)
		if e.server.options.Sleep(ctx, wait) != nil {
			return Embedded{}, context.Cause(ctx)
		}
	}
}

// texts with their prefix.
func (e *OpenAIEmbedder) texts(r EmbedRequest) ([]string, error) {
	if n := len(r.Texts); n < 1 || n > e.options.Batch {
		return nil, fmt.Errorf("%w: %d texts: want 1 to %d", ErrRefused, n, e.options.Batch)
	}
	prefix := e.options.TextPrefix
	if r.Query {
		prefix = e.options.QueryPrefix
	}
	list := make([]string, len(r.Texts))
	for i, text := range r.Texts {
		if text == "" {
			return nil, fmt.Errorf("%w: text %d is empty", ErrRefused, i)
		}
		if n := Tokens(text); n > e.options.Context {
			return nil, fmt.Errorf("%w: text %d is about %d tokens, it takes %d", ErrTooLong, i, n, e.options.Context)
		}
		list[i] = prefix + text
	}
	return list, nil
}

// once sends a request one time.
func (e *OpenAIEmbedder) once(ctx context.Context, texts []string) (got Embedded, retryAfter string, err error) {
	n := &noted{}
	answer, err := e.server.client.CreateEmbeddings(context.WithValue(ctx, notedKey{}, n), openai.EmbeddingRequest{
		Input: texts, Model: openai.EmbeddingModel(e.options.Model), Dimensions: e.options.Dimensions,
		EncodingFormat: openai.EmbeddingEncodingFormatFloat,
	})
	if err != nil {
		return got, n.retryAfter, e.server.serverError(ctx, err)
	}
	if got.Vectors, err = e.vectors(answer.Data, len(texts)); err != nil {
		return got, "", err
	}
	got.Usage = Usage{Calls: 1, InputTokens: answer.Usage.PromptTokens}
	if got.Usage.InputTokens <= 0 {
		for _, text := range texts {
			got.Usage.InputTokens += Tokens(text)
		}
	}
	got.Usage.Cost = e.server.cost(got.Usage)
	return got, "", nil
}

// vectors puts an answer in the order of its texts. What isn't one vector for each is [ErrMalformed].
func (e *OpenAIEmbedder) vectors(data []openai.Embedding, texts int) ([][]float32, error) {
	if len(data) != texts {
		return nil, fmt.Errorf("%w: %d vectors of %d texts", ErrMalformed, len(data), texts)
	}
	list := make([][]float32, texts)
	want := cmp.Or(e.options.Dimensions, len(data[0].Embedding))
	for _, d := range data {
		switch n := len(d.Embedding); {
		case d.Index < 0 || d.Index >= texts || list[d.Index] != nil:
			return nil, fmt.Errorf("%w: the vector %d of %d is there twice, or not one of them", ErrMalformed, d.Index, texts)
		case n != want || n < 1 || n > MaxDimensions:
			return nil, fmt.Errorf("%w: a vector of %d numbers, want %d", ErrMalformed, n, want)
		}
		list[d.Index] = d.Embedding
	}
	return list, nil
}
