package cluster

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/httpapi"
	"github.com/winnow-go/winnow/llm"
)

// modelOf is a model of one engine.
type modelOf func(ctx context.Context, q llm.Request) (llm.Answer, error)

func (modelOf) Info() llm.Info {
	return llm.Info{Name: "scripted", Local: true, Context: 100_000, Output: 2000}
}

func (f modelOf) Ask(ctx context.Context, q llm.Request) (llm.Answer, error) { return f(ctx, q) }

// gate holds up what comes to it, at one engine, until that is let go or its work ends.
type gate struct {
	at   chan int // the number of the engine that is held up
	open chan struct{}
}

func newGate() *gate { return &gate{make(chan int, 100), make(chan struct{})} }

// next is the engine that comes next.
func (g *gate) next(ctx context.Context, t *testing.T) (engine int) {
	t.Helper()
	select {
	case engine = <-g.at:
	case <-ctx.Done():
		t.Fatal("no engine comes to the gate")
	}
	return engine
}

func (g *gate) pass(ctx context.Context, engine int) error {
	g.at <- engine
	select {
	case <-g.open:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

var interrupted = regexp.MustCompile(`interrupted after (\d+) steps`)

// turns are those of an agent.
var turns = []llm.Call{
	{Name: "map", Arguments: json.RawMessage(`{"url":"https://orchard.example/"}`)},
	{Name: "extract", Arguments: json.RawMessage(`{"url":"https://orchard.example/prices","what":"prices"}`)},
	{Name: "scrape", Arguments: json.RawMessage(`{"url":"https://orchard.example/"}`)},
	{Name: "note", Arguments: json.RawMessage(`{"url":"https://orchard.example/","text":"They sell fruit."}`)},
	{Name: "done", Arguments: json.RawMessage(`{"answer":"Pears cost 2 euros."}`)},
}

// turn is the number of the turn that a request is for: those of the conversation, and those before it was interrupted.
func turn(q llm.Request) (n int) {
	for _, m := range q.Messages {
		if m.Role == llm.User {
			if before := interrupted.FindStringSubmatch(m.Text); before != nil {
				n, _ = strconv.Atoi(before[1])
			}
		}
		n += len(m.Calls)
	}
	return n
}

// scripted is the model of an engine, the one with that number, that meets g before the turn of an agent; nil: it meets none.
func scripted(engine, before int, g *gate) modelOf {
	return func(ctx context.Context, q llm.Request) (a llm.Answer, err error) {
		a.Usage = llm.Usage{Calls: 1, InputTokens: 100, OutputTokens: 10}
		switch system := q.Messages[0].Text; {
		case len(q.Tools) == 0 && strings.Contains(system, "You read the text"):
			a.Text = "Pears cost 2 euros."
		case len(q.Tools) == 0 && strings.Contains(system, "You turn notes"):
			a.Text = `{"price":"2 euros"}`
		case len(q.Tools) == 0:
			a.Text = "1. look"
		default:
			n := turn(q)
			if g != nil && n == before {
				if err := g.pass(ctx, engine); err != nil {
					return llm.Answer{}, err
				}
			}
			a.Text, a.Calls = "because", turns[min(n, len(turns)-1):][:1]
			a.Calls = []llm.Call{{ID: strconv.Itoa(n), Name: a.Calls[0].Name, Arguments: a.Calls[0].Arguments}}
		}
		return a, nil
	}
}

func orchard() map[string]http.Handler {
	return map[string]http.Handler{"orchard.example": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		switch r.URL.Path {
		case "/":
			fmt.Fprint(w, `<title>Orchard</title><main><h1>Orchard</h1><p>We sell fruit, and this is a text about fruit.</p><a href="/prices">Prices</a></main>`)
		case "/prices":
			fmt.Fprint(w, `<title>Prices</title><main><h1>Prices</h1><p>Pears cost 2 euros a piece, and apples cost less than pears.</p></main>`)
		default:
			http.NotFound(w, r)
		}
	})}
}

