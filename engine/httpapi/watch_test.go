package httpapi

import (
	"encoding/json"
	"log/slog"
	"strings"
	"testing"

	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/winnow-go/winnow/engine"
)

// watched records all logs, spans and metrics of a service's requests.
type watched struct {
	*service
	log      lockedBuffer
	spans    *tracetest.InMemoryExporter
	provider *sdktrace.TracerProvider
	reader   *sdkmetric.ManualReader
}

func newWatched(t testing.TB, change ...func(*engine.Options, *Options)) *watched {
	t.Helper()
	w := &watched{spans: tracetest.NewInMemoryExporter(), reader: sdkmetric.NewManualReader()}
	w.provider = sdktrace.NewTracerProvider(sdktrace.WithSyncer(w.spans))
	w.service = newService(t, append([]func(*engine.Options, *Options){func(_ *engine.Options, o *Options) {
		o.Logger = slog.New(slog.NewJSONHandler(&w.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
		o.TracerProvider = w.provider
		o.MeterProvider = sdkmetric.NewMeterProvider(sdkmetric.WithReader(w.reader))
	}}, change...)...)
	return w
}

// lines of the log that are requests, oldest first.
func (w *watched) lines() (lines []map[string]any) {
	w.t.Helper()
	for line := range strings.Lines(w.log.String()) {
		var l map[string]any
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			w.t.Fatal(err)
		}
		if l["msg"] == "httpapi: request" {
			lines = append(lines, l)
		}
	}
	return lines
}

// span finds the one span of that name.
func (w *watched) span(name string) tracetest.SpanStub {
	w.t.Helper()
	var found tracetest.SpanStubs
	for _, s := range w.spans.GetSpans() {
		if s.Name == name {
			found = append(found, s)
		}
	}
	if len(found) != 1 {
		w.t.Fatalf("%d spans are called %q: %+v", len(found), name, w.spans.GetSpans())
	}
	return found[0]
}

// attrs of a span.
func attrs(s tracetest.SpanStub) map[string]string {
	all := map[string]string{}
	for _, a := range s.Attributes {
		all[string(a.Key)] = a.Value.String()
	}
	return all
}

// numbers reads all data points: by name, and attributes in their order.
func (w *watched) numbers() map[string]float64 {
	w.t.Helper()
	var all metricdata.ResourceMetrics
	if err := w.reader.Collect(w.t.Context(), &all); err != nil {
		w.t.Fatal(err)
	}
	values := map[string]float64{}
	for _, scope := range all.ScopeMetrics {
		for _, m := range scope.Metrics {
			readPoints(values, m)
		}
	}
	return values
}

func readPoints(values map[string]float64, m metricdata.Metrics) {
	switch data := m.Data.(type) {
	case metricdata.Sum[int64]:
		for _, p := range data.DataPoints {
			values[pointName(m.Name, p.Attributes.Encoded(plainWords{}))] = float64(p.Value)
		}
	case metricdata.Histogram[float64]:
		for _, p := range data.DataPoints {
			values[pointName(m.Name, p.Attributes.Encoded(plainWords{}))] = float64(p.Count)
			values[pointName(m.Name+".sum", p.Attributes.Encoded(plainWords{}))] = p.Sum
			values[m.Name+".bounds"] = float64(len(p.Bounds))
		}
	}
}

func pointName(name, attributes string) string { return strings.TrimSpace(name + " " + attributes) }
