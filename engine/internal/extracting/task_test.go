package extracting

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/work"
	"github.com/winnow-go/winnow/engine/internal/work/worktest"
	"github.com/winnow-go/winnow/llm"
	"github.com/winnow-go/winnow/llm/read"
)

// scraped is the fake of Pages: a page's text is its URL; "gone" answers 404, "lost" fails.
type scraped struct{}

func (scraped) Visit(_ context.Context, item crawl.Item, _ *llm.Meter) (Visit, error) {
	v := Visit{Tried: work.Tried{Credits: 1}, Document: item.URL, URL: item.URL, Status: 200, Page: read.Page{URL: item.URL, Text: item.URL}}
	switch {
	case strings.Contains(item.URL, "gone"):
		v.Status = 404
	case strings.Contains(item.URL, "lost"):
		return Visit{}, errors.New("no luck")
	}
	return v, nil
}

// counter is a model that gives the same object for each page.
type counter struct{ answer string }

func (counter) Info() llm.Info { return llm.Info{Context: 16000, Output: 1000} }

func (c counter) Ask(context.Context, llm.Request) (llm.Answer, error) {
	return llm.Answer{Text: c.answer, Usage: llm.Usage{Calls: 1, InputTokens: 10}}, nil
}

func extract(t *testing.T, o Options) (*work.Runner, jobs.Record) {
	t.Helper()
	schema, err := llm.CompileSchema([]byte(`{"type":"object","properties":{"lamps":{"type":"array","items":{"type":"string"}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	o.Schema, o.Workers, o.Limit, o.Credits, o.Model = schema, 1, 10, 4, counter{`{"lamps":["one"]}`}
	r := worktest.New(t, work.Kind{Line: func(l *work.Line) (work.Task, work.LineOptions, error) {
		return Open(l, scraped{}, &web{}, o)
	}})
	return r, worktest.Run(t, r, worktest.Create(t, r, o.URLs[0]))
}

func TestTask_readsPagesAndTracesThem(t *testing.T) {
	r, record := extract(t, Options{Request: Request{URLs: []string{"https://a.test/1", "https://a.test/gone", "https://a.test/lost"}}})
	if record.State != jobs.Completed || record.Credits != 1+4+1 {
		t.Errorf("%s with %d credits: %s", record.State, record.Credits, record.Error)
	}
	result, _, err := r.Result(record.ID)
	if err != nil || string(result.Data) != `{"lamps":["one"]}` {
		t.Errorf("got %s, %v", result.Data, err)
	}
	traces, err := Traces(t.Context(), r, record.ID)
	if err != nil || len(traces) != 3 {
		t.Fatalf("%+v, %v", traces, err)
	}
	for i, want := range []string{"read", "empty", "failed"} {
		if traces[i].Status != want || (traces[i].Error != "") != (want == "failed") {
			t.Errorf("page %d: got %+v, want %s", i, traces[i], want)
		}
	}
}

func TestTask_failsWhereNoPageCanBeRead(t *testing.T) {
	_, record := extract(t, Options{Request: Request{URLs: []string{"https://a.test/lost"}}})
	if record.State != jobs.Failed || record.Error != "no page could be read: no luck" {
		t.Errorf("%s: %s", record.State, record.Error)
	}
}

func TestTask_readsNoFurtherPagesWhenTheTokensAreUsedUp(t *testing.T) {
	r, record := extract(t, Options{MaxTokens: 1, Request: Request{URLs: []string{"https://a.test/1", "https://a.test/2"}}})
	for failed, err := range r.Errors(t.Context(), record.ID) {
		if err != nil || !strings.Contains(string(failed.Data), llm.ErrBudget.Error()) {
			t.Errorf("%s: %s, %v", failed.URL, failed.Data, err)
		}
	}
	if used, err := r.Usage(record.ID); err != nil || used.Calls > 1 {
		t.Errorf("%+v, %v", used, err)
	}
}
