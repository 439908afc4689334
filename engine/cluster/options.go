package cluster

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"regexp"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/winnow-go/winnow/crawl"
)

// Store is where a shard is kept on this machine, such as a *cache.File. A second Close must return nil.
type Store interface {
	crawl.DB
	Close() error
}

// Options of a Member. JetStream, Name, Local and Visit are required. All members of a cluster have the same Name, Shards and TTL.
type Options struct {
	// JetStream is where streams and keys are. The server's max_payload must be at least 1 MiB, which is its default. The connection stays
	// the caller's, who closes it after the Member. It must try to reconnect for ever ([nats.MaxReconnects] of -1).
	JetStream jetstream.JetStream
	// Name of the cluster, 1 to 100 letters, digits, "-" and "_".
	Name string
	// Shards that the cluster has, for ever, 1 to 4096. 0 is 256.
	Shards int
	// TTL is how long a member may be silent before its shards go to others, at least 100 ms. 0 is 10 s. It should be longer than the delay
	// between two requests to one host.
	TTL time.Duration
	// Local opens the store of a shard on this machine, empty or as an earlier Member has left it. It is closed when the shard is given up.
	Local func(shard int) (Store, error)
	// Visit fetches a page. Calls at the same time are for different pages. A panic is a failed page.
	Visit func(ctx context.Context, job Job, item crawl.Item) Outcome
	// Workers is how many pages are fetched at once. 0 is 8.
	Workers int
	// Replicas of streams and keys when they are made, 1 to 5. 0 is 1.
	Replicas int
	// InboxBytes bounds the links that wait for a shard, when its inbox is made; members that have more wait until there is room. At least
	// 256 KiB. 0 is 64 MiB.
	InboxBytes int64
	// Wait is how long an answer of the server or of another member is waited for. 0 is 5 s.
	Wait time.Duration
	// Logger gets what an operator wants to know. Nil is silent.
	Logger *slog.Logger
}

const (
	defaultShards = 256
	maxShards     = 4096
	defaultTTL    = 10 * time.Second
	minTTL        = 100 * time.Millisecond
	minInbox      = 256 << 10
	defaultInbox  = 64 << 20
	defaultWait   = 5 * time.Second
	maxReplicas   = 5
	minPayload    = 1 << 20 // bytes of a message that the server takes: answers are half of that
)

var nameForm = regexp.MustCompile(`^[A-Za-z0-9_-]{1,100}$`)

func (o Options) withDefaults(ofEngine bool) (Options, error) {
	switch {
	case o.JetStream == nil:
		return o, fmt.Errorf("cluster: Options.JetStream is missing")
	case o.Local == nil:
		return o, fmt.Errorf("cluster: Options.Local is missing")
	case o.Visit == nil && !ofEngine:
		return o, fmt.Errorf("cluster: Options.Visit is missing")
	case !nameForm.MatchString(o.Name):
		return o, fmt.Errorf("cluster: Options.Name is %.40q: want 1 to 100 letters, digits, \"-\" and \"_\"", o.Name)
	case o.Shards < 0 || o.Shards > maxShards:
		return o, fmt.Errorf("cluster: Options.Shards is %d: want 1 to %d, or 0 for %d", o.Shards, maxShards, defaultShards)
	case o.TTL != 0 && o.TTL < minTTL:
		return o, fmt.Errorf("cluster: Options.TTL is %s: want at least %s, or 0 for %s", o.TTL, minTTL, defaultTTL)
	case o.Workers < 0 || o.Wait < 0:
		return o, fmt.Errorf("cluster: Options.Workers and Wait are %d and %s: want none below 0", o.Workers, o.Wait)
	case o.InboxBytes != 0 && o.InboxBytes < minInbox: // one URL may have so many
		return o, fmt.Errorf("cluster: Options.InboxBytes is %d: want at least %d, or 0 for %d", o.InboxBytes, minInbox, defaultInbox)
	case o.Replicas < 0 || o.Replicas > maxReplicas:
		return o, fmt.Errorf("cluster: Options.Replicas is %d: want 1 to %d, or 0 for 1", o.Replicas, maxReplicas)
	}
	o.Shards, o.TTL, o.Workers = orElse(o.Shards, defaultShards), orElse(o.TTL, defaultTTL), orElse(o.Workers, 8)
	o.Replicas, o.InboxBytes, o.Wait = orElse(o.Replicas, 1), orElse(o.InboxBytes, defaultInbox), orElse(o.Wait, defaultWait)
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o, nil
}

func orElse[T comparable](v, otherwise T) T {
	var zero T
	if v == zero {
		return otherwise
	}
	return v
}

// Job is a crawl.
type Job struct {
	// ID of the job, 1 to 200 bytes without a zero byte; no two jobs of a cluster may have the same.
	ID string
	// Limit of pages, at least 1. It holds for all shards together; see [crawl.Options].
	Limit int
	// Delay between two requests to one host.
	Delay time.Duration
	// Data is passed on to Visit; nil: none.
	Data json.RawMessage
}

// State of a job.
type State string

// The states. A job that is ending takes no more pages.
const (
	Running State = "running"
	Ending  State = "ending"
	Ended   State = "ended"
)

// Status of a job.
type Status struct {
	Job
	State State
	// Events is the number of the last event.
	Events uint64
}

// Outcome of a page.
type Outcome struct {
	// Page is the result and where it leads. URLs of Found with one Key must differ in scheme, port and "www." alone, as those of a
	// [github.com/winnow-go/winnow/crawl/scope.Scope] do: each shard knows its own keys.
	Page crawl.Page
	// Moved is the URL, and the Key, where redirects have led to; the zero value: nowhere. Where another page of the job has that, or had
	// it, this one is completed as a silent one instead, without result, links and events.
	Moved crawl.Found
	// Events of the job that follow from the page, in this order; at most 256 KiB each.
	Events [][]byte
	// RetryAt, if it isn't zero, has the page fetched again instead, not before that, as long as attempts are left; Cause says why.
	RetryAt time.Time
	Cause   string
}

// Event of a job.
type Event struct {
	// Number from 1, without gaps.
	Number uint64
	// Shard whose page it is from.
	Shard int
	Data  []byte
}
