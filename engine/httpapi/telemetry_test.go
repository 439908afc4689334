package httpapi

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/search"
)

// plainWords spells attributes: key=value, parted by blanks.
type plainWords struct{}

func (plainWords) ID() attribute.EncoderID { return attribute.EncoderID{} }

func (plainWords) Encode(i attribute.Iterator) string {
	var words []string
	for i.Next() {
		a := i.Attribute()
		words = append(words, string(a.Key)+"="+a.Value.String())
	}
	return strings.Join(words, " ")
}

const (
	clientTrace = "4bf92f3577b34da6a3ce929d0e0e4736"
	clientSpan  = "00f067aa0ba902b7"
	traceparent = "00-" + clientTrace + "-" + clientSpan + "-01"
)

func header(name string, values ...string) func(*http.Request) {
	return func(r *http.Request) { r.Header[http.CanonicalHeaderKey(name)] = values }
}

// nesting is a search provider that looks at the span it is asked within.
type nesting struct {
	finder
	mu     sync.Mutex
	within trace.SpanContext
}

func (n *nesting) Search(ctx context.Context, q search.Query) (search.Results, error) {
	n.mu.Lock()
	n.within = trace.SpanContextFromContext(ctx)
	n.mu.Unlock()
	return n.finder.Search(ctx, q)
}

func TestSpans_ofARequestAndOfTheEngineWithinIt(t *testing.T) {
	provider := &nesting{}
	w := newWatched(t, func(eo *engine.Options, _ *Options) { eo.Search = []search.Provider{provider} })
	a := w.red("POST", "/v2/search?x=1", `{"query":"lamp","limit":1}`, header("Traceparent", traceparent), header("Tracestate", "vendor=1"))
	if a.status != 200 {
		t.Fatal(a.raw)
	}
	outer, inner := w.span("POST /v2/search"), w.span("engine search")
	if sc := outer.SpanContext; sc.TraceID().String() != clientTrace || outer.Parent.SpanID().String() != clientSpan || sc.TraceState().Get("vendor") != "1" || outer.SpanKind != trace.SpanKindServer {
		t.Errorf("%+v", outer)
	}
	if inner.Parent.SpanID() != outer.SpanContext.SpanID() || attrs(inner)["winnow.op"] != "search" || inner.Status.Code != codes.Unset {
		t.Errorf("%+v", inner)
	}
	if provider.within.SpanID() != inner.SpanContext.SpanID() {
		t.Errorf("the engine was called within %v", provider.within)
	}
	got := attrs(outer)
	for name, want := range map[string]string{
		"http.request.method": "POST", "http.route": "/v2/search", "http.response.status_code": "200", "url.scheme": "http",
		"network.protocol.version": "1.1", "winnow.team": "red", "winnow.request": a.header.Get("X-Request-Id"), "winnow.key": (&Key{hash: key(t, redSecret, "red").hash}).ID(),
	} {
		if got[name] != want {
			t.Errorf("%s is %q, want %q", name, got[name], want)
		}
		delete(got, name)
	}
	if delete(got, "http.response.body.size"); len(got) != 0 || outer.Status.Code != codes.Unset {
		t.Errorf("more: %v, status %v", got, outer.Status)
	}
	if l := w.lines()[0]; l["trace"] != clientTrace {
		t.Errorf("%v", l)
	}
}