func pears() engine.AgentOptions {
	return engine.AgentOptions{
		Prompt: "What do pears cost?", URLs: []string{"https://orchard.example/"},
		Schema: json.RawMessage(`{"type":"object","properties":{"price":{"type":"string"}},"required":["price"]}`),
	}
}

// seenMoved is what readers get of a job that moves.
type seenMoved struct {
	Status  engine.JobStatus
	Result  string
	Events  []engine.Event
	Trace   []engine.ModelStep
	Pages   []string
	URLs    []engine.URLTrace
	Sources map[string][]engine.FieldSource
}

func seeMoved(ctx context.Context, t *testing.T, e *engine.Engine, id string) (s seenMoved) {
	t.Helper()
	job, err := e.Job(ctx, id)
	must(t, err)
	s.Status, err = job.Wait(ctx)
	must(t, err)
	s.Status.Progress = engine.Progress{}
	for ev, err := range job.Past(ctx) {
		must(t, err)
		s.Events = append(s.Events, ev)
	}
	var result json.RawMessage
	if agent, ok := job.Agent(); ok {
		result, _ = agent.Result(ctx)
		s.Trace, err = agent.Trace(ctx)
		must(t, err)
	}
	if extract, ok := job.Extract(); ok {
		result, _ = extract.Result(ctx)
		s.URLs, err = extract.URLTrace(ctx)
		must(t, err)
		s.Sources, _ = extract.Sources(ctx)
		for doc, err := range extract.Documents(ctx, 0) {
			must(t, err)
			s.Pages = append(s.Pages, doc.Metadata.URL+" "+doc.Metadata.ScrapeID)
		}
	}
	s.Result = string(result)
	return s
}

// steps are the names of the steps of an agent, with their numbers and parts.
func (s seenMoved) steps() string {
	var list []string
	for _, step := range s.Trace {
		list = append(list, fmt.Sprintf("%d.%d %s%s", step.Number, step.Part, step.Tool, step.Error))
	}
	return strings.Join(list, ", ")
}

func sameMoved(t *testing.T, a, b seenMoved) {
	t.Helper()
	if !reflect.DeepEqual(a, b) {
		one, _ := json.Marshal(a)
		other, _ := json.Marshal(b)
		t.Errorf("one has\n%s\nthe other\n%s", one, other)
	}
}

// threeOf opens three engines, each with a connection and a model of its own.
func threeOf(t *testing.T, addr string, hosts map[string]http.Handler, model func(engine int) llm.Model) (list []*engine.Engine, by []jetstream.JetStream) {
	t.Helper()
	for i := range 3 {
		js := dial(t, addr)
		e := mustJoin(t, js, hosts, func(o *engine.Options) { o.Model = model(i) })
		t.Cleanup(func() { _ = e.Close() })
		list, by = append(list, e), append(by, js)
	}
	return list, by
}

// alone is what one engine without a cluster makes of a job.
func alone(ctx context.Context, t *testing.T, hosts map[string]http.Handler, m llm.Model, start func(*engine.Engine) string) seenMoved {
	t.Helper()
	e, err := engine.New(engine.Options{Render: engine.RenderNever, Hosts: hosts, Model: m})
	must(t, err)
	defer e.Close()
	return seeMoved(ctx, t, e, start(e))
}

// others are all but one.
func others(list []*engine.Engine, but int) (rest []*engine.Engine) {
	for i, e := range list {
		if i != but {
			rest = append(rest, e)
		}
	}
	return rest
}

func startAgent(ctx context.Context, t *testing.T) func(*engine.Engine) string {
	return func(e *engine.Engine) string {
		job, err := e.StartAgent(ctx, pears())
		must(t, err)
		return job.ID()
	}
}

