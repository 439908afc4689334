package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/winnow-go/winnow/engine/internal/drive"
	"github.com/winnow-go/winnow/engine/internal/toolloop"
	"github.com/winnow-go/winnow/llm"
)

// web is a small web that notes its requests.
type web struct {
	pages map[string]Page
	asked []string
}

var errNone = errors.New("there is no such page")

func (w *web) Search(_ context.Context, query string, _ int) (Hits, error) {
	w.asked = append(w.asked, "search "+query)
	return Hits{List: []Hit{{URL: "https://www.found.test/x", Title: "Found"}}}, nil
}

func (w *web) Map(_ context.Context, address, _ string, _ int) (Hits, error) {
	w.asked = append(w.asked, "map "+address)
	return Hits{List: []Hit{{URL: "http://a.test/1"}, {URL: "http://b.test/2"}}}, nil
}

func (w *web) Scrape(_ context.Context, address string) (Page, error) {
	w.asked = append(w.asked, "scrape "+address)
	if p, ok := w.pages[address]; ok {
		return p, nil
	}
	return Page{}, errNone
}

func (w *web) Interact(_ context.Context, _ llm.Model, address, _ string, o drive.Options) (Interaction, error) {
	w.asked = append(w.asked, "interact "+address)
	if err := o.OnStep(toolloop.Step{Number: 1, Tool: "click", URL: address}); err != nil {
		return Interaction{}, err
	}
	return Interaction{Outcome: drive.Outcome{Output: "clicked", Steps: make([]toolloop.Step, 1), Complete: true}, Page: Page{URL: address, Text: "after"}}, nil
}

// replies makes its calls one after the other, then is done.
type replies struct {
	calls []llm.Call
	asked []llm.Request
}

func (*replies) Info() llm.Info { return llm.Info{Context: 16000, Output: 1000} }

func (m *replies) Ask(_ context.Context, r llm.Request) (llm.Answer, error) {
	m.asked = append(m.asked, r)
	if len(r.Tools) == 0 {
		return llm.Answer{Text: "a text"}, nil
	}
	next := llm.Call{Name: "done", Arguments: json.RawMessage(`{"answer":"over"}`)}
	if len(m.calls) > 0 {
		next, m.calls = m.calls[0], m.calls[1:]
	}
	return llm.Answer{Calls: []llm.Call{next}}, nil
}

func call(name, arguments string) llm.Call {
	return llm.Call{Name: name, Arguments: json.RawMessage(arguments)}
}

func small() *web {
	return &web{pages: map[string]Page{
		"http://a.test/":      {URL: "http://a.test/", Title: "A", Text: "text of a"},
		"http://a.test/r":     {URL: "http://b.test/", Title: "B", Text: "redirected"},
		"https://found.test/": {URL: "https://found.test/", Text: "found"},
	}}
}

func run(t testing.TB, w *web, o Options, calls ...llm.Call) (Outcome, []toolloop.Step, error) {
	t.Helper()
	var steps []toolloop.Step
	o.Prompt, o.Tools, o.Model = "goal", w, &replies{calls: calls}
	o.MaxSteps, o.MaxPages = max(o.MaxSteps, 1)+9, 5
	o.OnStep = func(s toolloop.Step, _ State) error { steps = append(steps, s); return nil }
	out, err := Run(t.Context(), o)
	return out, steps, err
}

func TestRun_asksOnlyForWhatIsWithinReach(t *testing.T) {
	w := small()
	out, steps, err := run(t, w, Options{URLs: []string{"http://a.test/"}},
		call("scrape", `{"url":"http://b.test/"}`), call("map", `{"url":"http://a.test/"}`), call("scrape", `{"url":"http://a.test/r"}`),
		call("interact", `{"url":"http://b.test/","goal":"x"}`), call("extract", `{"url":"http://user:pw@a.test/","what":"x"}`), call("note", `{"url":"http://b.test/","text":"x"}`))
	if err != nil || string(out.Result) != `{"answer":"over"}` {
		t.Fatalf("got %s, %v", out.Result, err)
	}
	if got, want := strings.Join(w.asked, ", "), "map http://a.test/, scrape http://a.test/r"; got != want {
		t.Errorf("asked for %s, want %s", got, want)
	}
	for i, want := range []string{"not within reach", "", "led to another site", "not within reach", "no http", "have not read"} {
		if !strings.Contains(steps[i].Error, want) || want == "" && steps[i].Error != "" {
			t.Errorf("step %d: got %q, want %q", i, steps[i].Error, want)
		}
	}
}

func TestRun_searchesBringSitesWithinReach(t *testing.T) {
	w := small()
	find, read := call("search", `{"query":" a  b "}`), call("scrape", `{"url":"https://found.test/"}`)
	out, steps, err := run(t, w, Options{Search: true}, read, find, read)
	if err != nil || steps[0].Error == "" || steps[2].Error != "" || w.asked[0] != "search a b" || strings.Join(out.State.Sites, "") != "found.test" {
		t.Errorf("got %+v, %v, asked %q", steps, err, w.asked)
	}
}

