package serving

import (
	"context"
	"log/slog"
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	exporter "go.opentelemetry.io/otel/exporters/prometheus"
	"go.opentelemetry.io/otel/sdk/metric"
)

// metrics are the metrics of the handler, the engine and the Go runtime, for Prometheus.
type metrics struct {
	provider *metric.MeterProvider
	http.Handler
}

const metricsPath = "/metrics"

// newMetrics has a registry of its own: nothing of it is global.
func newMetrics(log *slog.Logger) (*metrics, error) {
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	// That would reveal the name of the binary.
	reader, err := exporter.New(exporter.WithRegisterer(registry), exporter.WithoutScopeInfo(), exporter.WithoutTargetInfo())
	if err != nil {
		return nil, err
	}
	return &metrics{
		provider: metric.NewMeterProvider(metric.WithReader(reader)),
		Handler: promhttp.HandlerFor(registry, promhttp.HandlerOpts{
			ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn), MaxRequestsInFlight: 4,
		}),
	}, nil
}

// close ends the reading of the engine, which must still be open.
func (m *metrics) close() error { return m.provider.Shutdown(context.Background()) }
