package engine

import (
	"context"
	"strings"
)

// Labels are what a client says of itself. They do not change what is done and are kept with its record:
// [ScrapeRecord], [Activity], and [Job.Labels]. The zero value is none.
type Labels struct {
	// Origin is the client program, such as "cli@1.2".
	Origin string `json:"origin,omitempty"`
	// Integration that the client works for.
	Integration string `json:"integration,omitempty"`
	// Version of the interface that it uses, such as "v1".
	Version string `json:"version,omitempty"`
}

// maxLabel bounds each of them, in bytes; what is longer is cut.
const maxLabel = 256

// labelsKey is the key of a context's labels.
type labelsKey struct{}

// WithLabels returns the context of requests that carry labels. Each is cut to 256 bytes.
func WithLabels(ctx context.Context, l Labels) context.Context {
	cut := func(s string) string { return strings.ToValidUTF8(s[:min(len(s), maxLabel)], "") }
	return context.WithValue(ctx, labelsKey{}, Labels{cut(l.Origin), cut(l.Integration), cut(l.Version)})
}

func labelsOf(ctx context.Context) Labels {
	l, _ := ctx.Value(labelsKey{}).(Labels)
	return l
}

// labelsNote is the name of a job's labels among its notes.
const labelsNote = "labels"

// notesOf is what a job keeps of the request that started it.
func notesOf(ctx context.Context) map[string]any {
	l := labelsOf(ctx)
	if l == (Labels{}) {
		return nil
	}
	return map[string]any{labelsNote: l}
}
