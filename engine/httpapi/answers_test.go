package httpapi

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/llm"
	"github.com/winnow-go/winnow/llm/llmtest"
)

// withAnswers is a model that says one thing, or ends an agent at once with it.
func withAnswers(t testing.TB, says string) func(*engine.Options, *Options) {
	model := llmtest.NewServer(t, llmtest.Step{Times: -1, Func: func(r llmtest.Request) llmtest.Reply {
		if len(r.Tools) == 0 {
			return llmtest.Reply{Text: says, InputTokens: 10, OutputTokens: 5}
		}
		return llmtest.Reply{Calls: []llm.Call{{Name: "done", Arguments: json.RawMessage(`{"answer":"one lamp"}`)}}}
	}}).Model()
	return func(o *engine.Options, _ *Options) { o.Model = model }
}

func TestScrape_jsonByAModelAndItsPrice(t *testing.T) {
	s := newService(t, withAnswers(t, `{"name":"lamp"}`))
	a := s.must(200, "POST", "/v2/scrape", `{"url":"lamp.example","formats":[{"type":"json","schema":{"type":"object","properties":{"name":{"type":"string"}}}}]}`)
	if a.text("data", "json", "name") != "lamp" || a.get("data", "metadata", "creditsUsed") != 5.0 {
		t.Errorf("%s", a.raw)
	}
}

func TestExtract_statusAndData(t *testing.T) {
	s := newService(t, withAnswers(t, `{"name":"lamp"}`))
	start := s.must(200, "POST", "/v2/extract", `{"urls":["lamp.example","ftp://x"],"prompt":"the name","schema":{"type":"object","properties":{"name":{"type":"string"}}},"showSources":true}`)
	id := start.text("id")
	if start.text("invalidURLs", 0) != "ftp://x" {
		t.Errorf("%s", start.raw)
	}
	s.ended(id)
	a := s.must(200, "GET", "/v2/extract/"+id, "")
	if a.text("status") != "completed" || a.text("data", "name") != "lamp" || a.get("tokensUsed") != 15.0 || a.get("creditsUsed") == 0.0 || a.text("expiresAt") == "" {
		t.Errorf("%s", a.raw)
	}
	if a.text("sources", "/name", 0, "url") == "" {
		t.Errorf("no sources: %s", a.raw)
	}
	s.must(404, "GET", "/v2/agent/"+id, "")
}

func TestExtract_aFailedOneSaysWhy(t *testing.T) {
	s := newService(t, withModel(t))
	id := s.must(200, "POST", "/v2/extract", `{"urls":["nobody.example"],"prompt":"x","schema":{"type":"object","properties":{"a":{"type":"string"}}}}`).text("id")
	s.ended(id)
	if a := s.must(200, "GET", "/v2/extract/"+id, ""); a.text("status") != "failed" || a.get("success") != false || a.text("error") == "" || a.text("code") == "" {
		t.Errorf("%s", a.raw)
	}
}

func TestAgent_isReadAtBothRoutesListedAndCancelled(t *testing.T) {
	s := newService(t, withAnswers(t, `{"answer":"one lamp"}`))
	id := s.must(200, "POST", "/v2/agent", `{"prompt":"how many lamps","urls":["lamp.example"],"model":"spark-1-mini","effort":"low","maxCredits":10}`).text("id")
	s.ended(id)
	for _, target := range []string{"/v2/agent/", "/v2/extract/"} {
		if a := s.must(200, "GET", target+id, ""); a.text("status") != "completed" || !strings.Contains(a.raw, "one lamp") {
			t.Errorf("%s: %s", target, a.raw)
		}
	}
	if a := s.must(200, "GET", "/v2/agent", ""); a.text("agents", 0, "id") != id || a.text("agents", 0, "status") != "completed" {
		t.Errorf("%s", a.raw)
	}
	if a := s.must(409, "DELETE", "/v2/agent/"+id, ""); a.text("code") != "JOB_FINISHED" {
		t.Errorf("%s", a.raw)
	}
	if a := s.must(400, "POST", "/v2/agent", `{"prompt":"x","threadId":"y"}`); !strings.Contains(a.text("error"), "threadId: not supported") {
		t.Errorf("%s", a.raw)
	}
}
