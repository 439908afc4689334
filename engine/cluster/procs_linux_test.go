package cluster

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/winnow-go/winnow/crawl"
)

// process is one of a cluster.
type process struct {
	*exec.Cmd
	t      *testing.T
	in     io.Closer
	addrs  []string // that it has printed
	err    *logText
	exited chan struct{}
}

// logText is what a process has logged.
type logText struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logText) Write(data []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(data)
}

func (l *logText) has(text string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Contains(l.text.String(), text)
}

func (l *logText) tail() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	lines := strings.Split(strings.TrimSpace(l.text.String()), "\n")
	return strings.Join(lines[max(0, len(lines)-15):], "\n")
}

// startProcess runs the test binary in a role. It ends with the test's process, and with the test.
func startProcess(t *testing.T, role string, orders any) *process {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(orders)
	if err != nil {
		t.Fatal(err)
	}
	p := &process{Cmd: exec.Command(self), t: t, err: &logText{}, exited: make(chan struct{})}
	p.Env = append(os.Environ(), roleEnv+"="+role, ordersEnv+"="+string(text), "GORACE=atexit_sleep_ms=0", "GOMAXPROCS=2")
	p.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	p.Stderr = p.err
	if p.in, err = p.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := p.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	go func() {
		_ = p.Wait()
		close(p.exited)
	}()
	t.Cleanup(p.kill)
	if err != nil {
		t.Fatalf("%s does not start: %v\n%s", role, err, p.err.tail())
	}
	p.addrs = strings.Fields(line)
	return p
}

func (p *process) signal(s os.Signal) {
	p.t.Helper()
	if err := p.Process.Signal(s); err != nil {
		p.t.Fatal(err)
	}
}

// kill ends a process without a word, also one that is stopped.
func (p *process) kill() {
	_ = p.Process.Kill()
	<-p.exited
}

// end lets a process end by itself.
func (p *process) end() {
	_ = p.in.Close()
	<-p.exited
}

// call has a worker answer a request; false: it didn't.
func (p *process) call(path string, body, answer any) bool {
	ctx, cancel := context.WithTimeout(p.t.Context(), 10*time.Second)
	defer cancel()
	data, err := json.Marshal(body)
	if err != nil {
		p.t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+p.addrs[0]+path, bytes.NewReader(data))
	if err != nil {
		p.t.Fatal(err)
	}
	r.Close = true
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		return false
	}
	defer got.Body.Close()
	if got.StatusCode != http.StatusOK {
		return false
	}
	return json.NewDecoder(got.Body).Decode(answer) == nil
}

// shards are how many a worker has open.
func (p *process) shards() int {
	var list []int
	p.call("/shards", nil, &list)
	return len(list)
}

// webSite has pages on many hosts, which workers fetch over HTTP as the test lets them.
type webSite struct {
	*madeUp
	long      int    // bytes that each address has more
	further   int    // links of a page to any others
	number    int    // of the last visit
	heldVisit string // that of the page that is held

	requests map[string][]request // by host, in the order in which they came
}

// request is one of a worker.
type request struct {
	worker     string
	came, over time.Time
}

func (s *webSite) url(page int) string {
	random := rand.NewChaCha8([32]byte{byte(page), byte(page >> 8)})
	more := make([]byte, s.long*3/4)
	_, _ = random.Read(more)
	return fmt.Sprintf("http://h%d.example/%d/%s", page%s.hosts, page, base64.RawURLEncoding.EncodeToString(more))
}

// ServeHTTP serves a page: the URLs that it leads to.
func (s *webSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	worker, url := r.Header.Get("X-Worker"), "http://"+r.Host+r.URL.Path
	came := time.Now()
	visit, ok := s.let(r.Context(), worker, url)
	if !ok {
		return
	}
	s.change(func() {
		if s.requests == nil {
			s.requests = map[string][]request{}
		}
		s.requests[r.Host] = append(s.requests[r.Host], request{worker, came, time.Now()})
	})
	w.Header().Set("X-Visit", visit)
	_, _ = io.WriteString(w, strings.Join(s.links(url), "\n"))
}

// let waits until a page may be fetched, and returns the number of the visit; false: the one who wanted it is gone.
func (s *webSite) let(ctx context.Context, worker, url string) (visit string, ok bool) {
	defer context.AfterFunc(ctx, func() { s.change(func() {}) })()
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.allowed == 0 && !s.closed && ctx.Err() == nil {
		s.turn.Wait()
	}
	if ctx.Err() != nil || s.closed {
		return "", false
	}
	s.allowed--
	s.number++
	visit = fmt.Sprint(s.number)
	s.visits[url]++
	s.by[worker]++
	if s.hold == worker {
		s.hold, s.held, s.heldVisit = "", url, visit
		for !s.goOn && !s.closed {
			s.turn.Wait()
		}
	}
	return visit, true
}

