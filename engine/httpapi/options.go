package httpapi

import (
	"log/slog"
	"net/http"
	"net/url"
	"sync"
	"time"

	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/httpapi/internal/openapi"
	"github.com/winnow-go/winnow/engine/httpapi/internal/quota"
	"github.com/winnow-go/winnow/engine/httpapi/internal/uploads"
)

// Options configure a handler. The zero value refuses every request: it has no keys.
type Options struct {
	// Keys that requests may carry; see [NewKey] and [ReadKeys]. They aren't changed once given.
	Keys []Key
	// Anonymous serves requests without a key too, as the team [AnonymousTeam]; where Keys is empty also those
	// that carry one, whatever it is, since some clients insist on that. Meant for loopback addresses:
	// such requests must name a host of AllowedHosts and come from no other site's page.
	Anonymous bool
	// AllowedHosts are the host names, without port, that anonymous requests may name. Nil: localhost,
	// the loopback addresses, and the host of BaseURL.
	AllowedHosts []string
	// Origins are those of web pages, such as "https://app.example", whose scripts may call this handler from browsers (CORS).
	// "*" is every one, for requests with a key alone; those that are listed by name may send requests without a key too, where
	// Anonymous is set. Nil: none but this handler's own.
	Origins []string
	// Limits of anonymous requests, and of keys that have none of their own.
	Limits Limits
	// BaseURL is where clients find this handler, such as "https://api.example": status URLs and next
	// begin with it. The Host header is never believed. Empty: they begin with the path.
	BaseURL string
	// BodyTimeout is how long a request's body may take to arrive: a slower one is answered with 408. Zero is 2 minutes.
	BodyTimeout time.Duration
	// WriteTimeout is how long a client may take for each mebibyte of an answer, and for what is left of it: a client that reads slower, or
	// not at all, is cut off. Zero is 1 minute.
	WriteTimeout time.Duration
	// MaxBody bounds a JSON body, in bytes. Zero is 10 MiB.
	MaxBody int64
	// MaxFile bounds a file that is sent to be parsed, in bytes. Zero is 50 MiB.
	MaxFile int64
	// UploadDir is where files lie that were uploaded to be parsed by a reference: for ten minutes at most, without a name, 1 GiB
	// in all. Empty is the system's folder for temporary files.
	UploadDir string
	// Page serves a page at / on which people try the service in a browser, and its files below /page/. They
	// are open to all; the requests of the page need a key like all others, unless Anonymous is set.
	Page bool
	// PageExamples are addresses that the page offers, each as a button. Nil: it offers none.
	PageExamples []PageExample
	// Doors are further routes, for clients that speak another language than v2. The OpenAPI document doesn't have them.
	Doors []Door
	// Stopping is closed when the service is about to stop: from then on GET /readyz says so with 503, so that no further requests are sent
	// here, while all others are still served. Nil: it never stops.
	Stopping <-chan struct{}
	// Logger gets one line for each request (method, route, status, size, time, team, the id of the key, the client's labels; no URL,
	// header or body) and the causes of internal errors, with URLs cut down to their hosts. Probes are logged at debug level. Nil is
	// silent.
	Logger *slog.Logger
	// TracerProvider makes a span of each request, named by its route, below the one that the client's traceparent names, and one
	// within for what the engine does; the context that the engine gets carries it. Nil: there are none.
	TracerProvider trace.TracerProvider
	// MeterProvider takes http.server.request.duration, http.server.active_requests, winnow.refusals by code,
	// and of the engine winnow.credits.used, winnow.cache.lookups by state, winnow.jobs.active, winnow.sessions.active,
	// winnow.pages.active and winnow.pages.queued. It holds on to the engine until it is shut down; a second handler
	// of the same engine needs a provider of its own, or its metrics are recorded twice. Nil: nothing is counted.
	MeterProvider metric.MeterProvider
	// Now is the clock of the rate limits and of durations. Nil is time.Now.
	Now func() time.Time
}

// AnonymousTeam owns what requests without a key make.
const AnonymousTeam = "anonymous"

const (
	defaultMaxBody = 10 << 20
	defaultMaxFile = 50 << 20

	defaultBodyTimeout  = 2 * time.Minute
	defaultWriteTimeout = time.Minute
)

// New makes the handler that serves e. It panics when BaseURL is no absolute http or https URL, one of Origins
// is no origin, or a key was not made by [NewKey] or [ReadKeys]. Checks of monitors are bounded by the credits of their teams, and by
// their pages at once, from then on. The handler has no goroutines of its own, and closing e is the
// caller's; both after the server has stopped.
func New(e *engine.Engine, o Options) http.Handler {
	a := &api{engine: e, options: o.resolve(), parsing: make(chan struct{}, maxParsing)}
	a.limits, a.teams, a.credits = quota.NewRates(), quota.NewTeams(), quota.NewCredits(account{e})
	e.LimitMonitors(a.reserveFor)
	a.spans, a.numbers = newSpans(o.TracerProvider), newNumbers(o.MeterProvider, e, a.options.Logger)
	a.uploads = uploads.NewStore(o.UploadDir, a.options.Now)
	a.document = sync.OnceValues(func() (*openapi.Document, error) { return openapi.New(describedAPI(a.options)) })
	return a.routes()
}

// api is what all routes share.
type api struct {
	engine  *engine.Engine
	options Options
	limits  *quota.Rates
	teams   *quota.Teams
	credits *quota.Credits
	spans   *spans
	numbers *numbers
	parsing chan struct{} // one for each file that is being received and read
	uploads *uploads.Store
	// document describes the API; it is built when it is first requested.
	document func() (*openapi.Document, error)
}

// maxParsing bounds the files that are in memory at once.
const maxParsing = 4

func (o Options) resolve() Options {
	if o.BaseURL != "" {
		u, err := url.Parse(o.BaseURL)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.RawQuery != "" || u.Fragment != "" {
			panic("httpapi: Options.BaseURL is not an absolute http or https URL")
		}
		if o.AllowedHosts == nil {
			o.AllowedHosts = append(loopbackNames(), u.Hostname())
		}
	}
	checkOrigins(o.Origins)
	for _, k := range o.Keys {
		if !k.made() {
			panic("httpapi: a key of Options.Keys was not made by NewKey or ReadKeys")
		}
	}
	if o.AllowedHosts == nil {
		o.AllowedHosts = loopbackNames()
	}
	if o.MaxBody == 0 {
		o.MaxBody = defaultMaxBody
	}
	if o.MaxFile == 0 {
		o.MaxFile = defaultMaxFile
	}
	if o.BodyTimeout == 0 {
		o.BodyTimeout = defaultBodyTimeout
	}
	if o.WriteTimeout == 0 {
		o.WriteTimeout = defaultWriteTimeout
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

func loopbackNames() []string { return []string{"localhost", "127.0.0.1", "::1"} }
