package actions_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/actions/actionstest"
)

// every has one action of each kind.
func every() []actions.Action {
	return []actions.Action{
		{Type: actions.Wait, Milliseconds: 1500},
		{Type: actions.Wait, Selector: "#name"},
		{Type: actions.Click, Selector: "#name"},
		{Type: actions.Write, Text: "hello"},
		{Type: actions.Screenshot, Quality: 50, Viewport: &actions.Viewport{Width: 8, Height: 6}},
		{Type: actions.Press, Key: "Enter"},
		{Type: actions.Scroll},
		{Type: actions.Scroll, Direction: "up", Selector: "#name"},
		{Type: actions.Scrape},
		{Type: actions.ExecuteJavaScript, Script: "1 + 1"},
		{Type: actions.PDF},
		{Type: actions.Scrape},
	}
}

func inputPage() *actionstest.Fake {
	return &actionstest.Fake{HTML: "<input id=name>", Elements: []*actionstest.Element{{Selectors: []string{"#name"}, Editable: true}}}
}

func TestRun_doesEachActionInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		page, start := inputPage(), time.Now()
		out, err := actions.Run(t.Context(), page, every(), actions.Options{})
		if err != nil {
			t.Fatal(err)
		}
		want := []string{"WaitSelector #name", "Click #name", "Type hello", "Screenshot", "Press Enter", "Scroll down", "Scroll up #name", "Scrape", "Evaluate 1 + 1", "PDF", "Scrape"}
		if !slices.Equal(page.Calls, want) {
			t.Errorf("got calls %q, want %q", page.Calls, want)
		}
		if got := time.Since(start); got != 1500*time.Millisecond {
			t.Errorf("got waits of %v, want 1.5s", got)
		}
		if len(out.Screenshots) != 1 || !strings.HasPrefix(out.Screenshots[0], "data:image/jpeg;base64,") || len(out.PDFs) != 1 || !strings.HasPrefix(out.PDFs[0], "data:application/pdf;base64,") {
			t.Errorf("got screenshots %q and pdfs %q, want a data URI each", out.Screenshots, out.PDFs)
		}
		if len(out.Scrapes) != 2 || len(out.JavaScriptReturns) != 1 {
			t.Errorf("got %d scrapes and %d returns, want 2 and 1", len(out.Scrapes), len(out.JavaScriptReturns))
		}
	})
}

