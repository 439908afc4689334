package natsdb

import (
	"fmt"
	"log/slog"
	"regexp"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/winnow-go/winnow/crawl"
)

// Options of a DB. JetStream, Name and Local are required.
type Options struct {
	// JetStream is where the stream is. Its connection stays the caller's, who closes it after the DB.
	JetStream jetstream.JetStream
	// Name of the stream, 1 to 200 letters, digits, "-" and "_". The stream, its subject and a bucket of objects are made when missing.
	Name string
	// Local keeps what the stream has, on this machine: empty, or as an earlier DB of the stream has left it, which saves reading it again.
	// Nothing else may write to it. It stays the caller's, who closes it after the DB.
	Local crawl.DB
	// Replicas of the stream and its objects when they are made, 1 to 5. 0 is 1.
	Replicas int
	// SnapshotBytes of messages make a snapshot of the local store due, after which the stream is cut. 0 is 64 MiB, below 0 is never.
	SnapshotBytes int64
	// Wait is how long an answer of the server is waited for before the question is put again. 0 is 5 s.
	Wait time.Duration
	// Logger gets what an operator wants to know. Nil is silent.
	Logger *slog.Logger
}

const (
	defaultSnapshotBytes = 64 << 20
	defaultWait          = 5 * time.Second
	maxReplicas          = 5
)

var nameForm = regexp.MustCompile(`^[A-Za-z0-9_-]{1,200}$`)

func (o Options) withDefaults() (Options, error) {
	switch {
	case o.JetStream == nil:
		return o, fmt.Errorf("natsdb: Options.JetStream is missing")
	case o.Local == nil:
		return o, fmt.Errorf("natsdb: Options.Local is missing")
	case !nameForm.MatchString(o.Name):
		return o, fmt.Errorf("natsdb: Options.Name is %.40q: want 1 to 200 letters, digits, \"-\" and \"_\"", o.Name)
	case o.Replicas < 0 || o.Replicas > maxReplicas:
		return o, fmt.Errorf("natsdb: Options.Replicas is %d: want 1 to %d, or 0 for 1", o.Replicas, maxReplicas)
	case o.Wait < 0:
		return o, fmt.Errorf("natsdb: Options.Wait is %s: want a time above 0, or 0 for %s", o.Wait, defaultWait)
	}
	if o.Replicas == 0 {
		o.Replicas = 1
	}
	if o.SnapshotBytes == 0 {
		o.SnapshotBytes = defaultSnapshotBytes
	}
	if o.Wait == 0 {
		o.Wait = defaultWait
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o, nil
}

func (o Options) subject() string { return "winnow.db." + o.Name }

func (o Options) objects() string { return o.Name + "-objects" }