// losses are how a job loses its engine.
var losses = map[string]func(*testing.T, *engine.Engine, jetstream.JetStream){
	"closed":  func(t *testing.T, e *engine.Engine, _ jetstream.JetStream) { must(t, e.Close()) },
	"cut off": func(_ *testing.T, _ *engine.Engine, js jetstream.JetStream) { js.Conn().Close() },
}

// An agent goes on at another engine when the one that has it closes, or loses the others: with its notes, each step once, and the same
// result, trace, usage and credits for all that read it.
func TestEngine_agentsMove(t *testing.T) {
	for name, lose := range losses {
		t.Run(name, func(t *testing.T) {
			ctx := withDeadline(t)
			want := alone(ctx, t, orchard(), scripted(-1, 0, nil), startAgent(ctx, t))
			addr, g := host(t), newGate()
			list, by := threeOf(t, addr, orchard(), func(i int) llm.Model { return scripted(i, 3, g) })
			id := startAgent(ctx, t)(list[0])
			first := g.next(ctx, t)
			lose(t, list[first], by[first])
			moved := first
			for moved == first {
				moved = g.next(ctx, t)
			}
			rest := others(list, first)
			job, err := rest[0].Job(ctx, id)
			must(t, err)
			if status, err := job.Status(ctx); err != nil || status.State != engine.JobScraping || status.Total != 0 {
				t.Errorf("while it runs: %+v, %v", status, err)
			}
			close(g.open)
			got := seeMoved(ctx, t, rest[0], id)
			sameMoved(t, got, seeMoved(ctx, t, rest[1], id))
			late := joinEngine(t, dial(t, addr), orchard())
			sameMoved(t, got, seeMoved(ctx, t, late, id))
			if got.Result != want.Result || got.steps() != want.steps() || got.Status.State != engine.JobCompleted {
				t.Errorf("%s: %s by %s, want %s by %s", got.Status.State, got.Result, got.steps(), want.Result, want.steps())
			}
			is, w := got.Status, want.Status
			if is.Usage != w.Usage || is.CreditsUsed != w.CreditsUsed || is.Total != w.Total || is.Warning != w.Warning || len(got.Events) != len(want.Events) {
				t.Errorf("%d events, %+v, want %d, %+v", len(got.Events), is, len(want.Events), w)
			}
			t.Logf("from engine %d to %d", first, moved)
		})
	}
}

// faces are the HTTP faces of engines.
func faces(t *testing.T, list []*engine.Engine) func(face int, method, path, body string) string {
	t.Helper()
	const secret = "sixteen-bytes-or-more"
	var addrs []string
	for _, e := range list {
		key, err := httpapi.NewKey(secret, "team")
		must(t, err)
		face := httptest.NewServer(httpapi.New(e, httpapi.Options{Keys: []httpapi.Key{key}, BaseURL: "http://winnow.example"}))
		t.Cleanup(face.Close)
		addrs = append(addrs, face.URL)
	}
	return func(face int, method, path, body string) string {
		r, err := http.NewRequestWithContext(t.Context(), method, addrs[face]+path, strings.NewReader(body))
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
		return string(data)
	}
}

// Over HTTP an agent that has moved reads the same from all.
func TestEngine_agentsOverHTTP(t *testing.T) {
	g := newGate()
	list, _ := threeOf(t, host(t), orchard(), func(i int) llm.Model { return scripted(i, 2, g) })
	call := faces(t, list)
	var started struct{ ID string }
	body := `{"prompt":"What do pears cost?","urls":["https://orchard.example/"],"schema":{"type":"object","properties":{"price":{"type":"string"}}}}`
	must(t, json.Unmarshal([]byte(call(0, "POST", "/v2/agent", body)), &started))
	first := g.next(withDeadline(t), t)
	must(t, list[first].Close())
	close(g.open)
	a, b := (first+1)%3, (first+2)%3
	path := "/v2/agent/" + started.ID
	until(t, "the agent ends", func() bool { return strings.Contains(call(a, "GET", path, ""), `"completed"`) })
	for _, path := range []string{path, path + "/trace"} {
		one := call(a, "GET", path, "")
		if other := call(b, "GET", path, ""); one != other || !strings.Contains(one, "2 euros") {
			t.Errorf("%s: one has\n%s\nthe other\n%s", path, one, other)
		}
	}
}