func TestSpans_failuresOfTheServiceAloneAreErrors(t *testing.T) {
	w := newWatched(t, withModel(t))
	for _, c := range []struct {
		method, target, body, name, status, code, fails string
	}{
		{"POST", "/v2/scrape", `{"url":"nobody.example"}`, "POST /v2/scrape", "500", "SCRAPE_DNS_RESOLUTION_ERROR", "SCRAPE_DNS_RESOLUTION_ERROR"},
		{"POST", "/v2/map", `{"url":""}`, "POST /v2/map", "400", "BAD_REQUEST", ""},
		{"GET", "/v2/scrape/0190b8a0-0000-7000-8000-000000000000", "", "GET /v2/scrape/{id}", "404", "NOT_FOUND", ""},
		{"GET", "/v2/hush/hush", "", "GET", "404", "NOT_FOUND", ""},
		{"HUSH", "/v2/scrape", "", "_OTHER", "405", "METHOD_NOT_ALLOWED", ""},
	} {
		w.spans.Reset()
		w.red(c.method, c.target, c.body)
		span := w.span(c.name)
		got := attrs(span)
		if got["http.response.status_code"] != c.status || got["winnow.code"] != c.code || got["error.type"] != c.fails || (span.Status.Code == codes.Error) != (c.fails != "") {
			t.Errorf("%+v: %v %v", c, got, span.Status)
		}
		if _, routed := got["http.route"]; routed != strings.Contains(c.name, "/") {
			t.Errorf("%s: %v", c.name, got)
		}
	}
	w.spans.Reset()
	w.red("POST", "/v2/scrape", `{"url":"nobody.example"}`)
	if inner := w.span("engine scrape"); inner.Status.Code != codes.Error || inner.Status.Description != "SCRAPE_DNS_RESOLUTION_ERROR" || len(inner.Events) != 0 {
		t.Errorf("%+v", inner)
	}
}

func TestSpans_onlyAWholeTraceparentIsTaken(t *testing.T) {
	w := newWatched(t)
	for name, c := range map[string]struct {
		values []string
		taken  bool
	}{
		"whole":             {[]string{traceparent}, true},
		"a later version":   {[]string{"01" + traceparent[2:] + "-more"}, true},
		"none":              {nil, false},
		"two":               {[]string{traceparent, traceparent}, false},
		"empty":             {[]string{""}, false},
		"upper case":        {[]string{strings.ToUpper(traceparent)}, false},
		"version ff":        {[]string{"ff" + traceparent[2:]}, false},
		"zero trace":        {[]string{"00-" + strings.Repeat("0", 32) + "-" + clientSpan + "-01"}, false},
		"zero parent":       {[]string{"00-" + clientTrace + "-" + strings.Repeat("0", 16) + "-01"}, false},
		"more than version": {[]string{traceparent + "-more"}, false},
		"short":             {[]string{traceparent[:54]}, false},
		"no hex":            {[]string{strings.Replace(traceparent, "4b", "zz", 1)}, false},
		"blanks":            {[]string{" " + traceparent}, false},
	} {
		w.spans.Reset()
		w.red("GET", "/v2/concurrency-check", "", header("Traceparent", c.values...))
		if got := w.span("GET /v2/concurrency-check"); (got.SpanContext.TraceID().String() == clientTrace) != c.taken || !got.SpanContext.IsValid() {
			t.Errorf("%s: %v", name, got.SpanContext)
		}
	}
}

func TestNumbers_ofRequestsAndOfTheEngine(t *testing.T) {
	clock := time.Unix(1_700_000_000, 0)
	w := newWatched(t, func(_ *engine.Options, o *Options) {
		o.Now = func() time.Time { clock = clock.Add(250 * time.Millisecond); return clock }
	})
	for range 3 {
		w.must(200, "POST", "/v2/scrape", `{"url":"lamp.example/a","maxAge":60000}`)
	}
	w.must(400, "POST", "/v2/scrape", `{}`)
	w.must(500, "POST", "/v2/scrape", `{"url":"nobody.example"}`)
	w.as("", "GET", "/hush", "")
	got := w.numbers()
	const post = "http.request.method=POST "
	for name, want := range map[string]float64{
		"http.server.request.duration " + post + "http.response.status_code=200 http.route=/v2/scrape url.scheme=http":                                        3,
		"http.server.request.duration " + post + "http.response.status_code=400 http.route=/v2/scrape url.scheme=http":                                        1,
		"http.server.request.duration error.type=SCRAPE_DNS_RESOLUTION_ERROR " + post + "http.response.status_code=500 http.route=/v2/scrape url.scheme=http": 1,
		"http.server.request.duration http.request.method=GET http.response.status_code=401 url.scheme=http":                                                  1,
		"http.server.active_requests " + post + "url.scheme=http":                                                                                             0,
		"http.server.active_requests http.request.method=GET url.scheme=http":                                                                                 0,
		"winnow.refusals winnow.code=BAD_REQUEST":                                                                                                             1,
		"winnow.refusals winnow.code=SCRAPE_DNS_RESOLUTION_ERROR":                                                                                             1,
		"winnow.refusals winnow.code=UNAUTHORIZED":                                                                                                            1,
		"winnow.credits.used":                          3,
		"winnow.cache.lookups winnow.cache.state=hit":  2,
		"winnow.cache.lookups winnow.cache.state=miss": 1,
		"winnow.jobs.active":                           0, "winnow.sessions.active": 0, "winnow.pages.active": 0, "winnow.pages.queued": 0,
		"http.server.request.duration.bounds": 14,
	} {
		if value, ok := got[name]; !ok || value != want {
			t.Errorf("%s is %v, want %v", name, value, want)
		}
		delete(got, name)
	}
	for name, value := range got {
		if !strings.HasPrefix(name, "http.server.request.duration.sum ") || value < 0.25 || value > 30 {
			t.Errorf("more: %s %v", name, value)
		}
	}
}

