package llm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	openai "github.com/sashabaranov/go-openai"
)

// OpenAIOptions describe the model and its server. Only a model name is required.
type OpenAIOptions struct {
	// BaseURL up to and without "/chat/completions". Empty: the environment's OPENAI_BASE_URL,
	// then the public service.
	BaseURL string
	// Key is sent as a bearer token. Empty: the environment's OPENAI_API_KEY, but only where
	// BaseURL is empty too, so that no key goes to another server; then none.
	Key string
	// Model is its name on the server. Empty: the environment's OPENAI_MODEL.
	Model string
	// Local declares that requests to the model stay on machines of the operator. It is
	// trusted and never guessed, not from the address either.
	Local bool
	// Context and Output are the model's limits in tokens. Defaults 128000 and 4096. Local
	// servers often run with far less context than their model supports, and truncate silently.
	Context, Output int
	// Prices set the cost in [Usage]. Zero: no cost.
	Prices Prices
	// HTTP client. Nil: an own client that uses no proxy of the environment and follows no
	// redirect to another host.
	HTTP *http.Client
	// Parallel calls at once. Default 4. More wait.
	Parallel int
	// Retries after the first try, for broken connections, 429 and 5xx. Default 3; below 0: none.
	Retries int
	// MaxWait bounds the wait before a retry. When the server requires more, there is no retry.
	// Default 1 minute.
	MaxWait time.Duration
	// Stall is how long the server may be silent, before its first byte too. Default 3 minutes.
	Stall time.Duration
	// MaxAnswer bounds an answer, in bytes. Default 1 MiB.
	MaxAnswer int
	// Logger receives calls and retries, never their content. Nil: silent.
	Logger *slog.Logger
	// Now is the clock for dates in Retry-After, and Sleep waits before a retry. Nil: the real
	// ones.
	Now   func() time.Time
	Sleep func(ctx context.Context, d time.Duration) error
	// Random returns values in [0, 1) to spread retries. Nil: math/rand/v2.
	Random func() float64
}

// Prices are per million tokens, in any currency.
type Prices struct{ Input, Output float64 }

// OpenAI is a [Model] behind any server that speaks chat completions. Make it with [NewOpenAI].
// Errors of its server are [*ServerError]. It holds nothing that has to be closed.
type OpenAI struct {
	options OpenAIOptions
	client  *openai.Client
	places  chan struct{}

	mu      sync.Mutex
	dialect dialect
}

const (
	publicURL      = "https://api.openai.com/v1"
	defaultContext = 128_000
	defaultOutput  = 4096
	minContext     = 1000
	// keepAlives is how many comment lines a server may send between two events.
	keepAlives = 10_000
)

// NewOpenAI makes a client. It sends nothing. An error names the invalid option, and
// never shows the key.
func NewOpenAI(o OpenAIOptions) (*OpenAI, error) {
	o = o.withDefaults()
	if err := o.check(); err != nil {
		return nil, err
	}
	line := o.MaxAnswer + 64<<10
	config := openai.DefaultConfig(o.Key)
	config.BaseURL = strings.TrimSuffix(o.BaseURL, "/")
	config.EmptyMessagesLimit = keepAlives
	config.HTTPClient = &doer{client: o.HTTP, stall: o.Stall, maxLine: line, maxBody: 32 * line}
	return &OpenAI{options: o, client: openai.NewClientWithConfig(config), places: make(chan struct{}, o.Parallel)}, nil
}

// Info returns the limits of the options.
func (o *OpenAI) Info() Info {
	return Info{Name: o.options.Model, Local: o.options.Local, Context: o.options.Context, Output: o.options.Output}
}

func (o OpenAIOptions) withDefaults() OpenAIOptions {
	if o.BaseURL == "" {
		o.BaseURL = cmp.Or(os.Getenv("OPENAI_BASE_URL"), publicURL)
		o.Key = cmp.Or(o.Key, os.Getenv("OPENAI_API_KEY"))
	}
	o.Model = cmp.Or(o.Model, os.Getenv("OPENAI_MODEL"))
	o.Context = cmp.Or(o.Context, defaultContext)
	o.Output = min(cmp.Or(o.Output, defaultOutput), o.Context/2)
	o.Parallel = parallelOr(o.Parallel)
	o.Retries = max(cmp.Or(o.Retries, 3), 0)
	o.MaxWait = cmp.Or(o.MaxWait, time.Minute)
	o.Stall = cmp.Or(o.Stall, 3*time.Minute)
	o.MaxAnswer = cmp.Or(o.MaxAnswer, 1<<20)
	o.Logger = cmp.Or(o.Logger, slog.New(slog.DiscardHandler))
	o.HTTP = cmp.Or(o.HTTP, ownClient())
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Sleep == nil {
		o.Sleep = sleep
	}
	if o.Random == nil {
		o.Random = rand.Float64
	}
	return o
}

func (o OpenAIOptions) check() error {
	u, err := url.Parse(o.BaseURL)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return errors.New("llm: BaseURL: want an absolute http or https URL")
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return errors.New("llm: BaseURL: want no user, query or fragment")
	case o.Model == "":
		return errors.New("llm: Model is required")
	case strings.ContainsFunc(o.Key, func(r rune) bool { return r <= ' ' || r >= 0x7F }):
		return errors.New("llm: Key has characters that are invalid in a header")
	case o.Context < minContext || o.Output < 1:
		return fmt.Errorf("llm: Context is less than %d, or Output less than 1", minContext)
	case o.MaxAnswer < 0 || o.Stall < 0 || o.MaxWait < 0:
		return errors.New("llm: MaxAnswer, Stall or MaxWait is negative")
	}
	return nil
}

// ownClient follows no redirect to another host.
func ownClient() *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.Proxy = nil
	return &http.Client{Transport: transport, CheckRedirect: stayAtHost}
}

func stayAtHost(r *http.Request, via []*http.Request) error {
	if first := via[0].URL; r.URL.Host != first.Host || r.URL.Scheme != first.Scheme {
		return errors.New("the model's server redirects to another host")
	}
	if len(via) > 3 {
		return errors.New("the model's server redirects too often")
	}
	return nil
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
