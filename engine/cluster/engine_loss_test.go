package cluster

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/httpapi"
)

// counted counts the requests of one engine, each of which takes a moment.
func counted(hosts map[string]http.Handler, n *atomic.Int64) map[string]http.Handler {
	all := map[string]http.Handler{}
	for name, h := range hosts {
		all[name] = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			n.Add(1)
			time.Sleep(2 * time.Millisecond)
			h.ServeHTTP(w, r)
		})
	}
	return all
}

// Of three engines one loses its connection in the middle of a crawl, and another one closes: no page is lost, and none is there twice.
func TestEngine_losesNothingWithMachines(t *testing.T) {
	ctx := withDeadline(t)
	hosts := bigSite(8, inFull(30, 15))
	alone, err := engine.New(engine.Options{Render: engine.RenderNever, Hosts: hosts})
	must(t, err)
	defer alone.Close()
	single, err := alone.Crawl(ctx, "https://h0.site.example/", crawlOptions())
	must(t, err)
	want := see(ctx, t, alone, single.ID())
	addr := host(t)
	var visits [3]atomic.Int64
	var list []*engine.Engine
	lost := dial(t, addr)
	list = append(list, joinEngine(t, dial(t, addr), counted(hosts, &visits[0])))
	dead := mustJoin(t, lost, counted(hosts, &visits[1]))
	list = append(list, joinEngine(t, dial(t, addr), counted(hosts, &visits[2])))
	job, err := list[0].StartCrawl(ctx, "https://h0.site.example/", crawlOptions())
	must(t, err)
	until(t, "the first one to die works", func() bool { return visits[1].Load() > 5 })
	lost.Conn().Close()
	until(t, "the others go on", func() bool { return visits[0].Load() > 5 && visits[2].Load() > 5 })
	_ = dead.Close()
	must(t, list[1].Close())
	got := see(ctx, t, list[0], job.ID())
	if urls, wanted := got.urls(t), want.urls(t); !slices.Equal(urls, wanted) {
		t.Errorf("got %d documents, want %d:\n%s", len(urls), len(wanted), strings.Join(urls, "\n"))
	}
	if got.Status.State != engine.JobCompleted || got.Status.CreditsUsed != want.Status.CreditsUsed {
		t.Errorf("got %+v, want %+v", got.Status, want.Status)
	}
	late := joinEngine(t, dial(t, addr), hosts) // and one that comes after the end has all of it
	same(t, got, see(ctx, t, late, job.ID()))
	t.Logf("visits %d, %d, %d", visits[0].Load(), visits[1].Load(), visits[2].Load())
}

// What an engine has read of a job is in its folder: the next one on it goes on there.
func TestEngine_mirrorsOutliveTheProcess(t *testing.T) {
	ctx := withDeadline(t)
	hosts := bigSite(4, inFull(20, 10))
	addr, dir := host(t), t.TempDir()
	var visits atomic.Int64
	stays := joinEngine(t, dial(t, addr), counted(hosts, &visits))
	inDir := func(o *engine.Options) { o.Dir = dir }
	first := joinEngine(t, dial(t, addr), hosts, inDir)
	job, err := first.StartCrawl(ctx, "https://h0.site.example/", crawlOptions())
	must(t, err)
	until(t, "pages are fetched", func() bool { return visits.Load() > 3 })
	must(t, first.Close())
	second := joinEngine(t, dial(t, addr), hosts, inDir)
	list, err := second.Jobs(ctx, false)
	if err != nil || len(list) != 1 || list[0].ID() != job.ID() {
		t.Errorf("jobs %v, %v", list, err)
	}
	same(t, see(ctx, t, second, job.ID()), see(ctx, t, stays, job.ID()))
}

// What pages have kept on the shards of a job goes with it.
func TestEngine_leavesNothingOnShards(t *testing.T) {
	ctx := withDeadline(t)
	var mu sync.Mutex
	var stores []*cache.Map
	member, err := Join(t.Context(), Options{
		JetStream: dial(t, host(t)), Name: "e", Shards: 3, TTL: 600 * time.Millisecond, Wait: 700 * time.Millisecond,
		Local: func(int) (Store, error) {
			mu.Lock()
			defer mu.Unlock()
			stores = append(stores, cache.NewMap())
			return stores[len(stores)-1], nil
		},
	})
	must(t, err)
	hosts := bigSite(4, 10)
	hosts["old.example"] = http.RedirectHandler("https://h1.site.example/", http.StatusMovedPermanently)
	e, err := engine.New(engine.Options{Render: engine.RenderNever, Hosts: hosts, Cluster: member})
	must(t, err)
	defer e.Close()
	rows := func(bucket string) (n int) {
		mu.Lock()
		defer mu.Unlock()
		for _, s := range stores {
			must(t, s.View(func(tx crawl.Tx) error {
				for range tx.Scan(bucket, nil) {
					n++
				}
				return nil
			}))
		}
		return n
	}
	job, err := e.Crawl(ctx, "https://old.example/", crawlOptions())
	must(t, err)
	for _, bucket := range []string{"crawl/traps", "crawl/seeds"} {
		if rows(bucket) == 0 {
			t.Errorf("%s: the job has left nothing, so this test can't see that it goes", bucket)
		}
	}
	must(t, settled(t, func() error { return member.m.Remove(ctx, job.ID()) }))
	until(t, "all is gone", func() bool { return rows("crawl/traps")+rows("crawl/seeds") == 0 })
}

