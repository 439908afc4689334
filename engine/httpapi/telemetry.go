package httpapi

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/propagation"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"

	"github.com/winnow-go/winnow/engine"
)

// scopeName is what spans and numbers say they are from.
const scopeName = "github.com/winnow-go/winnow/engine/httpapi"

// Attributes that the semantic conventions have no name for.
const (
	attrTeam    = attribute.Key("winnow.team")
	attrKey     = attribute.Key("winnow.key")
	attrRequest = attribute.Key("winnow.request")
	attrCode    = attribute.Key("winnow.code")
	attrOp      = attribute.Key("winnow.op")
	attrCache   = attribute.Key("winnow.cache.state")
)

// spans makes the spans of requests. Nil makes none.
type spans struct{ tracer trace.Tracer }

func newSpans(p trace.TracerProvider) *spans {
	if p == nil {
		return nil
	}
	return &spans{p.Tracer(scopeName, trace.WithSchemaURL(semconv.SchemaURL))}
}

// serverSpan is the span of one request. Nil is none.
type serverSpan struct{ trace.Span }

// begin starts the span of a request, below the client's where it names one, and puts it into the request's context.
func (s *spans) begin(v *visit) *serverSpan {
	if s == nil {
		return nil
	}
	ctx := v.r.Context()
	if len(v.r.Header.Values("Traceparent")) == 1 {
		ctx = propagation.TraceContext{}.Extract(ctx, propagation.HeaderCarrier(v.r.Header))
	}
	attrs := []attribute.KeyValue{
		semconv.HTTPRequestMethodKey.String(knownMethod(v.r.Method)), semconv.URLScheme(scheme(v.r)),
		semconv.NetworkProtocolVersion(protocolVersion(v.r)), attrRequest.String(v.id),
	}
	name := knownMethod(v.r.Method)
	if v.routed() {
		name += " " + v.path()
		attrs = append(attrs, semconv.HTTPRoute(v.path()))
	}
	ctx, span := s.tracer.Start(ctx, name, trace.WithSpanKind(trace.SpanKindServer), trace.WithAttributes(attrs...))
	v.r = v.r.WithContext(ctx)
	return &serverSpan{span}
}

func (s *serverSpan) end(v *visit) {
	if s == nil {
		return
	}
	s.SetAttributes(semconv.HTTPResponseStatusCode(v.seen.status), semconv.HTTPResponseBodySizeKey.Int64(v.seen.bytes))
	for key, value := range map[attribute.Key]string{
		attrTeam: v.team, attrKey: v.keyID(), attrCode: string(v.code), semconv.ErrorTypeKey: v.failure(),
	} {
		if value != "" {
			s.SetAttributes(key.String(value))
		}
	}
	if failure := v.failure(); failure != "" {
		s.SetStatus(codes.Error, failure)
	}
	s.End()
}

// traceID is "" without a span.
func (s *serverSpan) traceID() string {
	if s == nil || !s.SpanContext().HasTraceID() {
		return ""
	}
	return s.SpanContext().TraceID().String()
}

// work does what the engine has to do for a request in a span of its own, whose context the engine gets.
func work[T any](c *call, op string, do func(context.Context) (T, error)) (result T, err error) {
	s, ctx := c.api.spans, engine.WithLabels(c.r.Context(), c.said())
	if s == nil {
		return do(ctx)
	}
	ctx, span := s.tracer.Start(ctx, "engine "+op, trace.WithAttributes(attrOp.String(op)))
	defer span.End()
	result, err = do(ctx)
	if code := engine.CodeOf(err); code != "" { // its text may be about the page
		span.SetAttributes(attrCode.String(string(code)))
		span.SetStatus(codes.Error, string(code))
	}
	return result, err
}

func (v *visit) routed() bool { return v.path() != v.route.pattern }

// failure is the error type that an answer of 5xx, or one that was cut short, is recorded with; "" for none.
func (v *visit) failure() string {
	switch {
	case !v.whole:
		return "aborted"
	case v.seen.status < http.StatusInternalServerError:
		return ""
	case v.code != "":
		return string(v.code)
	}
	return strconv.Itoa(v.seen.status)
}

func scheme(r *http.Request) string {
	if r.TLS != nil {
		return "https"
	}
	return "http"
}

func protocolVersion(r *http.Request) string {
	if r.ProtoMajor > 1 {
		return strconv.Itoa(r.ProtoMajor)
	}
	return fmt.Sprintf("%d.%d", r.ProtoMajor, r.ProtoMinor)
}

// durations are the buckets that the semantic conventions give for requests, in seconds.
var durations = []float64{0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10}

// numbers counts requests. Nil counts none.
type numbers struct {
	duration metric.Float64Histogram
	active   metric.Int64UpDownCounter
	refusals metric.Int64Counter
}