func (s *webSite) links(url string) (list []string) {
	var host, page int
	_, _ = fmt.Sscanf(url, "http://h%d.example/%d", &host, &page)
	random := rand.New(rand.NewPCG(uint64(page), 0))
	pages := []int{2*page + 1, 2*page + 2, 0}
	for range s.further {
		pages = append(pages, random.IntN(s.pages))
	}
	for _, to := range pages {
		if to < s.pages {
			list = append(list, s.url(to))
		}
	}
	return list
}

// servers is a cluster of processes.
type servers struct {
	*testing.T
	site    *webSite
	at      string // of the site
	nats    *process
	order   serverOrders
	workers map[string]*process
	delay   time.Duration // of jobs
}

func newServers(t *testing.T, site *webSite, order serverOrders) *servers {
	t.Helper()
	c := &servers{T: t, site: site, order: order, workers: map[string]*process{}}
	c.at = serveSite(t, site)
	c.order.Dir = t.TempDir()
	c.nats = startProcess(t, "server", c.order)
	return c
}

func (c *servers) addr() string { return c.nats.addrs[0] }

// restart starts the NATS server again, on what it has stored.
func (c *servers) restart() {
	c.Helper()
	if _, err := fmt.Sscanf(c.addr()[strings.LastIndexByte(c.addr(), ':'):], ":%d", &c.order.Port); err != nil {
		c.Fatal(err)
	}
	c.nats = startProcess(c.T, "server", c.order)
}

// join starts a worker.
func (c *servers) join(name, server string, change ...func(*workerOrders)) *process {
	c.Helper()
	o := workerOrders{
		Name: name, Server: server, Site: c.at, Dir: c.TempDir(), Shards: 6, Workers: 3, TTL: time.Second, Wait: time.Second,
	}
	for _, f := range change {
		f(&o)
	}
	p := startProcess(c.T, "worker", o)
	c.workers[name] = p
	return p
}

// await waits for something that comes by itself, and shows what the processes have logged if it doesn't come.
func (c *servers) await(what string, there func() bool) {
	c.Helper()
	for ; !there(); time.Sleep(20 * time.Millisecond) {
		if late(c.T) {
			c.show()
			c.Fatalf("%s: not in the time that go test has", what)
		}
	}
}

// show logs what is known of the processes.
func (c *servers) show() {
	c.site.mu.Lock()
	c.Logf("visits by %v, %d pages, %d more allowed", c.site.by, len(c.site.visits), c.site.allowed)
	c.site.mu.Unlock()
	for name, p := range c.workers {
		c.Logf("%s:\n%s", name, p.err.tail())
	}
	for name, p := range c.workers {
		select {
		case <-p.exited:
			c.Logf("%s has ended", name)
		default:
			var list []int
			answers := p.call("/shards", nil, &list)
			c.Logf("%s answers: %t; it has the shards %v", name, answers, list)
		}
	}
}

// shares waits until workers have so many shards each.
func (c *servers) shares(n int, workers ...*process) {
	c.Helper()
	c.await(fmt.Sprint("shares of ", n), func() bool {
		for _, p := range workers {
			if p.shards() != n {
				return false
			}
		}
		return true
	})
}

func (c *servers) start(p *process, job string) {
	c.Helper()
	seeds := []crawl.Found{{URL: c.site.url(0)}}
	c.await("start", func() bool {
		var nothing any
		return p.call("/start", startOrder{Job{ID: job, Limit: 100_000, Delay: c.delay}, seeds}, &nothing)
	})
}

// fetched lets pages be fetched, and waits until so many were.
func (c *servers) fetched(n int) {
	c.Helper()
	c.site.change(func() { c.site.allowed = n })
	c.await(fmt.Sprint(n, " pages"), c.site.look(func() bool { return c.site.allowed == 0 }))
}

// events waits for the end of a job: each page must be there once, from a visit that took place.
func (c *servers) events(p *process, job string) (by map[string]visitEvent) {
	c.Helper()
	var now Status
	c.await("the end of the job", func() bool { return p.call("/status?job="+job, nil, &now) && now.State == Ended })
	var list []Event
	c.await("its events", func() bool {
		var more []Event
		ok := p.call(fmt.Sprintf("/events?job=%s&after=%d", job, len(list)), nil, &more)
		list = append(list, more...)
		return ok && uint64(len(list)) >= now.Events
	})
	by = map[string]visitEvent{}
	for i, e := range list {
		var v visitEvent
		if err := json.Unmarshal(e.Data, &v); err != nil || e.Number != uint64(i+1) || by[v.URL].URL != "" {
			c.Errorf("event %d has the number %d, and %s; before it came %v; %v", i+1, e.Number, e.Data, by[v.URL], err)
		}
		by[v.URL] = v
	}
	if len(by) != c.site.pages {
		c.Errorf("%d pages of %d", len(by), c.site.pages)
	}
	return by
}