// hook collects what a webhook gets.
type hook struct {
	mu    sync.Mutex
	types []string
	pages []string
}

func (h *hook) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	var body struct {
		Type string `json:"type"`
		Data []struct {
			Metadata struct {
				URL string `json:"url"`
			} `json:"metadata"`
		} `json:"data"`
	}
	data, _ := io.ReadAll(r.Body)
	_ = json.Unmarshal(data, &body)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.types = append(h.types, body.Type)
	for _, d := range body.Data {
		h.pages = append(h.pages, d.Metadata.URL)
	}
}

func (h *hook) has(typ string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Contains(h.types, typ)
}

// The engine that took a job sends its webhooks, as it does for a job of its own.
func TestEngine_webhooks(t *testing.T) {
	ctx := withDeadline(t)
	h := &hook{}
	hookServer := httptest.NewServer(h)
	defer hookServer.Close()
	local := func(o *engine.Options) { o.Policy.AllowPrivate = true }
	list := engines(t, 3, bigSite(4, 6), local)
	o := crawlOptions()
	o.Webhook = &engine.Webhook{URL: hookServer.URL}
	job, err := list[0].StartCrawl(ctx, "https://h0.site.example/", o)
	must(t, err)
	got := see(ctx, t, list[1], job.ID())
	until(t, "the last webhook", func() bool { return h.has("crawl.completed") })
	h.mu.Lock()
	defer h.mu.Unlock()
	slices.Sort(h.pages)
	if urls := got.urls(t); !slices.Equal(h.pages, urls) || h.types[0] != "crawl.started" {
		t.Errorf("the webhook has %d pages %q, want %d", len(h.pages), h.pages, len(urls))
	}
}

// A job that was started over the HTTP face of one machine is there over that of another one.
func TestEngine_overHTTP(t *testing.T) {
	ctx := withDeadline(t)
	list := engines(t, 2, bigSite(3, 8))
	const secret = "sixteen-bytes-or-more"
	var faces []*httptest.Server
	for _, e := range list {
		key, err := httpapi.NewKey(secret, "team")
		must(t, err)
		face := httptest.NewServer(httpapi.New(e, httpapi.Options{Keys: []httpapi.Key{key}}))
		defer face.Close()
		faces = append(faces, face)
	}
	call := func(face int, method, path, body string) (answer struct {
		ID, Status, Next            string
		Total, Completed            int
		Data, Errors, RobotsBlocked []json.RawMessage
	}) {
		r, err := http.NewRequestWithContext(ctx, method, faces[face].URL+path, strings.NewReader(body))
		must(t, err)
		r.Header.Set("Authorization", "Bearer "+secret)
		r.Header.Set("Content-Type", "application/json")
		res, err := http.DefaultClient.Do(r)
		must(t, err)
		defer res.Body.Close()
		data, err := io.ReadAll(res.Body)
		must(t, err)
		if res.StatusCode != http.StatusOK {
			t.Fatalf("%s %s: %d %s", method, path, res.StatusCode, data)
		}
		must(t, json.Unmarshal(data, &answer))
		return answer
	}
	id := call(0, "POST", "/v2/crawl", `{"url":"https://h0.site.example/","allowSubdomains":true,"crawlEntireDomain":true}`).ID
	until(t, "the job ends", func() bool { return call(1, "GET", "/v2/crawl/"+id, "").Status == "completed" })
	a, b := call(0, "GET", "/v2/crawl/"+id, ""), call(1, "GET", "/v2/crawl/"+id, "")
	if fmt.Sprint(a.Data, a.Total, a.Status) != fmt.Sprint(b.Data, b.Total, b.Status) || len(b.Data) < 20 {
		t.Errorf("%d of %d documents at one, %d of %d at the other", len(a.Data), a.Total, len(b.Data), b.Total)
	}
	if e := call(1, "GET", "/v2/crawl/"+id+"/errors", ""); len(e.RobotsBlocked) == 0 {
		t.Errorf("errors: %+v", e)
	}
}