func TestNumbers_whatIsAtWork(t *testing.T) {
	w := newWatched(t)
	ctx, leave := context.WithCancel(t.Context())
	job := w.must(200, "POST", "/v2/batch/scrape", `{"urls":["lamp.example/slow"]}`).text("id")
	var client sync.WaitGroup
	client.Go(func() {
		r := httptest.NewRequest("POST", "/v2/scrape", strings.NewReader(`{"url":"lamp.example/slow?2"}`)).WithContext(ctx)
		r.Header.Set("Authorization", "Bearer "+redSecret)
		w.ServeHTTP(httptest.NewRecorder(), r)
	})
	waitFor(t, "a job and two pages at work", func() bool {
		n := w.numbers()
		return n["http.server.active_requests http.request.method=POST url.scheme=http"] == 1 && n["winnow.pages.active"] == 2 && n["winnow.jobs.active"] == 1
	})
	leave()
	client.Wait()
	w.must(200, "DELETE", "/v2/batch/scrape/"+job, "")
	waitFor(t, "nothing at work", func() bool {
		n := w.numbers()
		return n["http.server.active_requests http.request.method=POST url.scheme=http"] == 0 && n["winnow.pages.active"] == 0 && n["winnow.jobs.active"] == 0
	})
}

// waitFor what comes about by itself.
func waitFor(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !ok(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("never came: " + what)
		}
	}
}

func BenchmarkTelemetry_cachedScrape(b *testing.B) {
	for _, c := range []struct {
		name   string
		change func(*Options)
	}{
		{"none", func(*Options) {}},
		{"log", func(o *Options) { o.Logger = new(lockedBuffer).logger() }},
		{"spans", func(o *Options) { o.TracerProvider = sdktrace.NewTracerProvider() }},
		{"numbers", func(o *Options) {
			o.MeterProvider = sdkmetric.NewMeterProvider(sdkmetric.WithReader(sdkmetric.NewManualReader()))
		}},
		{"spans and numbers", func(o *Options) {
			o.TracerProvider = sdktrace.NewTracerProvider()
			o.MeterProvider = sdkmetric.NewMeterProvider(sdkmetric.WithReader(sdkmetric.NewManualReader()))
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			var options Options
			s := newService(b, func(_ *engine.Options, o *Options) { c.change(o); options = *o })
			bare := New(s.engine, options) // no one looks at its answers
			const body = `{"url":"lamp.example/a","maxAge":3600000}`
			s.must(200, "POST", "/v2/scrape", body)
			b.ReportAllocs()
			for b.Loop() {
				r := httptest.NewRequest("POST", "/v2/scrape", strings.NewReader(body))
				r.Header.Set("Authorization", "Bearer "+redSecret)
				w := httptest.NewRecorder()
				if bare.ServeHTTP(w, r); w.Code != 200 {
					b.Fatal(w.Body)
				}
			}
		})
	}
}