func TestRun_givesThePageTheOptionsOfEachAction(t *testing.T) {
	var got []any
	page := &actionstest.Fake{
		OnWaitSelector: func(_ context.Context, _ string, d time.Duration) ([]string, error) {
			got = append(got, d)
			return nil, nil
		},
		OnClick: func(_ context.Context, _ string, o actions.ClickOptions) (actions.Clicked, error) {
			got = append(got, o)
			return actions.Clicked{}, nil
		},
		OnScroll: func(_ context.Context, o actions.ScrollOptions) error { got = append(got, o); return nil },
		OnScreenshot: func(_ context.Context, o actions.ScreenshotOptions) ([]byte, string, error) {
			got = append(got, o)
			return nil, "image/png", nil
		},
		OnPDF: func(_ context.Context, o actions.PDFOptions) ([]byte, error) { got = append(got, o); return nil, nil },
	}
	list := []actions.Action{
		{Type: actions.Wait, Selector: "a"},
		{Type: actions.Click, Selector: "a", All: true},
		{Type: actions.Scroll, Direction: "up", Selector: "a"},
		{Type: actions.Screenshot, FullPage: true, Quality: 3, Viewport: &actions.Viewport{Width: 1, Height: 2}},
		{Type: actions.PDF, Format: "A3", Landscape: true, Scale: 2},
	}
	if _, err := actions.Run(t.Context(), page, list, actions.Options{}); err != nil {
		t.Fatal(err)
	}
	want := []any{
		30 * time.Second,
		actions.ClickOptions{All: true, Timeout: 5 * time.Second},
		actions.ScrollOptions{Up: true, Selector: "a", Timeout: 5 * time.Second},
		actions.ScreenshotOptions{FullPage: true, Quality: 3, Viewport: actions.Viewport{Width: 1, Height: 2}},
		actions.PDFOptions{Format: "A3", Landscape: true, Scale: 2},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestRun_resultsAreInTheOrderOfExecution(t *testing.T) {
	n := 0
	page := &actionstest.Fake{OnEvaluate: func(context.Context, string) (actions.JavaScriptReturn, error) {
		n++
		return actions.JavaScriptReturn{Type: "number", Value: json.RawMessage(fmt.Sprint(n))}, nil
	}}
	list := slices.Repeat([]actions.Action{{Type: actions.ExecuteJavaScript, Script: "n"}, {Type: actions.Scroll}}, 3)
	out, err := actions.Run(t.Context(), page, list, actions.Options{})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(out)
	if want := `{"javascriptReturns":[{"type":"number","value":1},{"type":"number","value":2},{"type":"number","value":3}]}`; err != nil || string(text) != want {
		t.Errorf("got %s, %v, want %s", text, err, want)
	}
}

func TestRun_anActionThatFailsEndsTheRunAndIsNamed(t *testing.T) {
	for _, test := range []struct {
		action actions.Action
		html   string
		want   string
		reason actions.Reason
	}{
		{actions.Action{Type: actions.Click, Selector: "#buy"}, `<button id="buy" data-fake-covered-by='<div id="banner">'>`, `action 1 (click "#buy"): covered by <div id="banner">`, actions.Covered},
		{actions.Action{Type: actions.Click, Selector: "#buy"}, ``, `action 1 (click "#buy"): nothing matched`, actions.NoMatch},
		{actions.Action{Type: actions.Click, Selector: "#buy"}, `<button id="buy" data-fake-detaches>`, `action 1 (click "#buy"): detached`, actions.Detached},
		{actions.Action{Type: actions.Click, Selector: "#buy"}, `<button id="buy" hidden>`, `action 1 (click "#buy"): not visible`, actions.NotVisible},
		{actions.Action{Type: actions.Click, Selector: "#buy"}, `<button id="buy" disabled>`, `action 1 (click "#buy"): disabled`, actions.Disabled},
		{actions.Action{Type: actions.Click, Selector: "a["}, ``, `action 1 (click "a["): invalid selector: a[`, actions.BadSelector},
		{actions.Action{Type: actions.Wait, Selector: "#late"}, `<p id="late" data-fake-after="31s">`, `action 1 (wait "#late"): timed out after 30s: nothing matched`, actions.TimedOut},
		{actions.Action{Type: actions.Wait, Selector: "#late"}, `<p id="late" hidden>`, `action 1 (wait "#late"): timed out after 30s: not visible`, actions.TimedOut},
		{actions.Action{Type: actions.Write, Text: "x"}, ``, `action 1 (write): nothing that takes text has the focus`, actions.NotFocused},
		{actions.Action{Type: actions.Scroll, Selector: "#box"}, ``, `action 1 (scroll "#box"): nothing matched`, actions.NoMatch},
	} {
		t.Run(test.want, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				page, err := actionstest.NewFake(test.html)
				if err != nil {
					t.Fatal(err)
				}
				out, err := actions.Run(t.Context(), page, []actions.Action{{Type: actions.Scrape}, test.action, {Type: actions.Press, Key: "a"}}, actions.Options{})
				failed, ok := errors.AsType[*actions.Error](err)
				if !ok || failed.Index != 1 || failed.Type != test.action.Type || failed.Selector != test.action.Selector {
					t.Fatalf("got %#v, want an Error of action 1", err)
				}
				if err.Error() != test.want || actions.ReasonOf(err) != test.reason {
					t.Errorf("got %q with reason %q, want %q with %q", err, actions.ReasonOf(err), test.want, test.reason)
				}
				if len(out.Scrapes) != 1 || slices.Contains(page.Calls, "Press a") {
					t.Errorf("got %d scrapes and calls %q, want what came before and nothing after", len(out.Scrapes), page.Calls)
				}
			})
		})
	}
}

