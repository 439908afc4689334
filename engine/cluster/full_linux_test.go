package cluster

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/winnow-go/winnow/engine/cluster/internal/shards"
)

// jobAt is a job whose home is none of those shards.
func jobAt(t *testing.T, not []int) string {
	t.Helper()
	for i := range 1000 {
		if job := fmt.Sprint("job", i); !slices.Contains(not, shards.Home(job, 6)) {
			return job
		}
	}
	t.Fatal("all shards are taken")
	return ""
}

// One of three workers sleeps, and has a long lease: the inboxes of its shards are full. Those that have links for it wait, and go on when
// it has woken up.
func TestProcesses_anInboxIsFull(t *testing.T) {
	leftToUnraced(t)
	t.Parallel()
	site := newWebSite(t)
	site.long, site.further = 1500, 40
	c := newServers(t, site, serverOrders{})
	patient := func(o *workerOrders) { o.Inbox, o.TTL = minInbox, 15*time.Second }
	a, b, x := c.join("a", c.addr(), patient), c.join("b", c.addr(), patient), c.join("x", c.addr(), patient)
	c.shares(2, a, b, x)
	var asleep []int
	x.call("/shards", nil, &asleep)
	job := jobAt(t, asleep)
	c.start(a, job)
	c.fetched(c.site.pages / 4)
	x.signal(syscall.SIGSTOP)
	c.site.change(func() { c.site.allowed = many })
	c.await("links wait", func() bool { return a.err.has("maximum bytes exceeded") || b.err.has("maximum bytes exceeded") })
	x.signal(syscall.SIGCONT)
	c.events(a, job)
}

// bound bounds the streams of the shards to what they have and some bytes more; below 0: no more.
func bound(t *testing.T, js jetstream.JetStream, more int64) {
	t.Helper()
	for shard := range 6 {
		s, err := js.Stream(t.Context(), fmt.Sprint("c-shard-", shard))
		if err != nil {
			t.Fatal(err)
		}
		config := s.CachedInfo().Config
		config.MaxBytes, config.Discard = -1, jetstream.DiscardNew
		if more >= 0 {
			config.MaxBytes = int64(s.CachedInfo().State.Bytes) + more
		}
		if _, err := js.UpdateStream(t.Context(), config); err != nil {
			t.Fatal(err)
		}
	}
}

// The streams of the shards are full, as where the server's disk is: the workers say so and wait, and go on when there is room.
func TestProcesses_theStreamsAreFull(t *testing.T) {
	leftToUnraced(t)
	t.Parallel()
	c := newServers(t, newWebSite(t), serverOrders{})
	js := dial(t, c.addr())
	a, b := c.join("a", c.addr()), c.join("b", c.addr())
	c.shares(3, a, b)
	c.start(a, "job")
	c.fetched(c.site.pages / 4)
	bound(t, js, 1000)
	c.site.change(func() { c.site.allowed = many })
	c.await("they wait", func() bool { return a.err.has("maximum bytes exceeded") && b.err.has("maximum bytes exceeded") })
	var now Status
	if a.call("/status?job=job", nil, &now); now.State == Ended {
		t.Error("the job has ended without room")
	}
	bound(t, js, -1)
	c.events(a, "job")
}

// A host is left alone from the end of a request to the beginning of the next one, as long as its shard has the same owner. That the site
// sees a gap no shorter is no matter of time: it sees the end before the worker does, and the beginning after.
func TestProcesses_hostsAreLeftAlone(t *testing.T) {
	leftToUnraced(t)
	t.Parallel()
	c := newServers(t, newWebSite(t), serverOrders{})
	patient := func(o *workerOrders) { o.TTL = 30 * time.Second }
	a, b := c.join("a", c.addr(), patient), c.join("b", c.addr(), patient)
	c.shares(3, a, b)
	c.delay = 50 * time.Millisecond
	c.site.change(func() { c.site.allowed = many })
	c.start(a, "job")
	c.events(a, "job")
	c.site.mu.Lock()
	defer c.site.mu.Unlock()
	pairs := 0
	for host, list := range c.site.requests {
		for i := 1; i < len(list); i++ {
			before, r := list[i-1], list[i]
			if before.worker != r.worker {
				continue // such an owner waits since it opened the shard
			}
			if pairs++; r.came.Sub(before.over) < c.delay {
				t.Errorf("%s: a request %s after the last one, want %s", host, r.came.Sub(before.over), c.delay)
			}
		}
	}
	if pairs < c.site.pages/2 {
		t.Errorf("%d pairs of requests on %d pages", pairs, c.site.pages)
	}
}

