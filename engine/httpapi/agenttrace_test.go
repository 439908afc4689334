package httpapi

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/llm/llmtest"
)

// withAgent is a model that reads the lamp's page and gives its answer.
func withAgent(t testing.TB) func(*engine.Options, *Options) {
	model := llmtest.NewServer(t,
		llmtest.CallTool("scrape", `{"url":"http://lamp.example/"}`), llmtest.CallTool("done", `{"answer":"{\"lit\":\"in the evening\"}"}`),
	).Model()
	return func(o *engine.Options, _ *Options) { o.Model = model }
}

const agentBody = `{"prompt":"When is the lamp lit?","urls":["http://lamp.example/"],"effort":"low","origin":"cli@1","integration":"lights",
	"schema":{"type":"object","properties":{"lit":{"type":"string"}},"required":["lit"]}}`

func TestAgent_traceAndSnapshots(t *testing.T) {
	s := newService(t, withAgent(t))
	id := s.must(200, "POST", "/v2/agent", agentBody).text("id")
	s.ended(id)
	if a := s.must(200, "GET", "/v2/agent/"+id, ""); a.text("data", "lit") != "in the evening" || a.text("effort") != "low" || a.text("model") == "" {
		t.Errorf("%s", a.raw)
	}
	a := s.must(200, "GET", "/v2/agent/"+id+"/trace?liveView=true", "")
	var types []string
	for i := range a.get("events").([]any) {
		types = append(types, a.text("events", i, "type"))
		if a.get("events", i, "producerSequence") != float64(i+1) || a.text("events", i, "occurredAt") == "" || a.text("events", i, "runId") != id || a.text("events", i, "agent", "role") != "orchestrator" {
			t.Errorf("event %d: %v", i, a.get("events", i))
		}
	}
	all := strings.Join(types, " ")
	if !strings.HasPrefix(all, "run.started agent.started ") || !strings.HasSuffix(all, " artifact.updated run.finished") || !strings.Contains(all, "tool_call.started tool_call.finished artifact.updated") {
		t.Errorf("%s", all)
	}
	if a.get("creditsUsed") == 0.0 || a.get("activeBrowserSessions") == nil {
		t.Errorf("%s", a.raw)
	}
	seen := ""
	for i := range types {
		if a.text("events", i, "artifact", "kind") == "text" {
			seen = a.text("events", i, "artifact", "snapshotId")
		}
	}
	if b := s.must(200, "GET", "/v2/agent/"+id+"/snapshots/"+seen, ""); !strings.Contains(b.text("snapshot"), "lamp") || b.text("snapshotId") != seen || b.text("id") != id {
		t.Errorf("%s", b.raw)
	}
	if b := s.must(200, "GET", "/v2/agent/"+id+"/snapshots/result", ""); b.text("snapshot") != `{"lit":"in the evening"}` {
		t.Errorf("%s", b.raw)
	}
	for _, name := range []string{"x", "seen-1", "seen-x", "seen-99999999999999999999", "Result"} {
		s.must(404, "GET", "/v2/agent/"+id+"/snapshots/"+name, "")
	}
}

// stepping is a clock that goes on by hand.
type stepping struct{ now atomic.Int64 } // ms

func (c *stepping) time() time.Time { return time.UnixMilli(c.now.Load()).UTC() }

func TestAgent_listIsPaged(t *testing.T) {
	at := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	var clock stepping
	clock.now.Store(at.UnixMilli())
	s := newService(t, withModel(t), func(o *engine.Options, _ *Options) { o.Now = clock.time })
	made := map[string]bool{}
	for i := range 43 {
		if i%3 == 0 { // three in each millisecond
			clock.now.Add(1)
		}
		made[s.must(200, "POST", "/v2/agent", agentBody).text("id")] = true
	}
	target, pages := "/v2/agent", 0
	for target != "" {
		a := s.must(200, "GET", target, "")
		for i := range a.get("agents").([]any) {
			id := a.text("agents", i, "id")
			if !made[id] {
				t.Errorf("%s is on two pages, or nobody's", id)
			}
			delete(made, id)
			if a.text("agents", i, "origin") != "cli@1" || a.text("agents", i, "integration") != "lights" || a.text("agents", i, "options", "prompt") == "" || a.text("agents", i, "options", "model") == "" {
				t.Errorf("%v", a.get("agents", i))
			}
		}
		target, pages = strings.TrimPrefix(a.text("next"), "https://api.example"), pages+1
	}
	if len(made) != 0 || pages != 2 {
		t.Errorf("%d agents left after %d pages", len(made), pages)
	}
	for _, before := range []string{"x", "-1", ""} {
		s.must(400, "GET", "/v2/agent?before="+before, "")
	}
	if a := s.must(200, "GET", fmt.Sprintf("/v2/agent?before=%d", at.UnixMilli()), ""); len(a.get("agents").([]any)) != 0 || a.get("next") != nil {
		t.Errorf("%s", a.raw)
	}
}