func TestRun_waitsForWhatAppearsInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		page, err := actionstest.NewFake(`<button id="late" data-fake-after="29s">`)
		if err != nil {
			t.Fatal(err)
		}
		list := []actions.Action{{Type: actions.Wait, Selector: "#late"}, {Type: actions.Click, Selector: "#late"}}
		if _, err := actions.Run(t.Context(), page, list, actions.Options{}); err != nil {
			t.Error(err)
		}
	})
}

func TestRun_refusesAnInvalidListBeforeDoingAnything(t *testing.T) {
	page := inputPage()
	out, err := actions.Run(t.Context(), page, []actions.Action{{Type: actions.Scrape}, {Type: "hover"}}, actions.Options{})
	wantOption(t, err, "actions[1].type")
	if out == nil || !out.Empty() || len(page.Calls) != 0 {
		t.Errorf("got %+v and calls %q, want an empty output and none", out, page.Calls)
	}
}

// ending is a cause of its own, as an engine's timeout has one.
type ending struct{ error }

func TestRun_theContextEndsItInTheMiddle(t *testing.T) {
	cause := ending{errors.New("the scrape's time ran out")}
	for name, list := range map[string][]actions.Action{
		"of a wait":             {{Type: actions.Scrape}, {Type: actions.Wait, Milliseconds: 30000}, {Type: actions.Press, Key: "a"}},
		"of a wait by selector": {{Type: actions.Scrape}, {Type: actions.Wait, Selector: "#never"}, {Type: actions.Press, Key: "a"}},
		"of a click":            {{Type: actions.Scrape}, {Type: actions.Click, Selector: "#never"}, {Type: actions.Press, Key: "a"}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancelCause(t.Context())
				time.AfterFunc(2*time.Second, func() { cancel(cause) })
				page, start := inputPage(), time.Now()
				out, err := actions.Run(ctx, page, list, actions.Options{})
				if failed, ok := errors.AsType[*actions.Error](err); !ok || failed.Index != 1 {
					t.Errorf("got %v, want an Error of action 1", err)
				}
				if !errors.Is(err, context.Canceled) || !errors.Is(err, cause) {
					t.Errorf("got %v, want the context's error and its cause", err)
				}
				if time.Since(start) != 2*time.Second || len(out.Scrapes) != 1 || slices.Contains(page.Calls, "Press a") {
					t.Errorf("got %v, %d scrapes and calls %q, want an end after 2s", time.Since(start), len(out.Scrapes), page.Calls)
				}
			})
		})
	}
}

func TestRun_theContextWinsOverWhatThePageSays(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	page := &actionstest.Fake{OnPress: func(context.Context, string) error { cancel(); return errors.New("target closed") }}
	_, err := actions.Run(ctx, page, []actions.Action{{Type: actions.Press, Key: "a"}, {Type: actions.Scrape}}, actions.Options{})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
	if want := "action 0 (press): context canceled"; err.Error() != want {
		t.Errorf("got %q, want %q", err, want)
	}
}

func TestRun_anErrorOfThePageIsWrapped(t *testing.T) {
	page := &actionstest.Fake{OnPDF: func(context.Context, actions.PDFOptions) ([]byte, error) { return nil, io.ErrUnexpectedEOF }}
	_, err := actions.Run(t.Context(), page, []actions.Action{{Type: actions.PDF}}, actions.Options{})
	if !errors.Is(err, io.ErrUnexpectedEOF) || actions.ReasonOf(err) != "" {
		t.Errorf("got %v, want the page's error without a reason", err)
	}
}

