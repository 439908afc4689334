package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/winnow-go/winnow/llm/llmtest"
)

// The search library has workers for the life of the process.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m, goleak.IgnoreCurrent()) }

func TestRun_findsOutOnTheCarriedSiteAndReplaysWithoutTheModel(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: this test renders in a real browser")
	}
	var out, progress bytes.Buffer
	if err := run(t.Context(), nil, &out, &progress); err != nil {
		t.Fatalf("%v\n%s", err, &progress)
	}
	var got struct {
		Title, Until string
		OnLoan       bool
	}
	if err := json.NewDecoder(bytes.NewReader(out.Bytes())).Decode(&got); err != nil || got.Title != "Atlas of tides" || !got.OnLoan || got.Until != "3 March" {
		t.Errorf("%v: got %+v in %s", err, got, &out)
	}
	_, replayed, _ := strings.Cut(out.String(), "without the model:")
	if !strings.Contains(replayed, "atlas of tides: On loan until 3 March.") {
		t.Errorf("the replay gave %s", replayed)
	}
	for _, want := range []string{"plan ", "1     map", "3     interact", "3.1 type", "3.2 click", "result", "model calls"} {
		if !strings.Contains(progress.String(), want) {
			t.Errorf("%q is not in\n%s", want, &progress)
		}
	}
}

// The way of a real model: flags, a schema in a file, a key that is sent to the model alone.
func TestRun_asksTheServerOfTheFlags(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "a-key")
	model := llmtest.NewServer(t, llmtest.CallTool("done", `{"answer":"there is none","success":false}`))
	schema := filepath.Join(t.TempDir(), "form.json")
	if err := os.WriteFile(schema, []byte(loanSchema), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, progress bytes.Buffer
	args := []string{"-model-url", model.URL(), "-model", "m", "-schema", schema, "-effort", "low", "-prompt", "a book", "https://library.example/"}
	if err := run(t.Context(), args, &out, &progress); err == nil || !strings.Contains(err.Error(), "there is none") {
		t.Errorf("got %v", err)
	}
	asked := model.Requests()
	if len(asked) != 1 || asked[0].Header.Get("Authorization") != "Bearer a-key" || !asked[0].Holds("onLoan") {
		t.Errorf("asked %+v", asked)
	}
}

func TestRun_refusesWhatItCannotDo(t *testing.T) {
	for _, args := range [][]string{{"-nonsense"}, {"-schema", "missing.json"}, {"-model", "m", "-effort", "huge", "-prompt", "x", "https://a.example/"}} {
		var out, progress bytes.Buffer
		if err := run(t.Context(), args, &out, &progress); err == nil {
			t.Errorf("%q is taken", args)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, progress bytes.Buffer
	if err := run(ctx, nil, &out, &progress); err == nil {
		t.Error("a run that was ended before it began gives no error")
	}
}