// shop has pages of lamps.
func shop(products int) (map[string]http.Handler, []string) {
	var urls []string
	for i := range products {
		urls = append(urls, fmt.Sprintf("https://shop.example/%d", i))
	}
	return map[string]http.Handler{"shop.example": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var n int
		if _, err := fmt.Sscanf(r.URL.Path, "/%d", &n); err != nil || n == 1 {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<title>Lamp</title><h1>Lamp %d</h1><p>Item: Lamp %d</p><p>This is a text about a lamp.</p>", n, n)
	})}, append(urls, "https://gone.example/")
}

var lampName = regexp.MustCompile(`Item: (Lamp \d+)`)

// clerk is the model of an engine, the one with that number, that meets g when it has read so many pages; nil: it meets none.
func clerk(engine, before int, g *gate) modelOf {
	var read atomic.Int64
	return func(ctx context.Context, q llm.Request) (a llm.Answer, err error) {
		if g != nil && read.Add(1) > int64(before) {
			if err := g.pass(ctx, engine); err != nil {
				return llm.Answer{}, err
			}
		}
		a.Usage, a.Text = llm.Usage{Calls: 1, InputTokens: 100, OutputTokens: 10}, `{"items":[]}`
		if name := lampName.FindStringSubmatch(q.Messages[len(q.Messages)-1].Text); name != nil {
			a.Text = fmt.Sprintf(`{"items":[{"name":%q}]}`, name[1])
		}
		return a, nil
	}
}

func startExtract(ctx context.Context, t *testing.T, urls []string) func(*engine.Engine) string {
	return func(e *engine.Engine) string {
		job, err := e.StartExtract(ctx, engine.ExtractOptions{
			URLs: urls, ShowSources: true, MaxConcurrency: 1,
			Schema: json.RawMessage(`{"type":"object","properties":{"items":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"}}}}}}`),
		})
		must(t, err)
		return job.ID()
	}
}

// An extraction moves as an agent does: pages that were read are not read again.
func TestEngine_extractionsMove(t *testing.T) {
	hosts, urls := shop(6)
	for name, lose := range losses {
		t.Run(name, func(t *testing.T) {
			ctx := withDeadline(t)
			want := alone(ctx, t, hosts, clerk(0, 0, nil), startExtract(ctx, t, urls))
			addr, g := host(t), newGate()
			list, by := threeOf(t, addr, hosts, func(i int) llm.Model { return clerk(i, 2, g) })
			id := startExtract(ctx, t, urls)(list[0])
			first := g.next(ctx, t)
			lose(t, list[first], by[first])
			moved := first
			for moved == first {
				moved = g.next(ctx, t)
			}
			rest := others(list, first)
			job, err := rest[0].Job(ctx, id)
			must(t, err)
			until(t, "what is read is counted", func() bool {
				status, err := job.Status(ctx)
				must(t, err)
				return status.State == engine.JobScraping && status.Total == len(urls) && status.Completed == 5
			})
			close(g.open)
			got := seeMoved(ctx, t, rest[0], id)
			sameMoved(t, got, seeMoved(ctx, t, rest[1], id))
			sameMoved(t, got, seeMoved(ctx, t, joinEngine(t, dial(t, addr), hosts), id))
			if got.Result != want.Result || !reflect.DeepEqual(got.URLs, want.URLs) || !reflect.DeepEqual(got.Sources, want.Sources) {
				t.Errorf("got %s, %+v, %v\nwant %s, %+v, %v", got.Result, got.URLs, got.Sources, want.Result, want.URLs, want.Sources)
			}
			is, w := got.Status, want.Status
			if is.Usage != w.Usage || is.CreditsUsed != w.CreditsUsed || is.Total != w.Total || is.Completed != w.Completed || is.Failed != w.Failed ||
				is.Warning != w.Warning || len(got.Events) != len(want.Events) || len(got.Pages) != len(want.Pages) {
				t.Errorf("%d events, %d pages, %+v, want %d, %d, %+v", len(got.Events), len(got.Pages), is, len(want.Events), len(want.Pages), w)
			}
			t.Logf("from engine %d to %d; %s", first, moved, got.Result)
		})
	}
}