func TestRun_keepMakesTheStrings(t *testing.T) {
	keep := func(_ context.Context, data []byte, mediaType string) (string, error) {
		return fmt.Sprintf("%s of %d", mediaType, len(data)), nil
	}
	page := &actionstest.Fake{OnScreenshot: func(context.Context, actions.ScreenshotOptions) ([]byte, string, error) {
		return []byte("abc"), "image/png", nil
	}}
	list := []actions.Action{{Type: actions.Screenshot}, {Type: actions.PDF}}
	out, err := actions.Run(t.Context(), page, list, actions.Options{Keep: keep})
	if err != nil || out.Screenshots[0] != "image/png of 3" || out.PDFs[0] != "application/pdf of 15" {
		t.Errorf("got %+v, %v, want what keep made", out, err)
	}
	broken := func(context.Context, []byte, string) (string, error) { return "", io.ErrShortWrite }
	out, err = actions.Run(t.Context(), page, list, actions.Options{Keep: broken})
	if !errors.Is(err, io.ErrShortWrite) || !out.Empty() {
		t.Errorf("got %+v, %v, want keep's error and nothing", out, err)
	}
}

func TestRun_outputIsBounded(t *testing.T) {
	page := &actionstest.Fake{URL: "u", HTML: strings.Repeat("x", 99), OnEvaluate: func(context.Context, string) (actions.JavaScriptReturn, error) {
		return actions.JavaScriptReturn{Type: "number", Value: json.RawMessage("1")}, nil
	}}
	scrape, script := actions.Action{Type: actions.Scrape}, actions.Action{Type: actions.ExecuteJavaScript, Script: "1"}
	for _, test := range []struct {
		list     []actions.Action
		maxBytes int
		failing  int // -1: none
	}{
		{[]actions.Action{scrape, scrape}, 200, -1},
		{[]actions.Action{scrape, scrape}, 199, 1},
		{[]actions.Action{scrape, script}, 106, 1},
		{[]actions.Action{{Type: actions.PDF}}, 14, 0},
		{[]actions.Action{{Type: actions.PDF}}, 40, 0}, // the file fits, its data URI doesn't
		{[]actions.Action{{Type: actions.Screenshot}}, 40, 0},
	} {
		_, err := actions.Run(t.Context(), page, test.list, actions.Options{MaxBytes: test.maxBytes})
		if test.failing < 0 {
			if err != nil {
				t.Errorf("%d bytes: got %v, want success", test.maxBytes, err)
			}
			continue
		}
		if failed, ok := errors.AsType[*actions.Error](err); !ok || failed.Index != test.failing || actions.ReasonOf(err) != actions.TooLarge {
			t.Errorf("%d bytes: got %v, want action %d too large", test.maxBytes, err, test.failing)
		}
	}
}

func TestRun_replayLeavesOutWhatOnlyLooks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		page := inputPage()
		out, err := actions.Run(t.Context(), page, every(), actions.Options{Replay: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, call := range page.Calls {
			if slices.Contains([]string{"Screenshot", "Scrape", "PDF"}, call) {
				t.Errorf("got call %q, want it left out", call)
			}
		}
		if len(out.Screenshots)+len(out.Scrapes)+len(out.PDFs) != 0 || len(out.JavaScriptReturns) != 1 {
			t.Errorf("got %+v, want the script's value alone", out)
		}
	})
}

// savingPage has each click give a file, and the wait at the end another.
func savingPage(files ...actions.File) *actionstest.Fake {
	page := inputPage()
	page.OnEffects = func(context.Context) (actions.Effects, error) {
		if len(files) == 0 {
			return actions.Effects{}, nil
		}
		first := files[0]
		files = files[1:]
		return actions.Effects{Downloads: []actions.File{first}}, nil
	}
	return page
}

