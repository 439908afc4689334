package jet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/nats-io/nats.go"

	"github.com/winnow-go/winnow/engine/cluster/internal/node"
)

// Calls bring requests to the owners of shards, and serve those to shards that are open here.
type Calls struct {
	c *Cluster
	// serve answers a request. At ErrSilent no answer is sent: another member is to give it.
	serve func(ctx context.Context, shard int, r node.Request) (node.Reply, error)

	ctx  context.Context
	end  context.CancelFunc
	work sync.WaitGroup

	mu   sync.Mutex
	subs map[int]*nats.Subscription
}

// ErrSilent: no answer is sent.
var ErrSilent = errors.New("cluster: another member is to answer")

// answer is what is sent back.
type answer struct {
	node.Reply
	Error string `json:"error,omitempty"`
	Code  string `json:"code,omitempty"`
}

// codes are the errors that a caller knows again.
var codes = map[string]error{"unknown": node.ErrUnknown, "over": node.ErrOver, "removed": node.ErrRemoved}

// Calls returns what serves requests by a function. Close it.
func (c *Cluster) Calls(serve func(ctx context.Context, shard int, r node.Request) (node.Reply, error)) *Calls {
	ctx, end := context.WithCancel(context.Background())
	return &Calls{c: c, serve: serve, ctx: ctx, end: end, subs: map[int]*nats.Subscription{}}
}

func (c *Calls) subject(shard int) string {
	return fmt.Sprintf("winnow.%s.shard.%d", c.c.o.Name, shard)
}

// Call sends a request to the owner of a shard. Its error leaves open whether it was served, but for those of the request itself.
func (c *Calls) Call(ctx context.Context, shard int, r node.Request) (node.Reply, error) {
	ctx, cancel := c.c.waiting(ctx)
	defer cancel()
	data, err := json.Marshal(r)
	if err != nil {
		return node.Reply{}, err
	}
	m, err := c.c.o.JetStream.Conn().RequestWithContext(ctx, c.subject(shard), data)
	if err != nil {
		return node.Reply{}, fmt.Errorf("cluster: %s to shard %d: %w", r.Kind, shard, err)
	}
	var a answer
	if err := json.Unmarshal(m.Data, &a); err != nil {
		return node.Reply{}, fmt.Errorf("cluster: answer of shard %d: %w", shard, err)
	}
	return a.Reply, a.err(r.Kind, shard)
}

func (a answer) err(kind string, shard int) error {
	switch known, ok := codes[a.Code]; {
	case a.Error == "":
		return nil
	case ok:
		return known
	}
	return fmt.Errorf("cluster: %s to shard %d: %s", kind, shard, a.Error)
}

// Serve serves the requests to exactly these shards.
func (c *Calls) Serve(list []int) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	var errs error
	keep := map[int]bool{}
	for _, shard := range list {
		if keep[shard] = true; c.subs[shard] != nil {
			continue
		}
		sub, err := c.c.o.JetStream.Conn().Subscribe(c.subject(shard), func(m *nats.Msg) { c.take(shard, m) })
		if err != nil {
			errs = errors.Join(errs, err)
			continue
		}
		c.subs[shard] = sub
	}
	for shard, sub := range c.subs {
		if !keep[shard] {
			_ = sub.Unsubscribe() // of a closed connection it fails
			delete(c.subs, shard)
		}
	}
	return errs
}

// Serves reports whether the requests to a shard come here.
func (c *Calls) Serves(shard int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.subs[shard] != nil
}

// take serves a request in a goroutine of its own: it may need another one served meanwhile.
func (c *Calls) take(shard int, m *nats.Msg) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ctx.Err() != nil {
		return
	}
	c.work.Go(func() { c.respond(shard, m) })
}

func (c *Calls) respond(shard int, m *nats.Msg) {
	ctx, cancel := c.c.waiting(c.ctx)
	defer cancel()
	var r node.Request
	if err := json.Unmarshal(m.Data, &r); err != nil {
		return
	}
	reply, err := c.serve(ctx, shard, r)
	if errors.Is(err, ErrSilent) {
		return
	}
	a := answer{Reply: reply}
	if err != nil {
		a.Error = err.Error()
		for code, known := range codes {
			if errors.Is(err, known) {
				a.Code = code
			}
		}
	}
	data, err := json.Marshal(a)
	if most := c.c.o.JetStream.Conn().MaxPayload(); err == nil && int64(len(data)) > most {
		text := fmt.Sprintf("the answer has %d bytes, and the server's max_payload is %d", len(data), most)
		data, err = json.Marshal(answer{Error: text})
	}
	if err == nil {
		_ = m.Respond(data) // the caller tries again
	}
}

// Close serves no more, and waits for what is being served.
func (c *Calls) Close() {
	_ = c.Serve(nil)
	c.mu.Lock()
	c.end()
	c.mu.Unlock()
	c.work.Wait()
}