// Jobs that move are cancelled from whatever machine, which ends their work at once, and fail on all alike.
func TestEngine_jobsThatMoveEnd(t *testing.T) {
	ctx := withDeadline(t)
	hosts, urls := shop(3)
	hosts["orchard.example"] = orchard()["orchard.example"]
	for name, start := range map[string]func(*engine.Engine) string{"agent": startAgent(ctx, t), "extract": startExtract(ctx, t, urls[:1])} {
		t.Run(name, func(t *testing.T) {
			ended := make(chan error, 100)
			asked := make(chan struct{}, 100)
			stuck := modelOf(func(ctx context.Context, _ llm.Request) (llm.Answer, error) {
				asked <- struct{}{}
				<-ctx.Done()
				ended <- context.Cause(ctx)
				return llm.Answer{}, context.Cause(ctx)
			})
			list, _ := threeOf(t, host(t), hosts, func(int) llm.Model { return stuck })
			id := start(list[0])
			select {
			case <-asked:
			case <-ctx.Done():
				t.Fatal("no model is called")
			}
			job, err := list[2].Job(ctx, id)
			must(t, err)
			must(t, job.Cancel(ctx))
			select {
			case <-ended:
			case <-ctx.Done():
				t.Fatal("the model is called on")
			}
			got := seeMoved(ctx, t, list[0], id)
			sameMoved(t, got, seeMoved(ctx, t, list[1], id))
			if got.Status.State != engine.JobCancelled || got.Status.Code != engine.CodeCancelled || got.Result != "" {
				t.Errorf("got %+v, %s", got.Status, got.Result)
			}
			if err := job.Cancel(ctx); engine.CodeOf(err) != engine.CodeFinished {
				t.Errorf("a second time: %v", err)
			}
		})
		t.Run(name+" that fails", func(t *testing.T) {
			broken := modelOf(func(context.Context, llm.Request) (llm.Answer, error) {
				return llm.Answer{}, fmt.Errorf("no luck: %w", llm.ErrRefused)
			})
			want := alone(ctx, t, hosts, broken, start)
			list, _ := threeOf(t, host(t), hosts, func(int) llm.Model { return broken })
			id := start(list[0])
			got := seeMoved(ctx, t, list[0], id)
			sameMoved(t, got, seeMoved(ctx, t, list[1], id))
			is, w := got.Status, want.Status
			if is.State != engine.JobFailed || is.Code != w.Code || is.Error != w.Error || is.Total != w.Total || is.Failed != w.Failed {
				t.Errorf("got %+v, want %+v", is, w)
			}
		})
	}
}

// Jobs that leave no trace stay where they are.
func TestEngine_privateJobsStay(t *testing.T) {
	ctx := withDeadline(t)
	list := engines(t, 2, orchard(), func(o *engine.Options) { o.Model, o.AllowZeroDataRetention = scripted(0, 0, nil), true })
	o := pears()
	o.ZeroDataRetention = true
	job, err := list[0].Agent(ctx, o)
	must(t, err)
	if data, err := job.Result(ctx); err != nil || string(data) != `{"price":"2 euros"}` {
		t.Errorf("got %s, %v", data, err)
	}
	if _, err := list[1].Job(ctx, job.ID()); engine.CodeOf(err) != engine.CodeNotFound {
		t.Errorf("another engine has it: %v", err)
	}
}