func TestRun_aPageIsReadOnceHoweverOftenItIsUsed(t *testing.T) {
	w := small()
	out, _, err := run(t, w, Options{URLs: []string{"http://a.test/"}},
		call("scrape", `{"url":"http://a.test/"}`), call("extract", `{"url":"http://a.test/","what":"x"}`), call("note", `{"url":"http://a.test/","text":"mine"}`))
	if err != nil || len(w.asked) != 1 || out.State.Pages != 1 || len(out.State.Notes) != 2 || out.State.Notes[1].Text != "mine" {
		t.Errorf("asked %q, state %+v, %v", w.asked, out.State, err)
	}
}

func TestRun_stopsOnAPageWhenItCannotPay(t *testing.T) {
	paid := 0
	o := Options{URLs: []string{"http://a.test/"}, CheckCredits: func() error {
		if paid++; paid > 1 {
			return ErrCredits
		}
		return nil
	}}
	if _, _, err := run(t, small(), o, call("interact", `{"url":"http://a.test/","goal":"x"}`)); !errors.Is(err, ErrCredits) || !errors.Is(err, ErrNothing) {
		t.Errorf("got %v", err)
	}
}

func TestRun_warnsOfAnswersFromNowhere(t *testing.T) {
	out, _, err := run(t, small(), Options{URLs: []string{"http://a.test/"}})
	if err != nil || !strings.Contains(out.Warning, "No page was read") {
		t.Errorf("got %+v, %v", out, err)
	}
}

func TestSiteOf_isHostAndPortOfWebAddressesAlone(t *testing.T) {
	for address, want := range map[string]string{
		"http://www.A.test/x": "a.test", "https://a.test:443": "a.test", "http://a.test.:80": "a.test", "http://a.test:8080/": "a.test:8080", "http://[::1]:8080/": "[::1]:8080",
		"http://b.a.test": "b.a.test", "file:///x": "", "http://u:p@a.test": "", "javascript:1": "", "": "", "http://": "", "a.test": "",
	} {
		if got := siteOf(address); got != want {
			t.Errorf("%s: got %q, want %q", address, got, want)
		}
	}
	for pair, want := range map[[2]string]bool{
		{"http://a.test/x", "https://www.a.test/x/#y"}: true, {"http://a.test/x", "http://a.test/x?y=1"}: false, {"http://a.test/x", "http://a.test/X"}: false, {"file:///x", "file:///x"}: false,
	} {
		if got := samePage(pair[0], pair[1]); got != want {
			t.Errorf("%v: got %v", pair, got)
		}
	}
}

// FuzzRun: whatever a model asks for, nothing but the given site is asked of the web.
func FuzzRun(f *testing.F) {
	f.Add("scrape", `{"url":"http://a.test/"}`, "extract", `{"url":"http://a.test/r","what":"x"}`)
	f.Add("interact", `{"url":"http://a.test@b.test/","goal":"x"}`, "map", `{"url":"//b.test/"}`)
	f.Add("note", `{"url":"http://a.test/","text":""}`, "done", `{"answer":"{}","success":true}`)
	f.Add("search", `{"query":"x"}`, "scrape", `{"url":"http://a.test\\@b.test/"}`)
	f.Fuzz(func(t *testing.T, a, x, b, y string) {
		w := small()
		out, _, err := run(t, w, Options{URLs: []string{"http://a.test/"}}, call(a, x), call(b, y))
		for _, asked := range w.asked {
			_, address, _ := strings.Cut(asked, " ")
			if siteOf(address) != "a.test" {
				t.Errorf("asked for %s", asked)
			}
		}
		if err == nil && !json.Valid(out.Result) {
			t.Errorf("the result is %s", out.Result)
		}
	})
}

func TestRun_readingIsNoStandingStill(t *testing.T) {
	calls := []llm.Call{call("scrape", `{"url":"http://a.test/"}`)}
	for i := range 8 {
		calls = append(calls, call("note", fmt.Sprintf(`{"url":"http://a.test/","text":"%d"}`, i)))
	}
	out, _, err := run(t, small(), Options{URLs: []string{"http://a.test/"}}, calls...)
	if err != nil || out.Warning != "" || len(out.State.Notes) != 8 {
		t.Errorf("got %+v, %v", out, err)
	}
}

// silent answers with its calls, and else never.
type silent struct{ replies }

func (m *silent) Ask(ctx context.Context, r llm.Request) (llm.Answer, error) {
	if len(m.calls) > 0 && len(r.Tools) > 0 {
		return m.replies.Ask(ctx, r)
	}
	<-ctx.Done()
	return llm.Answer{}, ctx.Err()
}

func TestRun_itsTimeIsThatOfTheModelsAnswersToo(t *testing.T) {
	for name, o := range map[string]Options{
		"a plan":     {Plan: true, Model: &silent{}},
		"a step":     {Model: &silent{}},
		"an extract": {Model: &silent{replies{calls: []llm.Call{call("extract", `{"url":"http://a.test/","what":"x"}`)}}}},
	} {
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			o.Prompt, o.Tools, o.URLs, o.MaxSteps, o.MaxPages, o.MaxTime = "goal", small(), []string{"http://a.test/"}, 5, 5, time.Minute
			_, err := Run(t.Context(), o)
			if !errors.Is(err, ErrNothing) || !errors.Is(err, toolloop.ErrTime) || time.Since(began) != time.Minute {
				t.Errorf("%s: got %v after %s", name, err, time.Since(began))
			}
		})
	}
}