// newNumbers makes the instruments, and has the provider read those of the engine.
func newNumbers(p metric.MeterProvider, e *engine.Engine, log *slog.Logger) *numbers {
	if p == nil {
		return nil
	}
	m := p.Meter(scopeName, metric.WithSchemaURL(semconv.SchemaURL))
	n := &numbers{}
	var errs [4]error
	n.duration, errs[0] = m.Float64Histogram("http.server.request.duration", metric.WithUnit("s"),
		metric.WithDescription("Duration of HTTP server requests."), metric.WithExplicitBucketBoundaries(durations...))
	n.active, errs[1] = m.Int64UpDownCounter("http.server.active_requests", metric.WithUnit("{request}"),
		metric.WithDescription("Number of active HTTP server requests."))
	n.refusals, errs[2] = m.Int64Counter("winnow.refusals", metric.WithUnit("{answer}"),
		metric.WithDescription("Error responses, by code."))
	errs[3] = observe(m, e)
	if err := errors.Join(errs[:]...); err != nil { // what could be made still works
		log.Warn("httpapi: cannot record metrics", "err", err)
	}
	return n
}

// observe lets the meter read the statistics of the engine.
func observe(m metric.Meter, e *engine.Engine) error {
	var readers []func(metric.Observer, engine.Stats)
	var all []metric.Observable
	var errs []error
	add := func(i metric.Int64Observable, err error, read func(engine.Stats) int64, attrs ...attribute.KeyValue) {
		all, errs = append(all, i), append(errs, err)
		with := metric.WithAttributes(attrs...)
		readers = append(readers, func(o metric.Observer, s engine.Stats) { o.ObserveInt64(i, read(s), with) })
	}
	gauge := func(name, unit, what string, read func(engine.Stats) int64) {
		i, err := m.Int64ObservableUpDownCounter(name, metric.WithUnit(unit), metric.WithDescription(what))
		add(i, err, read)
	}
	gauge("winnow.jobs.active", "{job}", "Jobs that are running.", func(s engine.Stats) int64 { return int64(s.Jobs) })
	gauge("winnow.sessions.active", "{session}", "Browser sessions that are active.", func(s engine.Stats) int64 { return int64(s.Sessions) })
	gauge("winnow.pages.active", "{page}", "Pages that are being processed.", func(s engine.Stats) int64 { return s.Pages })
	gauge("winnow.pages.queued", "{page}", "Pages that are queued for a slot.", func(s engine.Stats) int64 { return s.Queued })
	credits, err := m.Int64ObservableCounter("winnow.credits.used", metric.WithUnit("{credit}"),
		metric.WithDescription("Credits used by all teams."))
	add(credits, err, func(s engine.Stats) int64 { return s.Credits })
	lookups, err := m.Int64ObservableCounter("winnow.cache.lookups", metric.WithUnit("{document}"),
		metric.WithDescription("Documents that were looked up in the cache."))
	add(lookups, err, func(s engine.Stats) int64 { return s.CacheHits }, attrCache.String("hit"))
	add(lookups, nil, func(s engine.Stats) int64 { return s.CacheMisses }, attrCache.String("miss"))
	_, err = m.RegisterCallback(func(_ context.Context, o metric.Observer) error {
		now := e.Stats()
		for _, read := range readers {
			read(o, now)
		}
		return nil
	}, all...)
	return errors.Join(append(errs, err)...)
}

// counted is a request that is counted. Nil is none.
type counted struct {
	*numbers
	active metric.MeasurementOption // its attributes while it is active
}

func (n *numbers) begin(v *visit) *counted {
	if n == nil {
		return nil
	}
	c := &counted{n, metric.WithAttributes(semconv.HTTPRequestMethodKey.String(knownMethod(v.r.Method)), semconv.URLScheme(scheme(v.r)))}
	n.active.Add(v.r.Context(), 1, c.active)
	return c
}

// end counts by attributes of few values: the team is not among them.
func (c *counted) end(v *visit, took time.Duration) {
	if c == nil {
		return
	}
	ctx := context.WithoutCancel(v.r.Context())
	c.numbers.active.Add(ctx, -1, c.active)
	attrs := []attribute.KeyValue{
		semconv.HTTPRequestMethodKey.String(knownMethod(v.r.Method)), semconv.URLScheme(scheme(v.r)),
		semconv.HTTPResponseStatusCode(v.seen.status),
	}
	if v.routed() {
		attrs = append(attrs, semconv.HTTPRoute(v.path()))
	}
	if failure := v.failure(); failure != "" {
		attrs = append(attrs, semconv.ErrorTypeKey.String(failure))
	}
	c.duration.Record(ctx, took.Seconds(), metric.WithAttributes(attrs...))
	if v.code != "" {
		c.refusals.Add(ctx, 1, metric.WithAttributes(attrCode.String(string(v.code))))
	}
}