// slowConsumers are those that the server has cut off.
func (c *servers) slowConsumers() int {
	var all struct {
		SlowConsumers int `json:"slow_consumers"`
	}
	c.monitored("/varz", &all)
	return all.SlowConsumers
}

// monitored reads what the server says of itself. Where it doesn't answer, nothing is read: it is called again.
func (c *servers) monitored(path string, into any) {
	ctx, cancel := context.WithTimeout(c.Context(), 10*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+c.nats.addrs[1]+path, nil)
	if err != nil {
		c.Fatal(err)
	}
	r.Close = true
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return
	}
	defer answer.Body.Close()
	if err := json.NewDecoder(answer.Body).Decode(into); err != nil {
		c.Fatal(err)
	}
}

// flood sends each client answers to nothing, which it passes over, of twice the bytes that the server keeps for one: workers
// order no more than they read in time.
func (c *servers) flood() {
	conn, err := nats.Connect("nats://"+c.addr(), nats.Timeout(time.Minute))
	if err != nil {
		c.Fatal(err)
	}
	defer conn.Close()
	for _, subject := range c.answered() {
		for range 2 * minPayload / len(floodMessage) {
			if err := conn.Publish(strings.TrimSuffix(subject, "*")+"nothing", floodMessage[:]); err != nil {
				c.Fatal(err)
			}
		}
	}
	if err := conn.FlushTimeout(time.Minute); err != nil {
		c.Fatal(err)
	}
}

var floodMessage [32 << 10]byte

// answered are the subjects on which clients get the answers to their requests.
func (c *servers) answered() (subjects []string) {
	var all struct {
		Connections []struct {
			Subscriptions []string `json:"subscriptions_list"`
		} `json:"connections"`
	}
	c.monitored("/connz?subs=1", &all)
	for _, one := range all.Connections {
		for _, subject := range one.Subscriptions {
			if strings.HasPrefix(subject, "_INBOX.") && strings.HasSuffix(subject, ".*") {
				subjects = append(subjects, subject)
			}
		}
	}
	return subjects
}

// A worker reads so slowly what the server sends that this cuts it off; later it is merely slow.
func TestProcesses_aSlowConsumer(t *testing.T) { aSlowConsumer(t, time.Millisecond) }

// A worker stays so slow that the server cuts it off all the time: the others do its work, and when it is fast again it has its share.
func TestProcesses_aWorkerStaysSlow(t *testing.T) { aSlowConsumer(t, 10*time.Millisecond) }

func aSlowConsumer(t *testing.T, later time.Duration) {
	t.Helper()
	leftToUnraced(t)
	t.Parallel()
	site := newWebSite(t)
	site.long, site.further = 6000, 60
	c := newServers(t, site, serverOrders{MaxPending: minPayload})
	line := newProxy(t, c.addr())
	a, b, x := c.join("a", c.addr()), c.join("b", c.addr()), c.join("x", line.addr())
	c.shares(2, a, b, x)
	c.start(a, "job")
	c.fetched(c.site.pages / 4)
	line.slowDown(50 * time.Millisecond)
	c.site.change(func() { c.site.allowed = many })
	c.await("a slow consumer", func() bool {
		if c.slowConsumers() > 0 {
			return true
		}
		c.flood()
		return false
	})
	line.slowDown(later)
	c.events(b, "job")
	line.slowDown(min(later, time.Millisecond))
	c.shares(2, a, b, x)
}