func TestRun_filesAreOutputs(t *testing.T) {
	list := []actions.Action{{Type: actions.Click, Selector: "#name"}}
	page := savingPage(
		actions.File{Name: "a\nb.csv", URL: "https://a.example/b.csv", Type: "Text/CSV; charset=utf-8", Data: []byte("abc")},
		actions.File{Name: "late.bin", URL: "data:" + strings.Repeat("x", 5000), Type: "no type"},
	)
	rested := false
	out, err := actions.Run(t.Context(), page, list, actions.Options{Rest: func(context.Context) error { rested = true; return nil }})
	if err != nil || !rested || len(out.Downloads) != 2 || out.Empty() {
		t.Fatalf("got %+v, %v, want the file of the click and the late one", out, err)
	}
	want := actions.Download{
		Name: "a b.csv", URL: "https://a.example/b.csv", Type: "text/csv", Size: 3, Asset: "data:text/csv;base64,YWJj",
		SHA256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
	}
	if got := out.Downloads[0]; got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := out.Downloads[1]; got.Type != "application/octet-stream" || got.Size != 0 || len(got.URL) > 2010 {
		t.Errorf("got %+v, want an empty file without a type, its address cut", got)
	}
	large := actions.File{Name: "large", Data: make([]byte, 100)}
	out, err = actions.Run(t.Context(), savingPage(large), list, actions.Options{MaxBytes: 99})
	if actions.ReasonOf(err) != actions.TooLarge || len(out.Downloads) != 0 {
		t.Errorf("got %+v, %v, want the click too large", out, err)
	}
	if out, err = actions.Run(t.Context(), savingPage(large), list, actions.Options{Replay: true}); err != nil || len(out.Downloads) != 0 {
		t.Errorf("replay: got %+v, %v, want no file", out, err)
	}
}

func TestRun_errorsOfTheRest(t *testing.T) {
	list := []actions.Action{{Type: actions.Click, Selector: "#name"}}
	if out, err := actions.Run(t.Context(), inputPage(), list, actions.Options{Rest: func(context.Context) error { return io.EOF }}); err != io.EOF {
		t.Errorf("got %+v, %v, want the error as it is", out, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	out, err := actions.Run(ctx, inputPage(), list, actions.Options{Rest: func(context.Context) error { cancel(); return io.EOF }})
	if err != nil {
		t.Errorf("got %+v, %v, want the actions done though the time is over", out, err)
	}
}

func TestRun_sleepIsASeam(t *testing.T) {
	var slept []time.Duration
	o := actions.Options{Sleep: func(_ context.Context, d time.Duration) error { slept = append(slept, d); return nil }}
	if _, err := actions.Run(t.Context(), inputPage(), []actions.Action{{Type: actions.Wait, Milliseconds: 60000}}, o); err != nil || !slices.Equal(slept, []time.Duration{time.Minute}) {
		t.Errorf("got %v, %v, want one sleep of a minute", slept, err)
	}
}

func TestError_isOneLineHoweverLongTheParts(t *testing.T) {
	err := &actions.Error{Index: 3, Type: actions.Click, Selector: strings.Repeat("a \n", 500), Err: errors.New(strings.Repeat("line\n", 10000))}
	if got := err.Error(); len(got) > 700 || strings.Contains(got, "\n") {
		t.Errorf("got %d bytes %.200q, want one line of at most 700", len(got), got)
	}
	failure := &actions.Failure{Reason: actions.ScriptThrew, Detail: "a\n  b", Err: io.EOF}
	if got, want := failure.Error(), "script threw: a b"; got != want || !errors.Is(failure, io.EOF) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestOutput_emptyReportsWhenTheKeyIsOmitted(t *testing.T) {
	var none *actions.Output
	for _, test := range []struct {
		out  *actions.Output
		want bool
	}{
		{none, true},
		{&actions.Output{}, true},
		{&actions.Output{Screenshots: []string{"a"}}, false},
		{&actions.Output{Scrapes: []actions.ScrapeResult{{}}}, false},
		{&actions.Output{JavaScriptReturns: []actions.JavaScriptReturn{{}}}, false},
		{&actions.Output{PDFs: []string{"a"}}, false},
	} {
		if got := test.out.Empty(); got != test.want {
			t.Errorf("%+v: got %v, want %v", test.out, got, test.want)
		}
	}
}
