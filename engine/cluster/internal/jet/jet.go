// Package jet connects a member by NATS: leases are keys of a JetStream key-value store, inboxes are streams, and requests to the owner of
// a shard are plain requests.
//
//   - jet.go — [Options], [Open]: what all have in common
//   - keys.go — [Keys]: the key-value store
//   - inbox.go — [Inbox]: a stream with the messages for a shard
//   - calls.go — [Calls]: requests and who serves them
package jet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// Options of what a cluster has on NATS, all required.
type Options struct {
	JetStream jetstream.JetStream
	// Name of the cluster: letters, digits, "-" and "_".
	Name string
	// Shards that the cluster has.
	Shards int
	// Replicas of streams and keys when they are made.
	Replicas int
	// InboxBytes bounds an inbox when it is made.
	InboxBytes int64
	// Wait is how long an answer is waited for.
	Wait time.Duration
}

// Cluster is what a cluster has on NATS. It is safe for concurrent use.
type Cluster struct {
	o  Options
	kv jetstream.KeyValue

	mu      sync.Mutex
	inboxes map[int]*Inbox
}

// markers is how long the store remembers that a key was deleted.
const markers = time.Hour

// Open finds the keys of a cluster, or makes them.
func Open(ctx context.Context, o Options) (*Cluster, error) {
	bucket := o.Name + "-leases"
	kv, err := o.JetStream.KeyValue(ctx, bucket)
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		kv, err = o.JetStream.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{
			Bucket: bucket, History: 1, Storage: jetstream.FileStorage, Replicas: o.Replicas, LimitMarkerTTL: markers,
		})
	}
	if err != nil {
		return nil, fmt.Errorf("cluster: keys %s: %w", bucket, err)
	}
	c := &Cluster{o: o, kv: kv, inboxes: map[int]*Inbox{}}
	return c, c.agree(ctx)
}

// version of what is on NATS. One that a member doesn't know is left alone.
const version = 1

// settings are the same for all members, and never change.
type settings struct {
	Version int `json:"version"`
	Shards  int `json:"shards"`
}

const keySettings = "settings"

// agree makes the settings of a new cluster, or compares.
func (c *Cluster) agree(ctx context.Context) error {
	own := settings{version, c.o.Shards}
	data, err := json.Marshal(own)
	if err != nil {
		return err
	}
	if _, err = c.kv.Create(ctx, keySettings, data); !errors.Is(err, jetstream.ErrKeyExists) {
		return err
	}
	e, err := c.kv.Get(ctx, keySettings)
	if err != nil {
		return err
	}
	var all settings
	if err := json.Unmarshal(e.Value(), &all); err != nil {
		return fmt.Errorf("cluster: settings of %s: %w", c.o.Name, err)
	}
	switch {
	case all.Version != own.Version:
		return fmt.Errorf("cluster: %s has version %d of what is stored; this program knows %d", c.o.Name, all.Version, own.Version)
	case all.Shards != own.Shards:
		return fmt.Errorf("cluster: Options.Shards is %d: want %d, which %s has", own.Shards, all.Shards, c.o.Name)
	}
	return nil
}

// Inbox returns that of a shard. It is made when it is used.
func (c *Cluster) Inbox(shard int) *Inbox {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.inboxes[shard] == nil {
		c.inboxes[shard] = &Inbox{c: c, shard: shard}
	}
	return c.inboxes[shard]
}

// Stream is the name of the stream that has a shard's transactions.
func (c *Cluster) Stream(shard int) string { return fmt.Sprintf("%s-shard-%d", c.o.Name, shard) }

func (c *Cluster) waiting(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, c.o.Wait)
}
