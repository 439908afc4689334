package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/crawl"
)

// The processes of a cluster: a NATS server, and members that crawl a site of the test's process. Each prints its addresses and goes on
// until its input ends.

func init() {
	roles["server"], roles["worker"] = runServer, runWorker
}

// serverOrders are what a server is started with.
type serverOrders struct {
	Dir        string
	Port       int   // 0: any
	MaxPending int64 // bytes that wait for a slow consumer; 0: the server's own
}

func runServer(text string) error {
	var o serverOrders
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		return err
	}
	if o.Port == 0 {
		o.Port = server.RANDOM_PORT
	}
	s, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: o.Port, HTTPHost: "127.0.0.1", HTTPPort: -1, JetStream: true, StoreDir: o.Dir, NoSigs: true, NoLog: true,
		MaxPending: o.MaxPending,
	})
	if err != nil {
		return err
	}
	s.Start()
	if !s.ReadyForConnections(time.Minute) {
		return errors.New("the server does not start")
	}
	fmt.Println(s.Addr(), s.MonitorAddr())
	_, _ = io.Copy(io.Discard, os.Stdin)
	s.Shutdown()
	s.WaitForShutdown()
	return nil
}

// workerOrders are what a member is started with.
type workerOrders struct {
	Name, Server, Site, Dir string
	Shards, Workers, Inbox  int
	TTL, Wait               time.Duration
	Pages                   int // of a single frontier
}

// workerRole is a member, and the requests of the test that it serves.
type workerRole struct {
	o      workerOrders
	client *http.Client
	member *Member
}

func runWorker(text string) error {
	w := &workerRole{}
	if err := json.Unmarshal([]byte(text), &w.o); err != nil {
		return err
	}
	c, err := nats.Connect("nats://"+w.o.Server, nats.Timeout(time.Minute), nats.MaxReconnects(-1), nats.ReconnectWait(50*time.Millisecond))
	if err != nil {
		return err
	}
	defer c.Close()
	js, err := jetstream.New(c)
	if err != nil {
		return err
	}
	w.client = w.newClient()
	if w.member, err = Open(context.Background(), w.options(js)); err != nil {
		return err
	}
	return errors.Join(w.serve(), w.member.Leave(context.Background()))
}

// newClient returns a client for which all hosts are the test's site.
func (w *workerRole) newClient() *http.Client {
	return &http.Client{Transport: &http.Transport{
		MaxIdleConnsPerHost: 1,
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, w.o.Site)
		},
	}}
}

func (w *workerRole) options(js jetstream.JetStream) Options {
	return Options{
		JetStream: js, Name: "c", Shards: w.o.Shards, TTL: w.o.TTL, Wait: w.o.Wait, Workers: w.o.Workers, InboxBytes: int64(w.o.Inbox),
		Visit: w.visit, Logger: slog.New(slog.NewTextHandler(os.Stderr, nil)),
		Local: func(shard int) (Store, error) {
			return cache.OpenFile(filepath.Join(w.o.Dir, fmt.Sprintf("%d.db", shard)), cache.FileOptions{Kind: "shard"})
		},
	}
}

// visitEvent is the event of a page.
type visitEvent struct {
	URL, Worker, Visit string
}

// visit fetches a page: lines with the URLs that it leads to.
func (w *workerRole) visit(ctx context.Context, _ Job, item crawl.Item) Outcome {
	visit, found, err := w.fetch(ctx, item.URL)
	if err != nil {
		return Outcome{RetryAt: time.Now().Add(10 * time.Millisecond), Cause: err.Error()}
	}
	out := Outcome{Page: crawl.Page{Result: []byte(visit)}}
	for _, url := range found {
		out.Page.Found = append(out.Page.Found, crawl.Found{URL: url, Hops: item.Hops + 1})
	}
	event, err := json.Marshal(visitEvent{item.URL, w.o.Name, visit})
	if err != nil {
		return Outcome{Page: crawl.Page{Failed: true, Code: err.Error()}}
	}
	out.Events = [][]byte{event}
	return out
}

func (w *workerRole) fetch(ctx context.Context, url string) (visit string, found []string, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return "", nil, err
	}
	r.Header.Set("X-Worker", w.o.Name)
	answer, err := w.client.Do(r)
	if err != nil {
		return "", nil, err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = errors.New(answer.Status)
	}
	return answer.Header.Get("X-Visit"), strings.Fields(string(body)), err
}

// serve serves the test's requests until the input ends.
func (w *workerRole) serve() error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/shards", answerWith(func(*http.Request) (any, error) { return w.member.Shards(), nil }))
	mux.HandleFunc("/status", answerWith(func(r *http.Request) (any, error) { return w.member.Status(r.Context(), r.FormValue("job")) }))
	mux.HandleFunc("/start", answerWith(func(r *http.Request) (any, error) {
		var order startOrder
		if err := json.NewDecoder(r.Body).Decode(&order); err != nil {
			return nil, err
		}
		return nil, w.member.Start(r.Context(), order.Job, order.Seeds)
	}))
	mux.HandleFunc("/events", answerWith(func(r *http.Request) (any, error) {
		after, err := strconv.ParseUint(r.FormValue("after"), 10, 64)
		if err != nil {
			return nil, err
		}
		return w.member.Events(r.Context(), r.FormValue("job"), after, 1000)
	}))
	s := &http.Server{Handler: mux}
	var serving sync.WaitGroup
	serving.Go(func() { _ = s.Serve(l) })
	fmt.Println(l.Addr())
	_, _ = io.Copy(io.Discard, os.Stdin)
	err = s.Close()
	serving.Wait()
	return err
}

type startOrder struct {
	Job   Job
	Seeds []crawl.Found
}

func answerWith(f func(*http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		answer, err := f(r)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		_ = json.NewEncoder(w).Encode(answer)
	}
}
